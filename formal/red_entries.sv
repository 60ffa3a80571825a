// SPDX-License-Identifier: Apache-2.0
// tilefly_red_store under a sender that keeps the credit rule, as late as it likes: what is launched is there (RED-1), no segment enters
// without room (RED-2), and no word is written over one that waits or is read. CREDITs are sent when they are due and arrive in order, any
// time later, or are outdated by the next one. A launch's first word passes the port's step as late as the last port of the ring has it.
// Made small: slot 0, two tiles, segments of three words, two on their way without a credit.

module red_entries #(
    /// cycles from a launch to its first word at the port, the most: 6 for each tile less one
    parameter int MostDelay = 6
) (
    input logic         clk_i,
    input logic         bound_i,
    /// the sender's word arrives, its segment is complete
    input logic         write_i,
    input logic         accept_i,
    input logic [  7:0] index_i,
    input logic [255:0] data_i,
    /// a segment is launched
    input logic         launch_i,
    /// a CREDIT is on its way; the sender knows of so many launches
    input logic         credited_i,
    input logic [ 15:0] known_i
);

  localparam int Words = tilefly_pkg::RED_WORDS;
  localparam int Stream = tilefly_pkg::RED_STREAM;
  localparam int Segments = tilefly_pkg::RED_SEGMENTS;
  localparam int Entries = tilefly_pkg::RED_STORE;
  localparam int EntryW = $clog2(Entries);
  localparam int PipeW = MostDelay + Words;

  (* anyconst *) logic ring_lane;  // the slot's launches come on it: UP of a child, DOWN of a parent
  (* anyconst *) logic [2:0] delay;
  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  // Launches on their way: bit i that of i + 1 cycles ago. Word k passes delay + k cycles after it.
  logic [PipeW:0] pipe_q;
  logic [7:0] word, spaced_q;  // number of the word that passes; cycles until the next launch
  logic passes, first;
  logic [PipeW+1:0] pipe;
  assign pipe = {pipe_q, launch_i};

  always_comb begin
    word   = '0;
    passes = 1'b0;
    for (int k = 0; k < Words; k++) begin
      if (pipe[32'(delay)+k]) begin
        passes = 1'b1;
        word   = 8'(k);
      end
    end
    first = passes && word == '0;
  end

  // What the last CREDIT that was sent says, and what the sender knows.
  logic [15:0] sent_q, known_q;
  logic bound_q;
  always @(posedge clk_i) begin
    pipe_q   <= pipe[PipeW:0];
    bound_q  <= bound_i;
    spaced_q <= launch_i ? 8'(Stream - 1) : spaced_q == '0 ? '0 : spaced_q - 8'd1;
    known_q  <= known_i;
    if (credited_i) sent_q <= launched[15:0];
    if (!started_q) {pipe_q, spaced_q} <= '0;
    if (!started_q || !bound_i) {sent_q, known_q} <= '0;
  end

  logic [31:0] arrived, launched;
  logic [1:0] credit_due;
  logic [2*tilefly_red_pkg::SAID_W-1:0] said;
  logic [2*tilefly_red_pkg::OPERANDS_W-1:0] operands;

  tilefly_red_store u_store (
      .clk_i,
      .rst_ni      (started_q),
      .bound_i     ({1'b0, bound_i}),
      .launch_i    ({1'b0, launch_i}),
      .write_i,
      .slot_i      (1'b0),
      .index_i,
      .data_i,
      .accept_i,
      .header_i    ('0),
      .credited_i  ({1'b0, credited_i}),
      .arrived_o   (arrived),
      .launched_o  (launched),
      .credit_due_o(credit_due),
      .read_i      (passes ? 2'd1 << ring_lane : 2'd0),
      .first_i     (first ? 2'd1 << ring_lane : 2'd0),
      .read_slot_i (2'b00),
      .read_index_i({2{word}}),
      .said_o      (said),
      .operands_o  (operands)
  );

  (* hierconn *) wire [15:0] \u_store.read_q[0] ;
  (* hierconn *) wire [EntryW-1:0] \u_store.entry_q[0] , \u_store.entry_q[1] ;
  wire [EntryW-1:0] entry_read = ring_lane ? \u_store.entry_q[1] : \u_store.entry_q[0] ;

  // Segments that have come, whose launch has not begun to pass, and the oldest one in use: the one that passes, or the next.
  logic [15:0] waiting, unread, in_use, behind, oldest, going;
  logic reading, crowds;
  always_comb begin
    reading = passes && !first;
    oldest  = \u_store.read_q[0] - 16'(reading);
    waiting = arrived[15:0] - launched[15:0];
    unread  = arrived[15:0] - \u_store.read_q[0] ;
    in_use  = arrived[15:0] - oldest;
    behind  = launched[15:0] - \u_store.read_q[0] ;
    going   = '0;
    crowds  = 1'b0;
    for (int i = 0; i < PipeW + 1; i++) begin
      if (i < 32'(delay)) going = going + 16'(pipe_q[i]);
      for (int j = i + 1; j < PipeW + 1; j++) begin
        if (pipe_q[i] && pipe_q[j] && j - i < Stream) crowds = 1'b1;
      end
      if (pipe_q[i] && 32'(spaced_q) + i + 1 < Stream) crowds = 1'b1;
    end
  end

  always_comb begin
    ENV_delay : assume (32'(delay) <= MostDelay);
    COV_delay : cover (started_q && first && 32'(delay) == MostDelay);
    // A slot is not given back while a launch is on the ring lanes, nor bound as long as its packets of the last lock arrive.
    ENV_bound : assume (bound_i || pipe == '0 && !write_i && !accept_i && !credited_i);
    COV_bound : cover (started_q && bound_q && !bound_i && known_q != '0);
    // The sender's rule: segment i while i < Segments + the last count that it knows.
    ENV_known : assume (known_i >= known_q && known_i <= sent_q);
    COV_known : cover (started_q && sent_q == 16'd2 && known_i == 16'd1);
    ENV_credit : assume (!(write_i || accept_i) || arrived[15:0] - known_q < 16'(Segments));
    COV_credit : cover (started_q && write_i && arrived[15:0] == known_q + 16'(Segments - 1) && known_q != '0);
    // The CFU's: what has come, a ring lane for each launch as long as it needs it.
    ENV_launch : assume (!launch_i || waiting != '0 && spaced_q == '0);
    COV_launch : cover (started_q && launch_i && launched[15:0] == 16'd2);
    ENV_credited : assume (!credited_i || credit_due[0]);
    COV_credited : cover (started_q && credited_i && launch_i);
    ENV_length : assume (arrived[15:0] < 16'hfff0);
    COV_length : cover (started_q && arrived[15:0] == 16'd3);
    if (started_q) begin
      not_more_than_the_credits : assert (waiting <= 16'(Segments));
      no_word_over_another : assert (!write_i || in_use < 16'(Entries));
      one_entry_to_the_end : assert (!reading || entry_read == oldest[EntryW-1:0]);
      read_what_is_launched : assert (!bound_i || behind == going);
      counts_follow : assert (arrived[15:0] - known_q <= 16'(Segments) && known_q <= sent_q && sent_q <= launched[15:0] && launched[15:0] <= arrived[15:0]);
      launches_apart : assert (!crowds && 32'(spaced_q) < Stream);
      room_enough : assert (unread < 16'(Entries));
    end
    COV_most : cover (started_q && write_i && in_use > 16'(Segments));
  end

endmodule
