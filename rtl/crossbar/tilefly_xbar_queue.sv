// SPDX-License-Identifier: Apache-2.0
// Core of an arbitrated crosspoint: a fifo for every (input, output), and for every output a round-robin choice among the
// inputs that wait for it. The turn tile has one per crossbar (2C:2R), the receiving port another (R:1).
// Manual: docs/blocks/crossbar.md.
// Latency: pushed as an event in cycle e, decided in e + 1 at the earliest, on the outputs (flops) one cycle after the decision.
// Throughput: one message a cycle and input in, one a cycle and output out. Handshake: valid only; the senders own the entries,
// but for `Lossy`: there a message that finds its fifo full is lost.
// All fifos lie in one memory. Neither it nor the pointers are reset: `waiting_q` says which fifos hold something, and one
// that has run empty starts again at its first entry. The first entries of all fifos are neighbours, so a crossbar that is
// hardly loaded touches little memory.

module tilefly_xbar_queue #(
    /// inputs
    parameter int Inputs = 4,
    /// outputs
    parameter int Outputs = 1,
    /// bits of a message
    parameter int Width = 8,
    /// distance of two messages in `data_i`
    parameter int Stride = Width,
    /// messages that an input may have waiting for one output
    parameter int Depth = 16,
    /// nobody owns the entries: a message that finds its fifo full is lost
    parameter int Lossy = 0,
    /// bits of an output's number
    parameter int OutputW = Outputs > 1 ? $clog2(Outputs) : 1
) (
    /// clock
    input  logic                         clk_i,
    /// synchronous reset, active low
    input  logic                         rst_ni,
    /// a message of input i enters
    input  logic [           Inputs-1:0] push_i,
    /// output for that message, in bits [i*OutputW +: OutputW]
    input  logic [   Inputs*OutputW-1:0] output_i,
    /// message of input i in bits [i*Stride +: Width]
    input  logic [    Inputs*Stride-1:0] data_i,
    /// {valid, message} for output o in bits [o*(Width+1) +: Width+1]: the message won in the cycle before
    output logic [Outputs*(Width+1)-1:0] channel_o,
    /// nothing waits or leaves
    output logic                         quiescent_o
);

  localparam int SlotW = $clog2(Depth);
  localparam int InputW = Inputs > 1 ? $clog2(Inputs) : 1;
  localparam int BitW = $clog2(Outputs * Inputs);
  localparam int QueueW = OutputW + InputW;  // number of a fifo: {output, input}

  logic [Width-1:0] mem[2**(SlotW+QueueW)];  // {entry, fifo}
  logic [2*SlotW-1:0] ends_q[2**QueueW];  // {head, tail} of a fifo
  logic [Outputs*Inputs-1:0] waiting_q;  // input i waits for output o: bit o*Inputs + i

  // Outputs: the winner and the ends of its fifo.
  logic [Outputs-1:0] wins, leaves;
  logic [Outputs*InputW-1:0] winner;
  logic [Outputs*SlotW-1:0] head, tail;
  logic [Outputs*Inputs-1:0] popped, emptied;

  generate
    for (genvar o = 0; o < Outputs; o++) begin : gen_output
      localparam logic [OutputW-1:0] Number = OutputW'(o);

      logic [Inputs-1:0] grant;
      logic [InputW-1:0] index, pointer_q, pointer_next;
      logic valid_q;
      logic [Width-1:0] data_q;

      tilefly_rr_arbiter #(
          .N(Inputs)
      ) u_arbiter (
          .req_i    (waiting_q[o*Inputs+:Inputs]),
          .pointer_i(pointer_q),
          .grant_o  (grant),
          .index_o  (index),
          .next_o   (pointer_next)
      );

      assign wins[o] = waiting_q[o*Inputs+:Inputs] != '0;
      assign leaves[o] = valid_q;
      assign winner[o*InputW+:InputW] = index;
      assign popped[o*Inputs+:Inputs] = grant;
      assign channel_o[o*(Width+1)+:Width+1] = {valid_q, data_q};

      always_comb begin
        head[o*SlotW+:SlotW] = '0;
        tail[o*SlotW+:SlotW] = '0;
        emptied[o*Inputs+:Inputs] = '0;
        if (wins[o]) begin
          {head[o*SlotW+:SlotW], tail[o*SlotW+:SlotW]} = ends_q[{Number, index}];
          if (head[o*SlotW+:SlotW] + 1'b1 == tail[o*SlotW+:SlotW]) emptied[o*Inputs+:Inputs] = grant;
        end
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          pointer_q <= '0;
          valid_q   <= 1'b0;
        end else begin
          valid_q <= wins[o];
          if (wins[o]) pointer_q <= pointer_next;
        end
        if (wins[o]) data_q <= mem[{head[o*SlotW+:SlotW], Number, index}];
      end
    end
  endgenerate

  // Inputs: the fifo a message goes to, and its ends before this cycle's push and after its pop.
  logic [Inputs*QueueW-1:0] in_queue;
  logic [Inputs*SlotW-1:0] in_head, in_tail;
  logic [Outputs*Inputs-1:0] pushed;
  logic [Inputs-1:0] overflow, lost, enters;
  logic [SlotW-1:0] held;  // in the fifo, as committed
  logic full;
  logic [OutputW-1:0] to;
  logic [BitW-1:0] bit_number;

  always_comb begin
    in_queue   = '0;
    in_head    = '0;
    in_tail    = '0;
    pushed     = '0;
    overflow   = '0;
    lost       = '0;
    held       = '0;
    full       = 1'b0;
    to         = '0;
    bit_number = '0;
    if (push_i != '0) begin
      for (int i = 0; i < Inputs; i++) begin
        if (push_i[i]) begin
          to = Outputs > 1 ? output_i[i*OutputW+:OutputW] : '0;
          bit_number = BitW'(to) * BitW'(Inputs) + BitW'(i);
          in_queue[i*QueueW+:QueueW] = {to, InputW'(i)};
          if (waiting_q[bit_number]) begin
            {in_head[i*SlotW+:SlotW], in_tail[i*SlotW+:SlotW]} = ends_q[{to, InputW'(i)}];
            held = in_tail[i*SlotW+:SlotW] - in_head[i*SlotW+:SlotW];
            full = held == SlotW'(Depth);  // 0 where the depth is a power of two
            lost[i] = Lossy != 0 && full;
            overflow[i] = full && !lost[i] && (Lossy != 0 || !popped[bit_number]);
            if (popped[bit_number]) in_head[i*SlotW+:SlotW] = in_head[i*SlotW+:SlotW] + 1'b1;
          end
          if (!lost[i]) pushed[bit_number] = 1'b1;
        end
      end
    end
  end

  assign enters = push_i & ~lost;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) waiting_q <= '0;
    else if (wins != '0 || push_i != '0) waiting_q <= (waiting_q & ~emptied) | pushed;
    for (int o = 0; o < Outputs; o++) begin
      if (wins[o]) begin
        ends_q[{OutputW'(o), winner[o*InputW+:InputW]}] <= {head[o*SlotW+:SlotW] + 1'b1, tail[o*SlotW+:SlotW]};
      end
    end
    // After the pops: a push knows of its fifo's pop.
    for (int i = 0; i < Inputs; i++) begin
      if (enters[i]) begin
        mem[{in_tail[i*SlotW+:SlotW], in_queue[i*QueueW+:QueueW]}] <= data_i[i*Stride+:Width];
        ends_q[in_queue[i*QueueW+:QueueW]] <= {in_head[i*SlotW+:SlotW], in_tail[i*SlotW+:SlotW] + 1'b1};
      end
    end
  end

  assign quiescent_o = wins == '0 && leaves == '0;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) XBAR_2 : assert (overflow == '0);
  end

endmodule
