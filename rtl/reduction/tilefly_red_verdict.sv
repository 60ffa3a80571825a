// SPDX-License-Identifier: Apache-2.0
// What a reduction packet that ends well is to its port: the first row of the page's table that applies. Manual:
// docs/blocks/reduction.md, "Reduction port".
// Combinational: what is counted, what is reported, and whether its segment enters.

module tilefly_red_verdict (
    /// a packet ends well
    input  logic              ends_i,
    /// header of the packet
    /* verilator lint_off UNUSEDSIGNAL */  // operands and counts are stored
    input  tilefly_pkg::red_t red_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// bytes of the packet's frame
    input  logic       [12:0] len_i,
    /// the port has a role in the packet's group: a child is behind it
    input  logic              child_i,
    /// the parent is
    input  logic              parent_i,
    /// a slot is bound to the packet's group, since the first word of the packet
    input  logic              bound_i,
    /// tag of the lock by which the slot is bound
    input  logic        [3:0] tag_i,
    /// the last lock of the group: {valid, tag}
    input  logic        [4:0] last_tag_i,
    /// segments that came in the slot
    input  logic       [15:0] arrived_i,
    /// segments of the slot that were launched
    input  logic       [15:0] launched_i,
    /// of a short operation's packet: no group of this port
    input  logic              short_refused_i,
    /// illegal operation, type or length
    input  logic              short_format_i,
    /// the entry of the short operation already has this part
    input  logic              short_stale_i,
    /// the entry of the short operation belongs to another operation
    input  logic              short_order_i,
    /// the short operation is stored
    input  logic              short_stored_i,
    /// the packet is used
    output logic              used_o,
    /// the packet counts as stale
    output logic              stale_o,
    /// the packet counts as refused
    output logic              refused_o,
    /// the segment of the packet enters
    output logic              accept_o,
    /// what is reported (red_ev_e)
    output logic        [2:0] ev_o,
    /// code of the report (red_code_e)
    output logic        [3:0] code_o
);

  logic ours, from_child, from_parent, segment, illegal;
  logic [15:0] waiting;
  assign ours        = red_i.group < 6'(tilefly_pkg::RED_GROUPS) && red_i.what <= 5'(tilefly_pkg::RED_WHAT_SMALL_RESULT) &&
      (child_i || parent_i);
  assign from_child  = tilefly_red_pkg::comes_from_child(red_i.what);
  assign from_parent = tilefly_red_pkg::comes_from_parent(red_i.what);
  assign segment     = tilefly_red_pkg::is_segment(red_i.what);
  assign waiting     = arrived_i - launched_i;
  assign illegal     = !tilefly_arith_pkg::is_legal(red_i.op, red_i.dtype) || red_i.rnd != '0 || red_i.ftz || red_i.action != '0 ||
      red_i.bytes > 13'(tilefly_pkg::RED_BYTES) || tilefly_red_pkg::cuts_lane(red_i.op, red_i.dtype, red_i.bytes[3:0]) ||
      len_i != tilefly_red_pkg::frame_bytes(red_i.empty, red_i.bytes);

  always_comb begin
    used_o    = 1'b0;
    stale_o   = 1'b0;
    refused_o = 1'b0;
    accept_o  = 1'b0;
    ev_o      = tilefly_pkg::RED_EV_NONE;
    code_o    = '0;
    if (ends_i) begin
      if (!ours) refused_o = 1'b1;
      else if (red_i.what == 5'(tilefly_pkg::RED_WHAT_FAIL)) begin
        used_o = 1'b1;
        ev_o   = tilefly_pkg::RED_EV_FAILED;
        code_o = red_i.code;
      end else if ((child_i && from_parent) || (parent_i && from_child)) begin
        ev_o   = tilefly_pkg::RED_EV_ERROR;
        code_o = tilefly_pkg::RED_CODE_ROLE;
      end else if ((from_child || from_parent) && !segment) begin
        used_o    = short_stored_i;
        stale_o   = short_stale_i;
        refused_o = short_refused_i;
        if (short_stored_i) ev_o = tilefly_pkg::RED_EV_SHORT;
        if (short_format_i || short_order_i) begin
          ev_o   = tilefly_pkg::RED_EV_ERROR;
          code_o = short_format_i ? tilefly_pkg::RED_CODE_FORMAT : tilefly_pkg::RED_CODE_ORDER;
        end
      end else if (!bound_i && red_i.what == 5'(tilefly_pkg::RED_WHAT_SEGMENT) && last_tag_i != {1'b1, red_i.tag}) begin
        ev_o   = tilefly_pkg::RED_EV_ERROR;
        code_o = tilefly_pkg::RED_CODE_UNBOUND;
      end else if (!bound_i || red_i.tag != tag_i) begin
        stale_o = 1'b1;
      end else if (!segment) begin
        used_o = 1'b1;
        ev_o   = tilefly_pkg::RED_EV_CREDIT;
      end else if (red_i.seq != arrived_i || waiting >= 16'(tilefly_pkg::RED_SEGMENTS)) begin
        ev_o   = tilefly_pkg::RED_EV_ERROR;
        code_o = tilefly_pkg::RED_CODE_ORDER;
      end else if (illegal) begin
        ev_o   = tilefly_pkg::RED_EV_ERROR;
        code_o = tilefly_pkg::RED_CODE_FORMAT;
      end else begin
        used_o   = 1'b1;
        ev_o     = tilefly_pkg::RED_EV_SEGMENT;
        accept_o = 1'b1;
      end
    end
  end

endmodule
