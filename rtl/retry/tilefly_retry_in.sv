// SPDX-License-Identifier: Apache-2.0
// Receiver's half of the link retry: passes to the MAC only the words that come in order and at their pace, and reports to the
// sender what it has accepted, or that it wants a replay. Manual: docs/blocks/retry.md.
// Latency: a word is on `word_o` (wire) in its own cycle; a report that a word of t calls for is decided in t + 1 at the
// earliest, and on the outputs (flops) in t + 2. Throughput: one word a cycle, a nack a cycle, an ack in `AckGap` cycles.
// Handshake: valid only.

module tilefly_retry_in #(
    /// least distance of two acks, cycles, 1 to 16
    parameter int AckGap = 8,
    /// bits of a packet's number; less than 11 for small proofs
    parameter int SeqW = 11
) (
    /// clock
    input  logic                    clk_i,
    /// synchronous reset, active low
    input  logic                    rst_ni,
    /// PORT.MODE.retry; changes only while the link is down
    input  logic                    enable_i,
    /// the link works
    input  logic                    link_up_i,
    /// SerDes lanes in use, 1 to 4; other values work as 4
    input  logic              [2:0] lanes_i,
    /// word on `link_i`
    input  tilefly_pkg::word_t      word_i,
    /* verilator lint_off UNUSEDSIGNAL */  // the pace is for the port
    /// its tag
    input  tilefly_pkg::retry_tag_t tag_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the word of this cycle passes
    output logic                    passes_o,
    /// word for the MAC: that of this cycle if it passes, else zeros
    output tilefly_pkg::word_t      word_o,
    /// a report for the control slot, decided in the cycle before
    output logic                    report_valid_o,
    /// it asks for a replay
    output logic                    report_nack_o,
    /// number of the packet that is expected
    output logic             [10:0] report_seq_o,
    /// event: a packet is accepted
    output logic                    accepted_o,
    /// event: an error is found by a bad word
    output logic                    bad_o,
    /// event: an error is found by a word that is not the next, or by its absence
    output logic                    missing_o,
    /// event: a packet comes again
    output logic                    duplicate_o,
    /// event: the packet that an error was in begins again
    output logic                    replayed_o,
    /// no packet is in progress and no report is to be made
    output logic                    quiescent_o
);

  logic [SeqW-1:0] expected_q;
  logic open_q, nacked_q, due_q, nack_due_q;
  logic [7:0] index_q;
  logic [3:0] gap_q;

  // The word: it is accepted, a duplicate, an error, or nothing that counts.
  logic works, word_due, looked_at, next_word, first_word, accepted, duplicate, bad_word, fault;
  logic packet_accepted;
  logic [SeqW-1:0] distance;
  assign works = enable_i && link_up_i;
  always_comb begin
    distance        = '0;
    bad_word        = 1'b0;
    looked_at       = 1'b0;
    next_word       = 1'b0;
    first_word      = 1'b0;
    accepted        = 1'b0;
    duplicate       = 1'b0;
    fault           = 1'b0;
    bad_o           = 1'b0;
    missing_o       = 1'b0;
    duplicate_o     = 1'b0;
    replayed_o      = 1'b0;
    packet_accepted = 1'b0;
    if (works) begin
      distance        = SeqW'(tag_i.seq) - expected_q;
      bad_word        = word_i.valid && word_i.err;
      looked_at       = open_q ? word_due : word_i.valid;
      next_word       = open_q && word_i.valid && !word_i.err && !word_i.sop && distance == '0 && tag_i.index == index_q;
      first_word      = !open_q && !word_i.err && word_i.sop && distance == '0 && tag_i.index == '0;
      accepted        = looked_at && (next_word || first_word);
      duplicate       = looked_at && !open_q && !word_i.err && distance[SeqW-1];
      fault           = looked_at && !accepted && !duplicate;
      bad_o           = fault && !nacked_q && bad_word;
      missing_o       = fault && !nacked_q && !bad_word;
      duplicate_o     = duplicate && word_i.sop;
      replayed_o      = accepted && first_word && nacked_q;
      packet_accepted = accepted && word_i.eop;
    end
  end

  tilefly_retry_pace u_pace (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .clear_i(!works),
      .lanes_i(lanes_i),
      .word_i (accepted),
      .first_i(first_word),
      .last_i (word_i.eop),
      .due_o  (word_due)
  );

  // The report, decided on the state: a nack at once, acks with a gap.
  logic send_nack, send_ack;
  assign send_nack = nack_due_q;
  assign send_ack  = !nack_due_q && due_q && gap_q == '0;

  logic report_q, report_nack_q;
  logic [SeqW-1:0] report_seq_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !works) begin
      expected_q    <= '0;
      open_q        <= 1'b0;
      index_q       <= '0;
      nacked_q      <= 1'b0;
      due_q         <= 1'b0;
      nack_due_q    <= 1'b0;
      gap_q         <= '0;
      report_q      <= 1'b0;
      report_nack_q <= 1'b0;
      report_seq_q  <= '0;
    end else begin
      report_q      <= send_nack || send_ack;
      report_nack_q <= send_nack;
      report_seq_q  <= send_nack || send_ack ? expected_q : '0;
      if (send_nack || send_ack) gap_q <= 4'(AckGap - 1);
      else if (gap_q != '0) gap_q <= gap_q - 4'd1;
      if (send_nack || send_ack) due_q <= 1'b0;
      if (send_nack) nack_due_q <= 1'b0;
      // After the report's: what the word of this cycle calls for stays.
      if (packet_accepted || (duplicate && word_i.sop)) due_q <= 1'b1;
      if (accepted) begin
        open_q  <= !word_i.eop;
        index_q <= first_word ? 8'd1 : index_q + 8'd1;
      end
      if (packet_accepted) expected_q <= expected_q + 1'b1;
      if (accepted && first_word) nacked_q <= 1'b0;
      if (fault) begin
        open_q   <= 1'b0;
        nacked_q <= 1'b1;
        if (!nacked_q) nack_due_q <= 1'b1;
      end
    end
  end

  assign passes_o = link_up_i && (!enable_i || accepted);
  assign word_o = passes_o ? word_i : '0;

  assign report_valid_o = report_q;
  assign report_nack_o = report_nack_q;
  assign report_seq_o = 11'(report_seq_q);
  assign accepted_o = packet_accepted;
  assign quiescent_o = !open_q && !due_q && !nack_due_q && gap_q == '0 && !report_q;

  // Assertions: what passes is the next word by books of their own, which look at the words that pass alone.
`ifndef SYNTHESIS
  /* verilator tracing_off */
  logic [13:0] time_q;  // cycles since the packet's first word passed; saturates
  logic [13:0] passed_q;  // words of the packet that passed; at most as many
  logic [SeqW-1:0] packets_q;  // packets that passed whole
  logic [2:0] lanes_q;
  logic asked_q;  // a nack was decided, and the packet expected has not begun since
  logic in_place;
  /* verilator tracing_on */
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !works) begin
      time_q    <= '1;
      passed_q  <= '0;
      packets_q <= '0;
      lanes_q   <= 3'd4;
      asked_q   <= 1'b0;
    end else begin
      if (time_q != '1) time_q <= time_q + 14'd1;
      if (passes_o && word_i.valid) begin
        passed_q <= word_i.sop ? 14'd1 : passed_q + 14'd1;
        if (word_i.sop) time_q <= 14'd1;
        if (word_i.sop) lanes_q <= lanes_i == '0 || lanes_i > 3'd4 ? 3'd4 : lanes_i;
        if (word_i.eop) packets_q <= packets_q + 1'b1;
      end
      asked_q <= (asked_q || send_nack) && !(passes_o && word_i.valid && word_i.sop);
    end
  end
  always_comb begin
    in_place = 1'b1;
    if (works && word_i.valid && passes_o && !word_i.sop && time_q != '1) begin
      in_place = tag_i.index == passed_q[7:0] && 17'(time_q) * 17'(lanes_q) <= 17'(passed_q) * 17'd4 &&
          (17'(time_q) + 17'd1) * 17'(lanes_q) > 17'(passed_q) * 17'd4;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && works) begin
      if (passes_o && word_i.valid) begin
        RETRY_6 : assert (!word_i.err && SeqW'(tag_i.seq) == packets_q && (!word_i.sop || tag_i.index == '0) && in_place);
      end
      RETRY_7 : assert (!nack_due_q || nacked_q);
      if (send_nack) RETRY_7_once : assert (!asked_q);
    end
  end
`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (AckGap < 1 || AckGap > 16) $fatal(1, "tilefly_retry_in: AckGap %0d; wanted: 1 to 16", AckGap);
    if (SeqW < 3 || SeqW > 11) $fatal(1, "tilefly_retry_in: SeqW %0d; wanted: 3 to 11", SeqW);
  end
`endif
`endif

endmodule
