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
    input  logic                               clk_i,
    /// synchronous reset, active low
    input  logic                               rst_ni,
    /// number of the current cycle; it has to be right in each event of the account, and while `quiescent_o` is 0
    input  logic                        [47:0] cycle_i,
    /// number of this port
    input  logic                        [ 5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all
    input  tilefly_pkg::cfg_t                  cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// what this cycle's events are judged by
    output tilefly_acks_pkg::deadline_t        deadline_o,
    /// no walk is under way
    output logic                               quiescent_o
);

  localparam logic [6:0] AllPorts = 7'd127;
  localparam logic [10:0] Flows = 11'd1024;

  logic [7:0] sweeps_q, before_q;
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
      if (write) before_q <= sweeps_q;
      walked_q <= '0;
    end else if (walked_q != Flows) begin
      walked_q <= walked_q + 11'd1;
    end
  end

  always_comb begin
    {deadline_o.sweep, deadline_o.looked} = cycle_i;
    deadline_o.walks  = left_q != '0;
    deadline_o.walked = walked_q;
    deadline_o.before = before_q;
    deadline_o.sweeps = sweeps_q;
  end
  assign quiescent_o = left_q == '0;

endmodule
