// SPDX-License-Identifier: Apache-2.0
// Tilefly's own switch between AXI-Streams, with what its user adds: a count of cycles, and the register writes of
// docs/blocks/axis.md, "A switch of streams", from a ROM after each reset. Until they are in force no stream is taken.
//
// - Port i has the MAC 02:00:00:00:00:i, as the switch computes it; ff:ff:ff:ff:ff:ff leaves by all ports but its own; all others
//   are dropped, and so are frames with tuser 1 on their last beat.
// - A port that is full sends PAUSE to its adapter, which then takes no more beats: no frame is lost.
module stream_switch #(
  parameter int W = 64   // bits of tdata
) (
  input  logic                               clk,
  input  logic                               rst_n,
  input  logic [tilefly_pkg::PORTS*W-1:0]    s_axis_tdata,
  input  logic [tilefly_pkg::PORTS*W/8-1:0]  s_axis_tkeep,
  input  logic [tilefly_pkg::PORTS-1:0]      s_axis_tvalid,
  output logic [tilefly_pkg::PORTS-1:0]      s_axis_tready,
  input  logic [tilefly_pkg::PORTS-1:0]      s_axis_tlast,
  input  logic [tilefly_pkg::PORTS-1:0]      s_axis_tuser,
  output logic [tilefly_pkg::PORTS*W-1:0]    m_axis_tdata,
  output logic [tilefly_pkg::PORTS*W/8-1:0]  m_axis_tkeep,
  output logic [tilefly_pkg::PORTS-1:0]      m_axis_tvalid,
  input  logic [tilefly_pkg::PORTS-1:0]      m_axis_tready,
  output logic [tilefly_pkg::PORTS-1:0]      m_axis_tlast,
  output logic [tilefly_pkg::PORTS-1:0]      m_axis_tuser
);
  import tilefly_pkg::*;

  localparam logic [6:0]  ALL_PORTS = 7'd127;
  localparam int          WRITES = 3;
  localparam logic [47:0] READY_AT = 48'd40;            // a write is in force within 32 cycles
  // fields from the highest on: docs/reference/registers.md
  localparam port_mode_t  MODE = '{enable: 1'b1, std_format: 1'b1, lanes: 3'd4, trust: 2'd2, default: '0};
  localparam port_pause_t PAUSE = '{send: 1'b1, xon: 12'(PAUSE_XON_CELLS), xoff: 12'(PAUSE_XOFF_CELLS), default: '0};

  logic [47:0] cycle_q;
  cfg_t        cfg;
  always_ff @(posedge clk) cycle_q <= rst_n ? cycle_q + 48'd1 : 48'd0;
  always_comb begin
    cfg = '0;
    cfg.valid = rst_n && cycle_q < 48'(WRITES);
    cfg.port = ALL_PORTS;
    cfg.space = CFG_PORT;
    unique case (cycle_q[1:0])
      2'd0: begin
        cfg.index = 11'(PORT_REG_PAUSE);
        cfg.data = put_port_pause(PAUSE);
      end
      2'd1: begin
        cfg.index = 11'(PORT_REG_FLOOD_BROADCAST);
        cfg.data = '1;
      end
      default: begin
        cfg.index = 11'(PORT_REG_MODE);
        cfg.data = put_port_mode(MODE);
      end
    endcase
  end

  logic             ready;
  logic [PORTS-1:0] takes;
  assign ready = cycle_q >= READY_AT;
  assign s_axis_tready = ready ? takes : '0;

  tilefly_axis_switch #(.DataW(W), .Pad(1)) u_switch (
    .clk_i(clk),
    .rst_ni(rst_n),
    .cycle_i(cycle_q),
    .cfg_i(cfg),
    .s_axis_tvalid_i(ready ? s_axis_tvalid : '0),
    .s_axis_tready_o(takes),
    .s_axis_tdata_i(s_axis_tdata),
    .s_axis_tkeep_i(s_axis_tkeep),
    .s_axis_tlast_i(s_axis_tlast),
    .s_axis_tuser_i(s_axis_tuser),
    .m_axis_tvalid_o(m_axis_tvalid),
    .m_axis_tready_i(m_axis_tready),
    .m_axis_tdata_o(m_axis_tdata),
    .m_axis_tkeep_o(m_axis_tkeep),
    .m_axis_tlast_o(m_axis_tlast),
    .m_axis_tuser_o(m_axis_tuser),
    /* verilator lint_off PINCONNECTEMPTY */  // what a stream's user does not need
    .m_axis_tid_o(),
    .rdata_o(),
    .lost_o(),
    .quiescent_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
endmodule
