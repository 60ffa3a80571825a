// SPDX-License-Identifier: Apache-2.0
// Answers the register bus with the counters of one side of a port. Manual: docs/reference/counters.md.
// Latency: a read that is on `cfg_i` in cycle t is answered in t + 1 (flops) with the count of cycle t. Throughput: one read a
// cycle. Handshake: valid only; zero when no counter of this side is read.

module tilefly_counter_answer (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// number of this port
    input  logic              [ 5:0] port_i,
    /* verilator lint_off UNUSEDSIGNAL */  // reads have no data
    /// register bus, delayed so that its request is an event of this cycle
    input  tilefly_pkg::cfg_t        cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a counter of this port is read: `cfg_i.index` says which
    output logic                     asked_o,
    /// the counter belongs to this side of the port
    input  logic                     found_i,
    /// value of the counter
    input  logic              [63:0] count_i,
    /// a counter is answered
    output logic                     rd_valid_o,
    /// value of the counter
    output logic              [63:0] rd_data_o
);

  assign asked_o = cfg_i.valid && cfg_i.read && cfg_i.space == tilefly_pkg::CFG_COUNTER && cfg_i.port == {1'b0, port_i};

  logic rd_valid_d, rd_valid_q;
  logic [63:0] rd_data_q;
  assign rd_valid_d = asked_o && found_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd_valid_q <= 1'b0;
      rd_data_q  <= '0;
    end else if (rd_valid_d || rd_valid_q) begin
      rd_valid_q <= rd_valid_d;
      rd_data_q  <= rd_valid_d ? count_i : '0;
    end
  end

  assign rd_valid_o = rd_valid_q;
  assign rd_data_o  = rd_data_q;

endmodule
