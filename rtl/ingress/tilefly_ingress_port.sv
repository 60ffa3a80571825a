// SPDX-License-Identifier: Apache-2.0
// Input side of a port: MAC, input buffer, forwarding, virtual output queues, requester, transfer. Manual:
// docs/blocks/ingress.md; cycles: docs/timing.md.
// Latency: a quiet packet's request leaves in a + 21, its first cell 4 cycles after it is picked. Throughput: a word
// in and a cell out a cycle. Handshake: requests by credits, data by grants (law 7); valid only at the ports.
//
//   word -> MAC -> admission -> forwarding -> queue stage -> queues, requester -> requests
//                     |            |      ^                       |
//                  input buffer <- drop   +---- taken back <- grants -> transfer -> cells

module tilefly_ingress_port (
    /// clock
    input  logic                                                       clk_i,
    /// synchronous reset, active low
    input  logic                                                       rst_ni,
    /// number of the current cycle
    input  logic                            [                    47:0] cycle_i,
    /// number of this port
    input  logic                            [                     5:0] port_i,
    /// register bus: an access is an event of this cycle
    input  tilefly_pkg::cfg_t                                          cfg_i,
    /// word on the wire
    input  tilefly_pkg::word_t                                         word_i,
    /// its tag
    input  tilefly_pkg::retry_tag_t                                    tag_i,
    /// stamp of the control slot on the wire
    input  tilefly_retry_pkg::stamp_t                                  stamp_i,
    /* verilator lint_off UNUSEDSIGNAL */  // what the sender looks at
    /// how the port retries
    input  tilefly_retry_pkg::settings_t                               retry_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the link works
    input  logic                                                       link_up_i,
    /// a grant arrives
    input  logic                                                       gnt_valid_i,
    /// the grant
    input  tilefly_pkg::grant_t                                        gnt_i,
    /// a request credit arrives
    input  logic                                                       crd_valid_i,
    /// the credit
    input  tilefly_pkg::credit_t                                       crd_i,
    /// an end-to-end ack comes home
    input  logic                                                       home_i,
    /// the ack
    input  tilefly_pkg::ack_t                                          ack_i,
    /// look-up request to the tile's tables (lk_req_t, flop)
    output logic                            [tilefly_ingress_pkg::LK_REQ_W-1:0] lk_req_o,
    /// answer to the request, two cycles later (lk_rsp_t)
    input  logic                            [tilefly_ingress_pkg::LK_RSP_W-1:0] lk_rsp_i,
    /// loads of all ports as the load ring shows them, port p in bits [12*p +: 12]; from bit 12*PORTS on, the ports that are down
    input  logic                            [13*tilefly_pkg::PORTS-1:0] loads_i,
    /// row bus of requests: valid (flop)
    output logic                                                       req_valid_o,
    /// output of the request (flop)
    output logic                            [                     5:0] req_dst_o,
    /// the request (flop)
    output tilefly_pkg::request_t                                      req_o,
    /// row bus of data: valid (flop)
    output logic                                                       dat_valid_o,
    /// output of the cell (flop)
    output logic                            [                     5:0] dat_dst_o,
    /// the cell (flop)
    output tilefly_pkg::cell_t                                         dat_o,
    /// cycle until which class c is paused, in bits [c*48 +: 48]
    output logic                            [                8*48-1:0] pause_until_o,
    /// cells accounted in the input buffer, as committed
    output logic                            [                    11:0] used_o,
    /// a link credit return was decided in the cycle before (flop)
    output logic                                                       ret_valid_o,
    /// virtual lane of the credit return
    output logic                            [                     3:0] ret_vl_o,
    /// cells freed on the virtual lane since reset, modulo 65536
    output logic                            [                    15:0] ret_cells_o,
    /// a pause of a flow for the control slot, decided in this cycle
    output tilefly_flows_pkg::pause_t                                  pause_o,
    /// report for the control slot of the next cycle (flop)
    output tilefly_retry_pkg::report_t                                 report_o,
    /// counted: of the retry block
    output tilefly_retry_pkg::received_events_t                        retry_events_o,
    /// counted: cells that a stamp gives back
    output logic                            [                    15:0] healed_cells_o,
    /// counted: a stamp is old
    output logic                                                       old_stamp_o,
    /// word for the reduction port
    output logic                                                       red_valid_o,
    /// framing of that word, and the end of a packet that was for the reduction port (rx_t)
    output tilefly_ingress_pkg::rx_t                                   red_o,
    /// bytes of the word
    output logic                            [                   255:0] red_data_o,
    /// the packet that ends was used by the reduction port
    input  logic                                                       red_used_i,
    /// observation record, input side's fields
    output tilefly_pkg::portobs_t                                      obs_o,
    /// a counter was read (flop)
    output logic                                                       rd_valid_o,
    /// value of the counter
    output logic                            [                    63:0] rd_data_o,
    /// with idle inputs nothing here will change
    output logic                                                       quiescent_o
);

  localparam int PacketW = tilefly_pkg::CELL_INDEX_W;
  localparam int EntryW = $clog2(tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES);
  localparam int PortW = $clog2(tilefly_pkg::PORTS);
  localparam int QueueW = PortW + 4;

  // Registers of the port

  tilefly_pkg::port_mode_t mode;
  logic [13:0] own_address;

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

  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int WireCycles = 4;  // from the wire to the admission, and from a control slot to its event

  logic flows, link_up_q;
  assign flows = mode.acks && mode.flows;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) link_up_q <= 1'b0;
    else link_up_q <= link_up_i;
  end

  // c: the gate of a port that retries. The SerDes lanes of a packet are in its tag then: now, and in its events 4 cycles later.
  logic passes, begins, gate_quiescent;
  logic [2:0] pace, lanes, lanes_q, lanes_then;
  logic [3*WireCycles-1:0] lanes_before_q;
  assign pace       = {1'b0, tag_i.pace} + 3'd1;
  assign begins     = passes && word_i.valid && word_i.sop;
  assign lanes      = retry_i.on && !begins ? lanes_q : retry_i.enable ? pace : mode.lanes;
  assign lanes_then = retry_i.on ? lanes_before_q[3*(WireCycles-1)+:3] : mode.lanes;

  tilefly_retry_in u_gate (
      .clk_i,
      .rst_ni,
      .enable_i      (retry_i.enable),
      .link_up_i,
      .lanes_i       (pace),
      .word_i,
      .tag_i,
      .passes_o      (passes),
      /* verilator lint_off PINCONNECTEMPTY */  // the MAC looks at the word on the wire, where it passes
      .word_o        (),
      /* verilator lint_on PINCONNECTEMPTY */
      .report_valid_o(report_o.valid),
      .report_nack_o (report_o.nack),
      .report_seq_o  (report_o.seq),
      .accepted_o    (retry_events_o.accepted),
      .bad_o         (retry_events_o.bad),
      .missing_o     (retry_events_o.missing),
      .duplicate_o   (retry_events_o.duplicate),
      .replayed_o    (retry_events_o.replayed),
      .quiescent_o   (gate_quiescent)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) lanes_q <= '0;
    else if (retry_i.on) lanes_q <= lanes;
    if (retry_i.on) lanes_before_q <= {lanes_before_q[3*(WireCycles-1)-1:0], lanes};
  end

  // c to c + 4

  tilefly_ingress_pkg::rx_t rx;
  logic [255:0] rx_data;
  logic obeyed, mac_quiescent;

  tilefly_mac_in u_mac_in (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .live_i        (mode.enable && passes),
      .credits_i     (mode.credits),
      .serdes_lanes_i(lanes),
      .word_i,
      .rx_o          (rx),
      .data_o        (rx_data),
      .pause_until_o,
      .obeyed_o      (obeyed),
      .quiescent_o   (mac_quiescent)
  );

  // c + 4: admission, input buffer

  logic store, cut_through, taken, closes, closes_bad, open, enters, full;
  logic [PacketW-1:0] fresh, packet, last, open_packet;
  tilefly_ingress_pkg::descriptor_t descriptor;
  /* verilator lint_off UNUSEDSIGNAL */  // shares of classes are for others
  tilefly_ingress_pkg::release_t ended, waited, dropped, sent;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0] waited_reason, dropped_reason;
  logic lossy;  // a class of the port is lossy

  tilefly_admission u_admission (
      .clk_i,
      .rst_ni,
      .mode_i       (mode),
      .rx_i         (rx),
      .data_i       (rx_data),
      .first_i      (fresh),
      .own_address_i(own_address),
      .lossy_i      (lossy),
      .released_i   ({ended.used, waited.used, dropped.used, sent.used}),
      .store_o      (store),
      .cut_through_o(cut_through),
      .taken_o      (taken),
      .closes_o     (closes),
      .packet_o     (packet),
      .bad_o        (closes_bad),
      .open_o       (open),
      .open_packet_o(open_packet),
      .enters_o     (enters),
      .descriptor_o (descriptor),
      .full_o       (full),
      .used_o
  );

  logic read, all_free;
  logic [PacketW-1:0] read_at, read_next;
  logic [383:0] read_cell;

  tilefly_input_buffer u_input_buffer (
      .clk_i,
      .rst_ni,
      .store_i        (store),
      .sop_i          (rx.sop),
      .enh_i          (rx.enh),
      .upper_i        (rx.upper),
      .data_i         (rx_data),
      .first_o        (fresh),
      .last_o         (last),
      .release_i      ({ended.valid, waited.valid, dropped.valid, sent.valid}),
      .release_first_i({
        ended.first[PacketW-1:0], waited.first[PacketW-1:0], dropped.first[PacketW-1:0], sent.first[PacketW-1:0]
      }),
      .release_last_i ({ended.last[PacketW-1:0], waited.last[PacketW-1:0], dropped.last[PacketW-1:0], sent.last[PacketW-1:0]}),
      .release_cells_i({ended.cells, waited.cells, dropped.cells, sent.cells}),
      .read_i         (read),
      .at_i           (read_at),
      .next_o         (read_next),
      .cell_o         (read_cell),
      .all_free_o     (all_free)
  );

  // a + 4 to a + 18: where the packet goes

  // A packet for the reduction port goes there, and is released as one that is dropped.
  assign red_valid_o = store && taken;
  assign red_data_o  = rx_data;
  always_comb begin
    red_o = rx;
    red_o.ends = closes && taken;
  end

  logic accepts, queues, queues_shares, queues_again, waited_counts, dropped_counts, forwarding_quiescent;
  logic taken_back, ends, again, again_shares;  // a packet is taken back; it is a copy that ends; a packet passes again
  logic [PacketW-1:0] queues_packet, granted_packet, again_packet;
  tilefly_pkg::header_t again_header;
  tilefly_ingress_pkg::release_t ending;
  logic [6:0] queues_cells;
  tilefly_ingress_pkg::route_t route;
  tilefly_flows_pkg::release_t go;
  tilefly_flows_pkg::events_t flow_events;

  tilefly_forwarding u_forwarding (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .edge_i          (mode.acks),
      .flows_i         (flows),
      .live_i          (mode.enable && mode.credits && link_up_q),
      .retry_i         (retry_i.on),
      .closes_broken_i (closes_bad && rx.status == tilefly_pkg::DROP_BROKEN),
      .home_i,
      .ack_i,
      .enters_i        (enters),
      .packet_i        (packet),
      .descriptor_i    (descriptor),
      .in_class_i      (mode.pclass),
      .back_i          (taken_back && !ends),
      .back_packet_i   (granted_packet),
      .again_o         (again),
      .again_packet_o  (again_packet),
      .again_header_i  (again_header),
      .again_shares_i  (again_shares),
      .ended_i         (ending),
      .closes_i        (closes),
      .closes_last_i   (last),
      .closes_used_i   (red_used_i),
      .open_i          (open),
      .open_packet_i   (open_packet),
      .lk_req_o,
      .lk_rsp_i,
      .loads_i,
      .lossy_o         (lossy),
      .accepts_o       (accepts),
      .queues_o        (queues),
      .packet_o        (queues_packet),
      .cells_o         (queues_cells),
      .shares_o        (queues_shares),
      .queues_again_o  (queues_again),
      .route_o         (route),
      .go_o            (go),
      .pause_o,
      .flow_events_o   (flow_events),
      .ended_o         (ended),
      .waited_o        (waited),
      .dropped_o       (dropped),
      .waited_counts_o (waited_counts),
      .dropped_counts_o(dropped_counts),
      .waited_reason_o (waited_reason),
      .dropped_reason_o(dropped_reason),
      .sent_i          (sent),
      .used_i          (used_o),
      .quiescent_o     (forwarding_quiescent)
  );

  // Queues and requester

  logic queued_first_copy, pop, pop_more, gone, queues_quiescent;
  logic [QueueW-1:0] pop_queue, grant_queue;
  logic [6:0] pop_cells, granted_cells;
  logic [EntryW-1:0] granted_entry, gone_entry;  // gone: a copy is sent
  assign grant_queue = {gnt_i.src[PortW-1:0], gnt_i.vl};
  assign taken_back = gnt_valid_i && gnt_i.reroute;

  tilefly_ingress_queues u_queues (
      .clk_i,
      .rst_ni,
      .enters_i      (queues),
      .packet_i      (queues_packet),
      .cells_i       (queues_cells),
      .again_i       (queues_again),
      .route_i       (route),
      .go_i          (go),
      .gone_i        (gone),
      .gone_entry_i  (gone_entry),
      .ends_i        (ends),
      .credit_i      (crd_valid_i),
      .credit_queue_i({crd_i.src[PortW-1:0], crd_i.vl}),
      .grant_i       (gnt_valid_i),
      .grant_queue_i (grant_queue),
      .first_copy_o  (queued_first_copy),
      .pop_o         (pop),
      .pop_queue_o   (pop_queue),
      .pop_cells_o   (pop_cells),
      .pop_more_o    (pop_more),
      .grant_entry_o (granted_entry),
      .grant_packet_o(granted_packet),
      .grant_cells_o (granted_cells),
      .quiescent_o   (queues_quiescent)
  );

  // Grants and transfer

  logic pick, transfer_quiescent;
  logic [6:0] pick_cells;
  logic [QueueW-1:0] pick_queue;

  tilefly_transfer u_transfer (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .serdes_lanes_i (lanes_then),
      .arriving_i     (packet),
      .cut_through_i  (cut_through),
      .len_i          (rx.len),
      .cells_i        (rx.cells),
      .closes_i       (closes),
      .closes_bad_i   (closes_bad),
      .flows_i        (flows),
      .queues_i       (accepts),
      .queues_packet_i(queues_packet),
      .queues_route_i (route),
      .queues_shares_i(queues_shares),
      .queues_again_i (queues_again),
      .go_i           (go),
      .grant_i        (gnt_valid_i && !gnt_i.reroute),
      .taken_i        (taken_back),
      .grant_entry_i  (granted_entry),
      .grant_packet_i (granted_packet),
      .grant_cells_i  (granted_cells),
      .grant_queue_i  (grant_queue),
      .ends_o         (ends),
      .ended_o        (ending),
      .again_i        (again),
      .again_packet_i (again_packet),
      .again_header_o (again_header),
      .again_shares_o (again_shares),
      .pick_o         (pick),
      .pick_cells_o   (pick_cells),
      .pick_queue_o   (pick_queue),
      .read_o         (read),
      .at_o           (read_at),
      .next_i         (read_next),
      .cell_i         (read_cell),
      .gone_o         (gone),
      .gone_entry_o   (gone_entry),
      .release_o      (sent),
      .dat_valid_o,
      .dat_dst_o,
      .dat_o,
      .quiescent_o    (transfer_quiescent)
  );

  // Link credits: freed by a packet that was sent, discarded, or found no room.

  logic return_quiescent;
  /* verilator lint_off UNUSEDSIGNAL */  // only the virtual lane matters here
  tilefly_pkg::header_t rx_header;
  /* verilator lint_on UNUSEDSIGNAL */
  assign rx_header = rx_data[127:0];

  // Where the port retries, a frame without header is in no count.
  logic bare_mem[tilefly_pkg::CELLS];
  logic stamp_valid, stamp_busy;
  logic [19:0] stamp;
  logic [3:0] bare;  // what is ended, waited for, dropped, sent
  always_ff @(posedge clk_i) begin
    if (retry_i.on && enters) bare_mem[packet] <= !descriptor.enh;
  end
  always_comb begin
    bare = '0;
    if (retry_i.on) begin
      if (ended.valid) bare[3] = bare_mem[ended.first[PacketW-1:0]];
      if (waited.valid) bare[2] = bare_mem[waited.first[PacketW-1:0]];
      if (dropped.valid) bare[1] = bare_mem[dropped.first[PacketW-1:0]];
      if (sent.valid) bare[0] = bare_mem[sent.first[PacketW-1:0]];
    end
  end

  tilefly_delay_line #(
      .Width(20),
      .Depth(WireCycles)
  ) u_stamp (
      .clk_i,
      .rst_ni,
      .valid_i(stamp_i.valid && retry_i.enable && link_up_i),
      .data_i ({stamp_i.vl, stamp_i.cells}),
      .valid_o(stamp_valid),
      .data_o (stamp),
      .busy_o (stamp_busy)
  );

  tilefly_credit_return #(
      .Sources(1 + tilefly_ingress_pkg::RELEASES)
  ) u_credit_return (
      .clk_i,
      .rst_ni,
      .retry_i     (retry_i.on),
      .link_up_i,
      .free_valid_i({full && rx.enh, {ended.valid, waited.valid, dropped.valid, sent.valid} & ~bare} & {5{mode.credits}}),
      .free_vl_i   ({rx_header.vl, ended.vl, waited.vl, dropped.vl, sent.vl}),
      .free_cells_i({rx.cells, ended.cells, waited.cells, dropped.cells, sent.cells}),
      .taken_valid_i(rx.sop && rx.enh),
      .taken_vl_i   (rx_header.vl),
      .taken_cells_i(rx.cells),
      .stamp_valid_i(stamp_valid),
      .stamp_vl_i   (stamp[19:16]),
      .stamp_cells_i(stamp[15:0]),
      .healed_cells_o,
      .old_stamp_o,
      .ret_valid_o,
      .ret_vl_o,
      .ret_cells_o,
      .quiescent_o (return_quiescent)
  );

  // Counters

  logic refuse, ends_damaged, port_rd_valid, flow_rd_valid;
  logic [63:0] port_rd_data, flow_rd_data;
  logic [3:0] refuse_reason;
  assign refuse = rx.refused || full;
  assign refuse_reason = rx.refused ? tilefly_pkg::DROP_HEADER : tilefly_pkg::DROP_BUFFER_FULL;
  assign ends_damaged = rx.ends && rx.enh && mode.cut_through && rx.status != tilefly_pkg::DROP_NONE;

  tilefly_ingress_counters u_counters (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .refuse_i       (refuse),
      .refuse_reason_i(refuse_reason),
      .drop_i         (dropped_counts),
      .drop_reason_i  (dropped_reason),
      .late_drop_i    (waited_counts),
      .late_reason_i  (waited_reason),
      .packet_i       (queued_first_copy),
      .minimal_i      (accepts && !queues_again && route.decides && !route.nonminimal),
      .nonminimal_i   (accepts && !queues_again && route.decides && route.nonminimal),
      .stomped_i      (ends_damaged && rx.status == tilefly_pkg::DROP_STOMPED),
      .damaged_i      (ends_damaged && rx.status != tilefly_pkg::DROP_STOMPED),
      .stray_i        (rx.stray),
      .pause_i        (obeyed),
      .rd_valid_o     (port_rd_valid),
      .rd_data_o      (port_rd_data)
  );

  tilefly_flow_counters u_flow_counters (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .events_i  (flow_events),
      .rd_valid_o(flow_rd_valid),
      .rd_data_o (flow_rd_data)
  );
  assign rd_valid_o = port_rd_valid || flow_rd_valid;
  assign rd_data_o  = port_rd_data | flow_rd_data;

  // Row bus of requests, observation

  logic observer_quiescent;

  tilefly_ingress_observer u_observer (
      .clk_i,
      .rst_ni,
      .port_i,
      .pop_i        (pop),
      .pop_queue_i  (pop_queue),
      .pop_cells_i  (pop_cells),
      .pop_more_i   (pop_more),
      .gnt_valid_i,
      .gnt_i,
      .crd_valid_i,
      .crd_i,
      .pick_i       (pick),
      .pick_queue_i (pick_queue),
      .pick_cells_i (pick_cells),
      .drop_i       (refuse || waited_counts || dropped_counts),
      .drop_reason_i(refuse ? refuse_reason : waited_counts ? waited_reason : dropped_reason),
      .used_i       (used_o),
      .flow_events_i(flow_events),
      .go_i         (go.valid),
      .accept_i     (retry_events_o.accepted),
      .error_i      (retry_events_o.bad || retry_events_o.missing),
      .req_valid_o,
      .req_dst_o,
      .req_o,
      .obs_o,
      .quiescent_o  (observer_quiescent)
  );

  assign quiescent_o = gate_quiescent && !stamp_busy && mac_quiescent && used_o == '0 && forwarding_quiescent &&
      queues_quiescent && transfer_quiescent && return_quiescent && observer_quiescent && !rd_valid_o;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_1 : assert (used_o != '0 || all_free);
    end
  end
`ifndef SYNTHESIS
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) ING_1_drained : assert (used_o == '0 && all_free);
  end
`endif

endmodule
