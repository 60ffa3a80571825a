// SPDX-License-Identifier: Apache-2.0
// An input port and the tile's tables, for the conformance test. The tables' other tile port, which in a tile belongs to the
// other port, gets look-ups from the test that must not disturb this one.

module ingress_with_tables (
    /// clock
    input  logic                            clk_i,
    /// synchronous reset, active low
    input  logic                            rst_ni,
    /// number of the current cycle
    input  logic                 [    47:0] cycle_i,
    /// number of this port
    input  logic                 [     5:0] port_i,
    /// register bus: an access is an event of this cycle
    input  tilefly_pkg::cfg_t               cfg_i,
    /// loads of all ports as the load ring shows them
    input  logic [tilefly_pkg::PORTS*13-1:0] loads_i,
    /// word on the wire
    input  tilefly_pkg::word_t              word_i,
    /// the link works
    input  logic                            link_up_i,
    /// a grant arrives
    input  logic                            gnt_valid_i,
    /// the grant
    input  tilefly_pkg::grant_t             gnt_i,
    /// a request credit arrives
    input  logic                            crd_valid_i,
    /// the credit
    input  tilefly_pkg::credit_t            crd_i,
    /// an end-to-end ack comes home
    input  logic                            home_i,
    /// the ack
    input  tilefly_pkg::ack_t               ack_i,
    /// the packet for the reduction port that ends is used there
    input  logic                            red_used_i,
    /// look-up of the tile's other port
    input  logic [tilefly_ingress_pkg::LK_REQ_W-1:0] other_lk_req_i,
    /// row bus of requests
    output logic                            req_valid_o,
    output logic                 [     5:0] req_dst_o,
    output tilefly_pkg::request_t           req_o,
    /// row bus of data
    output logic                            dat_valid_o,
    output logic                 [     5:0] dat_dst_o,
    output tilefly_pkg::cell_t              dat_o,
    /// cycle until which class c is paused
    output logic                 [8*48-1:0] pause_until_o,
    /// cells accounted
    output logic                 [    11:0] used_o,
    /// link credit return
    output logic                            ret_valid_o,
    output logic                 [     3:0] ret_vl_o,
    output logic                 [    15:0] ret_cells_o,
    /// pause of a flow for the NIC
    output tilefly_flows_pkg::pause_t       pause_o,
    /// word for the reduction port, first of its packet
    output logic                            red_valid_o,
    output logic                            red_sop_o,
    output logic                 [   255:0] red_data_o,
    /// the packet for the reduction port ends: drop_e, NONE is good
    output logic                            red_ends_o,
    output logic                 [     3:0] red_status_o,
    /// observation record
    output tilefly_pkg::portobs_t           obs_o,
    /// counter
    output logic                            rd_valid_o,
    output logic                 [    63:0] rd_data_o,
    /// nothing will change in the port
    output logic                            quiescent_o,
    /// nor in the tables
    output logic                            tables_quiescent_o
);

  localparam int ReqW = tilefly_ingress_pkg::LK_REQ_W;
  localparam int RspW = tilefly_ingress_pkg::LK_RSP_W;
  logic [ReqW-1:0] lk_req;
  logic [2*RspW-1:0] lk_rsp;
  /* verilator lint_off UNUSEDSIGNAL */  // the test knows the length
  tilefly_ingress_pkg::rx_t red;
  /* verilator lint_on UNUSEDSIGNAL */
  assign red_sop_o    = red.sop;
  assign red_ends_o   = red.ends;
  assign red_status_o = red.status;

  tilefly_ingress_port u_port (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .loads_i,
      .word_i,
      .tag_i   ('0),
      .stamp_i ('0),
      .retry_i ('0),
      .link_up_i,
      .gnt_valid_i,
      .gnt_i,
      .crd_valid_i,
      .crd_i,
      .home_i,
      .ack_i,
      .lk_req_o(lk_req),
      .lk_rsp_i(lk_rsp[0+:RspW]),
      .req_valid_o,
      .req_dst_o,
      .req_o,
      .dat_valid_o,
      .dat_dst_o,
      .dat_o,
      .pause_until_o,
      .used_o,
      .ret_valid_o,
      .ret_vl_o,
      .ret_cells_o,
      .pause_o,
      /* verilator lint_off PINCONNECTEMPTY */  // the port does not retry
      .report_o(),
      .retry_events_o(),
      .healed_cells_o(),
      .old_stamp_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .red_valid_o,
      .red_o     (red),
      .red_data_o,
      .red_used_i,
      .obs_o,
      .rd_valid_o,
      .rd_data_o,
      .quiescent_o
  );

  tilefly_tables u_tables (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .lk_req_i   ({other_lk_req_i, lk_req}),
      .lk_rsp_o   (lk_rsp),
      .quiescent_o(tables_quiescent_o)
  );

endmodule
