// SPDX-License-Identifier: Apache-2.0
// One output of an arbitrated crosspoint: a fifo per input and a round-robin choice among those that hold something.
// The turn tile has one per crossbar output (2C:1), the receiving port one per crossbar (R:1). Manual: docs/blocks/crossbar.md.
// Latency: pushed as an event in cycle e, decided in e + 1 at the earliest, on the outputs (flops) one cycle after the decision.
// Throughput: one message a cycle out, one a cycle and input in. Handshake: valid only; the senders own the entries.
// All fifos lie in one memory that is not reset. One that has run empty starts again at its first entry, so a crossbar
// that is hardly loaded touches little memory and only `waiting_q` says what counts.

module tilefly_xbar_queue #(
    /// inputs
    parameter int Inputs = 4,
    /// bits of a message
    parameter int Width = 8,
    /// distance of two messages in `data_i`
    parameter int Stride = Width,
    /// messages that an input may have waiting
    parameter int Depth = 16
) (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// a message of input i enters
    input  logic [       Inputs-1:0] push_i,
    /* verilator lint_off UNUSEDSIGNAL */  // what lies between the messages
    /// message of input i in bits [i*Stride +: Width]
    input  logic [Inputs*Stride-1:0] data_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a message leaves: it won in the cycle before
    output logic                     valid_o,
    /// that message
    output logic [        Width-1:0] data_o,
    /// nothing waits or leaves
    output logic                     quiescent_o
);

  localparam int SlotW = $clog2(Depth);
  localparam int InputW = Inputs > 1 ? $clog2(Inputs) : 1;
  localparam int AddressW = InputW + SlotW;

  logic [Width-1:0] mem[2**AddressW];
  logic [SlotW-1:0] head_q[Inputs];
  logic [SlotW-1:0] tail_q[Inputs];
  logic [Inputs-1:0] waiting_q, winner, emptied;
  logic [InputW-1:0] pointer_q, pointer_next, index;
  logic [SlotW-1:0] head;
  logic valid_q;
  logic [Width-1:0] data_q;

  tilefly_rr_arbiter #(
      .N(Inputs)
  ) u_arbiter (
      .req_i    (waiting_q),
      .pointer_i(pointer_q),
      .grant_o  (winner),
      .index_o  (index),
      .next_o   (pointer_next)
  );

  always_comb begin
    head    = '0;
    emptied = '0;
    if (waiting_q != '0) begin
      head = head_q[index];
      if (head + 1'b1 == tail_q[index]) emptied = winner;
    end
  end

  // Slot that a message of input i goes to.
  function automatic [SlotW-1:0] write_slot(input waiting, input [SlotW-1:0] tail);
    write_slot = waiting ? tail : '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      pointer_q <= '0;
      valid_q   <= 1'b0;
    end else begin
      waiting_q <= (waiting_q & ~emptied) | push_i;
      valid_q   <= waiting_q != '0;
      if (waiting_q != '0) pointer_q <= pointer_next;
    end
    if (waiting_q != '0) begin
      data_q        <= mem[{index, head}];
      head_q[index] <= head + 1'b1;
    end
    if (push_i != '0) begin
      for (int i = 0; i < Inputs; i++) begin
        if (push_i[i]) begin
          mem[{InputW'(i), write_slot(waiting_q[i], tail_q[i])}] <= data_i[i*Stride+:Width];
          tail_q[i] <= write_slot(waiting_q[i], tail_q[i]) + 1'b1;
          if (!waiting_q[i]) head_q[i] <= '0;
        end
      end
    end
  end

  assign valid_o     = valid_q;
  assign data_o      = data_q;
  assign quiescent_o = waiting_q == '0 && !valid_q;

  // Assertions.
  logic [Inputs-1:0] overflow;
  always_comb begin
    overflow = '0;
    if (push_i != '0) begin
      for (int i = 0; i < Inputs; i++) begin
        overflow[i] = push_i[i] && waiting_q[i] && !winner[i] && tail_q[i] - head_q[i] == SlotW'(Depth);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) XBAR_2 : assert (overflow == '0);
  end

endmodule
