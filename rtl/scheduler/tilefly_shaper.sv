// SPDX-License-Identifier: Apache-2.0
// Maximums of the classes of one output: token buckets, kept as the time at which the bucket has been paid. Manual:
// docs/blocks/scheduler.md, "Shaper".
// Latency: eligibility is combinational on the cycle's number; a grant or a write in cycle t (an event of t) is seen from
// t + 1. Throughput: one grant a cycle. Times are in 1/256 cycle. Nothing counts while nobody asks.
// Nothing but two bits a class is reset: a cost and a depth count while `limited_q` says that the class has a maximum, a due
// time while `paid_q` says that something was paid since reset.

module tilefly_shaper #(
    /// classes
    parameter int Classes = tilefly_pkg::CLASSES,
    /// bits of a class's number
    parameter int ClassW = $clog2(Classes)
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// number of the current cycle
    input  logic [       47:0] cycle_i,
    /// set the maximum of a class
    input  logic               write_i,
    /// the class
    input  logic [ ClassW-1:0] write_class_i,
    /// time that a cell costs; 0: the class has no maximum
    input  logic [       15:0] write_cost_i,
    /// depth of the class's bucket
    input  logic [       31:0] write_depth_i,
    /// classes in question
    input  logic [Classes-1:0] ask_i,
    /// those of these classes that may be served
    output logic [Classes-1:0] eligible_o,
    /// a request is granted
    input  logic               grant_i,
    /// class of the request
    input  logic [ ClassW-1:0] grant_class_i,
    /// cells of the request
    input  logic [        6:0] grant_cells_i
);

  localparam int TimeW = 48 + 8;

  logic [15:0] cost_q[2**ClassW];
  logic [31:0] depth_q[2**ClassW];
  logic [TimeW-1:0] due_q[2**ClassW];
  logic [Classes-1:0] limited_q, paid_q;
  logic [TimeW-1:0] now;

  assign now = {cycle_i, 8'd0};

  always_comb begin
    eligible_o = ask_i;
    if ((ask_i & limited_q) != '0) begin
      for (int c = 0; c < Classes; c++) begin
        if (limited_q[c] && now <= (paid_q[c] ? due_q[c] : '0)) eligible_o[c] = 1'b0;
      end
    end
  end

  // What a grant pays: from the due time on, but from no earlier than a full bucket allows.
  logic pays;
  logic [TimeW-1:0] full, from, due;

  always_comb begin
    pays = 1'b0;
    full = '0;
    from = '0;
    due  = '0;
    if (grant_i && limited_q[grant_class_i]) begin
      pays = 1'b1;
      if (now > TimeW'(depth_q[grant_class_i])) full = now - TimeW'(depth_q[grant_class_i]);
      if (paid_q[grant_class_i]) from = due_q[grant_class_i];
      if (full > from) from = full;
      due = from + TimeW'(grant_cells_i) * TimeW'(cost_q[grant_class_i]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      limited_q <= '0;
      paid_q    <= '0;
    end else begin
      if (write_i) limited_q[write_class_i] <= write_cost_i != '0;
      if (pays) paid_q[grant_class_i] <= 1'b1;
    end
    if (write_i) begin
      cost_q[write_class_i]  <= write_cost_i;
      depth_q[write_class_i] <= write_depth_i;
    end
    if (pays) due_q[grant_class_i] <= due;
  end

endmodule
