// SPDX-License-Identifier: Apache-2.0
// Acks that come in on a link: judged, their load kept, passed on. Manual: docs/blocks/acks.md, "Passed on".
// Latency: an ack on the wire in cycle c is on the outputs (combinational) in c + 4; its load is kept from c + 5 on (flops).
// Throughput: an ack a cycle. Handshake: valid only.

module tilefly_ack_relay (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// the port is enabled and its link works
    input  logic                           live_i,
    /// the port is an edge port of the ack network
    input  logic                           edge_i,
    /// control slot on the wire
    /* verilator lint_off UNUSEDSIGNAL */  // its ack is all that matters here
    input  tilefly_pkg::ctrl_t             ctrl_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// load of this output
    input  logic                    [11:0] load_i,
    /// an ack is passed on
    output logic                           passed_o,
    /// port of this switch by which the ack goes
    output logic                    [ 5:0] dst_o,
    /// the ack, with this output's load
    output tilefly_pkg::ack_t              ack_o,
    /// an ack is ignored
    output logic                           bad_ack_o,
    /// load that the last ack passed on brought
    output logic                    [11:0] neighbour_o,
    /// acks passed on, modulo 512
    output logic                    [ 8:0] acks_o,
    /// an ack is on its way
    output logic                           busy_o
);

  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int WireCycles = 4;

  logic valid;
  tilefly_pkg::ack_t came;

  tilefly_delay_line #(
      .Width(tilefly_pkg::ACK_W),
      .Depth(WireCycles)
  ) u_wire (
      .clk_i,
      .rst_ni,
      .valid_i(ctrl_i.ack_valid && !ctrl_i.err && live_i),
      .data_i ({
        ctrl_i.ack_share, ctrl_i.ack_by_class, ctrl_i.ack_gen, ctrl_i.ack_tc, ctrl_i.ack_dst,
        ctrl_i.ack_mark, ctrl_i.ack_load, ctrl_i.ack_flow, ctrl_i.ack_cells, ctrl_i.ack_hops, ctrl_i.ack_port, ctrl_i.ack_path
      }),
      .valid_o(valid),
      .data_o (came),
      .busy_o
  );

  always_comb begin
    passed_o  = 1'b0;
    bad_ack_o = 1'b0;
    dst_o     = '0;
    ack_o     = '0;
    if (valid) begin
      dst_o      = tilefly_acks_pkg::port_back(came.hops, came.port, came.path);
      passed_o   = !edge_i && tilefly_acks_pkg::has_way(came.hops, dst_o);
      bad_ack_o  = !passed_o;
      ack_o      = came;
      ack_o.load = load_i;
    end
  end

  logic [11:0] neighbour_q;
  logic [8:0] acks_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      neighbour_q <= '0;
      acks_q      <= '0;
    end else if (passed_o) begin
      neighbour_q <= came.load;
      acks_q      <= acks_q + 9'd1;
    end
  end

  assign neighbour_o = neighbour_q;
  assign acks_o      = acks_q;

endmodule
