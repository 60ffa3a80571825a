// SPDX-License-Identifier: Apache-2.0
// Store of whole frames in words of the link: a frame can be read when it has ended, and is given up or shortened until
// then. Manual: docs/blocks/axis.md, "Store".
// Latency: a frame that ends in cycle t (event) can be read from t + 1 on. Throughput: a word in and a word out a cycle.
// Handshake: none; the user pushes only when there is room, and pops only words of frames that have ended.

module tilefly_axis_store #(
    /// words of 32 bytes, at most 4095
    parameter int Words = 266
) (
    /// clock
    input  logic         clk_i,
    /// synchronous reset, active low
    input  logic         rst_ni,
    /// append a word to the frame that arrives
    input  logic         push_i,
    /// the word
    input  logic [255:0] data_i,
    /// the frame that arrives ends, with this word or without one
    input  logic         end_i,
    /// bytes of that frame, for which as many words as necessary are kept; 0: the frame is given up, no word is kept
    input  logic [ 12:0] bytes_i,
    /// that frame is damaged
    input  logic         bad_i,
    /// there is room for a word
    output logic         room_o,
    /// words inside, those of the frame that arrives included
    output logic [ 11:0] used_o,
    /// a frame has ended and was not begun
    output logic         ready_o,
    /// bytes of the oldest such frame
    output logic [ 12:0] bytes_o,
    /// the oldest frame is damaged
    output logic         bad_o,
    /// the oldest frame is begun
    input  logic         begin_i,
    /// oldest word
    output logic [255:0] data_o,
    /// remove the oldest word
    input  logic         pop_i
);

  localparam int IndexW = $clog2(Words);
  localparam logic [11:0] All = 12'(Words);

  // The place `words` behind `from`; words <= Words.
  function automatic [IndexW-1:0] place_after(input [IndexW-1:0] from, input [11:0] words);
    reg [12:0] sum;
    sum = 13'(from) + 13'(words);
    place_after = IndexW'(sum >= 13'(Words) ? sum - 13'(Words) : sum);
  endfunction

  function automatic [11:0] words_of(input [12:0] bytes);
    words_of = 12'((14'(bytes) + 14'd31) >> 5);
  endfunction

  logic [255:0] mem[Words];
  logic [13:0] frame_mem[Words];  // {bad, bytes} in the place of the frame's first word
  logic [IndexW-1:0] read_q, write_q;
  logic [IndexW-1:0] start_q;  // first place of the frame that arrives
  logic [IndexW-1:0] head_q;  // first place of the oldest frame that was not begun
  logic [11:0] used_q;
  logic [11:0] arriving_q;  // words of the frame that arrives
  logic [11:0] frames_q;
  logic [11:0] kept;
  logic keeps;

  assign kept  = words_of(bytes_i);
  assign keeps = end_i && bytes_i != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q     <= '0;
      write_q    <= '0;
      start_q    <= '0;
      head_q     <= '0;
      used_q     <= '0;
      arriving_q <= '0;
      frames_q   <= '0;
    end else begin
      if (pop_i) read_q <= place_after(read_q, 12'd1);
      if (begin_i) head_q <= place_after(head_q, words_of(bytes_o));
      if (end_i) begin
        write_q    <= place_after(start_q, kept);
        start_q    <= place_after(start_q, kept);
        used_q     <= used_q - arriving_q + kept - 12'(pop_i);
        arriving_q <= '0;
      end else begin
        if (push_i) write_q <= place_after(write_q, 12'd1);
        used_q     <= used_q + 12'(push_i) - 12'(pop_i);
        arriving_q <= arriving_q + 12'(push_i);
      end
      frames_q <= frames_q + 12'(keeps) - 12'(begin_i);
    end
    if (push_i) mem[write_q] <= data_i;
    if (keeps) frame_mem[start_q] <= {bad_i, bytes_i};
  end

  assign room_o  = used_q != All;
  assign used_o  = used_q;
  assign ready_o = frames_q != '0;
  assign {bad_o, bytes_o} = frame_mem[head_q];
  assign data_o = mem[read_q];

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      AXIS_8 : assert (!pop_i || used_q != arriving_q);
      AXIS_8_begin : assert (!begin_i || frames_q != '0);
      AXIS_9 : assert (used_q <= All && arriving_q <= used_q);
      AXIS_9_push : assert (!push_i || room_o);
      AXIS_9_end : assert (!end_i || kept <= arriving_q + 12'(push_i));
    end
  end
`ifndef SYNTHESIS
  final begin
    if ($test$plusargs("tilefly_drained") != 0) AXIS_9_drained : assert (used_q == '0 && frames_q == '0);
  end
`endif

`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (Words < 2 || Words > 4095) $fatal(1, "tilefly_axis_store: Words %0d; wanted: 2 to 4095", Words);
  end
`endif

endmodule
