// SPDX-License-Identifier: Apache-2.0
// Fifo of channels, in which each of them stands at most once. Manual: docs/blocks/flow_channel.md, "The table".
// Latency: the head is visible in the cycle after its push (no bypass). Throughput: `Pushes` pushes and one pop a cycle.
// Handshake: none; there is room for all channels. The memory is not reset: the pointers say what of it counts.

module tilefly_flow_fifo #(
    /// channels
    parameter int Depth  = 1032,
    /// bits of a channel's number
    parameter int Width  = 11,
    /// pushes in a cycle
    parameter int Pushes = 5
) (
    /// clock
    input  logic                    clk_i,
    /// synchronous reset, active low
    input  logic                    rst_ni,
    /// empty from the next cycle on
    input  logic                    clear_i,
    /// channels to append, the first one lowest
    input  logic       [Pushes-1:0] push_i,
    /// their numbers
    input  logic [Pushes*Width-1:0] channel_i,
    /// remove the head
    input  logic                    pop_i,
    /// oldest channel; 0 when `empty_o`
    output logic        [Width-1:0] head_o,
    /// no channel
    output logic                    empty_o
);

  localparam int IndexW = $clog2(Depth);
  localparam int CountW = $clog2(Depth + 1);
  localparam int LastSlot = Depth - 1;

  logic [Width-1:0] mem[Depth];
  logic [IndexW-1:0] read_q, write_q;
  logic [CountW-1:0] count_q;

  function automatic [IndexW-1:0] successor(input [IndexW-1:0] slot);
    successor = (slot == LastSlot[IndexW-1:0]) ? '0 : slot + 1'b1;
  endfunction

  // Slots of the pushes, one behind the other.
  logic [Pushes*IndexW-1:0] slots;
  logic [IndexW-1:0] write_next;
  logic [CountW-1:0] count_next;
  always_comb begin
    slots      = '0;
    write_next = write_q;
    count_next = count_q - CountW'(pop_i);
    if (push_i != '0) begin
      for (int p = 0; p < Pushes; p++) begin
        slots[p*IndexW+:IndexW] = write_next;
        if (push_i[p]) begin
          write_next = successor(write_next);
          count_next = count_next + 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else if (pop_i || push_i != '0) begin
      write_q <= write_next;
      count_q <= count_next;
      if (pop_i) read_q <= successor(read_q);
    end
    for (int p = 0; p < Pushes; p++) begin
      if (push_i[p]) mem[slots[p*IndexW+:IndexW]] <= channel_i[p*Width+:Width];
    end
  end

  // An empty fifo reads no memory, so that one at rest costs little time of a simulation.
  assign head_o  = empty_o ? '0 : mem[read_q];
  assign empty_o = count_q == '0;

  // Assertions: no more channels than there are.
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      FLOW_6_room : assert (count_next <= CountW'(Depth) && (!pop_i || !empty_o));
    end
  end

endmodule
