// SPDX-License-Identifier: Apache-2.0
// When a port sends PAUSE frames: PORT.PAUSE. Manual: docs/blocks/switch.md, docs/reference/registers.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the outputs (flops) from t + 1.

module tilefly_port_pause (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// number of this port
    input  logic        [5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t cfg_i,
    /// occupancy at which PAUSE is sent, cells
    output logic       [11:0] xoff_o,
    /// occupancy below which the pause is ended, cells
    output logic       [11:0] xon_o,
    /// this port sends PAUSE
    output logic              send_o
);

  localparam logic [6:0] AllPorts = 7'd127;

  logic [11:0] xoff_q, xon_q;
  logic send_q;
  logic write;
  tilefly_pkg::port_pause_t pause;
  assign pause = tilefly_pkg::get_port_pause(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts) && cfg_i.index == 11'(tilefly_pkg::PORT_REG_PAUSE);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      xoff_q <= 12'(tilefly_pkg::PAUSE_XOFF_CELLS);
      xon_q  <= 12'(tilefly_pkg::PAUSE_XON_CELLS);
      send_q <= 1'b0;
    end else if (write) begin
      xoff_q <= pause.xoff;
      xon_q  <= pause.xon;
      send_q <= pause.send;
    end
  end

  assign xoff_o = xoff_q;
  assign xon_o  = xon_q;
  assign send_o = send_q;

endmodule
