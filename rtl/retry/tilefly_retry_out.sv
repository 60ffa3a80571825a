// SPDX-License-Identifier: Apache-2.0
// Sender's half of the link retry: numbers the packets, keeps their words until the far end has accepted them, and starts again
// at the first packet that is not acknowledged when a nack comes or the timer runs out (go-back-N).
// Manual: docs/blocks/retry.md.
// Latency: a word that is on `word_i` in cycle t, with nothing before it, is on `word_o` (flops) in t + 2. Throughput: m/4 words
// a cycle. Handshake: valid only; a packet may be taken when `ready_o` is 1, and its words come at the pace of the link.
//
//   report      nack in r          r + 1: pending; between packets: replay event    r + 2: word 0 is sent (s)
//   word 0      sent in s          s + 1: stage register, start_o                   s + 2: word_o, tag_o

module tilefly_retry_out #(
    /// words of the replay buffer
    parameter int Depth = 1536,
    /// words of the longest packet
    parameter int MaxWords = tilefly_pkg::MTU_WORDS_ENH,
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
    /// cycles without progress before a replay
    input  logic             [15:0] replay_timer_max_i,
    /// replays without progress before the link fails; 255: no limit
    input  logic              [7:0] replay_ct_max_i,
    /// replays without progress above which `over_threshold_o` is 1
    input  logic              [7:0] retry_threshold_i,
    /// a packet is taken
    input  logic                    take_i,
    /// its words, 1 to MaxWords
    input  logic              [7:0] take_words_i,
    /// word of the MAC; `err` does not count
    input  tilefly_pkg::word_t      word_i,
    /// a report of the control slot on `link_i`; 0 if the slot is bad
    input  logic                    report_valid_i,
    /// it asks for a replay
    input  logic                    report_nack_i,
    /// number that the receiver expects
    input  logic             [10:0] report_seq_i,
    /// a packet may be taken
    output logic                    ready_o,
    /// word on `link_o`
    output tilefly_pkg::word_t      word_o,
    /// its tag
    output tilefly_pkg::retry_tag_t tag_o,
    /// a packet started in the cycle before
    output logic                    start_o,
    /// it was sent whole before
    output logic                    again_o,
    /// virtual lane of its header; 0 of a bare frame
    output logic              [3:0] start_vl_o,
    /// bytes of its frame by its header; 0 of a bare frame
    output logic             [12:0] start_len_o,
    /// the replay limit is reached; until the link goes down
    output logic                    link_failed_o,
    /// more replays without progress than the threshold
    output logic                    over_threshold_o,
    /// event: a replay begins
    output logic                    replay_o,
    /// event: the timer has run out
    output logic                    timeout_o,
    /// event: a report makes no sense and is ignored
    output logic                    bad_report_o,
    /// event: a word is sent again
    output logic                    repeated_o,
    /// packets held
    output logic              [9:0] held_o,
    /// nothing is held, owed, or on its way to `link_o`, and the time of the last packet is over
    output logic                    quiescent_o
);

  localparam int PlaceW = $clog2(Depth);
  localparam int HeldW = SeqW - 1;
  localparam int OwedW = 11;
  localparam int SumW = PlaceW + 9;  // a sum of words before it is known to be below Depth
  localparam logic [7:0] NoLimit = 8'd255;

  // Number a is ahead of number b.
  function automatic ahead(input [SeqW-1:0] a, input [SeqW-1:0] b);
    logic [SeqW-1:0] distance;
    distance = a - b;
    ahead = distance != '0 && !distance[SeqW-1];
  endfunction

  logic [SeqW-1:0] send_seq_q, top_q, heard_q, free_seq_q;
  logic [PlaceW-1:0] used_q;
  logic [HeldW-1:0] held_q;
  logic [OwedW-1:0] owed_q, stale_q;
  logic busy_q, pending_q, failed_q, up_q;
  logic [7:0] index_q;
  logic [15:0] timer_q;
  logic [7:0] replays_q;

  // Words in: those of a link that went down are not kept.
  tilefly_pkg::word_t arriving, at_hand;
  logic flush, stale;
  assign flush = !enable_i || !link_up_i;
  assign stale = stale_q != '0;
  always_comb begin
    arriving = '0;
    if (enable_i) begin
      arriving       = word_i;
      arriving.valid = word_i.valid && !stale;
    end
  end

  // What is sent. In a packet: the word that is due. Between packets: a replay, a jump over what the far end has, or a start.
  logic due, between, replay_event, fails, jump, starts, sent;
  always_comb begin
    between      = 1'b0;
    replay_event = 1'b0;
    fails        = 1'b0;
    jump         = 1'b0;
    starts       = 1'b0;
    sent         = 1'b0;
    if (enable_i) begin
      between      = !busy_q && due && !failed_q;
      replay_event = between && pending_q && heard_q != top_q;
      fails = replay_event && replays_q == replay_ct_max_i && replay_ct_max_i != NoLimit;
      jump = replay_event ? !fails : between && ahead(heard_q, send_seq_q);
      starts = between && !replay_event && !jump && at_hand.valid;
      sent = starts || (busy_q && due && at_hand.valid);
    end
  end

  tilefly_retry_pace u_pace (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .clear_i(flush),
      .lanes_i(lanes_i),
      .word_i (sent),
      .first_i(starts),
      .last_i (at_hand.eop),
      .due_o  (due)
  );

  // What becomes free: all that the far end has, but nothing of the packet that is being sent.
  logic [SeqW-1:0] target, arrived_seq;
  logic [PlaceW-1:0] freed;
  always_comb begin
    target = heard_q;
    if (busy_q && ahead(heard_q, send_seq_q)) target = send_seq_q;
  end

  tilefly_retry_ring #(
      .Depth(Depth),
      .SeqW (SeqW)
  ) u_ring (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .flush_i      (flush),
      .word_i       (arriving),
      .word_o       (at_hand),
      .sent_i       (sent),
      .jump_i       (jump),
      .jump_seq_i   (heard_q[SeqW-2:0]),
      .target_i     (target[SeqW-2:0]),
      .freed_o      (freed),
      .arrived_seq_o(arrived_seq)
  );

  // Reports and the timer.
  logic [SeqW-1:0] report_seq, report_distance, top_distance;
  logic bad_report, heard, progress;
  always_comb begin
    report_seq      = '0;
    report_distance = '0;
    top_distance    = '0;
    bad_report      = 1'b0;
    heard           = 1'b0;
    progress        = 1'b0;
    if (enable_i && report_valid_i) begin
      report_seq      = SeqW'(report_seq_i);
      report_distance = report_seq - heard_q;
      top_distance    = top_q - heard_q;
      bad_report      = report_distance > top_distance;
      heard           = !bad_report;
      progress        = heard && report_seq != heard_q;
    end
  end

  logic timer_rests, timeout;
  always_comb begin
    timer_rests = 1'b1;
    timeout     = 1'b0;
    if (enable_i) begin
      timer_rests = failed_q || replay_event || progress || heard_q == top_q;
      timeout     = !timer_rests && timer_q >= replay_timer_max_i;
    end
  end

  // Room: one word of the ring stays empty.
  logic [SumW-1:0] used_next;
  logic [OwedW-1:0] owed_next;
  always_comb begin
    used_next = '0;
    owed_next = '0;
    if (enable_i) begin
      used_next = SumW'(used_q) - SumW'(freed) + (take_i ? SumW'(take_words_i) : '0);
      owed_next = owed_q + (take_i ? OwedW'(take_words_i) : '0);
      // A word that nobody owes is of a packet that was taken while the block did not work (best effort).
      if (word_i.valid && owed_next != '0) owed_next = owed_next - OwedW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush) begin
      send_seq_q <= '0;
      top_q      <= '0;
      heard_q    <= '0;
      free_seq_q <= '0;
      used_q     <= '0;
      held_q     <= '0;
      busy_q     <= 1'b0;
      index_q    <= '0;
      pending_q  <= 1'b0;
      timer_q    <= '0;
      replays_q  <= '0;
      failed_q   <= 1'b0;
      up_q       <= 1'b0;
    end else begin
      up_q       <= 1'b1;
      used_q     <= PlaceW'(used_next);
      held_q     <= held_q - HeldW'(target - free_seq_q) + HeldW'(take_i);
      free_seq_q <= target;
      if (between) pending_q <= 1'b0;
      if (jump) send_seq_q <= heard_q;
      if (fails) failed_q <= 1'b1;
      if (sent) begin
        busy_q  <= !at_hand.eop;
        index_q <= at_hand.eop ? '0 : index_q + 8'd1;
        if (at_hand.eop) send_seq_q <= send_seq_q + 1'b1;
        if (at_hand.eop && send_seq_q == top_q) top_q <= top_q + 1'b1;
      end
      // After the replay's: a replay that is asked for in the cycle of another's event is not lost, and progress wins.
      if (heard) heard_q <= report_seq;
      if ((heard && report_nack_i) || timeout) pending_q <= 1'b1;
      if (progress) replays_q <= '0;
      else if (jump && replay_event) replays_q <= replays_q >= 8'd254 ? 8'd254 : replays_q + 8'd1;
      timer_q <= timer_rests || timeout ? '0 : timer_q + 16'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i) begin
      owed_q  <= '0;
      stale_q <= '0;
    end else begin
      owed_q <= owed_next;
      if (!link_up_i) stale_q <= owed_next;
      else if (word_i.valid && stale) stale_q <= stale_q - 1'b1;
    end
  end

  // Two stages to the wire; without retry they pass the MAC's words.
  tilefly_pkg::word_t staged, stage_q, out_q;
  tilefly_pkg::retry_tag_t staged_tag, stage_tag_q, tag_q;
  logic start_q, again_q;

  always_comb begin
    staged     = '0;
    staged_tag = '0;
    if (!enable_i) begin
      staged     = word_i;
      staged.err = 1'b0;
    end else if (sent) begin
      staged     = at_hand;
      staged_tag = {2'd0, 11'(send_seq_q), index_q};  // the port puts the pace in
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (enable_i && !link_up_i)) begin
      stage_q     <= '0;
      stage_tag_q <= '0;
      out_q       <= '0;
      tag_q       <= '0;
      start_q     <= 1'b0;
      again_q     <= 1'b0;
    end else begin
      stage_q     <= staged;
      stage_tag_q <= staged_tag;
      out_q       <= stage_q;
      tag_q       <= enable_i ? stage_tag_q : '0;
      start_q     <= starts;
      again_q     <= starts && send_seq_q != top_q;
    end
  end

  /* verilator lint_off UNUSEDSIGNAL */  // the sender looks at two fields
  tilefly_pkg::header_t header;
  /* verilator lint_on UNUSEDSIGNAL */
  always_comb begin
    header = '0;
    if (enable_i && start_q && stage_q.enh) header = stage_q.data[127:0];
  end

  // A port without retry works nothing of it out, so that it costs little time of a simulation.
  assign word_o = out_q;
  always_comb begin
    ready_o          = 1'b1;
    tag_o            = '0;
    start_o          = 1'b0;
    again_o          = 1'b0;
    link_failed_o    = 1'b0;
    over_threshold_o = 1'b0;
    held_o           = '0;
    replay_o         = 1'b0;
    timeout_o        = 1'b0;
    bad_report_o     = 1'b0;
    repeated_o       = 1'b0;
    quiescent_o      = !stage_q.valid && !out_q.valid;
    if (enable_i) begin
      ready_o = up_q && !failed_q && held_q != '1 && SumW'(used_q) + SumW'(MaxWords) <= SumW'(Depth - 1);
      tag_o            = tag_q;
      start_o          = start_q;
      again_o          = again_q;
      link_failed_o    = failed_q;
      over_threshold_o = replays_q > retry_threshold_i;
      held_o           = 10'(held_q);
      if (link_up_i) begin
        replay_o     = replay_event && !fails;
        timeout_o    = timeout;
        bad_report_o = bad_report;
        repeated_o   = sent && send_seq_q != top_q;
      end
      if (used_q != '0 || owed_q != '0 || pending_q || failed_q || busy_q || !due) quiescent_o = 1'b0;
    end
  end
  assign start_vl_o  = header.vl;
  assign start_len_o = header.len;

  // Assertions.
`ifndef SYNTHESIS
  localparam int TimeW = $clog2(MaxWords) + 3;  // of the time of a packet on one lane, and more
  /* verilator tracing_off */
  logic [TimeW-1:0] time_q;  // cycles since the packet's first word was sent; saturates
  logic [7:0] word_q;  // words of the packet that were sent
  logic [2:0] lanes_q;
  /* verilator tracing_on */
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush) begin
      time_q  <= '1;
      word_q  <= '0;
      lanes_q <= 3'd4;
    end else begin
      if (time_q != '1) time_q <= time_q + 1'b1;
      if (starts) begin
        time_q  <= TimeW'(1);
        word_q  <= 8'd1;
        lanes_q <= lanes_i == '0 || lanes_i > 3'd4 ? 3'd4 : lanes_i;
      end else if (sent) begin
        word_q <= word_q + 8'd1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && !flush) begin
      RETRY_2 : assert (used_next <= SumW'(Depth - 1));
      RETRY_2_take : assert (!(take_i && !ready_o));
      RETRY_3 : assert (SeqW'(heard_q - free_seq_q) <= SeqW'(top_q - free_seq_q) &&
                        SeqW'(top_q - free_seq_q) <= SeqW'(arrived_seq - free_seq_q) &&
                        SeqW'(arrived_seq - free_seq_q) <= SeqW'(held_q));
      RETRY_3_send : assert (!ahead(send_seq_q, top_q) && !(busy_q && ahead(free_seq_q, send_seq_q)));
      if (starts) RETRY_4_overlap : assert (time_q == '1 || 13'(time_q) * 13'(lanes_q) >= 13'(word_q) * 13'd4);
      if (sent && !starts) begin
        RETRY_4 : assert (13'(time_q) * 13'(lanes_q) <= 13'(word_q) * 13'd4 && index_q == word_q &&
                          (13'(time_q) + 13'd1) * 13'(lanes_q) > 13'(word_q) * 13'd4);
      end
      if (busy_q && due) RETRY_5 : assert (at_hand.valid);
      if (starts) RETRY_8 : assert (!failed_q && up_q);
    end
  end
`ifndef FORMAL  // yosys knows no $fatal, and no final
  initial begin
    if (MaxWords < 1 || MaxWords > 255 || MaxWords >= Depth) begin
      $fatal(1, "tilefly_retry_out: MaxWords %0d; wanted: 1 to 255, and less than Depth", MaxWords);
    end
  end
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) RETRY_2_drained : assert (used_q == '0 && held_q == '0);
  end
`endif
`endif

endmodule
