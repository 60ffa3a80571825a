// SPDX-License-Identifier: Apache-2.0
// What becomes of launches: their packets, the room that they did not need, what the groups learn. Manual: docs/blocks/reduction.md,
// "CFU: launches", docs/blocks/reduction-trees.md, "Short operations".
// Latency: of a launch of cycle t word 0 of the packet is on `words_o` in t + RED_DELAY, the cycle of the end. Throughput: a launch a
// cycle. Handshake: none.
//
//   t        t + RED_DELAY - 3        t + RED_DELAY
//   launch   first combined word,     packet's first word, end
//            packet begins

module tilefly_red_ends #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS
) (
    /// clock
    input  logic                                    clk_i,
    /// synchronous reset, active low
    input  logic                                    rst_ni,
    /// a launch
    input  logic                                    valid_i,
    /// what is launched
    input  tilefly_red_pkg::launch_t                launch_i,
    /// ports that the packet of the launch is for
    input  logic [                       Ports-1:0] mask_i,
    /// tags of the groups' locks, as they are now
    input  logic [                    4*Groups-1:0] tags_i,
    /// combined words {DOWN, UP}
    input  logic [  2*tilefly_pkg::RED_COLLECT_W-1:0] words_i,
    /// code that answers a lock which ends now
    input  logic [                             3:0] answer_i,
    /// tag of the group after that lock
    input  logic [                             3:0] answer_tag_i,
    /// a short launch ends: {down, up}
    output logic [                             1:0] short_ends_o,
    /// {group, engine} of the launch
    output logic [                             5:0] index_o,
    /// collect word of the launch's parts
    output tilefly_pkg::red_collect_t               word_o,
    /// the launch arms its engine
    output logic                                    arms_o,
    /// the parts of a stream of these groups disagree
    output logic [                      Groups-1:0] mismatched_o,
    /// room comes back
    output logic                                    return_o,
    /// return lane to which room comes back (red_lane_e)
    output logic [                             1:0] return_lane_o,
    /// number of cells that come back
    output logic [                             6:0] return_cells_o,
    /// ports at which they come back
    output logic [                       Ports-1:0] return_mask_o,
    /// return lanes {S, D, U}
    output logic [  3*tilefly_pkg::RED_RETURN_W-1:0] words_o,
    /// no packet inside
    output logic                                    quiescent_o
);

  localparam int WordW = tilefly_pkg::RED_COLLECT_W;
  localparam int LaunchW = tilefly_red_pkg::LAUNCH_W + Ports;
  localparam int ReturnW = tilefly_pkg::RED_RETURN_W;
  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int PacketCycles = 3;
  localparam int MeetCycles = tilefly_pkg::RED_DELAY - PacketCycles;

  // The first combined word of each launch.
  logic meets, meets_busy;
  tilefly_red_pkg::launch_t met;
  logic [Ports-1:0] met_mask;

  tilefly_delay_line #(
      .Width(LaunchW),
      .Depth(MeetCycles)
  ) u_launches (
      .clk_i,
      .rst_ni,
      .valid_i,
      .data_i ({launch_i, mask_i}),
      .valid_o(meets),
      .data_o ({met, met_mask}),
      .busy_o (meets_busy)
  );

  tilefly_pkg::red_collect_t up_word, down_word, word;
  logic stream, down, notice, void_operands, sends;
  logic [1:0] return_lane;
  assign up_word   = words_i[WordW-1:0];
  assign down_word = words_i[2*WordW-1:WordW];
  assign stream    = tilefly_red_pkg::is_stream(met.candidate);
  assign down      = tilefly_red_pkg::goes_down(met.candidate);
  assign notice    = met.candidate == tilefly_pkg::RED_CANDIDATE_NOTICE;

  always_comb begin
    word = '0;
    if (meets && !notice) word = down ? down_word : up_word;
    return_lane = tilefly_pkg::RED_LANE_S;
    if (stream) return_lane = down || met.root ? tilefly_pkg::RED_LANE_D : tilefly_pkg::RED_LANE_U;
  end
  assign sends         = meets && met_mask != '0 && !(stream && word.mismatch);
  assign void_operands = word.mismatch;

  // Header of its packet, as far as it is known now.
  tilefly_pkg::red_t header;
  logic [95:0] published;
  logic [3:0] code;

  always_comb begin
    header    = '0;
    published = '0;
    code      = '0;
    if (meets) begin
      header.group = {3'd0, met.group};
      if (stream) begin
        header.what  = return_lane == tilefly_pkg::RED_LANE_U ? 5'(tilefly_pkg::RED_WHAT_SEGMENT) : 5'(tilefly_pkg::RED_WHAT_RESULT);
        header.op    = word.op;
        header.dtype = word.dtype;
        header.bytes = word.bytes;
        header.ends  = word.ends;
        header.empty = !word.full;
        header.wants = return_lane == tilefly_pkg::RED_LANE_U;
        header.seq   = met.seq;
        header.tag   = met.tag;
      end else if (notice) begin
        header.what = 5'(tilefly_pkg::RED_WHAT_FAIL);
        header.tag  = met.tag;
        header.code = met.code;
      end else if (met.is_small) begin
        header.what  = down || met.root ? 5'(tilefly_pkg::RED_WHAT_SMALL_RESULT) : 5'(tilefly_pkg::RED_WHAT_SMALL);
        header.bytes = 13'(tilefly_red_pkg::SMALL_BYTES);
        code         = word.mismatch ? tilefly_pkg::RED_RC_DIFFERS : word.code;
        published    = {word.cookie, word.mismatch ? 13'd0 : word.rep, code, word.resno, word.contributions, word.count[5:0],
                        word.arm, word.seq[9:0]};
      end else begin
        code = !down && word.mismatch ? tilefly_pkg::RED_CODE_MISMATCH : word.code;
        header.what          = down || met.root ? 5'(tilefly_pkg::RED_WHAT_SHORT_RESULT) : 5'(tilefly_pkg::RED_WHAT_SHORT);
        header.op            = word.op;
        header.dtype         = word.dtype;
        header.bytes         = word.bytes;
        header.rnd           = word.rnd;
        header.ftz           = word.ftz;
        header.seq           = word.seq;
        header.count         = word.count;
        header.contributions = word.contributions;
        header.action        = word.action;
        header.code          = code;
        header.empty         = !word.full || code != '0;
        if (down) header.tag = word.tag;
        else if (met.root) header.tag = tags_i[4*met.group+:4];
      end
    end
  end

  // The end, three cycles later: room, and what the groups learn.
  logic ends, ends_busy, sent, mismatch;
  /* verilator lint_off UNUSEDSIGNAL */  // its header was made
  tilefly_red_pkg::launch_t ended;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] ended_mask;
  logic [1:0] ended_return_lane;
  logic [6:0] cells, reserved;
  logic [12:0] len;

  assign len = tilefly_red_pkg::frame_bytes(header.empty, header.bytes);

  tilefly_delay_line #(
      .Width(LaunchW + 2 + 2 + 7),
      .Depth(PacketCycles)
  ) u_ends (
      .clk_i,
      .rst_ni,
      .valid_i(meets),
      .data_i ({met, met_mask, return_lane, sends, word.mismatch, tilefly_ingress_pkg::cells_of(len)}),
      .valid_o(ends),
      .data_o ({ended, ended_mask, ended_return_lane, sent, mismatch, cells}),
      .busy_o (ends_busy)
  );

  // Launches of return lane S are further apart than that: what its parts say, and its header, are kept till then.
  tilefly_pkg::red_collect_t word_q;
  tilefly_pkg::red_t header_q, late;
  logic is_late;
  always_ff @(posedge clk_i) begin
    if (meets && !stream) begin
      word_q   <= word;
      header_q <= header;
    end
  end
  assign word_o  = word_q;
  assign index_o = ended.index;
  assign short_ends_o = {ends && ended.candidate == tilefly_pkg::RED_CANDIDATE_SHORT_DOWN,
                         ends && ended.candidate == tilefly_pkg::RED_CANDIDATE_SHORT_UP};
  assign arms_o = short_ends_o[1] && word_q.arm;

  // A lock's answer, or that to its end, goes with the packet that is going now.
  assign is_late = short_ends_o[0] && !ended.is_small &&
      (word_q.action == 3'(tilefly_pkg::RED_ACTION_LOCK) || word_q.action == 3'(tilefly_pkg::RED_ACTION_UNLOCK));
  always_comb begin
    late = header_q;
    if (is_late) begin
      late.code  = answer_i;
      late.empty = !word_q.full || answer_i != '0;
      if (ended.root) late.tag = answer_tag_i;
    end
  end

  always_comb begin
    mismatched_o = '0;
    if (ends && tilefly_red_pkg::is_stream(ended.candidate) && mismatch) mismatched_o[ended.group] = 1'b1;
    reserved = tilefly_red_pkg::is_stream(ended.candidate) ? 7'(tilefly_pkg::RED_CELLS) : 7'(tilefly_pkg::RED_SHORT_CELLS);
  end
  assign return_o       = ends;
  assign return_lane_o  = ended_return_lane;
  assign return_cells_o = reserved - (sent ? cells : 7'd0);
  assign return_mask_o  = ended_mask;

  // Packets, a former for each return lane.
  logic [2:0] formers_quiescent;

  generate
    for (genvar l = 0; l < 3; l++) begin : gen_former
      tilefly_red_packet u_packet (
          .clk_i,
          .rst_ni,
          .begins_i   (sends && return_lane == 2'(l)),
          .mask_i     (64'(met_mask)),
          .header_i   (header),
          .published_i(published),
          .void_i     (void_operands),
          .down_i     (down),
          .data_i     ({down_word.data, up_word.data}),
          .late_i     (late),
          .is_late_i  (l == 32'(tilefly_pkg::RED_LANE_S) && is_late),
          .word_o     (words_o[l*ReturnW+:ReturnW]),
          .quiescent_o(formers_quiescent[l])
      );
    end
  endgenerate

  assign quiescent_o = !meets_busy && !ends_busy && formers_quiescent == '1;

endmodule
