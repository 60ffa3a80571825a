// SPDX-License-Identifier: Apache-2.0
// A port's end of one return lane: results that are for the port get its header and wait in a fifo. Manual:
// docs/blocks/reduction.md, "Return lanes".
// Latency: a packet whose last word comes in cycle t (an event of t) can be asked for from t + 1 on. Throughput: a word in, a cell out
// a cycle. Handshake: valid only.

module tilefly_red_return #(
    /// cells of the fifo
    parameter int Room = tilefly_pkg::RED_ROOM
) (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// number of this port
    input  logic [              5:0] port_i,
    /// own address: group 9, switch 5
    input  logic [             13:0] own_address_i,
    /// word of the ring lane
    input  tilefly_pkg::red_return_t word_i,
    /// ways to the peers of the groups (red_way_t), group 0 lowest
    input  logic [tilefly_pkg::RED_WAY_W*tilefly_pkg::RED_GROUPS-1:0] ways_i,
    /// the oldest complete packet is asked for
    input  logic                     ask_i,
    /// cells of the packet
    output logic [              6:0] cells_o,
    /// virtual lane of the packet
    output logic [              3:0] vl_o,
    /// a complete packet was not asked for
    output logic                     ready_o,
    /// another complete packet was not asked for
    output logic                     more_o,
    /// the oldest cell leaves
    input  logic                     read_i,
    /// the oldest cell; 0 unless it leaves
    output logic [            383:0] cell_o,
    /// a packet becomes complete
    output logic                     done_o
);

  /* verilator lint_off UNUSEDSIGNAL */  // group and length matter here
  tilefly_pkg::red_t red;
  /* verilator lint_on UNUSEDSIGNAL */
  logic enters, taking_q;
  logic [12:0] len;
  logic [255:0] data;
  logic [6:0] cells;
  tilefly_pkg::red_way_t way;
  tilefly_pkg::header_t header;

  assign red    = word_i.data[255:128];
  assign enters = word_i.valid && (word_i.first ? word_i.mask[port_i] : taking_q);

  always_comb begin
    way   = '0;
    len   = '0;
    cells = '0;
    data  = '0;
    if (enters) begin
      data = word_i.data;
      if (word_i.first) begin
        way         = ways_i[tilefly_pkg::RED_WAY_W*red.group[2:0]+:tilefly_pkg::RED_WAY_W];
        len         = tilefly_red_pkg::frame_bytes(red.empty, red.bytes);
        cells       = tilefly_ingress_pkg::cells_of(len);
        data[127:0] = header;
      end
    end
  end

  tilefly_red_header u_header (
      .way_i   (way),
      .src_i   ({own_address_i, port_i}),
      .len_i   (len),
      .header_o(header)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) taking_q <= 1'b0;
    else if (word_i.valid) taking_q <= enters && !word_i.eop;
  end

  tilefly_red_fifo #(
      .Room(Room)
  ) u_fifo (
      .clk_i,
      .rst_ni,
      .word_i (enters),
      .first_i(word_i.first),
      .eop_i  (word_i.eop),
      .upper_i(word_i.last[4]),
      .data_i (data),
      .cells_i(cells),
      .vl_i   (way.vl),
      .ask_i,
      .cells_o,
      .vl_o,
      .ready_o,
      .more_o,
      .read_i,
      .cell_o
  );

  assign done_o = enters && word_i.eop;

endmodule
