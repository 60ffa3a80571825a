// SPDX-License-Identifier: Apache-2.0
// tilefly_retry_out with any reports and any lanes: while a packet that was sent whole is not acknowledged, there is progress, or the link
// fails, in at most (limit + 1) (timer + 1 + packet) cycles, with `packet` the time of the longest one on the lanes. (The sender's half
// of RETRY-9: each progress frees a packet at least.) Packets have one word, so words are at hand whenever they are needed.

module retry_limit #(
    parameter int Timer   = 2,
    parameter int Limit   = 1,
    /// 1: a bound that is too small by one cycle
    parameter int Tighter = 0
) (
    input logic        clk_i,
    input logic        link_up_i,
    input logic  [2:0] lanes_i,
    input logic        take_i,
    input logic        comes_i,
    input logic        report_valid_i,
    input logic        report_nack_i,
    input logic [10:0] report_seq_i
);

  localparam int Packet = 4;  // cycles of a word on one lane
  localparam int Bound = (Limit + 1) * (Timer + 1 + Packet) - Tighter;

  logic started_q = 1'b0;
  logic ready, failed, replay, timeout;
  tilefly_pkg::word_t mac_word;
  logic [3:0] owed_q;  // words
  assign mac_word.valid = comes_i;
  assign mac_word.sop   = 1'b1;
  assign mac_word.eop   = 1'b1;
  assign mac_word.enh   = 1'b0;
  assign mac_word.err   = 1'b0;
  assign mac_word.last  = '0;
  assign mac_word.data  = '0;

  tilefly_retry_out #(
      .Depth   (5),
      .MaxWords(1),
      .SeqW    (3)
  ) u_out (
      .clk_i,
      .rst_ni           (started_q),
      .enable_i         (1'b1),
      .link_up_i,
      .lanes_i,
      .replay_timer_max_i(16'(Timer)),
      .replay_ct_max_i  (8'(Limit)),
      .retry_threshold_i(8'd0),
      .take_i,
      .take_words_i     (8'd1),
      .word_i           (mac_word),
      .report_valid_i,
      .report_nack_i,
      .report_seq_i,
      .ready_o          (ready),
      .word_o           (),
      .tag_o            (),
      .start_o          (),
      .again_o          (),
      .start_vl_o       (),
      .start_len_o      (),
      .link_failed_o    (failed),
      .over_threshold_o (),
      .replay_o         (replay),
      .timeout_o        (timeout),
      .bad_report_o     (),
      .repeated_o       (),
      .held_o           (),
      .quiescent_o      ()
  );

  (* hierconn *) wire [2:0] \u_out.heard_q , \u_out.top_q , \u_out.send_seq_q , \u_out.free_seq_q , \u_out.u_ring.arrived_seq_q ;
  (* hierconn *) wire [2:0] \u_out.u_ring.write_q , \u_out.u_ring.send_q , \u_out.u_ring.free_q , \u_out.used_q ;
  (* hierconn *) wire [1:0] \u_out.held_q , \u_out.u_pace.wait_q ;
  (* hierconn *) wire [2:0] \u_out.lanes_q , \u_out.u_pace.lanes_q , \u_out.time_q ;
  (* hierconn *) wire [7:0] \u_out.replays_q , \u_out.index_q , \u_out.word_q ;
  (* hierconn *) wire [15:0] \u_out.timer_q ;
  (* hierconn *) wire [10:0] \u_out.owed_q , \u_out.stale_q ;
  (* hierconn *) wire \u_out.progress , \u_out.busy_q , \u_out.pending_q , \u_out.up_q ;
  (* hierconn *) wire [263:0] \u_out.u_ring.mem[0] , \u_out.u_ring.mem[1] , \u_out.u_ring.mem[2] , \u_out.u_ring.mem[3] ;
  (* hierconn *) wire [263:0] \u_out.u_ring.mem[4] ;
  (* hierconn *) wire [2:0] \u_out.u_ring.start[0] , \u_out.u_ring.start[1] , \u_out.u_ring.start[2] , \u_out.u_ring.start[3] ;

  logic waits;  // for an acknowledgement
  logic [5:0] waited_q;
  assign waits = \u_out.heard_q != \u_out.top_q && !failed && link_up_i && !\u_out.progress ;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    waited_q  <= started_q && waits ? waited_q + 6'd1 : '0;
    owed_q    <= started_q ? owed_q + 4'(take_i) - 4'(comes_i) : '0;
  end

  // The buffer: a packet is a word, so the j-th packet behind the oldest is in the j-th place behind its.
  logic [4:0] ends;
  logic [11:0] begins;
  logic [2:0] packets, from_free, at;
  logic buffer_is;
  assign ends = {\u_out.u_ring.mem[4] [262], \u_out.u_ring.mem[3] [262], \u_out.u_ring.mem[2] [262], \u_out.u_ring.mem[1] [262],
                 \u_out.u_ring.mem[0] [262]};
  assign begins    = {\u_out.u_ring.start[3] , \u_out.u_ring.start[2] , \u_out.u_ring.start[1] , \u_out.u_ring.start[0] };
  assign packets   = \u_out.u_ring.arrived_seq_q - \u_out.free_seq_q ;
  assign from_free = \u_out.send_seq_q - \u_out.free_seq_q ;
  always_comb begin
    at        = \u_out.u_ring.free_q ;
    buffer_is = at < 3'd5;
    for (int j = 0; j < 4; j++) begin
      if (3'(j) <= packets) begin
        if (begins[32'(2'(\u_out.free_seq_q [1:0] + 2'(j)))*3+:3] != at) buffer_is = 1'b0;
        if (3'(j) < packets && !ends[at]) buffer_is = 1'b0;
        if (3'(j) == packets && \u_out.u_ring.write_q != at) buffer_is = 1'b0;
        if (3'(j) == from_free && \u_out.u_ring.send_q != at) buffer_is = 1'b0;
        at = at == 3'd4 ? '0 : at + 3'd1;
      end
    end
  end

  // The most that can have been waited: rounds that are over, and what is over of this one.
  localparam int Round = Timer + 1 + Packet;
  logic [7:0] most;
  assign most = 8'(Round) * \u_out.replays_q + (\u_out.pending_q ? 8'(Round - 1) - 8'(\u_out.u_pace.wait_q ) : 8'(\u_out.timer_q ));

  always_comb begin
    ENV_take : assume (!take_i || ready && owed_q < 4'd2);
    COV_take : cover (started_q && take_i && owed_q == 4'd1);
    ENV_word : assume (!comes_i || owed_q != '0);
    COV_word : cover (started_q && comes_i && failed);
    if (started_q) begin
      progress_or_failure : assert (32'(waited_q) <= Bound);
      // What is where.
      rounds_are : assert (failed || 8'(waited_q) <= most);
      small : assert (\u_out.replays_q <= 8'(Limit) && \u_out.timer_q <= 16'(Timer) && !\u_out.busy_q && \u_out.index_q == '0);
      owed_is : assert (\u_out.owed_q == 11'(owed_q) && owed_q <= 4'd2 && \u_out.stale_q <= \u_out.owed_q );
      held_is : assert (4'(\u_out.held_q ) == 4'(packets) + owed_q - 4'(\u_out.stale_q ) && \u_out.used_q == 3'(\u_out.held_q ));
      order_is : assert (3'(\u_out.heard_q - \u_out.free_seq_q ) <= 3'(\u_out.top_q - \u_out.free_seq_q ) &&
                         3'(\u_out.top_q - \u_out.free_seq_q ) <= packets && packets <= 3'd3);
      sends_is : assert (3'(\u_out.top_q - \u_out.send_seq_q ) <= 3'd3);
      contents_are : assert (buffer_is);
      down_is : assert (\u_out.up_q || \u_out.used_q == '0 && !failed);
      pace_is : assert (\u_out.word_q <= 8'd1 && (\u_out.lanes_q == \u_out.u_pace.lanes_q || \u_out.lanes_q == 3'd4 &&
                        (\u_out.u_pace.lanes_q == '0 || \u_out.u_pace.lanes_q > 3'd4)) && \u_out.lanes_q != '0 && \u_out.lanes_q <= 3'd4 &&
                        (\u_out.time_q == '1 || \u_out.word_q == 8'd1 && 6'(\u_out.lanes_q ) *
                         (6'(\u_out.time_q ) + 6'(\u_out.u_pace.wait_q )) >= 6'd4));
    end
    COV_failed : cover (started_q && failed && link_up_i);
    COV_repaired : cover (started_q && replay && waited_q != '0 && \u_out.replays_q == '0 && !timeout);
  end

endmodule
