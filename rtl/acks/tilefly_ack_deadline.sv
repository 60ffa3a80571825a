// SPDX-License-Identifier: Apache-2.0
// When the flow account forgets cells: the register PORT.ACK_DEADLINE, the looks, and the walk behind a write of the register.
// Manual: docs/blocks/link_retry.md, "Deadline of the account".
// Latency: a write that is on `cfg_i` in cycle t (an event of t) counts for looks from t + 1 on. Handshake: valid only.
//
//   cycle        t      t+1   ...   t+1024   t+1025
//   sweeps       old    new
//   walks               1           1        0          looks are judged one by one; else when somebody asks

module tilefly_ack_deadline (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// number of this port
    input  logic              [ 5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all
    input  tilefly_pkg::cfg_t        cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// sweeps after which cells are forgotten, for looks of this cycle (flop)
    output logic              [ 7:0] sweeps_o,
    /// a walk: the look of this cycle is judged in the cycle itself
    output logic                     walks_o,
    /// looks of the walk before this cycle (flop); from 1024 on each flow has had its own
    output logic              [10:0] walked_o,
    /// sweeps for looks before the walk (flop)
    output logic              [ 7:0] earlier_o
);

  localparam logic [6:0] AllPorts = 7'd127;
  localparam logic [10:0] Flows = 11'd1024;

  logic [7:0] sweeps_q, earlier_q;
  logic [10:0] left_q, walked_q;  // looks of the walk that are to come, and that were: at most 1024
  logic write;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      cfg_i.index == 11'(tilefly_pkg::PORT_REG_ACK_DEADLINE) && (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweeps_q <= tilefly_pkg::PORT_ACK_DEADLINE_RESET;
      left_q   <= '0;
    end else begin
      if (write) sweeps_q <= tilefly_pkg::get_port_ack_deadline(cfg_i.data);
      if (write) left_q <= Flows;
      else if (left_q != '0) left_q <= left_q - 11'd1;
    end
    // A write amid a walk makes the walk longer: flows that have had their look have another one, the others one.
    if (left_q == '0) begin
      if (write) earlier_q <= sweeps_q;
      walked_q <= '0;
    end else if (walked_q != Flows) begin
      walked_q <= walked_q + 11'd1;
    end
  end

  assign sweeps_o  = sweeps_q;
  assign walks_o   = left_q != '0;
  assign walked_o  = walked_q;
  assign earlier_o = earlier_q;

endmodule
