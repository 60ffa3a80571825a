// SPDX-License-Identifier: Apache-2.0
// Whether a retry port gives its link up: by the replay limit, by too many cells in use, or by the watchdog, which finds a far end
// that returns no credits. Manual: docs/blocks/link_retry.md, "Link down".
// Latency: what comes in cycle t is on `link_fail_o` (flop) in t + 1. Throughput: every input in every cycle. Handshake: valid only;
// `link_fail_o` stays until the link is down.
//
//   cycle  t: a return, or no lane waits     t + 64 watchdog: due, an event      one later: link_fail_o

module tilefly_link_watch (
    /// clock
    input  logic                          clk_i,
    /// synchronous reset, active low
    input  logic                          rst_ni,
    /* verilator lint_off UNUSEDSIGNAL */  // the timer of replays and the like are for others
    /// how the port retries
    input  tilefly_retry_pkg::settings_t  retry_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the link works
    input  logic                          link_up_i,
    /// the replay limit is reached
    input  logic                          failed_i,
    /// too many cells of a lane are in use
    input  logic                          over_i,
    /// a lane that has a stored request has no credit for it
    input  logic                          waits_i,
    /// a return changes the cells in use of a lane
    input  logic                          returned_i,
    /// the port asks for its link to go down (flop)
    output logic                          link_fail_o,
    /// event: `link_fail_o` rises
    output logic                          given_up_o,
    /// event: the watchdog is due
    output logic                          watchdog_o
);

  localparam int SilentW = 16 + 6;  // 64 cycles for each of `watchdog`

  // Cycles since the last one in which a return came, the link was down, or no lane waited; saturates.
  logic [SilentW-1:0] silent_q;
  logic fail_q, due, fails;

  always_comb begin
    due   = 1'b0;
    fails = 1'b0;
    if (retry_i.on) begin
      due   = retry_i.watchdog != '0 && silent_q >= {retry_i.watchdog, 6'd0};
      fails = link_up_i && (failed_i || over_i || due);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !retry_i.on) begin
      silent_q <= SilentW'(1);
      fail_q   <= 1'b0;
    end else begin
      fail_q <= link_up_i && (fail_q || fails);
      if (due || returned_i || !link_up_i || !waits_i) silent_q <= SilentW'(1);
      else if (silent_q != '1) silent_q <= silent_q + 1'b1;
    end
  end

  assign link_fail_o = fail_q;
  assign given_up_o = fails && !fail_q;
  assign watchdog_o = due;

  // Assertion: what is given up stays so until the link is down.
`ifndef SYNTHESIS
  logic stays_q;
  always_ff @(posedge clk_i) begin
    stays_q <= rst_ni && retry_i.on && link_up_i && fail_q;
    if (rst_ni) LSV_7 : assert (!stays_q || fail_q);
  end
`endif

endmodule
