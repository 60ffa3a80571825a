// SPDX-License-Identifier: Apache-2.0
// Room of the ports' result fifos of one return lane, as the CFU knows it. Manual: docs/blocks/reduction.md, "CFU: launches". Ports lie
// side by side: bit b of all counts is a word, and all are worked on at once.
// Latency: what happens in cycle t counts from t + 1 on; the answer is combinational. Throughput: all of it a cycle.

module tilefly_red_room #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// cells of a fifo
    parameter int Room = tilefly_pkg::RED_ROOM,
    /// cells that a launch takes
    parameter int Cells = tilefly_pkg::RED_CELLS
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// a launch takes `Cells` at these ports
    input  logic [  Ports-1:0] take_i,
    /// a launch that ends gives back at these ports the cells that it did not need
    input  logic [  Ports-1:0] return_i,
    /// number of cells that it gives back
    input  logic [        6:0] return_cells_i,
    /// results left these ports
    input  logic [  Ports-1:0] free_i,
    /// cells of these results: bit b in bits [b*Ports +: Ports]
    input  logic [7*Ports-1:0] free_cells_i,
    /// ports with room for a launch
    output logic [  Ports-1:0] room_o
);

  localparam int W = $clog2(Room + 1);
  localparam logic [W-1:0] Full = W'(Room);
  localparam logic [W-1:0] MinusCells = W'(0) - W'(Cells);

  logic [Ports-1:0] room_q[W], room_d[W];  // bit b of the ports' cells
  logic [Ports-1:0] taken, returned, freed, less, more, taken_carry, returned_carry, freed_carry, room_carry;

  function automatic [Ports-1:0] carried(input [Ports-1:0] a, input [Ports-1:0] b, input [Ports-1:0] carry);
    carried = a & b | (a | b) & carry;
  endfunction

  always_comb begin
    taken          = '0;
    returned       = '0;
    freed          = '0;
    less           = '0;
    more           = '0;
    taken_carry    = '0;
    returned_carry = '0;
    freed_carry    = '0;
    for (int b = 0; b < W; b++) begin
      taken    = MinusCells[b] ? take_i : '0;
      returned = '0;
      freed    = '0;
      if (b < 7) begin
        if (return_cells_i[b]) returned = return_i;
        freed = free_i & free_cells_i[b*Ports+:Ports];
      end
      less = room_q[b] ^ taken ^ taken_carry;
      more = less ^ returned ^ returned_carry;
      room_d[b] = more ^ freed ^ freed_carry;
      taken_carry    = carried(room_q[b], taken, taken_carry);
      returned_carry = carried(less, returned, returned_carry);
      freed_carry    = carried(more, freed, freed_carry);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int b = 0; b < W; b++) room_q[b] <= {Ports{Full[b]}};
    end else if ((take_i | return_i | free_i) != '0) begin
      for (int b = 0; b < W; b++) room_q[b] <= room_d[b];
    end
  end

  // Room less `Cells` does not fall below 0.
  always_comb begin
    room_carry = '0;
    for (int b = 0; b < W; b++) room_carry = MinusCells[b] ? room_q[b] | room_carry : room_q[b] & room_carry;
  end
  assign room_o = room_carry;

  // Assertions.
`ifndef SYNTHESIS
`ifndef FORMAL
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) begin
      for (int b = 0; b < W; b++) begin
        RED_4_home : assert (room_q[b] == {Ports{Full[b]}});
      end
    end
  end
`endif
`endif

endmodule
