// SPDX-License-Identifier: Apache-2.0
// Path that a counted packet takes, and what its flow channel keeps of it. Manual: docs/blocks/flow_channel.md, "Path of ordered
// packets". Combinational.

module tilefly_flow_path (
    /// a counted packet
    input  logic                     valid_i,
    /// it must keep its order, and chose its path here
    input  logic                     ordered_i,
    /// its channel is the one of its class
    input  logic                     in_class_i,
    /// its entry has cells in flight or held
    input  logic                     busy_i,
    /// the class channel of its class is in use
    input  logic                     class_used_i,
    /// path that the entry keeps
    input  tilefly_flows_pkg::path_t kept_i,
    /// output of that path is down
    input  logic                     down_i,
    /// output as routed
    input  logic              [ 5:0] port_i,
    /// via as routed is still to be reached
    input  logic                     via_valid_i,
    /// via as routed
    input  logic              [13:0] via_i,
    /// output of the hash path
    input  logic              [ 5:0] pair_port_i,
    /// via of the packet as it came
    input  logic              [13:0] came_via_i,
    /// it takes another path than it was given
    output logic                     instead_o,
    /// output of that path
    output logic              [ 5:0] port_o,
    /// via of that path is still to be reached
    output logic                     via_valid_o,
    /// via of that path
    output logic              [13:0] via_o,
    /// path that the entry keeps from now on
    output tilefly_flows_pkg::path_t keeps_o
);

  logic by_kept, by_hash;
  assign by_kept = valid_i && ordered_i && !in_class_i && busy_i && kept_i.valid && !down_i;
  assign by_hash = valid_i && ordered_i && !by_kept && (in_class_i || busy_i || class_used_i);

  always_comb begin
    instead_o   = by_kept || by_hash;
    port_o      = '0;
    via_valid_o = 1'b0;
    via_o       = '0;
    if (by_kept) {port_o, via_valid_o, via_o} = {kept_i.port, kept_i.via_valid, kept_i.via};
    if (by_hash) {port_o, via_o} = {pair_port_i, came_via_i};
  end

  always_comb begin
    keeps_o = '0;
    if (valid_i && !in_class_i) begin
      if (busy_i) keeps_o = kept_i;
      else if (ordered_i && !class_used_i) keeps_o = {1'b1, port_i, via_valid_i, via_i};
    end
  end

endmodule
