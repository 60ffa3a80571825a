// SPDX-License-Identifier: Apache-2.0
// Requester: asks the outputs for the packets in the queues, a queue's turn after the other. Manual:
// docs/blocks/ingress.md, "Requester".
// Latency: a queue that becomes ready in cycle t is popped in s >= t + 1; the request leaves in s. Throughput: one
// request, one credit and one new packet a cycle. Handshake: credits (law 7): a queue has at most REQUEST_CREDITS
// requests out.
//
// Three queues can change in a cycle, the popped one, the credited one and the one with a new packet, and they can be
// the same queue: the steps below are in the manual's order, each on what the ones before it left.

module tilefly_requester #(
    /// bits of an entry's number
    parameter int EntryW = $clog2(tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES),
    /// bits of a queue's number, {output, VL}
    parameter int QueueW = $clog2(tilefly_pkg::PORTS) + 4
) (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// a request credit arrives
    input  logic              credit_i,
    /// queue of the request credit
    input  logic [QueueW-1:0] credit_queue_i,
    /// a packet is queued
    input  logic              queued_i,
    /// queue of the packet
    input  logic [QueueW-1:0] queued_queue_i,
    /// nothing in that queue waits for a request
    output logic              queued_first_o,
    /// a queue is popped: its oldest unrequested packet is requested
    output logic              pop_o,
    /// the queue that is popped
    output logic [QueueW-1:0] pop_queue_o,
    /// the queue has further unrequested packets
    output logic              pop_more_o,
    /// no queue is ready
    output logic              quiescent_o
);

  localparam int Queues = tilefly_pkg::PORTS * tilefly_pkg::VLS;
  localparam int CreditW = $clog2(tilefly_pkg::REQUEST_CREDITS + 1);
  localparam int StateW = 1 + CreditW + EntryW;
  localparam int Ready = StateW - 1;  // {ready, credits, unrequested packets}
  localparam logic [CreditW-1:0] AllCredits = CreditW'(tilefly_pkg::REQUEST_CREDITS);
  localparam logic [StateW-1:0] OneCredit = StateW'(1) << EntryW;
  localparam logic [StateW-1:0] OnePacket = StateW'(1);

  logic [StateW-1:0] state_mem[Queues];
  logic [Queues-1:0] known_q;  // queues with a state; others are as after reset
  logic [QueueW-1:0] ready_mem[2**QueueW];
  logic [QueueW-1:0] read_q, write_q;  // ready fifo
  logic [QueueW:0] count_q;

  /* verilator lint_off UNUSEDSIGNAL */  // each takes its part of the state
  function automatic [EntryW-1:0] packets_of(input [StateW-1:0] state);
    packets_of = state[EntryW-1:0];
  endfunction
  function automatic [CreditW-1:0] credits_of(input [StateW-1:0] state);
    credits_of = state[EntryW+:CreditW];
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  logic [QueueW-1:0] popped;
  logic pop;
  assign pop = count_q != '0;

  logic [StateW-1:0] popped_state, credited_state, queued_state;
  logic credit_is_popped, queued_is_popped, queued_is_credited;
  logic push_credited, push_queued, push_popped;

  always_comb begin
    popped = '0;
    popped_state = '0;
    credited_state = '0;
    queued_state = '0;
    push_credited = 1'b0;
    push_queued = 1'b0;
    push_popped = 1'b0;
    pop_more_o = 1'b0;
    queued_first_o = 1'b0;

    // 1. The head of the ready fifo is popped.
    if (pop) begin
      popped = ready_mem[read_q];
      popped_state = state_mem[popped] - OneCredit - OnePacket;
      popped_state[Ready] = 1'b0;
      pop_more_o = packets_of(popped_state) != '0;
    end
    credit_is_popped = pop && credit_queue_i == popped;
    queued_is_popped = pop && queued_queue_i == popped;
    queued_is_credited = credit_i && queued_queue_i == credit_queue_i;

    // 2. A credit arrives.
    if (credit_i) begin
      credited_state = credit_is_popped ? popped_state : known_q[credit_queue_i] ? state_mem[credit_queue_i] :
          {1'b0, AllCredits, {EntryW{1'b0}}};
      credited_state = credited_state + OneCredit;
      push_credited = !credited_state[Ready] && !credit_is_popped && packets_of(credited_state) != '0;
      if (push_credited) credited_state[Ready] = 1'b1;
      if (credit_is_popped) popped_state = credited_state;
    end

    // 3. A packet is queued.
    if (queued_i) begin
      queued_state = queued_is_credited ? credited_state : queued_is_popped ? popped_state :
          known_q[queued_queue_i] ? state_mem[queued_queue_i] : {1'b0, AllCredits, {EntryW{1'b0}}};
      queued_first_o = packets_of(queued_state) == '0;
      queued_state = queued_state + OnePacket;
      push_queued = !queued_state[Ready] && !queued_is_popped && credits_of(queued_state) != '0;
      if (push_queued) queued_state[Ready] = 1'b1;
      if (queued_is_popped) popped_state = queued_state;
    end

    // 4. The popped queue, after all that.
    if (pop) begin
      push_popped = packets_of(popped_state) != '0 && credits_of(popped_state) != '0;
      popped_state[Ready] = push_popped;
    end
  end

  logic [QueueW-1:0] queued_slot, popped_slot;
  logic [1:0] pushes;
  assign queued_slot = write_q + QueueW'(push_credited);
  assign popped_slot = queued_slot + QueueW'(push_queued);
  assign pushes = 2'(push_credited) + 2'(push_queued) + 2'(push_popped);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= '0;
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (queued_i) known_q[queued_queue_i] <= 1'b1;
      if (pop) read_q <= read_q + 1'b1;
      if (pushes != '0) write_q <= write_q + QueueW'(pushes);
      count_q <= count_q + (QueueW + 1)'(pushes) - (QueueW + 1)'(pop);
    end
    // Where two of the three are one queue, its last state is written last.
    if (credit_i) state_mem[credit_queue_i] <= credited_state;
    if (queued_i) state_mem[queued_queue_i] <= queued_state;
    if (pop) state_mem[popped] <= popped_state;

    if (push_credited) ready_mem[write_q] <= credit_queue_i;
    if (push_queued) ready_mem[queued_slot] <= queued_queue_i;
    if (push_popped) ready_mem[popped_slot] <= popped;
  end

  assign pop_o       = pop;
  assign pop_queue_o = popped;
  assign quiescent_o = !pop;

  // Assertions.
`ifndef SYNTHESIS
  /* verilator tracing_off */
  logic [2**QueueW-1:0] listed_q;  // in the ready fifo
  logic again;  // a queue is pushed that is in it
  /* verilator tracing_on */
  always_comb begin
    again = push_credited && listed_q[credit_queue_i] && !credit_is_popped;
    if (push_queued) again = again || (listed_q[queued_queue_i] && !queued_is_popped) || (push_credited && queued_is_credited);
    if (push_popped) again = again || (push_credited && credit_is_popped) || (push_queued && queued_is_popped);
  end
  always_ff @(posedge clk_i) begin
    if (pop) listed_q[popped] <= push_popped;
    if (push_credited) listed_q[credit_queue_i] <= 1'b1;
    if (push_queued) listed_q[queued_queue_i] <= 1'b1;
    if (!rst_ni) begin
      listed_q <= '0;
    end else begin
      ING_2 : assert (!again);
      ING_2_pop : assert (!pop || listed_q[popped]);
    end
  end
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) begin
      ING_2_drained : assert (count_q == '0);
      for (int q = 0; q < Queues; q++) begin
        ING_3_drained : assert (!known_q[q] || (packets_of(state_mem[q]) == '0 && credits_of(state_mem[q]) == AllCredits));
      end
    end
  end
`endif
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_2_room : assert (count_q <= (QueueW + 1)'(Queues));
      ING_3_pop : assert (!pop || (packets_of(state_mem[popped]) != '0 && credits_of(state_mem[popped]) != '0));
      /* verilator lint_off CMPCONST */  // constant where the limit fills its bits
      ING_3_credit : assert (!credit_i || credits_of(credited_state) <= AllCredits);
      /* verilator lint_on CMPCONST */
    end
  end

endmodule
