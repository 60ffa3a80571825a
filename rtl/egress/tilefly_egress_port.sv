// SPDX-License-Identifier: Apache-2.0
// Outgoing half of one port: request stores, scheduler, output buffer and MAC out. Manual: docs/blocks/egress.md, docs/blocks/link.md.
// Latency: a request that arrives in cycle t (an event of t) is granted in t + 1 at the earliest; the grant of cycle t leaves
// in t + 3 (`gnt_*`, `crd_*` are the row-bus flops that show it in t + 4); a packet whose first cell arrives in A is taken in A + 1
// at the earliest. Throughput: one grant, one word a cycle. Handshake: valid only; senders own the receivers' slots.

module tilefly_egress_port (
    /// clock
    input  logic                                                  clk_i,
    /// synchronous reset, active low
    input  logic                                                  rst_ni,
    /// number of the current cycle, a flop of the tile; it may be late in the cycle after waking
    input  logic                 [                          47:0] cycle_i,
    /// number of this port
    input  logic                 [                           5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                                     cfg_i,
    /// the link works: in this cycle for the control slot, from the next on for decisions
    input  logic                                                  link_up_i,
    /// control slot on the wire in this cycle; ignored if the FEC could not correct it
    input  tilefly_pkg::ctrl_t                                    ctrl_i,
    /// how the port retries
    input  tilefly_retry_pkg::settings_t                          retry_i,
    /// which SerDes lanes are in use
    input  tilefly_retry_pkg::lanes_t                             serdes_i,
    /// SerDes lanes in which the FEC finds errors in this cycle
    input  logic                 [                           3:0] lane_err_i,
    /// report for the control slot of the next cycle
    input  tilefly_retry_pkg::report_t                            report_i,
    /// a request arrives from row r
    input  logic                 [         tilefly_pkg::ROWS-1:0] req_valid_i,
    /// requests, row r in bits [r*REQUEST_W +: REQUEST_W]
    input  logic [tilefly_pkg::ROWS*tilefly_pkg::REQUEST_W-1:0] req_i,
    /// a cell arrives from row r
    input  logic                 [         tilefly_pkg::ROWS-1:0] cell_valid_i,
    /// cells, row r in bits [r*CELL_W +: CELL_W]
    input  logic [   tilefly_pkg::ROWS*tilefly_pkg::CELL_W-1:0] cell_i,
    /// a request enters row R
    input  logic                                                  red_req_valid_i,
    /// the request; its src is the input of the row
    input  tilefly_pkg::request_t                                 red_req_i,
    /// a cell enters bank R
    input  logic                                                  red_cell_valid_i,
    /// the cell
    input  tilefly_pkg::cell_t                                    red_cell_i,
    /// cycle until which class c is paused, in bits [c*48 +: 48]
    input  logic                 [   tilefly_pkg::CLASSES*48-1:0] pause_until_i,
    /// input buffer of this port, cells accounted
    input  logic                 [                          11:0] used_i,
    /// a credit return for the control slot, decided in the cycle before
    input  logic                                                  ret_valid_i,
    /// lane of the credit return
    input  logic                 [                           3:0] ret_vl_i,
    /// cells freed on the lane since reset
    input  logic                 [                          15:0] ret_cells_i,
    /// an end-to-end ack for the control slot of the next cycle
    input  logic                                                  ack_valid_i,
    /// the ack
    input  tilefly_pkg::ack_t                                     ack_i,
    /// a pause of a flow for the control slot, decided in this cycle
    input  tilefly_flows_pkg::pause_t                             pause_i,
    /// row bus of the grant crossbar: valid
    output logic                                                  gnt_valid_o,
    /// port of the input granted
    output logic                 [                           5:0] gnt_dst_o,
    /// the grant
    output tilefly_pkg::grant_t                                   gnt_o,
    /// row bus of the request-credit crossbar: valid
    output logic                                                  crd_valid_o,
    /// port of the input
    output logic                 [                           5:0] crd_dst_o,
    /// the credit
    output tilefly_pkg::credit_t                                  crd_o,
    /// a request is granted or taken back, in this cycle
    output logic                                                  grant_o,
    /// its lane
    output logic                 [                           3:0] grant_vl_o,
    /// its cells
    output logic                 [                           6:0] grant_cells_o,
    /// lanes in which a fifo of requests is deep
    output logic                 [          tilefly_pkg::VLS-1:0] deep_o,
    /// an input of row R is granted
    output logic                                                  red_grant_o,
    /// the input
    output logic                 [ $clog2(tilefly_pkg::ROW_IN)-1:0] red_input_o,
    /// the link
    output tilefly_pkg::link_t                                    link_o,
    /// the link takes a packet
    output logic                                                  take_o,
    /// header of the packet, as it leaves
    output tilefly_pkg::header_t                                  take_header_o,
    /// the last word of the packet that is being sent is read: the room of the packet is free
    output logic                                                  release_o,
    /// cells of the packet that is being sent
    output logic                 [                           6:0] release_cells_o,
    /// the words of the packet are sent
    output logic                                                  release_sent_o,
    /// the packet is damaged
    output logic                                                  release_bad_o,
    /// counted: of the retry block
    output tilefly_retry_pkg::sent_events_t                       retry_events_o,
    /// counted: of the SerDes lanes
    output tilefly_retry_pkg::lane_events_t                       lane_events_o,
    /// counted: when the link is given up or goes down
    output tilefly_retry_pkg::down_events_t                       down_events_o,
    /// the port asks for its link to go down (flop)
    output logic                                                  link_fail_o,
    /// observation of the egress; the ingress's fields are zero
    output tilefly_pkg::portobs_t                                 obs_o,
    /// answer to a counter read that was requested in the cycle before
    output logic                                                  rd_valid_o,
    /// value of the counter
    output logic                 [                          63:0] rd_data_o,
    /// with idle inputs nothing here will change
    output logic                                                  quiescent_o
);

  localparam int TileRows = tilefly_pkg::ROWS;
  localparam int Rows = tilefly_pkg::OUT_ROWS;  // with row R, the last
  localparam int Inputs = tilefly_pkg::ROW_IN;
  localparam int Vls = tilefly_pkg::VLS;
  localparam int Classes = tilefly_pkg::CLASSES;
  localparam int RowW = $clog2(Rows);
  localparam int InputW = $clog2(Inputs);
  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int GrantCycles = 4;

  /* verilator lint_off UNUSEDSIGNAL */  // other fields are for the ingress
  tilefly_pkg::port_mode_t mode;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Classes*Vls-1:0] class_lanes;

  tilefly_port_mode u_mode (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .mode_o(mode)
  );

  tilefly_class_lanes u_class_lanes (
      .clk_i,
      .cfg_i,
      .lanes_o(class_lanes)
  );

  // The state of the link that decisions see: that of the cycle before.
  logic link_up_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) link_up_q <= 1'b0;
    else link_up_q <= link_up_i;
  end

  // The decision.
  logic grant, grant_next, more, settled, store_empty;
  logic [RowW-1:0] row;
  logic [InputW-1:0] grant_input;
  logic [3:0] vl;
  logic [6:0] cells;
  logic serve_valid, next_valid;  // the two look-ups
  logic [RowW-1:0] serve_row, next_row;
  logic [3:0] serve_vl, next_vl;
  logic [Inputs-1:0] serve_inputs, next_inputs;
  logic [InputW-1:0] serve_input, next_input;
  logic [6:0] serve_cells, next_cells;
  logic [Rows*Vls-1:0] has, of_owner, of_others;
  logic [Rows-1:0] free, run_out, outstanding, first;
  logic [Rows*4-1:0] owner;
  logic [Rows*7-1:0] first_cells;
  logic [Vls-1:0] want, lane_ok;
  logic bad_credit, ctrl_busy;
  tilefly_retry_pkg::start_t start;
  tilefly_retry_pkg::stamp_t stamp;
  logic [9:0] held;
  logic [6:0] take_cells;
  logic take_lost, over, returned;
  logic [2:0] lanes;
  logic [8:0] room;
  logic [11:0] load;

  // Row R is there in a switch that reduces: results of the port's own, which no crossbar carries.
  localparam int RequestW = tilefly_pkg::REQUEST_W;
  localparam int CellW = tilefly_pkg::CELL_W;
  logic [Rows-1:0] req_valid, cell_valid;
  logic [Rows*RequestW-1:0] requests;
  logic [Rows*CellW-1:0] cells_in;
  logic of_row_r;

  generate
    if (Rows > TileRows) begin : gen_row_r
      assign req_valid  = {red_req_valid_i, req_valid_i};
      assign requests   = {red_req_i, req_i};
      assign cell_valid = {red_cell_valid_i, cell_valid_i};
      assign cells_in   = {red_cell_i, cell_i};
      assign of_row_r   = grant && row == RowW'(TileRows);
    end else begin : gen_no_row_r
      assign req_valid  = req_valid_i;
      assign requests   = req_i;
      assign cell_valid = cell_valid_i;
      assign cells_in   = cell_i;
      assign of_row_r   = 1'b0;
      logic unused;
      assign unused = ^{red_req_valid_i, red_req_i, red_cell_valid_i, red_cell_i};
    end
  endgenerate

  // While the link is down the requests of a retry port go back to their inputs, in place of the scheduler's decision.
  logic back, decided;
  logic [RowW-1:0] back_row, decided_row;
  logic [3:0] back_vl, decided_vl;
  logic [InputW-1:0] back_input, decided_input;

  tilefly_take_back u_take_back (
      .on_i    (retry_i.discards && !link_up_q),
      .has_i   (has),
      .inputs_i(serve_inputs),
      .valid_o (back),
      .row_o   (back_row),
      .vl_o    (back_vl),
      .input_o (back_input)
  );

  assign decided       = grant || back;
  assign decided_row   = back ? back_row : row;
  assign decided_vl    = back ? back_vl : vl;
  assign decided_input = back ? back_input : grant_input;

  tilefly_request_store u_store (
      .clk_i,
      .rst_ni,
      .req_valid_i   (req_valid),
      .req_i         (requests),
      .has_o         (has),
      .owner_valid_i (~free),
      .owner_i       (owner),
      .of_owner_o    (of_owner),
      .of_others_o   (of_others),
      .serve_valid_i (serve_valid || back),
      .serve_row_i   (back ? back_row : serve_row),
      .serve_vl_i    (back ? back_vl : serve_vl),
      .serve_inputs_o(serve_inputs),
      .serve_input_i (back ? back_input : serve_input),
      .serve_cells_o (serve_cells),
      .next_valid_i  (next_valid),
      .next_row_i    (next_row),
      .next_vl_i     (next_vl),
      .next_inputs_o (next_inputs),
      .next_input_i  (next_input),
      .next_cells_o  (next_cells),
      .pop_i         (decided),
      .pop_next_i    (grant_next),
      .cells_o       (cells),
      .more_o        (more),
      .load_o        (load),
      .deep_o,
      .empty_o       (store_empty)
  );

  // The watchdog of a retry port looks at all lanes that have a stored request.
  logic [Vls-1:0] asked;
  always_comb begin
    asked = want;
    if (retry_i.on) for (int r = 0; r < Rows; r++) asked = asked | has[r*Vls+:Vls];
  end

  tilefly_lane_gate u_lanes (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .credits_i    (mode.credits),
      .retry_i,
      .link_up_i,
      .heard_i      (link_up_i && mode.enable),
      .ctrl_i,
      .pause_until_i,
      .class_lanes_i(class_lanes),
      .want_i       (asked),
      .lane_ok_o    (lane_ok),
      .grant_valid_i(grant),
      .grant_vl_i   (vl),
      .grant_cells_i(cells),
      .bad_credit_o (bad_credit),
      .returned_o   (returned),
      .over_o       (over),
      .take_valid_i (take_o),
      .take_vl_i    (take_header_o.vl),
      .take_cells_i (take_cells),
      .take_lost_i  (take_lost),
      .start_i      (start),
      .stamp_o      (stamp),
      .busy_o       (ctrl_busy)
  );

  tilefly_grant_unit u_grant (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .run_i         (mode.enable && link_up_q && room >= 9'(tilefly_pkg::MTU_CELLS)),
      .class_lanes_i (class_lanes),
      .has_i         (has),
      .want_o        (want),
      .lane_ok_i     (lane_ok & want),
      .free_i        (free),
      .run_out_i     (run_out),
      .owner_i       (owner),
      .of_owner_i    (of_owner),
      .of_others_i   (of_others),
      .serve_valid_o (serve_valid),
      .serve_row_o   (serve_row),
      .serve_vl_o    (serve_vl),
      .serve_inputs_i(serve_inputs),
      .serve_input_o (serve_input),
      .serve_cells_i (serve_cells),
      .next_valid_o  (next_valid),
      .next_row_o    (next_row),
      .next_vl_o     (next_vl),
      .next_inputs_i (next_inputs),
      .next_input_o  (next_input),
      .next_cells_i  (next_cells),
      .grant_o       (grant),
      .grant_next_o  (grant_next),
      .row_o         (row),
      .vl_o          (vl),
      .input_o       (grant_input),
      .more_i        (more),
      .settled_o     (settled)
  );

  tilefly_channels u_channels (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .first_i      (first),
      .first_cells_i(first_cells),
      .grant_i      (grant),
      .grant_row_i  (row),
      .grant_input_i(grant_input),
      .grant_cells_i(cells),
      .free_o       (free),
      .run_out_o    (run_out),
      .outstanding_o(outstanding),
      .owner_o      (owner)
  );

  // Grant and request credit leave together, to the same input; those of row R leave on no crossbar.
  logic grant_busy, leave_valid, leave_reroute;
  logic [5:0] grant_port, leave_dst;
  logic [3:0] leave_vl;

  assign grant_port  = (of_row_r ? 6'd0 : 6'(decided_row) * 6'(Inputs)) + 6'(decided_input);
  assign red_grant_o = of_row_r;
  assign red_input_o = grant_input;
  assign grant_o       = decided;
  assign grant_vl_o    = decided_vl;
  assign grant_cells_o = cells;

  tilefly_delay_line #(
      .Width(11),
      .Depth(GrantCycles)
  ) u_leave (
      .clk_i,
      .rst_ni,
      .valid_i(decided && !of_row_r),
      .data_i ({grant_port, decided_vl, back}),
      .valid_o(leave_valid),
      .data_o ({leave_dst, leave_vl, leave_reroute}),
      .busy_o (grant_busy)
  );

  assign gnt_valid_o = leave_valid;
  assign gnt_dst_o   = leave_dst;
  assign gnt_o       = {port_i, leave_vl, leave_reroute};
  assign crd_valid_o = leave_valid;
  assign crd_dst_o   = leave_dst;
  assign crd_o       = {port_i, leave_vl};

  // Output buffer and link.
  tilefly_retry_pkg::heard_t heard;
  assign heard = {
    ctrl_i.retry_valid && !ctrl_i.err, ctrl_i.retry_nack, ctrl_i.retry_seq,
    ctrl_i.lanes_valid && !ctrl_i.err, ctrl_i.lanes_bad, lane_err_i
  };
  logic ready, read, bad, buffer_empty, mac_quiescent;
  logic tx_packet, tx_stomped, tx_pause, no_eth_header;
  logic [RowW-1:0] take_row, read_row;
  logic [8:0] take_slot, read_slot, last_slot;
  logic [2:0] kind;
  logic [12:0] len;
  logic [639:0] read_cells;

  tilefly_output_buffer u_buffer (
      .clk_i,
      .rst_ni,
      .cell_valid_i   (cell_valid),
      .cell_i         (cells_in),
      .first_o        (first),
      .first_cells_o  (first_cells),
      .reserve_i      (grant),
      .reserve_cells_i(cells),
      .release_i      (release_o),
      .release_cells_i(release_cells_o),
      .room_o         (room),
      .ready_o        (ready),
      .row_o          (take_row),
      .slot_o         (take_slot),
      .kind_o         (kind),
      .len_o          (len),
      .header_o       (take_header_o),
      .take_i         (take_o),
      .take_cells_i   (take_cells),
      .read_i         (read),
      .read_row_i     (read_row),
      .read_slot_i    (read_slot),
      .last_slot_i    (last_slot),
      .bad_o          (bad),
      .cells_o        (read_cells),
      .empty_o        (buffer_empty)
  );

  tilefly_mac_out u_mac (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .link_up_i      (link_up_q),
      .link_now_i     (link_up_i),
      .retry_i,
      .serdes_i,
      .heard_i        (heard),
      .report_i,
      .stamp_i        (stamp),
      .used_i,
      .ret_valid_i,
      .ret_vl_i,
      .ret_cells_i,
      .ack_valid_i,
      .ack_i,
      .flow_pause_i   (pause_i),
      .ready_i        (ready),
      .row_i          (take_row),
      .slot_i         (take_slot),
      .kind_i         (kind),
      .len_i          (len),
      .take_o,
      .take_cells_o   (take_cells),
      .take_lost_o    (take_lost),
      .read_o         (read),
      .read_row_o     (read_row),
      .read_slot_o    (read_slot),
      .last_slot_o    (last_slot),
      .bad_i          (bad),
      .cells_i        (read_cells),
      .release_o,
      .release_cells_o,
      .release_sent_o,
      .link_o,
      .tx_packet_o    (tx_packet),
      .tx_stomped_o   (tx_stomped),
      .tx_pause_o     (tx_pause),
      .no_eth_header_o(no_eth_header),
      .start_o        (start),
      .lanes_o        (lanes),
      .held_o         (held),
      .failed_o       (failed),
      .events_o       (retry_events_o),
      .lane_events_o,
      .quiescent_o    (mac_quiescent)
  );

  assign release_bad_o = bad;

  // A link that is given up, and a link that goes down.
  logic failed;

  tilefly_link_watch u_watch (
      .clk_i,
      .rst_ni,
      .retry_i,
      .link_up_i,
      .failed_i   (failed),
      .over_i     (over),
      .waits_i    ((asked & ~lane_ok) != '0),
      .returned_i (returned),
      .link_fail_o,
      .given_up_o (down_events_o.given_up),
      .watchdog_o (down_events_o.watchdog)
  );

  assign down_events_o.lost = take_lost;
  assign down_events_o.replay_lost = retry_i.enable && link_up_q && !link_up_i ? 11'(held) + 11'(tx_packet) : '0;

  tilefly_egress_counters u_counters (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .tx_packet_i    (tx_packet),
      .tx_stomped_i   (tx_stomped),
      .tx_pause_i     (tx_pause),
      .no_eth_header_i(no_eth_header),
      .bad_credit_i   (bad_credit),
      .rd_valid_o,
      .rd_data_o
  );

  tilefly_egress_observer u_observer (
      .clk_i,
      .rst_ni,
      .grant_i      (decided),
      .reroute_i    (back),
      .grant_port_i (grant_port),
      .grant_red_i  (of_row_r),
      .grant_vl_i   (decided_vl),
      .grant_cells_i(cells),
      .first_i      (first),
      .take_i       (take_o),
      .take_lost_i  (take_lost),
      .take_row_i   (take_row),
      .outstanding_i(outstanding),
      .owner_i      (owner),
      .room_i       (room),
      .load_i       (load),
      .start_i      (start.valid),
      .again_i      (start.again),
      .replay_i     (retry_events_o.replay),
      .held_i       (held),
      .pace_i       (retry_i.on ? 2'(lanes - 3'd1) : 2'd0),
      .obs_o
  );

  // An event that the observation shows has always left something that is not quiescent for a cycle. The scheduler settles in
  // the first decision without requests; while the link is down it stays awake for that, and where the port retries.
  assign quiescent_o = (!retry_i.on || link_up_q) && store_empty && settled && buffer_empty && mac_quiescent && !ctrl_busy &&
      !grant_busy && !rd_valid_o;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      LSV_8 : assert (!(grant && !link_up_q));
      LSV_8_back : assert (!(back && (grant || serve_valid || next_valid)));
    end
  end

endmodule
