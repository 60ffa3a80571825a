// SPDX-License-Identifier: Apache-2.0
// Replay buffer of a link's sender: the words that are held, and the place of each packet's first word.
// Manual: docs/blocks/retry.md, rules 2, 3 and 8 of the sender, and the moves of `send` of rules 5 and 7.
// Latency: a word that comes is at hand in the same cycle when nothing else waits; else it is read from the memory from the next
// cycle on. Throughput: a word in, a word out and a number freed in each cycle. Handshake: valid only; the user keeps one
// word of the ring empty, so that write = send means that nothing waits.
// The memories are not reset: the places say what of them counts. A flush writes the place of packet 0.

module tilefly_retry_ring #(
    /// words of the ring
    parameter int Depth = 1536,
    /// bits of a packet's number
    parameter int SeqW = 11
) (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// forget all words; the next packet is number 0
    input  logic                     flush_i,
    /// a word comes
    /* verilator lint_off UNUSEDSIGNAL */  // its `err` does not count
    input  tilefly_pkg::word_t       word_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the word at hand; not valid: there is none
    output tilefly_pkg::word_t       word_o,
    /// it is sent: the next word is at hand from the next cycle on
    input  logic                     sent_i,
    /// the packet `jump_seq_i` is next from the next cycle on
    input  logic                     jump_i,
    /// number, modulo 2^(SeqW-1), of a packet that is held or is the next to come
    input  logic [         SeqW-2:0] jump_seq_i,
    /// all packets before this number, modulo 2^(SeqW-1), are free from the next cycle on
    input  logic [         SeqW-2:0] target_i,
    /// words that become free by that
    output logic [$clog2(Depth)-1:0] freed_o,
    /// number of the packet whose words come in
    output logic [         SeqW-1:0] arrived_seq_o
);

  localparam int PlaceW = $clog2(Depth);
  localparam int LastPlace = Depth - 1;
  localparam int Kept = 1 + 1 + 1 + 5 + 256;  // bits kept of a word: sop, eop, enh, last, data
  localparam int StartW = SeqW - 1;

  function automatic [PlaceW-1:0] successor(input [PlaceW-1:0] place);
    successor = place == LastPlace[PlaceW-1:0] ? '0 : place + 1'b1;
  endfunction

  logic [Kept-1:0] mem[Depth];
  logic [PlaceW-1:0] start[1<<StartW];  // by a packet's number modulo 2^(SeqW-1)
  logic [PlaceW-1:0] write_q, send_q, free_q, write_next, target_start;
  logic [SeqW-1:0] arrived_seq_q, arrived_seq_next;

  assign write_next = successor(write_q);
  assign arrived_seq_next = arrived_seq_q + 1'b1;
  // One port writes the places: that of packet 0, or that of the packet behind the one whose last word comes.
  // What was forgotten is not forgotten again: a port without retry writes no memory.
  logic forget, forgot_q, starts;
  logic [StartW-1:0] start_index;
  assign forget = !rst_ni || flush_i;
  assign starts = forget ? !rst_ni || !forgot_q : word_i.valid && word_i.eop;
  assign start_index = forget ? '0 : arrived_seq_next[StartW-1:0];

  // Words that wait go first; else the word of this cycle is at hand at once.
  // Where all is forgotten, no memory is read: a port without retry costs little time of a simulation.
  logic waiting;
  assign waiting = write_q != send_q;

  always_comb begin
    word_o = '0;
    if (!flush_i) begin
      if (waiting) {word_o.sop, word_o.eop, word_o.enh, word_o.last, word_o.data} = mem[send_q];
      else {word_o.sop, word_o.eop, word_o.enh, word_o.last, word_o.data} = {word_i.sop, word_i.eop, word_i.enh, word_i.last, word_i.data};
      word_o.valid = waiting || word_i.valid;
    end
  end

  // The difference of two places of a ring that wraps at Depth.
  always_comb begin
    target_start = '0;
    freed_o      = '0;
    if (!flush_i) begin
      target_start = start[target_i];
      freed_o      = target_start >= free_q ? target_start - free_q : PlaceW'(Depth) - (free_q - target_start);
    end
  end
  assign arrived_seq_o = arrived_seq_q;

  always_ff @(posedge clk_i) begin
    forgot_q <= forget;
    if (forget) begin
      write_q       <= '0;
      send_q        <= '0;
      free_q        <= '0;
      arrived_seq_q <= '0;
    end else begin
      if (word_i.valid) write_q <= write_next;
      if (word_i.valid && word_i.eop) arrived_seq_q <= arrived_seq_next;
      if (jump_i) send_q <= start[jump_seq_i];
      else if (sent_i) send_q <= successor(send_q);
      free_q <= target_start;
    end
    if (starts) start[start_index] <= forget ? '0 : write_next;
    if (word_i.valid) mem[write_q] <= {word_i.sop, word_i.eop, word_i.enh, word_i.last, word_i.data};
  end

`ifndef SYNTHESIS
`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (Depth < 4 || Depth > 2048) $fatal(1, "tilefly_retry_ring: Depth %0d; wanted: 4 to 2048", Depth);
    if (SeqW < 3 || SeqW > 11) $fatal(1, "tilefly_retry_ring: SeqW %0d; wanted: 3 to 11", SeqW);
  end
`endif
`endif

endmodule
