// SPDX-License-Identifier: Apache-2.0
// Synchronous fifo of any depth. Manual: docs/blocks/common.md.
// Latency: the head is visible in the cycle after its push (no bypass). Throughput: one push and one pop a cycle,
// also when full. Handshake: none; the user pushes only when there is room and pops only when there is a head.
// The memory is not reset: the pointers say what of it counts.

module tilefly_fifo #(
    /// bits of an entry
    parameter int Width = 8,
    /// entries
    parameter int Depth = 16
) (
    /// clock
    input  logic             clk_i,
    /// synchronous reset, active low
    input  logic             rst_ni,
    /// append `data_i`
    input  logic             push_i,
    /// entry to append
    input  logic [Width-1:0] data_i,
    /// remove the head
    input  logic             pop_i,
    /// oldest entry; meaningful unless `empty_o`
    output logic [Width-1:0] head_o,
    /// no entry
    output logic             empty_o,
    /// Depth entries
    output logic             full_o
);

  localparam int IndexW = Depth > 1 ? $clog2(Depth) : 1;
  localparam int CountW = $clog2(Depth + 1);
  localparam int LastSlot = Depth - 1;

  logic [Width-1:0] mem[Depth];
  logic [IndexW-1:0] read_q, write_q;
  logic [CountW-1:0] count_q;

  function automatic [IndexW-1:0] successor(input [IndexW-1:0] slot);
    successor = (slot == LastSlot[IndexW-1:0]) ? '0 : slot + 1'b1;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (push_i) write_q <= successor(write_q);
      if (pop_i) read_q <= successor(read_q);
      if (push_i && !pop_i) count_q <= count_q + 1'b1;
      if (!push_i && pop_i) count_q <= count_q - 1'b1;
    end
    if (push_i) mem[write_q] <= data_i;
  end

  assign head_o  = mem[read_q];
  assign empty_o = count_q == '0;
  assign full_o  = count_q == Depth[CountW-1:0];

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      FIFO_1_push : assert (!(push_i && full_o && !pop_i));
      FIFO_1_pop : assert (!(pop_i && empty_o));
    end
  end

endmodule
