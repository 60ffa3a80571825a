// SPDX-License-Identifier: Apache-2.0
// One port of a tile: its ingress, its egress, its acks, and the receiving halves of the five crossbars. Manual: docs/blocks/tile.md.
// Latency and throughput: those of the parts; a request or a cell that is on `*_col_i` in cycle c arrives as an event of c + 5 or
// c + 6. Handshake: valid only. All outputs are flops or functions of flops.

module tilefly_port (
    /// clock
    input  logic                                                          clk_i,
    /// clock of the reduction port, which takes what comes from the port when this clock falls
    input  logic                                                          clk_red_i,
    /// synchronous reset, active low
    input  logic                                                          rst_ni,
    /// number of the current cycle; it may be late in the cycle after waking
    input  logic              [                                     47:0] cycle_i,
    /// number of this port
    input  logic              [                                      5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                                             cfg_i,
    /// the link, incoming
    input  tilefly_pkg::link_t                                            link_i,
    /// the link works
    input  logic                                                          link_up_i,
    /// look-up in the tile's tables
    output logic              [          tilefly_ingress_pkg::LK_REQ_W-1:0] lk_req_o,
    /// answer of the look-up
    input  logic              [          tilefly_ingress_pkg::LK_RSP_W-1:0] lk_rsp_i,
    /// loads of all ports as the load ring shows them, port p in bits [12*p +: 12]; from bit 12*PORTS on, the ports that are down
    input  logic              [          13*tilefly_pkg::PORTS-1:0] loads_i,
    /// row buses {valid, destination port, payload}: requests
    output logic              [                 tilefly_pkg::REQUEST_W+6:0] req_row_o,
    /// row bus of grants
    output logic              [                   tilefly_pkg::GRANT_W+6:0] gnt_row_o,
    /// row bus of data
    output logic              [                    tilefly_pkg::CELL_W+6:0] dat_row_o,
    /// row bus of request credits
    output logic              [                  tilefly_pkg::CREDIT_W+6:0] crd_row_o,
    /// row bus of end-to-end acks
    output logic              [                     tilefly_pkg::ACK_W+6:0] ack_row_o,
    /// column channels {valid, payload}, one per source row: requests
    input  logic [tilefly_pkg::ROWS*(tilefly_pkg::REQUEST_W+1)-1:0] req_col_i,
    /// column channels of grants
    input  logic [  tilefly_pkg::ROWS*(tilefly_pkg::GRANT_W+1)-1:0] gnt_col_i,
    /// column channels of data
    input  logic [   tilefly_pkg::ROWS*(tilefly_pkg::CELL_W+1)-1:0] dat_col_i,
    /// column channels of request credits
    input  logic [ tilefly_pkg::ROWS*(tilefly_pkg::CREDIT_W+1)-1:0] crd_col_i,
    /// column channels of end-to-end acks
    input  logic [    tilefly_pkg::ROWS*(tilefly_pkg::ACK_W+1)-1:0] ack_col_i,
    /// what the CFU says of reductions
    input  tilefly_pkg::red_cmd_t                                         red_cmd_i,
    /// words of reductions that pass this port, ring lane UP, DOWN
    input  logic              [         2*tilefly_pkg::RED_COLLECT_W-1:0] red_words_i,
    /// numbers of these words in their launches, 8 bits each
    input  logic              [                                     15:0] red_indices_i,
    /// parts that the port adds to these words
    output logic              [         2*tilefly_pkg::RED_COLLECT_W-1:0] red_parts_o,
    /// those of these parts that belong to a small-operand group
    output logic              [                                      1:0] red_small_o,
    /// return lanes U, D, S
    input  logic              [          3*tilefly_pkg::RED_RETURN_W-1:0] red_returns_i,
    /// what the reduction port reports to the CFU (flop)
    output tilefly_pkg::red_report_t                                      red_report_o,
    /// observation of the reduction port
    output tilefly_pkg::red_obs_t                                         red_obs_o,
    /// the link, outgoing
    output tilefly_pkg::link_t                                            link_o,
    /// the port asks for its link to go down (flop)
    output logic                                                          link_fail_o,
    /// cells requested of this output and not yet granted, saturating
    output logic              [                                     11:0] load_o,
    /// load that the last ack passed on brought
    output logic              [                                     11:0] neighbour_o,
    /// acks passed on, modulo 512
    output logic              [                                      8:0] acks_o,
    /// the link of a retry port is down, and packets for it do not wait
    output logic                                                          down_o,
    /// observation of the port
    output tilefly_pkg::portobs_t                                         obs_o,
    /// answer to a register read
    output tilefly_pkg::read_answer_t                                     rdata_o,
    /// with idle inputs nothing in the reduction port will change
    output logic                                                          red_quiescent_o,
    /// with idle inputs nothing here will change
    output logic                                                          quiescent_o
);

  localparam int Rows = tilefly_pkg::ROWS;
  localparam int RequestW = tilefly_pkg::REQUEST_W;
  localparam int CellW = tilefly_pkg::CELL_W;
  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int RequestCycles = 5;
  localparam int CellCycles = 6;

  // Receiving halves.
  logic [Rows-1:0] req_valid, cell_valid, request_busy, cell_busy;
  logic [Rows*RequestW-1:0] requests;
  logic [Rows*CellW-1:0] cell_data;

  generate
    for (genvar r = 0; r < Rows; r++) begin : gen_row
      tilefly_delay_line #(
          .Width(RequestW),
          .Depth(RequestCycles)
      ) u_requests (
          .clk_i,
          .rst_ni,
          .valid_i(req_col_i[r*(RequestW+1)+RequestW]),
          .data_i (req_col_i[r*(RequestW+1)+:RequestW]),
          .valid_o(req_valid[r]),
          .data_o (requests[r*RequestW+:RequestW]),
          .busy_o (request_busy[r])
      );

      tilefly_delay_line #(
          .Width(CellW),
          .Depth(CellCycles)
      ) u_cells (
          .clk_i,
          .rst_ni,
          .valid_i(dat_col_i[r*(CellW+1)+CellW]),
          .data_i (dat_col_i[r*(CellW+1)+:CellW]),
          .valid_o(cell_valid[r]),
          .data_o (cell_data[r*CellW+:CellW]),
          .busy_o (cell_busy[r])
      );
    end
  endgenerate

  logic gnt_valid, crd_valid, ack_valid, gnt_quiescent, crd_quiescent, ack_quiescent;
  tilefly_pkg::grant_t gnt;
  tilefly_pkg::credit_t crd;
  tilefly_pkg::ack_t ack;

  tilefly_xbar_merge #(
      .Width(tilefly_pkg::GRANT_W)
  ) u_grants (
      .clk_i,
      .rst_ni,
      .col_i      (gnt_col_i),
      .valid_o    (gnt_valid),
      .data_o     (gnt),
      .quiescent_o(gnt_quiescent)
  );

  tilefly_xbar_merge #(
      .Width(tilefly_pkg::CREDIT_W)
  ) u_credits (
      .clk_i,
      .rst_ni,
      .col_i      (crd_col_i),
      .valid_o    (crd_valid),
      .data_o     (crd),
      .quiescent_o(crd_quiescent)
  );

  tilefly_xbar_merge #(
      .Width(tilefly_pkg::ACK_W),
      .Lossy(1)
  ) u_acks (
      .clk_i,
      .rst_ni,
      .col_i      (ack_col_i),
      .valid_o    (ack_valid),
      .data_o     (ack),
      .quiescent_o(ack_quiescent)
  );

  // What the port is to its link. A slot that the FEC could not correct is ignored.
  tilefly_retry_pkg::settings_t retry;
  tilefly_retry_pkg::report_t report;
  tilefly_retry_pkg::received_events_t received;
  tilefly_retry_pkg::sent_events_t resent;
  logic enable, old_stamp, retry_rd_valid, link_up_q;
  logic [15:0] healed_cells;
  logic [23:0] link_events;  // in the order of the counters' numbers
  logic [2:0] lanes_back;
  tilefly_retry_pkg::lanes_t serdes;
  tilefly_retry_pkg::lane_events_t lane_events;
  tilefly_retry_pkg::down_events_t down_events;
  logic [63:0] retry_rd_data;

  tilefly_retry_pkg::stamp_t stamp;
  assign stamp = {link_i.ctrl.wired_valid && !link_i.ctrl.err, link_i.ctrl.wired_vl, link_i.ctrl.wired_cells};

  tilefly_port_retry u_retry (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .link_up_i,
      .enable_o(enable),
      .retry_o (retry),
      .lanes_o (serdes)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) link_up_q <= 1'b0;
    else link_up_q <= link_up_i;
  end

  always_comb begin
    link_events     = '0;
    link_events[13] = enable && link_up_i && link_i.ctrl.err;
    link_events[21] = gnt_valid && gnt.reroute;
    lanes_back      = '0;
    if (retry.on) begin
      if (retry.enable) begin
        link_events[8:0] = {received, resent};
        if (link_o.ctrl.retry_valid) link_events[10:9] = link_o.ctrl.retry_nack ? 2'b10 : 2'b01;
        if (link_up_i && link_i.ctrl.retry_valid && !link_i.ctrl.err) link_events[12:11] = link_i.ctrl.retry_nack ? 2'b10 : 2'b01;
        link_events[15:14] = {old_stamp, healed_cells != '0};
      end
      lanes_back = 3'($countones(lane_events.back));
      link_events[20:16] = {
        down_events.replay_lost != '0, down_events.lost, down_events.watchdog, down_events.given_up, link_up_q && !link_up_i
      };
      link_events[23:22] = {lane_events.back != '0, lane_events.failed != '0};
    end
  end

  tilefly_retry_counters u_retry_counters (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .events_i      (link_events),
      .healed_cells_i(healed_cells),
      .replay_lost_i (down_events.replay_lost),
      .lanes_back_i  (lanes_back),
      .rd_valid_o    (retry_rd_valid),
      .rd_data_o     (retry_rd_data)
  );

  // The two halves of the port, and its acks.
  logic req_row_valid, dat_row_valid, gnt_row_valid, crd_row_valid, ack_row_valid, ret_valid;
  logic [5:0] req_row_dst, dat_row_dst, gnt_row_dst, crd_row_dst, ack_row_dst;
  tilefly_pkg::request_t req_row;
  tilefly_pkg::cell_t dat_row;
  tilefly_pkg::grant_t gnt_row;
  tilefly_pkg::credit_t crd_row;
  tilefly_pkg::ack_t ack_row, ctrl_ack;
  tilefly_flows_pkg::pause_t flow_pause;
  logic [8*48-1:0] pause_until;
  logic [11:0] buffer_used;
  logic [3:0] ret_vl;
  logic [15:0] ret_cells;
  tilefly_pkg::portobs_t in_obs, out_obs;
  logic in_rd_valid, out_rd_valid, ack_rd_valid, in_quiescent, out_quiescent, ack_port_quiescent;
  logic [63:0] in_rd_data, out_rd_data, ack_rd_data;
  logic take, sent, release_valid, release_bad, ctrl_ack_valid, home;
  tilefly_pkg::header_t take_header;
  logic [6:0] release_cells;
  logic out_grant;
  logic [3:0] out_grant_vl;
  logic [6:0] out_grant_cells;
  logic [tilefly_pkg::VLS-1:0] out_deep;

  logic red_word, red_used, red_req_valid, red_grant, red_cell_valid, red_rd_valid, red_quiescent;
  tilefly_ingress_pkg::rx_t red_rx;
  logic [255:0] red_data;
  tilefly_pkg::request_t red_req;
  logic [$clog2(tilefly_pkg::ROW_IN)-1:0] red_input;
  tilefly_pkg::cell_t red_cell;
  logic [63:0] red_rd_data;

  tilefly_ingress_port u_ingress (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .word_i       (link_i.word),
      .tag_i        (link_i.tag),
      .stamp_i      (stamp),
      .retry_i      (retry),
      .link_up_i,
      .gnt_valid_i  (gnt_valid),
      .gnt_i        (gnt),
      .crd_valid_i  (crd_valid),
      .crd_i        (crd),
      .home_i       (home),
      .ack_i        (ack),
      .lk_req_o,
      .lk_rsp_i,
      .loads_i,
      .req_valid_o  (req_row_valid),
      .req_dst_o    (req_row_dst),
      .req_o        (req_row),
      .dat_valid_o  (dat_row_valid),
      .dat_dst_o    (dat_row_dst),
      .dat_o        (dat_row),
      .pause_until_o(pause_until),
      .used_o       (buffer_used),
      .ret_valid_o  (ret_valid),
      .ret_vl_o     (ret_vl),
      .ret_cells_o  (ret_cells),
      .pause_o      (flow_pause),
      .report_o     (report),
      .retry_events_o(received),
      .healed_cells_o(healed_cells),
      .old_stamp_o  (old_stamp),
      .red_valid_o  (red_word),
      .red_o        (red_rx),
      .red_data_o   (red_data),
      .red_used_i   (red_used),
      .obs_o        (in_obs),
      .rd_valid_o   (in_rd_valid),
      .rd_data_o    (in_rd_data),
      .quiescent_o  (in_quiescent)
  );

  tilefly_egress_port u_egress (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .link_up_i,
      .ctrl_i         (link_i.ctrl),
      .retry_i        (retry),
      .serdes_i       (serdes),
      .lane_err_i     (link_i.phy.lane_err),
      .report_i       (report),
      .req_valid_i    (req_valid),
      .req_i          (requests),
      .cell_valid_i   (cell_valid),
      .cell_i         (cell_data),
      .red_req_valid_i(red_req_valid),
      .red_req_i      (red_req),
      .red_cell_valid_i(red_cell_valid),
      .red_cell_i     (red_cell),
      .pause_until_i  (pause_until),
      .used_i         (buffer_used),
      .ret_valid_i    (ret_valid),
      .ret_vl_i       (ret_vl),
      .ret_cells_i    (ret_cells),
      .ack_valid_i    (ctrl_ack_valid),
      .ack_i          (ctrl_ack),
      .pause_i        (flow_pause),
      .gnt_valid_o    (gnt_row_valid),
      .gnt_dst_o      (gnt_row_dst),
      .gnt_o          (gnt_row),
      .crd_valid_o    (crd_row_valid),
      .crd_dst_o      (crd_row_dst),
      .crd_o          (crd_row),
      .grant_o        (out_grant),
      .grant_vl_o     (out_grant_vl),
      .grant_cells_o  (out_grant_cells),
      .deep_o         (out_deep),
      .red_grant_o    (red_grant),
      .red_input_o    (red_input),
      .link_o,
      .take_o         (take),
      .take_header_o  (take_header),
      .release_o      (release_valid),
      .release_cells_o(release_cells),
      .release_sent_o (sent),
      .release_bad_o  (release_bad),
      .retry_events_o (resent),
      .lane_events_o  (lane_events),
      .down_events_o  (down_events),
      .link_fail_o,
      .obs_o          (out_obs),
      .rd_valid_o     (out_rd_valid),
      .rd_data_o      (out_rd_data),
      .quiescent_o    (out_quiescent)
  );

  // Requests of all rows, as the egress stores them.
  localparam int OutRows = tilefly_pkg::OUT_ROWS;
  logic [OutRows-1:0] all_req_valid;
  logic [OutRows*RequestW-1:0] all_requests;
  generate
    if (OutRows > Rows) begin : gen_requests_of_row_r
      assign all_req_valid = {red_req_valid, req_valid};
      assign all_requests  = {red_req, requests};
    end else begin : gen_requests_of_tiles
      assign all_req_valid = req_valid;
      assign all_requests  = requests;
    end
  endgenerate

  tilefly_ack_port u_ack_port (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .link_up_i,
      .ctrl_i      (link_i.ctrl),
      .load_i      (out_obs.load),
      .req_valid_i  (all_req_valid),
      .req_i        (all_requests),
      .grant_i      (out_grant),
      .grant_vl_i   (out_grant_vl),
      .grant_cells_i(out_grant_cells),
      .deep_i       (out_deep),
      .take_i      (take),
      .header_i    (take_header),
      .release_i   (release_valid),
      .cells_i     (release_cells),
      .sent_i      (sent),
      .bad_i       (release_bad),
      .arrives_i   (ack_valid),
      .arrived_i   (ack),
      .row_valid_o (ack_row_valid),
      .row_dst_o   (ack_row_dst),
      .row_o       (ack_row),
      .ctrl_valid_o(ctrl_ack_valid),
      .ctrl_o      (ctrl_ack),
      .home_o      (home),
      .neighbour_o,
      .acks_o,
      .rd_valid_o  (ack_rd_valid),
      .rd_data_o   (ack_rd_data),
      .quiescent_o (ack_port_quiescent)
  );

  // Reductions, where the switch has them. Structs are declared out here: in a generated block Yosys does
  // not find their members.
  /* verilator lint_off UNUSEDSIGNAL */  // without reductions none is of interest
  tilefly_pkg::cfg_t red_cfg_q;
  tilefly_ingress_pkg::rx_t red_rx_q;
  /* verilator lint_on UNUSEDSIGNAL */
  generate
    if (tilefly_pkg::RED_PRESENT != 0) begin : gen_reduction
      logic [5:0] port;  // a strap, but one more input to follow
      logic link_up, word, grant, quiescent;
      logic [255:0] data;
      logic [$clog2(tilefly_pkg::ROW_IN)-1:0] grant_input;
      always_ff @(negedge clk_red_i) begin
        port        <= port_i;
        red_cfg_q   <= cfg_i;
        link_up     <= link_up_i;
        word        <= red_word;
        red_rx_q    <= red_rx;
        data        <= red_data;
        grant       <= red_grant;
        grant_input <= red_input;
      end

      tilefly_red_port u_red_port (
          .clk_i        (clk_red_i),
          .rst_ni,
          .port_i       (port),
          .cfg_i        (red_cfg_q),
          .link_up_i    (link_up),
          .cmd_i        (red_cmd_i),
          .word_i       (word),
          .rx_i         (red_rx_q),
          .data_i       (data),
          .used_o       (red_used),
          .report_o     (red_report_o),
          .words_i      (red_words_i),
          .indices_i    (red_indices_i),
          .parts_o      (red_parts_o),
          .small_o      (red_small_o),
          .returns_i    (red_returns_i),
          .req_valid_o  (red_req_valid),
          .req_o        (red_req),
          .grant_i      (grant),
          .grant_input_i(grant_input),
          .cell_valid_o (red_cell_valid),
          .cell_o       (red_cell),
          .obs_o        (red_obs_o),
          .rd_valid_o   (red_rd_valid),
          .rd_data_o    (red_rd_data),
          .quiescent_o  (quiescent)
      );
      assign red_quiescent = quiescent && !word && !red_rx_q.ends && !grant && !red_cfg_q.valid;
    end else begin : gen_no_reduction
      assign red_cfg_q      = '0;
      assign red_rx_q       = '0;
      assign red_used       = 1'b0;
      assign red_report_o   = '0;
      assign red_parts_o    = '0;
      assign red_small_o    = '0;
      assign red_req_valid  = 1'b0;
      assign red_req        = '0;
      assign red_cell_valid = 1'b0;
      assign red_cell       = '0;
      assign red_obs_o      = '0;
      assign red_rd_valid   = 1'b0;
      assign red_rd_data    = '0;
      assign red_quiescent  = 1'b1;
      logic unused;
      assign unused = ^{clk_red_i, red_cmd_i, red_words_i, red_indices_i, red_returns_i, red_word, red_grant, red_rx, red_data, red_input};
    end
  endgenerate

  assign req_row_o = {req_row_valid, req_row_dst, req_row};
  assign gnt_row_o = {gnt_row_valid, gnt_row_dst, gnt_row};
  assign dat_row_o = {dat_row_valid, dat_row_dst, dat_row};
  assign crd_row_o = {crd_row_valid, crd_row_dst, crd_row};
  assign ack_row_o = {ack_row_valid, ack_row_dst, ack_row};

  // Each half fills its own fields and leaves the others zero.
  assign obs_o  = in_obs | out_obs;
  assign load_o = out_obs.load;
  assign down_o = retry.discards && !link_up_q;
  assign rdata_o.valid = in_rd_valid || out_rd_valid || ack_rd_valid || retry_rd_valid || red_rd_valid;
  assign rdata_o.data  = in_rd_data | out_rd_data | ack_rd_data | retry_rd_data | red_rd_data;
  assign red_quiescent_o = red_quiescent && !red_word && !red_rx.ends && !cfg_i.valid;
  assign quiescent_o = in_quiescent && out_quiescent && request_busy == '0 && cell_busy == '0 &&
      gnt_quiescent && crd_quiescent && ack_quiescent && ack_port_quiescent && red_quiescent;

endmodule
