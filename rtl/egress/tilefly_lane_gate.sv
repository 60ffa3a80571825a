// SPDX-License-Identifier: Apache-2.0
// Which lanes of one output may send: by credits of the link, or by PAUSE. Manual: docs/blocks/credit.md, docs/blocks/link.md (PAUSE).
// Latency: a credit return on the wire in cycle c counts from c + 5 on, a grant from the next cycle on. Throughput: a grant and
// a return a cycle. Handshake: valid only.

module tilefly_lane_gate #(
    /// classes
    parameter int Classes = tilefly_pkg::CLASSES,
    /// virtual lanes
    parameter int Vls = tilefly_pkg::VLS
) (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// number of the current cycle
    input  logic              [      47:0] cycle_i,
    /// number of this port
    input  logic              [       5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t              cfg_i,
    /// the port has credits; if not, it obeys PAUSE
    input  logic                           credits_i,
    /* verilator lint_off UNUSEDSIGNAL */  // other settings are for others
    /// how the port retries
    input  tilefly_retry_pkg::settings_t   retry_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the link works in this cycle
    input  logic                           link_up_i,
    /// control slots are heard
    input  logic                           heard_i,
    /* verilator lint_off UNUSEDSIGNAL */  // other fields of the slot are for others
    /// control slot on the wire in this cycle; ignored if the FEC could not correct it
    input  tilefly_pkg::ctrl_t             ctrl_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// cycle until which class c is paused, in bits [c*48 +: 48]
    input  logic              [Classes*48-1:0] pause_until_i,
    /// lanes of class c, in bits [c*Vls +: Vls]
    input  logic              [Classes*Vls-1:0] class_lanes_i,
    /// lanes with a request
    input  logic              [   Vls-1:0] want_i,
    /// those of these lanes that may send an MTU
    output logic              [   Vls-1:0] lane_ok_o,
    /// a packet is granted
    input  logic                           grant_valid_i,
    /// lane of the packet
    input  logic              [       3:0] grant_vl_i,
    /// cells of the packet
    input  logic              [       6:0] grant_cells_i,
    /// a return that made no sense was ignored
    output logic                           bad_credit_o,
    /// a return changed the cells in use of a lane, at a retry port
    output logic                           returned_o,
    /// so many cells of a lane are in use that the port gives its link up
    output logic                           over_o,
    /// a packet is taken out of the output buffer
    input  logic                           take_valid_i,
    /// lane of the packet
    input  logic              [       3:0] take_vl_i,
    /// cells of the packet
    input  logic              [       6:0] take_cells_i,
    /// it is discarded
    input  logic                           take_lost_i,
    /// a packet started on the link
    input  tilefly_retry_pkg::start_t      start_i,
    /// stamp of the control slot in this cycle
    output tilefly_retry_pkg::stamp_t      stamp_o,
    /// a return is on its way, or a stamp is due
    output logic                           busy_o
);

  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int CtrlCycles = 4;

  logic ret_valid, ctrl_busy, sender_quiescent;
  logic [3:0] ret_vl;
  logic [15:0] ret_cells;
  logic [Vls-1:0] credit_ok, paused;

  tilefly_delay_line #(
      .Width(20),
      .Depth(CtrlCycles)
  ) u_ctrl (
      .clk_i,
      .rst_ni,
      .valid_i(ctrl_i.credit_valid && !ctrl_i.err && heard_i && credits_i),
      .data_i ({ctrl_i.credit_vl, ctrl_i.credit_cells}),
      .valid_o(ret_valid),
      .data_o ({ret_vl, ret_cells}),
      .busy_o (ctrl_busy)
  );

  tilefly_credit_sender u_credit (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .enable_i     (credits_i),
      .retry_i      (retry_i.on),
      .link_up_i,
      .want_i,
      .lane_ok_o    (credit_ok),
      .grant_valid_i,
      .grant_vl_i,
      .grant_cells_i,
      .ret_valid_i  (ret_valid),
      .ret_vl_i     (ret_vl),
      .ret_cells_i  (ret_cells),
      .bad_return_o (bad_credit_o),
      .returned_o,
      .take_valid_i,
      .take_vl_i,
      .take_cells_i,
      .take_lost_i,
      .start_valid_i(start_i.valid),
      .start_again_i(start_i.again),
      .start_vl_i   (start_i.vl),
      .start_len_i  (start_i.len),
      .stamp_valid_o(stamp.valid),
      .stamp_vl_o   (stamp.vl),
      .stamp_cells_o(stamp.cells),
      .over_o,
      .quiescent_o  (sender_quiescent)
  );

  // A port that came up without its retry blocks sends no stamps.
  tilefly_retry_pkg::stamp_t stamp;
  assign stamp_o = retry_i.enable ? stamp : '0;

  // A class is paused until its cycle.
  always_comb begin
    paused = '0;
    if (want_i != '0 && !credits_i) begin
      for (int c = 0; c < Classes; c++) begin
        if (cycle_i < pause_until_i[c*48+:48]) paused = paused | class_lanes_i[c*Vls+:Vls];
      end
    end
  end

  assign lane_ok_o = credits_i ? credit_ok : want_i & ~paused;
  assign busy_o = ctrl_busy || !sender_quiescent;

endmodule
