// SPDX-License-Identifier: Apache-2.0
// Forwarding: finds out where a packet goes, and whether and when it goes there; else its cells are released. Manual:
// docs/blocks/ingress.md, "Descriptor pipeline", "Class shares"; docs/blocks/acks.md, "Flow account";
// docs/blocks/flow_channel.md, "Wired into the switch".
// A packet that is taken back passes a second time: docs/blocks/link_retry.md, "Taken back".
// Latency: a packet that enters in cycle a + 4 is queued, held, or dropped, in a + 18. Throughput: one packet a cycle.
// Handshake: valid only; a held packet is released in a cycle in which none is queued.
//
//   descriptor -----> pipeline -> class shares -> flow channels -> queued, or held and then released
//   back fifo -(free)-^   |           +-> discard -> its cells go free
//                         +-> flow account or flow channels: path of an ordered flow

module tilefly_forwarding #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W
) (
    /// clock
    input  logic                                       clk_i,
    /// synchronous reset, active low
    input  logic                                       rst_ni,
    /// number of the current cycle
    input  logic                                [47:0] cycle_i,
    /// number of this port
    input  logic                                 [5:0] port_i,
    /// register bus: a write is an event of this cycle
    input  tilefly_pkg::cfg_t                          cfg_i,
    /// the port is an edge port of the ack network
    input  logic                                       edge_i,
    /// it has flow channels
    input  logic                                       flows_i,
    /// the port is enabled, has credits, and its link is up: the NIC may be told of its flows
    input  logic                                       live_i,
    /// an end-to-end ack comes home
    input  logic                                       home_i,
    /* verilator lint_off UNUSEDSIGNAL */  // its way and load are for others
    /// the ack
    input  tilefly_pkg::ack_t                          ack_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the port retries
    input  logic                                       retry_i,
    /// a packet enters
    input  logic                                       enters_i,
    /// packet that arrives now, and that enters or ends
    input  logic                         [PacketW-1:0] packet_i,
    /// descriptor of the packet
    input  tilefly_ingress_pkg::descriptor_t           descriptor_i,
    /// class of the port
    input  logic                                 [1:0] in_class_i,
    /// a packet is taken back
    input  logic                                       back_i,
    /// number of the packet
    input  logic                         [PacketW-1:0] back_packet_i,
    /// look-up of the packet that was taken back longest ago: do it
    output logic                                       again_o,
    /// number of the packet
    output logic                         [PacketW-1:0] again_packet_o,
    /// header of the packet, with via as it came
    input  tilefly_pkg::header_t                       again_header_i,
    /// the cells of the packet count in the share of its class
    input  logic                                       again_shares_i,
    /// a packet ends because its last copy is taken back
    input  tilefly_ingress_pkg::release_t              ended_i,
    /// the packet ends
    input  logic                                       closes_i,
    /// last cell of the packet
    input  logic                         [PacketW-1:0] closes_last_i,
    /// the packet was cut through and ended BROKEN
    input  logic                                       closes_broken_i,
    /// the packet is a reduction packet that was used here
    input  logic                                       closes_used_i,
    /// a packet is in progress
    input  logic                                       open_i,
    /// number of the packet
    input  logic                         [PacketW-1:0] open_packet_i,
    /// look-up request, in a + 10, questions to the route tables, in a + 13 (flops)
    output tilefly_ingress_pkg::lk_req_t               lk_req_o,
    /// answers to these, in a + 12 and a + 14
    input  tilefly_ingress_pkg::lk_rsp_t               lk_rsp_i,
    /// loads of all ports, and the ports that are down, as they are shown now
    input  logic           [13*tilefly_pkg::PORTS-1:0] loads_i,
    /// a class of the port is lossy
    output logic                                       lossy_o,
    /// a packet is to be queued, now or when its flow channel releases it
    output logic                                       accepts_o,
    /// it is to be queued now
    output logic                                       queues_o,
    /// number of the packet
    output logic                         [PacketW-1:0] packet_o,
    /// cells of the packet
    output logic                                 [6:0] cells_o,
    /// the cells of the packet count in the share of its class
    output logic                                       shares_o,
    /// the packet was taken back, and has been counted
    output logic                                       queues_again_o,
    /// where the packet goes
    output tilefly_ingress_pkg::route_t                route_o,
    /// a packet that was held is to be queued
    output tilefly_flows_pkg::release_t                go_o,
    /// a pause for the NIC
    output tilefly_flows_pkg::pause_t                  pause_o,
    /// what is counted and shown of the flow channels
    output tilefly_flows_pkg::events_t                 flow_events_o,
    /// packets that are released: ended because the last copy was taken back, waited for, dropped
    output tilefly_ingress_pkg::release_t              ended_o,
    output tilefly_ingress_pkg::release_t              waited_o,
    output tilefly_ingress_pkg::release_t              dropped_o,
    /// the drop of the packet that was waited for, that is dropped, is counted
    output logic                                       waited_counts_o,
    output logic                                       dropped_counts_o,
    /// drop_e of the packet that was waited for
    output logic                                 [3:0] waited_reason_o,
    /// drop_e of the packet that is dropped
    output logic                                 [3:0] dropped_reason_o,
    /* verilator lint_off UNUSEDSIGNAL */  // only its share matters here
    /// a packet that was sent is released
    input  tilefly_ingress_pkg::release_t              sent_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// cells of the input buffer in use
    input  logic                                [11:0] used_i,
    /// nothing inside
    output logic                                       quiescent_o
);

  logic leaves, reserved, again, forwards, class_full, held, pipe_enters, back_quiescent, pipe_quiescent, discard_quiescent;
  logic [PacketW-1:0] pipe_packet, go_packet;
  logic [tilefly_pkg::PORTS-1:0] down;
  tilefly_ingress_pkg::descriptor_t pipe_descriptor;
  tilefly_ingress_pkg::route_t route;
  tilefly_pkg::header_t header, kept_header;

  tilefly_back_fifo u_back_fifo (
      .clk_i,
      .rst_ni,
      .enters_i,
      .packet_i,
      .descriptor_i,
      .joins_i       (back_i),
      .joins_packet_i(back_packet_i),
      .look_o        (again_o),
      .head_o        (again_packet_o),
      .head_header_i (again_header_i),
      .head_shares_i (again_shares_i),
      .in_class_i,
      .enters_o      (pipe_enters),
      .packet_o      (pipe_packet),
      .descriptor_o  (pipe_descriptor),
      .quiescent_o   (back_quiescent)
  );

  tilefly_ingress_pipe u_pipe (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .edge_i,
      .enters_i    (pipe_enters),
      .packet_i    (pipe_packet),
      .descriptor_i(pipe_descriptor),
      .lk_req_o,
      .lk_rsp_i,
      .loads_i,
      .valid_o    (leaves),
      .packet_o,
      .cells_o,
      .reserved_o (reserved),
      .shares_o,
      .again_o    (again),
      .route_o    (route),
      .down_o     (down),
      .quiescent_o(pipe_quiescent)
  );

  assign header = route.header;
  assign forwards = leaves && route.reason == tilefly_pkg::DROP_NONE;
  assign accepts_o = forwards && !class_full;
  assign queues_o = accepts_o && !held;
  assign queues_again_o = again;

  // An ordered packet's flow may have its path already; an attempt that was broken off leaves the account.
  logic account_instead, account_via_valid, counts, broken, account_quiescent;
  logic [9:0] broken_flow;
  logic [6:0] broken_cells;
  logic [5:0] account_port;
  logic [13:0] account_via;

  tilefly_flow_account u_flow_account (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .own_port_i (port_i),
      .cfg_i,
      .edge_i     (edge_i && !flows_i),
      .valid_i    (forwards),
      .header_i   (header),
      .cells_i    (cells_o),
      .decides_i  (route.decides),
      .port_i     (route.port),
      .down_i     (down),
      .pair_port_i(route.pair_port),
      .came_via_i (route.came_via),
      .enters_i   (accepts_o && !again),
      .instead_o  (account_instead),
      .port_o     (account_port),
      .via_valid_o(account_via_valid),
      .via_o      (account_via),
      .ack_i      (home_i && !flows_i),
      .ack_flow_i (ack_i.flow),
      .ack_cells_i(ack_i.cells),
      .counts_o   (counts),
      .broken_i   (broken),
      .broken_flow_i (broken_flow),
      .broken_cells_i(broken_cells),
      .quiescent_o(account_quiescent)
  );

  tilefly_broken_attempts u_broken_attempts (
      .clk_i,
      .rst_ni,
      .retry_i,
      .enters_i (enters_i && descriptor_i.cut_through),
      .broken_i (closes_i && closes_broken_i),
      .counted_i(counts),
      .flow_i   (header.flow),
      .cells_i  (cells_o),
      .leaves_o (broken),
      .flow_o   (broken_flow),
      .cells_o  (broken_cells)
  );

  // Where the port has flow channels, they count the packet in place of the account, and may hold it.
  logic flow_instead, flow_via_valid, sent, gen, by_class, flows_quiescent;
  logic go_valid, go_gen, go_by_class, pauses, full, throttled, stray, marked;
  logic [1:0] lost;
  logic [5:0] flow_port, out_port, go_port;
  logic [13:0] flow_via;
  logic [3:0] out_lane, go_lane;
  logic [6:0] go_cells;
  logic [10:0] channel, go_channel;
  logic [42:0] pause;

  tilefly_flow_channels #(
      .PacketW(PacketW)
  ) u_flow_channels (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .on_i            (flows_i),
      .live_i,
      .valid_i         (forwards),
      .enters_i        (!class_full),
      .again_i         (again),
      .header_i        (header),
      .packet_i        (packet_o),
      .cells_i         (cells_o),
      .decides_i       (route.decides),
      .port_to_i       (route.port),
      .down_i          (down),
      .pair_port_i     (route.pair_port),
      .came_via_i      (route.came_via),
      .out_port_i      (out_port),
      .out_lane_i      (out_lane),
      .instead_o       (flow_instead),
      .path_port_o     (flow_port),
      .path_via_valid_o(flow_via_valid),
      .path_via_o      (flow_via),
      .sent_o          (sent),
      .held_o          (held),
      .gen_o           (gen),
      .by_class_o      (by_class),
      .go_valid_o      (go_valid),
      .go_packet_o     (go_packet),
      .go_cells_o      (go_cells),
      .go_port_o       (go_port),
      .go_lane_o       (go_lane),
      .go_gen_o        (go_gen),
      .go_by_class_o   (go_by_class),
      .home_i,
      .ack_i,
      .pause_valid_o   (pauses),
      .pause_o         (pause),
      .full_o          (full),
      .throttled_o     (throttled),
      .lost_o          (lost),
      .stray_o         (stray),
      .marked_o        (marked),
      .channel_o       (channel),
      .go_channel_o    (go_channel),
      .quiescent_o     (flows_quiescent)
  );
  assign go_o = {go_valid, 12'(go_packet), go_cells, go_port, go_lane, go_gen, go_by_class};
  assign pause_o = {pauses, pause};
  assign flow_events_o = {held, full, throttled, lost, stray, pauses, marked, channel, go_channel};

  logic instead, via_valid;
  logic [5:0] port;
  logic [13:0] via;
  assign instead = account_instead || flow_instead;
  assign {port, via_valid, via} = {account_port, account_via_valid, account_via} | {flow_port, flow_via_valid, flow_via};

  always_comb begin
    route_o     = route;
    kept_header = header;
    if (instead) begin
      kept_header.via_valid = via_valid;
      kept_header.via       = via;
      route_o.ports         = 64'd1 << port;
      route_o.port          = port;
      route_o.header        = kept_header;
      route_o.nonminimal    = via_valid;
    end
    if (sent) begin
      kept_header.gen = gen;
      kept_header.an  = by_class;
      route_o.header  = kept_header;
    end
  end

  // Output and lane of a packet that has one copy.
  always_comb begin
    out_port = '0;
    out_lane = '0;
    if (held) begin
      out_port = tilefly_ingress_pkg::number_of(route_o.ports);
      out_lane = route_o.vls[{route_o.out_class[{out_port, 1'b0}+:2], 2'b00}+:4];
    end
  end

  tilefly_class_shares u_class_shares (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .lossy_o,
      .enters_i      (forwards && shares_o && !again),
      .tc_i          (header.tc),
      .cells_i       (cells_o),
      .full_o        (class_full),
      .leaves_i      ({ended_o.shares, waited_o.shares, dropped_o.shares, sent_i.shares}),
      .leaves_tc_i   ({ended_o.tc, waited_o.tc, dropped_o.tc, sent_i.tc}),
      .leaves_cells_i({ended_o.cells, waited_o.cells, dropped_o.cells, sent_i.cells}),
      .used_i
  );

  tilefly_discard u_discard (
      .clk_i,
      .rst_ni,
      .closes_i,
      .closes_packet_i(packet_i),
      .closes_last_i,
      .closes_used_i,
      .open_i,
      .open_packet_i,
      .drop_i         (leaves && !accepts_o),
      .packet_i       (packet_o),
      .cells_i        (cells_o),
      .reserved_i     (reserved),
      .vl_i           (header.vl),
      .shares_i       (shares_o && again),
      .tc_i           (header.tc),
      .reason_i       (dropped_reason_o),
      .ended_i,
      .dropped_o,
      .waited_o,
      .ended_o,
      .dropped_counts_o,
      .waited_counts_o,
      .waited_reason_o,
      .quiescent_o    (discard_quiescent)
  );
  assign dropped_reason_o = class_full ? tilefly_pkg::DROP_CLASS_FULL : route.reason;

  assign quiescent_o = back_quiescent && pipe_quiescent && discard_quiescent && account_quiescent && !broken &&
      flows_quiescent;

endmodule
