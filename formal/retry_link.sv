// SPDX-License-Identifier: Apache-2.0
// Both halves of retry and a wire that drops, spoils and repeats words and slots as it likes: every packet taken is accepted at most once,
// in order and with its own words, and each of them when the sender is empty (RETRY-1); and the RTL's RETRY-2 to RETRY-8. Reports,
// timer, limit and lanes are any; the link goes down any time, and the wire is empty then.
// Made small: numbers of 3 bits, packets of at most three words, a replay buffer of six.
// A word's bytes name it (formal/retry_mac.sv), so a word in any place of sender or wire says what it is. The asserts `..._is` say of each
// register of the sender which word or number is in it. Numbers of packets are modulo 16, and those near each other are compared.

module retry_link #(
    /// cycles of the wire behind `link_o`, each way
    parameter int Delay = 1
) (
    input logic                    clk_i,
    input logic                    link_up_i,
    input logic              [2:0] lanes_i,
    input logic             [15:0] replay_timer_max_i,
    input logic              [7:0] replay_ct_max_i,
    // MAC
    input logic                    want_i,
    input logic              [1:0] words_i,
    input logic                    go_i,
    // what the wire does to the word and to the slot of this cycle
    input logic              [2:0] word_fault_i,
    input logic              [1:0] slot_fault_i,
    input tilefly_pkg::word_t      garbage_i,
    input tilefly_pkg::retry_tag_t garbage_tag_i
);

  localparam int Depth = 6;
  localparam int MaxWords = 3;
  localparam int SeqW = 3;
  localparam int PlaceW = 3;
  localparam logic [2:0] WordPasses = 3'd0, WordDropped = 3'd1, WordBad = 3'd2, WordRepeated = 3'd3, Noise = 3'd4;
  localparam logic [1:0] SlotPasses = 2'd0, SlotLost = 2'd1, SlotRepeated = 2'd2;
  localparam int NameW = 8;  // of a word: {old, number, place, it is the last}

  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  logic ready, take;
  tilefly_pkg::word_t mac_word, sent, arriving, passed;
  tilefly_pkg::retry_tag_t sent_tag, arriving_tag;
  logic report_valid, report_nack, told, told_nack, out_quiet, in_quiet;
  logic [10:0] report_seq, told_seq;
  logic start, again, failed, over, replay, timeout, bad_report, repeated, accepted, bad, missing, duplicate, replayed;
  logic [3:0] start_vl, owed, stale, number;
  logic [12:0] start_len;
  logic [1:0] fresh, place;

  retry_mac u_mac (
      .clk_i,
      .rst_ni   (started_q),
      .link_up_i,
      .lanes_i,
      .ready_i  (ready),
      .want_i,
      .words_i,
      .go_i,
      .take_o   (take),
      .word_o   (mac_word),
      .owed_o   (owed),
      .stale_o  (stale),
      .fresh_o  (fresh),
      .number_o (number),
      .place_o  (place)
  );

  tilefly_retry_out #(
      .Depth   (Depth),
      .MaxWords(MaxWords),
      .SeqW    (SeqW)
  ) u_out (
      .clk_i,
      .rst_ni           (started_q),
      .enable_i         (1'b1),
      .link_up_i,
      .lanes_i,
      .replay_timer_max_i,
      .replay_ct_max_i,
      .retry_threshold_i(8'd2),
      .take_i           (take),
      .take_words_i     (8'(words_i)),
      .word_i           (mac_word),
      .report_valid_i   (told),
      .report_nack_i    (told_nack),
      .report_seq_i     (told_seq),
      .ready_o          (ready),
      .word_o           (sent),
      .tag_o            (sent_tag),
      .start_o          (start),
      .again_o          (again),
      .start_vl_o       (start_vl),
      .start_len_o      (start_len),
      .link_failed_o    (failed),
      .over_threshold_o (over),
      .replay_o         (replay),
      .timeout_o        (timeout),
      .bad_report_o     (bad_report),
      .repeated_o       (repeated),
      .held_o           (),
      .quiescent_o      (out_quiet)
  );

  tilefly_retry_in #(
      .AckGap(2),
      .SeqW  (SeqW)
  ) u_in (
      .clk_i,
      .rst_ni        (started_q),
      .enable_i      (1'b1),
      .link_up_i,
      .lanes_i,
      .word_i        (arriving),
      .tag_i         (arriving_tag),
      .passes_o      (),
      .word_o        (passed),
      .report_valid_o(report_valid),
      .report_nack_o (report_nack),
      .report_seq_o  (report_seq),
      .accepted_o    (accepted),
      .bad_o         (bad),
      .missing_o     (missing),
      .duplicate_o   (duplicate),
      .replayed_o    (replayed),
      .quiescent_o   (in_quiet)
  );

  // The wire: words with their tags, and slots, the oldest above, where the faults are. The lowest slot is the one on `link_o`.
  localparam int WireW = tilefly_pkg::WORD_W + tilefly_pkg::RETRY_TAG_W;
  localparam int SlotW = 13;
  logic [Delay*WireW-1:0] wire_q;
  logic [(Delay+1)*SlotW-1:0] slots_q;
  logic [(Delay+1)*WireW-1:0] wire_all;
  logic [(Delay+2)*SlotW-1:0] slots_all;
  logic [WireW-1:0] wire_next;
  logic [SlotW-1:0] slot_next;
  tilefly_pkg::word_t last, bad_word;
  tilefly_pkg::retry_tag_t last_tag;
  assign wire_all         = {wire_q, sent, sent_tag};
  assign slots_all        = {slots_q, report_valid, report_nack, report_seq};
  assign {last, last_tag} = wire_all[(Delay-1)*WireW+:WireW];

  always_comb begin
    bad_word       = garbage_i;
    bad_word.valid = last.valid || word_fault_i == Noise;
    bad_word.err   = 1'b1;
    case (word_fault_i)
      WordPasses: wire_next = {last, last_tag};
      WordDropped: wire_next = '0;
      WordRepeated: wire_next = wire_all[Delay*WireW+:WireW];  // what stands there stays, and what was to come is lost
      default: wire_next = {bad_word, garbage_tag_i};
    endcase
    case (slot_fault_i)
      SlotPasses: slot_next = slots_all[Delay*SlotW+:SlotW];
      SlotRepeated: slot_next = slots_all[(Delay+1)*SlotW+:SlotW];
      default: slot_next = '0;
    endcase
  end

  always @(posedge clk_i) begin
    wire_q  <= wire_all[Delay*WireW-1:0];
    slots_q <= slots_all[(Delay+1)*SlotW-1:0];
    wire_q[(Delay-1)*WireW+:WireW] <= wire_next;
    slots_q[Delay*SlotW+:SlotW] <= slot_next;
    if (!started_q || !link_up_i) {wire_q, slots_q} <= '0;
  end
  assign {arriving, arriving_tag}    = wire_all[Delay*WireW+:WireW];
  assign {told, told_nack, told_seq} = slots_all[(Delay+1)*SlotW+:SlotW];

  // What the far end's MAC has: packets accepted, words of the attempt that goes on.
  logic [3:0] accepted_q;
  logic [1:0] next_q;
  logic [2:0] lanes_q;
  always @(posedge clk_i) begin
    lanes_q <= lanes_i;
    if (passed.valid) next_q <= passed.sop ? 2'd1 : next_q + 2'd1;
    if (passed.valid && passed.eop) accepted_q <= accepted_q + 4'd1;
    if (!started_q || !link_up_i) {accepted_q, next_q} <= '0;
  end

  // The sender's registers.
  (* hierconn *) wire [SeqW-1:0] \u_out.send_seq_q , \u_out.top_q , \u_out.heard_q , \u_out.free_seq_q , \u_out.u_ring.arrived_seq_q ;
  (* hierconn *) wire [PlaceW-1:0] \u_out.used_q , \u_out.u_ring.write_q , \u_out.u_ring.send_q , \u_out.u_ring.free_q ;
  (* hierconn *) wire [SeqW-2:0] \u_out.held_q ;
  (* hierconn *) wire [10:0] \u_out.owed_q , \u_out.stale_q ;
  (* hierconn *) wire \u_out.busy_q , \u_out.up_q , \u_out.failed_q ;
  (* hierconn *) wire [7:0] \u_out.index_q , \u_out.word_q ;
  (* hierconn *) wire [4:0] \u_out.time_q ;
  (* hierconn *) wire [2:0] \u_out.lanes_q , \u_out.u_pace.lanes_q , \u_mac.u_pace.lanes_q , \u_in.lanes_q , \u_in.u_pace.lanes_q ;
  (* hierconn *) wire [1:0] \u_out.u_pace.wait_q , \u_out.u_pace.phase_q , \u_mac.u_pace.wait_q , \u_mac.u_pace.phase_q ;
  (* hierconn *) wire [1:0] \u_in.u_pace.wait_q , \u_in.u_pace.phase_q , \u_mac.place_q , \u_mac.owing_q , \u_mac.old_q ;
  (* hierconn *) wire [1:0] \u_mac.length_q , \u_mac.next_q ;
  (* hierconn *) wire [263:0] \u_out.u_ring.mem[0] , \u_out.u_ring.mem[1] , \u_out.u_ring.mem[2] , \u_out.u_ring.mem[3] ;
  (* hierconn *) wire [263:0] \u_out.u_ring.mem[4] , \u_out.u_ring.mem[5] ;
  (* hierconn *) wire [PlaceW-1:0] \u_out.u_ring.start[0] , \u_out.u_ring.start[1] , \u_out.u_ring.start[2] , \u_out.u_ring.start[3] ;
  (* hierconn *) wire [265:0] \u_out.stage_q ;
  (* hierconn *) wire [18:0] \u_out.stage_tag_q ;
  (* hierconn *) wire [SeqW-1:0] \u_in.expected_q , \u_in.packets_q ;
  (* hierconn *) wire \u_in.open_q , \u_in.nacked_q , \u_in.nack_due_q , \u_in.asked_q ;
  (* hierconn *) wire [7:0] \u_in.index_q ;
  (* hierconn *) wire [13:0] \u_in.time_q , \u_in.passed_q ;

  localparam int HeldW = NameW + 2;  // a word in the buffer: {sop, eop, name}
  logic [Depth*HeldW-1:0] kept;
  logic [4*PlaceW-1:0] begins;
  logic [PlaceW-1:0] words;  // in the buffer
  assign kept = {\u_out.u_ring.mem[5] [263:262], \u_out.u_ring.mem[5] [NameW-1:0], \u_out.u_ring.mem[4] [263:262],
                 \u_out.u_ring.mem[4] [NameW-1:0], \u_out.u_ring.mem[3] [263:262], \u_out.u_ring.mem[3] [NameW-1:0],
                 \u_out.u_ring.mem[2] [263:262], \u_out.u_ring.mem[2] [NameW-1:0], \u_out.u_ring.mem[1] [263:262],
                 \u_out.u_ring.mem[1] [NameW-1:0], \u_out.u_ring.mem[0] [263:262], \u_out.u_ring.mem[0] [NameW-1:0]};
  assign begins = {\u_out.u_ring.start[3] , \u_out.u_ring.start[2] , \u_out.u_ring.start[1] , \u_out.u_ring.start[0] };

  function automatic [PlaceW-1:0] later(input [PlaceW-1:0] from, input [PlaceW-1:0] by);
    later = 4'(from) + 4'(by) >= 4'(Depth) ? from + by - 3'(Depth) : from + by;
  endfunction

  // The buffer, from the oldest word on: each word is the next, and each packet begins where the table says.
  logic [3:0] of_free, of_top;  // numbers modulo 16
  logic buffer_is, send_is;
  logic [3:0] n;
  logic [1:0] k;
  logic [PlaceW-1:0] at, begun;
  logic [HeldW-1:0] word;
  assign of_free = number - {1'b0, 3'(\u_out.u_ring.arrived_seq_q - \u_out.free_seq_q )};
  assign of_top  = number - {1'b0, 3'(\u_out.u_ring.arrived_seq_q - \u_out.top_q )};
  assign words   = \u_out.u_ring.write_q >= \u_out.u_ring.free_q ? \u_out.u_ring.write_q - \u_out.u_ring.free_q :
      \u_out.u_ring.write_q + 3'(Depth) - \u_out.u_ring.free_q ;

  logic sending, sends_on;  // the packet at `send` is held; it has words to send
  logic [2:0] from_free;
  assign from_free = \u_out.send_seq_q - \u_out.free_seq_q ;
  assign sending   = from_free <= 3'(\u_out.u_ring.arrived_seq_q - \u_out.free_seq_q );

  always_comb begin
    buffer_is = 1'b1;
    n         = of_free;
    k         = '0;
    at        = \u_out.u_ring.free_q ;
    begun     = at;
    sends_on  = 1'b0;
    word      = '0;
    for (int i = 0; i < Depth - 1; i++) begin
      if (i < 32'(words)) begin
        word = kept[32'(at)*HeldW+:HeldW];
        if (k == '0) begun = at;
        if (word != {k == '0, word[0], 1'b0, n, k, word[0]} || k == 2'(MaxWords - 1) && !word[0] ||
            k == '0 && begins[32'(n[1:0])*PlaceW+:PlaceW] != at) begin
          buffer_is = 1'b0;
        end
        if (n[2:0] == \u_out.send_seq_q && 8'(k) + 8'd1 == \u_out.index_q && !word[0]) sends_on = 1'b1;
        k  = word[0] ? '0 : k + 2'd1;
        n  = n + 4'(word[0]);
        at = later(at, 3'd1);
      end
    end
    if (k == '0) begun = at;
    if (n != number || k != place || begins[32'(n[1:0])*PlaceW+:PlaceW] != begun ||
        at != \u_out.u_ring.write_q || n[2:0] != \u_out.u_ring.arrived_seq_q ) begin
      buffer_is = 1'b0;
    end
    send_is = \u_out.u_ring.send_q == later(begins[32'(\u_out.send_seq_q [1:0])*PlaceW+:PlaceW], \u_out.index_q [2:0]);
  end

  // The words on their way, oldest first: what they are, and how far from the receiver's number.
  localparam int Going = Delay + 2;
  logic [Going-1:0] counts, eops;
  logic [Going*4-1:0] numbers;
  logic wire_is, near, in_order;
  logic signed [3:0] far;
  tilefly_pkg::word_t w;
  tilefly_pkg::retry_tag_t t;
  always_comb begin
    wire_is  = 1'b1;
    near     = 1'b1;
    in_order = 1'b1;
    far      = '0;
    for (int i = 0; i < Going; i++) begin
      {w, t} = i == Delay + 1 ? {\u_out.stage_q , \u_out.stage_tag_q } : wire_all[(Delay-i)*WireW+:WireW];
      counts[i] = w.valid && !w.err;
      eops[i] = w.eop;
      numbers[i*4+:4] = w.data[6:3];
      if (counts[i]) begin
        if (w.data[7] || t.seq != 11'(w.data[5:3]) || t.index != 8'(w.data[2:1]) || w.sop != (w.data[2:1] == 2'd0) ||
            w.eop != w.data[0] || w.data[2:1] > 2'(MaxWords - 1) || w.data[2:1] == 2'(MaxWords - 1) && !w.eop) begin
          wire_is = 1'b0;
        end
        far = w.data[6:3] - accepted_q;
        if (far > 4'sd2 || far < -4'sd3) near = 1'b0;
        far = of_top - w.data[6:3] - 4'(w.eop);
        if (far < 4'sd0) near = 1'b0;
        for (int j = 0; j < i; j++) begin
          far = numbers[j*4+:4] + 4'(eops[j]) - w.data[6:3];
          if (counts[j] && far > 4'sd3) in_order = 1'b0;
        end
      end
    end
  end

  // The reports on their way, oldest first.
  logic reports_are;
  logic [2:0] newest, oldest;
  logic [SlotW-1:0] slot;
  always_comb begin
    reports_are = 1'b1;
    oldest      = '0;
    slot        = '0;
    for (int i = Delay + 1; i >= 0; i--) begin
      slot   = slots_all[i*SlotW+:SlotW];
      newest = slot[2:0] - \u_out.heard_q ;
      if (slot[SlotW-1] && (newest < oldest || slot[10:3] != '0)) reports_are = 1'b0;
      if (slot[SlotW-1]) oldest = newest;
    end
    newest = \u_in.expected_q - \u_out.heard_q ;
    if (newest < oldest || newest > 3'(\u_out.top_q - \u_out.heard_q )) reports_are = 1'b0;
  end

  function automatic [2:0] lanes_of(input [2:0] lanes);
    lanes_of = lanes == '0 || lanes > 3'd4 ? 3'd4 : lanes;
  endfunction

  // Cycles from word 0 to word k, and to the end of a packet of n words; k and n are at most 2 and 3.
  function automatic [15:0] due_after(input [2:0] lanes, input [1:0] words_before);
    due_after = lanes == 3'd1 ? 16'd4 * 16'(words_before) : lanes == 3'd2 ? 16'd2 * 16'(words_before) : 16'(words_before);
  endfunction

  function automatic [15:0] over_after(input [2:0] lanes, input [1:0] words_in_all);
    over_after = due_after(lanes, words_in_all) + 16'(lanes == 3'd3 && words_in_all != '0);
  endfunction

  logic [15:0] time_left, receivers_left;  // from word 0 to the cycle in which the next is due
  assign time_left      = 16'(\u_out.time_q ) + 16'(\u_out.u_pace.wait_q );
  assign receivers_left = 16'(\u_in.time_q ) + 16'(\u_in.u_pace.wait_q );

  always_comb begin
    ENV_words : assume (words_i != '0);
    COV_words : cover (started_q && take && words_i == 2'(MaxWords));
    ENV_word_fault : assume (word_fault_i <= Noise);
    COV_word_fault : cover (started_q && word_fault_i == WordRepeated && passed.valid);
    ENV_slot_fault : assume (slot_fault_i <= SlotRepeated);
    COV_slot_fault : cover (started_q && slot_fault_i == SlotRepeated && told && told_nack);
    // Lanes change only while the MAC owes nothing.
    ENV_lanes : assume (lanes_i == lanes_q || owed == '0);
    COV_lanes : cover (started_q && \u_out.busy_q && lanes_i != lanes_q);
    if (started_q) begin
      // The statement.
      if (passed.valid) begin
        accepted_is_next : assert (!passed.data[7] && passed.data[6:3] == accepted_q);
        with_its_words : assert (passed.data[2:1] == (passed.sop ? 2'd0 : next_q) && passed.eop == passed.data[0]);
      end
      reports_make_sense : assert (!bad_report);
      all_when_empty : assert (!out_quiet || accepted_q == number && place == '0 && fresh == '0);
      // What is where.
      numbers_are : assert (number[2:0] == \u_out.u_ring.arrived_seq_q &&
                            accepted_q == number - {1'b0, 3'(\u_out.u_ring.arrived_seq_q - \u_in.expected_q )} &&
                            \u_in.packets_q == \u_in.expected_q );
      held_is : assert (4'(\u_out.held_q ) == 4'(3'(\u_out.u_ring.arrived_seq_q - \u_out.free_seq_q )) + 4'(fresh));
      used_is : assert (4'(\u_out.used_q ) == 4'(words) + owed - stale && \u_out.used_q < Depth);
      owed_is : assert (\u_out.owed_q == 11'(owed) && \u_out.stale_q == 11'(stale) && stale <= owed);
      mac_is : assert (\u_mac.owing_q <= 2'd2 &&
                       (\u_mac.owing_q == '0 ? \u_mac.place_q == '0 : \u_mac.place_q < \u_mac.length_q ) &&
                       (\u_mac.owing_q != 2'd2 || \u_mac.next_q != '0) &&
                       (!\u_mac.old_q [0] || \u_mac.owing_q != '0) && (!\u_mac.old_q [1] || \u_mac.old_q [0] && \u_mac.owing_q == 2'd2));
      down_is : assert (\u_out.up_q || \u_out.used_q == '0 && !\u_out.busy_q && !\u_out.failed_q );
      places_are : assert (\u_out.u_ring.write_q < Depth && \u_out.u_ring.free_q < Depth && \u_out.u_ring.send_q < Depth && words < Depth);
      order_is : assert (3'(\u_out.heard_q - \u_out.free_seq_q ) <= 3'(\u_out.top_q - \u_out.free_seq_q ) &&
                         3'(\u_out.top_q - \u_out.free_seq_q ) <= 3'(\u_out.u_ring.arrived_seq_q - \u_out.free_seq_q ) &&
                         3'(\u_out.u_ring.arrived_seq_q - \u_out.free_seq_q ) <= 3'd3);
      sends_is : assert (3'(\u_out.top_q - \u_out.send_seq_q ) <= 3'd3 &&
                         (!\u_out.busy_q || from_free <= 3'(\u_out.top_q - \u_out.free_seq_q )));
      index_is : assert (\u_out.busy_q ? \u_out.index_q != '0 && \u_out.index_q < 8'(MaxWords) && sends_on &&
                         (\u_out.send_seq_q != \u_out.u_ring.arrived_seq_q || \u_out.index_q <= 8'(place)) : \u_out.index_q == '0);
      contents_are : assert (buffer_is);
      sent_next_is : assert (!sending || send_is);
      words_are : assert (wire_is);
      words_near : assert (near);
      words_in_order : assert (in_order);
      reports_is : assert (reports_are);
      // Paces.
      lanes_of_sender : assert (\u_out.lanes_q == lanes_of(\u_out.u_pace.lanes_q ) && \u_out.word_q <= 8'(MaxWords));
      pace_of_sender : assert (\u_out.busy_q ? \u_out.word_q == \u_out.index_q && 8'(\u_out.u_pace.phase_q ) == \u_out.index_q &&
                               time_left == due_after(\u_out.lanes_q , \u_out.index_q [1:0]) :
                               \u_out.time_q == '1 || time_left >= over_after(\u_out.lanes_q , \u_out.word_q [1:0]));
      pace_of_mac : assert (place == '0 || lanes_of(\u_mac.u_pace.lanes_q ) == lanes_of(lanes_q) && \u_mac.u_pace.phase_q == place &&
                            16'(\u_mac.u_pace.wait_q ) < due_after(lanes_of(lanes_q), place) - due_after(lanes_of(lanes_q), place - 2'd1));
      lanes_of_both : assert (!\u_out.busy_q || \u_out.send_seq_q != \u_out.u_ring.arrived_seq_q || \u_out.lanes_q == lanes_of(lanes_q));
      words_in_time : assert (!\u_out.busy_q || \u_out.u_ring.send_q != \u_out.u_ring.write_q || 8'(place) == \u_out.index_q &&
                              \u_mac.u_pace.wait_q <= \u_out.u_pace.wait_q );
      receiver_is : assert (!\u_in.open_q || \u_in.index_q != '0 && \u_in.index_q < 8'(MaxWords) && 8'(next_q) == \u_in.index_q &&
                            \u_in.passed_q == 14'(\u_in.index_q ) && \u_in.lanes_q == lanes_of(\u_in.u_pace.lanes_q ) &&
                            !\u_in.nacked_q && 8'(\u_in.u_pace.phase_q ) == \u_in.index_q &&
                            receivers_left == due_after(\u_in.lanes_q , next_q));
      nacks_are : assert (\u_in.nacked_q == (\u_in.asked_q != \u_in.nack_due_q ) && !(\u_in.asked_q && \u_in.nack_due_q ));
    end
    COV_replayed : cover (started_q && replayed && replay);
    COV_duplicate : cover (started_q && duplicate && accepted_q == 4'd1);
    COV_missing : cover (started_q && missing && \u_in.open_q );
    COV_wrapped : cover (started_q && \u_out.u_ring.write_q < \u_out.u_ring.free_q && again);
    COV_full : cover (started_q && \u_out.used_q == 3'(Depth - 1) && \u_out.held_q == '1);
    COV_quiet_again : cover (started_q && out_quiet && in_quiet && accepted_q == 4'd1);
    COV_failed : cover (started_q && failed);
    COV_stale : cover (started_q && \u_out.stale_q != '0 && take);
  end

endmodule
