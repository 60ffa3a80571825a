// SPDX-License-Identifier: Apache-2.0
// What the parts of the reduction ring have in common. Manual: docs/blocks/reduction.md.

package tilefly_red_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no part needs all of them

  // Bits of a collect word (red_collect_t), uppermost first: what names its launch (valid to ports), {mismatch, meta_valid}, what its
  // parts say (action to rep), {used, data}. Of what they say, the uppermost are compared (action to count), the lowest are rep, which
  // goes with the operands; between them contributions, code, full, cookie, resno, arm, tag.
  localparam int NAME_W = 1 + 1 + 1 + 6 + 64;
  localparam int COMPARED_W = 3 + 1 + 2 + 1 + 13 + 3 + 4 + 16 + 16;
  localparam int REP_W = 13;
  localparam int SAID_W = COMPARED_W + 20 + 4 + 1 + 32 + 10 + 1 + 4 + REP_W;
  localparam int OPERANDS_W = 1 + 256;

  // Data of a small operation: the published packet.
  localparam int SMALL_BYTES = 49;

  // Records between the parts of the CFU; group g in place g. Yosys takes no constant of another package in a type: so they
  // have 8 groups, and no sets of ports.

  // States of the groups.
  typedef struct packed {
    logic [23:0] states;   // red_state_e
    logic [31:0] tags;     // of their locks
    logic [31:0] codes;    // of their last failures
    logic [7:0]  awake;    // not IDLE
    logic [7:0]  failing;  // FAILING
    logic [7:0]  locked;   // LOCKING or ACTIVE
    logic [7:0]  stale;    // FAILING, or their short entries become invalid
    logic [7:0]  notice;   // their peers are to be told that they failed
  } groups_t;

  // A launch, but for the ports that its packet is for.
  typedef struct packed {
    logic [2:0]  candidate;  // red_candidate_e
    logic [5:0]  index;      // slot, or {group, engine}
    logic [2:0]  group;
    logic        root;       // the group is at the root
    logic        is_small;   // it is of small operands
    logic [15:0] seq;        // number of the segment or result
    logic [3:0]  tag;        // of the lock
    logic [3:0]  code;       // of a notice: of the failure
  } launch_t;
  localparam int LAUNCH_W = 38;

  /* verilator lint_on UNUSEDPARAM */

  // What a candidate for a launch is (red_candidate_e): of a stream; on the way down; of a stream, its slot.
  function automatic logic is_stream(input [2:0] candidate);
    is_stream = candidate < tilefly_pkg::RED_CANDIDATE_SHORT_UP;
  endfunction
  function automatic logic goes_down(input [2:0] candidate);
    goes_down = candidate == tilefly_pkg::RED_CANDIDATE_DOWN_0 || candidate == tilefly_pkg::RED_CANDIDATE_DOWN_1 ||
        candidate == tilefly_pkg::RED_CANDIDATE_SHORT_DOWN;
  endfunction
  function automatic logic slot_of(input [2:0] candidate);
    slot_of = candidate == tilefly_pkg::RED_CANDIDATE_UP_1 || candidate == tilefly_pkg::RED_CANDIDATE_DOWN_1;
  endfunction

  // Who sends a packet (red_what_e): children, the parent. It is of a stream: a segment or the result of one.
  function automatic logic comes_from_child(input [4:0] what);
    comes_from_child = what == 5'(tilefly_pkg::RED_WHAT_SEGMENT) || what == 5'(tilefly_pkg::RED_WHAT_SHORT) ||
        what == 5'(tilefly_pkg::RED_WHAT_SMALL);
  endfunction
  function automatic logic comes_from_parent(input [4:0] what);
    comes_from_parent = what == 5'(tilefly_pkg::RED_WHAT_RESULT) || what == 5'(tilefly_pkg::RED_WHAT_SHORT_RESULT) ||
        what == 5'(tilefly_pkg::RED_WHAT_SMALL_RESULT);
  endfunction
  function automatic logic is_segment(input [4:0] what);
    is_segment = what == 5'(tilefly_pkg::RED_WHAT_SEGMENT) || what == 5'(tilefly_pkg::RED_WHAT_RESULT);
  endfunction

  // Bytes of a packet's frame with so much data.
  function automatic [12:0] frame_bytes(input logic empty, input [12:0] bytes);
    frame_bytes = (empty ? 13'd0 : bytes) + 13'd20;
    if (frame_bytes < 13'(tilefly_pkg::MIN_ENH_BYTES)) frame_bytes = 13'(tilefly_pkg::MIN_ENH_BYTES);
  endfunction

  // So many bytes (modulo 16) are no whole number of operand lanes, or of records.
  function automatic logic cuts_lane(input [3:0] op, input [2:0] kind, input [3:0] bytes);
    reg [3:0] below;
    below = (4'd1 << tilefly_arith_pkg::lane_scale(kind)) - 4'd1;
    if (tilefly_arith_pkg::has_records(op)) below = {below[2:0], 1'b1};
    cuts_lane = (bytes & below) != '0;
  endfunction

endpackage
