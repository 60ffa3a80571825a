// SPDX-License-Identifier: Apache-2.0
// Reduction port: judges the reduction packets that come for this switch, keeps what is to be combined, and lets results leave.
// Manual: docs/blocks/reduction.md, "Reduction port", docs/blocks/reduction-trees.md.
// Latency: a packet whose end comes in cycle e is on `report_o` (flop) in e + 1. Throughput: a word in, a word out on each lane of
// the ring a cycle. Handshake: valid only.
//
//   word -> segment store, short entries --> parts of collect words
//                |
//             report                        return words -> results -> row R of the output

module tilefly_red_port (
    /// clock
    input  logic                                       clk_i,
    /// synchronous reset, active low
    input  logic                                       rst_ni,
    /// number of this port
    input  logic [                                5:0] port_i,
    /// register bus: an access is an event of this cycle
    input  tilefly_pkg::cfg_t                          cfg_i,
    /// the link works
    input  logic                                       link_up_i,
    /// commands of the CFU
    input  tilefly_pkg::red_cmd_t                      cmd_i,
    /// a word of a packet for this port arrives
    input  logic                                       word_i,
    /// framing of that word, and the packet's end
    /* verilator lint_off UNUSEDSIGNAL */  // one record for the whole ingress
    input  tilefly_ingress_pkg::rx_t                   rx_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the word
    input  logic [                              255:0] data_i,
    /// the packet that ends is used here
    output logic                                       used_o,
    /// report to the CFU (flop)
    output tilefly_pkg::red_report_t                   report_o,
    /// words that pass the port's steps, ring lane UP, DOWN
    input  logic [    2*tilefly_pkg::RED_COLLECT_W-1:0] words_i,
    /// numbers of these words in their launches, 8 bits each
    input  logic [                               15:0] indices_i,
    /// parts that the port adds, in the same cycle
    output logic [    2*tilefly_pkg::RED_COLLECT_W-1:0] parts_o,
    /// those of these parts that belong to a small-operand group
    output logic [                                1:0] small_o,
    /// return lanes U, D, S
    input  logic [     3*tilefly_pkg::RED_RETURN_W-1:0] returns_i,
    /// a request enters row R of the store
    output logic                                       req_valid_o,
    /// the request; its src is the input of the row
    output tilefly_pkg::request_t                      req_o,
    /// an input of row R is granted
    input  logic                                       grant_i,
    /// the input
    input  logic [     $clog2(tilefly_pkg::ROW_IN)-1:0] grant_input_i,
    /// a cell enters bank R of the output buffer
    output logic                                       cell_valid_o,
    /// the cell
    output tilefly_pkg::cell_t                         cell_o,
    /// observation record
    output tilefly_pkg::red_obs_t                      obs_o,
    /// a counter was read (flop)
    output logic                                       rd_valid_o,
    /// value of the counter
    output logic [                               63:0] rd_data_o,
    /// with idle inputs nothing here will change
    output logic                                       quiescent_o
);

  localparam int Groups = tilefly_pkg::RED_GROUPS;
  localparam int WordW = tilefly_pkg::RED_COLLECT_W;
  localparam int NameW = tilefly_red_pkg::NAME_W;
  localparam int SaidW = tilefly_red_pkg::SAID_W;
  localparam int OperandsW = tilefly_red_pkg::OPERANDS_W;
  localparam logic [6:0] AllPorts = 7'd127;

  // Registers.
  logic [1:0] roles_q[Groups];
  logic [Groups-1:0] smalls_q;
  logic write, write_tree, write_peer, enable;
  logic [2:0] written;
  tilefly_pkg::group_index_t cfg_index;
  tilefly_pkg::group_peer_t peer;
  tilefly_pkg::red_way_t way;
  logic [13:0] own_address;
  /* verilator lint_off UNUSEDSIGNAL */  // the port is enabled
  tilefly_pkg::port_mode_t mode;
  /* verilator lint_on UNUSEDSIGNAL */
  assign cfg_index  = tilefly_pkg::get_group_index(cfg_i.index);
  assign peer       = tilefly_pkg::get_group_peer(cfg_i.data);
  assign write      = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_RED && cfg_index.group < 7'(Groups);
  assign write_tree = write && cfg_index.which == tilefly_pkg::RED_REG_TREE;
  assign write_peer = write && cfg_index.which == tilefly_pkg::RED_REG_PEER &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);
  assign written = 3'(cfg_index.group);
  assign enable  = mode.enable;

  always_comb begin
    way.tc      = peer.tc;
    way.vl      = peer.vl;
    way.an      = peer.an;
    way.address = peer.address;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int g = 0; g < Groups; g++) roles_q[g] <= '0;
      smalls_q <= '0;
    end else if (write_peer) begin
      roles_q[written]  <= peer.role;
      smalls_q[written] <= peer.is_small;
    end
  end

  tilefly_port_mode u_mode (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .mode_o(mode)
  );

  tilefly_own_address u_own_address (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .address_o(own_address)
  );

  // The packet that arrives.
  tilefly_pkg::red_t red_q, red;
  logic [7:0] index_q, index;
  logic ends, ends_well;
  assign red       = rx_i.sop ? data_i[255:128] : red_q;
  assign index     = rx_i.sop ? 8'd0 : index_q;
  assign ends      = rx_i.ends;
  assign ends_well = ends && rx_i.status == tilefly_pkg::DROP_NONE;

  always_ff @(posedge clk_i) begin
    if (word_i && rx_i.sop) red_q <= data_i[255:128];
    if (word_i) index_q <= index + 8'd1;
  end

  // Its group, and the group's slot.
  logic [2:0] group;
  logic peer_small, is_bound, slot, child, parent, from_child, from_parent;
  logic [1:0] bound, role;
  logic [3:0] bound_tag;
  logic [4:0] last_tag;
  assign group       = red.group[2:0];
  assign bound       = {cmd_i.bind1_valid, cmd_i.bind0_valid};
  assign peer_small  = smalls_q[group];
  assign role        = ends ? roles_q[group] : '0;
  assign child       = role == 2'(tilefly_pkg::RED_ROLE_CHILD);
  assign parent      = role == 2'(tilefly_pkg::RED_ROLE_PARENT);
  assign from_child  = tilefly_red_pkg::comes_from_child(red.what);
  assign from_parent = tilefly_red_pkg::comes_from_parent(red.what);

  tilefly_red_binding u_binding (
      .clk_i,
      .rst_ni,
      .cmd_i,
      .word_i,
      .first_i   (rx_i.sop),
      .group_i   (red.group),
      .bound_o   (is_bound),
      .slot_o    (slot),
      .tag_o     (bound_tag),
      .last_tag_o(last_tag)
  );

  // What the port keeps.
  logic is_short, segment, accept, in_group;
  logic [2:0] launch_group;
  logic [1:0] launch, credit_due, credit_known, credited;
  logic [31:0] arrived, launched;
  logic short_refused, short_format, short_stale, short_order, short_stored;
  logic [2:0] engine;
  logic [1:0] reads, firsts, reads_short, part;
  logic [2*SaidW-1:0] stream_said, short_said;
  logic [2*OperandsW-1:0] stream_operands, short_operands;
  logic [1:0] briefs;
  logic [11:0] entries_read;

  assign segment  = tilefly_red_pkg::is_segment(red.what);
  assign is_short = (from_child || from_parent) && !segment;
  assign in_group = red.group < 6'(Groups) && (child ? from_child : parent && from_parent);

  always_comb begin
    launch       = '0;
    launch_group = cmd_i.launch_slot ? cmd_i.bind1_group : cmd_i.bind0_group;
    if (cmd_i.launch) begin
      launch[cmd_i.launch_slot] = roles_q[launch_group] ==
          (cmd_i.launch_down ? 2'(tilefly_pkg::RED_ROLE_PARENT) : 2'(tilefly_pkg::RED_ROLE_CHILD));
    end
  end

  // Words of launches that pass.
  tilefly_red_passing u_passing (
      .clk_i,
      .rst_ni,
      .port_i,
      .smalls_i    (smalls_q),
      .names_i     ({words_i[2*WordW-1-:NameW], words_i[WordW-1-:NameW]}),
      .first_o     (firsts),
      .brief_o     (briefs),
      .entry_o     (entries_read),
      .part_o      (part),
      .read_o      (reads),
      .read_short_o(reads_short),
      .small_o
  );

  tilefly_red_store u_store (
      .clk_i,
      .rst_ni,
      .bound_i     (bound),
      .launch_i    (launch),
      .write_i     (word_i && is_bound && segment && index != '0 && index <= 8'(tilefly_pkg::RED_WORDS)),
      .slot_i      (slot),
      .index_i     (index - 8'd1),
      .data_i,
      .accept_i    (accept),
      .header_i    (red),
      .credited_i  (credited),
      .arrived_o   (arrived),
      .launched_o  (launched),
      .credit_due_o(credit_due),
      .read_i      (reads),
      .first_i     (firsts),
      .read_slot_i ({entries_read[6], entries_read[0]}),
      .read_index_i(indices_i),
      .said_o      (stream_said),
      .operands_o  (stream_operands)
  );
  assign credit_known = credit_due & bound;

  tilefly_red_short u_short (
      .clk_i,
      .rst_ni,
      .clear_i      (cmd_i.clear),
      .clear_group_i(cmd_i.clear_group),
      .tree_i       (write_tree),
      .tree_group_i (written),
      .word_i       (word_i && (is_short || rx_i.sop)),
      .index_i      (index),
      .data_i,
      .header_i     (red),
      .len_i        (rx_i.len),
      .ends_i       (ends_well && is_short && in_group),
      .small_i      (peer_small),
      .refused_o    (short_refused),
      .format_o     (short_format),
      .stale_o      (short_stale),
      .order_o      (short_order),
      .stored_o     (short_stored),
      .engine_o     (engine),
      .read_i       (reads_short),
      .read_entry_i (entries_read),
      .read_index_i (indices_i),
      .said_o       (short_said),
      .operands_o   (short_operands)
  );

  generate
    for (genvar ring_lane = 0; ring_lane < 2; ring_lane++) begin : gen_part
      always_comb begin
        parts_o[ring_lane*WordW+:WordW] = '0;
        if (reads[ring_lane] || reads_short[ring_lane]) begin
          parts_o[ring_lane*WordW+:WordW] = {
            (NameW + 1)'(0), 1'b1, stream_said[ring_lane*SaidW+:SaidW] | short_said[ring_lane*SaidW+:SaidW],
            stream_operands[ring_lane*OperandsW+:OperandsW] | short_operands[ring_lane*OperandsW+:OperandsW]
          };
        end
      end
    end
  endgenerate

  // What the packet is: counted, reported.
  logic stale, refused;
  logic [2:0] ev;
  logic [3:0] code;
  tilefly_pkg::red_report_t report_d, report_q;

  tilefly_red_verdict u_verdict (
      .ends_i         (ends_well),
      .red_i          (red),
      .len_i          (rx_i.len),
      .child_i        (child),
      .parent_i       (parent),
      .bound_i        (is_bound),
      .tag_i          (bound_tag),
      .last_tag_i     (last_tag),
      .arrived_i      (slot ? arrived[31:16] : arrived[15:0]),
      .launched_i     (slot ? launched[31:16] : launched[15:0]),
      .short_refused_i(short_refused),
      .short_format_i (short_format),
      .short_stale_i  (short_stale),
      .short_order_i  (short_order),
      .short_stored_i (short_stored),
      .used_o,
      .stale_o        (stale),
      .refused_o      (refused),
      .accept_o       (accept),
      .ev_o           (ev),
      .code_o         (code)
  );

  // Results.
  logic [2:0] done;
  logic results_quiescent;

  tilefly_red_results u_results (
      .clk_i,
      .rst_ni,
      .port_i,
      .own_address_i(own_address),
      .way_write_i  (write_peer),
      .way_group_i  (written),
      .way_i        (way),
      .returns_i,
      .cmd_i,
      .credit_due_i (credit_known),
      .launched_i   ({launched[23:16], launched[7:0]}),
      .credited_o   (credited),
      .req_valid_o,
      .req_o,
      .grant_i,
      .grant_input_i,
      .cell_valid_o,
      .cell_o,
      .free_o       (report_d.free_valid),
      .free_lane_o  (report_d.free_lane),
      .free_cells_o (report_d.free_cells),
      .done_o       (done),
      .quiescent_o  (results_quiescent)
  );

  // Report.
  always_comb begin
    report_d.ev     = ev;
    report_d.slot   = 1'b0;
    report_d.group  = '0;
    report_d.engine = '0;
    report_d.wants  = 1'b0;
    report_d.ends   = 1'b0;
    report_d.code   = code;
    report_d.credit = '0;
    report_d.live   = enable && link_up_i;
    case (ev)
      tilefly_pkg::RED_EV_SEGMENT: {report_d.slot, report_d.wants, report_d.ends} = {slot, red.wants, red.ends};
      tilefly_pkg::RED_EV_CREDIT: {report_d.slot, report_d.credit} = {slot, red.credit};
      tilefly_pkg::RED_EV_SHORT: {report_d.group, report_d.engine} = {group, engine};
      tilefly_pkg::RED_EV_ERROR, tilefly_pkg::RED_EV_FAILED: report_d.group = group;
      default: ;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) report_q <= '0;
    else if (report_d != report_q) report_q <= report_d;
  end
  assign report_o = report_q;

  // Counters.
  tilefly_red_counters u_counters (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .used_i   (used_o),
      .stale_i  (stale),
      .refused_i(refused),
      .damaged_i(ends && !ends_well),
      .rd_valid_o,
      .rd_data_o
  );

  // Observation: a launch's first word of one ring lane passes, what was reported, a result that is complete.
  logic observer_quiescent;
  tilefly_red_observer u_observer (
      .clk_i,
      .rst_ni,
      .first_i    (firsts),
      .brief_i    (briefs),
      .index_i    (entries_read),
      .used_i     ({words_i[WordW+256], words_i[256]}),
      .part_i     (part),
      .own_i      ({parts_o[WordW+256], parts_o[256]}),
      .done_i     (done),
      .ev_i       (report_q.ev),
      .code_i     (report_q.code),
      .obs_o,
      .quiescent_o(observer_quiescent)
  );

  assign quiescent_o = report_d == report_q && report_q.ev == '0 && !report_q.free_valid && results_quiescent &&
      observer_quiescent && !rd_valid_o;

endmodule
