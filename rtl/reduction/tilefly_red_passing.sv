// SPDX-License-Identifier: Apache-2.0
// Which launches pass a port's steps on the collect lanes UP and DOWN, and which of them the port is in. Manual:
// docs/blocks/reduction.md, "Collect lanes".
// Latency: combinational; that the port takes part is kept from a launch's first word on. Throughput: a word a cycle and ring lane.
// Handshake: none.

module tilefly_red_passing #(
    /// bits of what names a word's launch
    parameter int NameW = tilefly_red_pkg::NAME_W
) (
    /// clock
    input  logic                               clk_i,
    /// synchronous reset, active low
    input  logic                               rst_ni,
    /// number of this port
    input  logic [                        5:0] port_i,
    /// groups of small operands
    input  logic [tilefly_pkg::RED_GROUPS-1:0] smalls_i,
    /// what names the launches of the words that pass, {DOWN, UP}
    input  logic [                2*NameW-1:0] names_i,
    /// first words
    output logic [                        1:0] first_o,
    /// words of short operations
    output logic [                        1:0] brief_o,
    /// the entry that is read: slot, or {group, engine}
    output logic [                       11:0] entry_o,
    /// the port is in the launch
    output logic [                        1:0] part_o,
    /// a segment's entry is read
    output logic [                        1:0] read_o,
    /// a short operation's entry is read
    output logic [                        1:0] read_short_o,
    /// the entry of a small-operand group is read
    output logic [                        1:0] small_o
);

  logic [1:0] valids, firsts, part_q;
  logic [5:0] entry;
  logic [63:0] ports;

  always_comb begin
    part_o       = part_q;
    valids       = '0;
    firsts       = '0;
    brief_o      = '0;
    entry_o      = '0;
    entry        = '0;
    ports        = '0;
    read_o       = '0;
    read_short_o = '0;
    small_o      = '0;
    for (int ring_lane = 0; ring_lane < 2; ring_lane++) begin
      {valids[ring_lane], firsts[ring_lane], brief_o[ring_lane], entry, ports} = names_i[ring_lane*NameW+:NameW];
      first_o[ring_lane] = valids[ring_lane] && firsts[ring_lane];
      if (first_o[ring_lane]) part_o[ring_lane] = ports[port_i];
      if (valids[ring_lane]) begin
        read_o[ring_lane]        = part_o[ring_lane] && !brief_o[ring_lane];
        read_short_o[ring_lane]  = part_o[ring_lane] && brief_o[ring_lane];
        entry_o[ring_lane*6+:6]  = entry;
        small_o[ring_lane]       = read_short_o[ring_lane] && smalls_i[entry[5:3]];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) part_q <= '0;
    else if (valids != '0) part_q <= part_o;
  end

endmodule
