// SPDX-License-Identifier: Apache-2.0
// Chooses the class that an output serves: round-robin, the first active class at or after the pointer. This is the place
// of the Deficit Table. Manual: docs/blocks/scheduler.md.
// Latency: the choice is combinational on the mask and the pointer. Throughput: one choice a cycle.
// Handshake: the pointer moves past the class when `taken_i` says that a packet of it was granted; else the scheduler
// waits at the class.

module tilefly_class_chooser (
    /// clock
    input  logic                                    clk_i,
    /// synchronous reset, active low
    input  logic                                    rst_ni,
    /// classes with a request in a lane that may send
    input  logic         [tilefly_pkg::CLASSES-1:0] active_i,
    /// a grant is given to the chosen class in this cycle
    input  logic                                    taken_i,
    /// the class served; zero when none is active
    output logic [$clog2(tilefly_pkg::CLASSES)-1:0] class_o
);

  localparam int Classes = tilefly_pkg::CLASSES;

  /* verilator lint_off UNUSEDSIGNAL */  // the winner is wanted as a number
  logic [Classes-1:0] winner;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [$clog2(Classes)-1:0] pointer_q, pointer_next;

  tilefly_rr_arbiter #(
      .N(Classes)
  ) u_class (
      .req_i    (active_i),
      .pointer_i(pointer_q),
      .grant_o  (winner),
      .index_o  (class_o),
      .next_o   (pointer_next)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) pointer_q <= '0;
    else if (taken_i) pointer_q <= pointer_next;
  end

endmodule
