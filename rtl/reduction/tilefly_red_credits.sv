// SPDX-License-Identifier: Apache-2.0
// Credits that the peers of the ports gave for one slot. Manual: docs/blocks/reduction.md, "Credits", "CFU: launches". Ports lie side by
// side: bit b of all counts is a word, and all are worked on at once.
// Latency: a CREDIT of cycle t counts from t + 1 on; answers are combinational. Throughput: a CREDIT a port and cycle.

module tilefly_red_credits #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// segments that may be sent without a credit; a power of 2
    parameter int Segments = tilefly_pkg::RED_SEGMENTS
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// the slot is bound; else all is 0
    input  logic               bound_i,
    /// ports with a CREDIT
    input  logic [  Ports-1:0] credit_i,
    /// count that the CREDIT says, modulo 256: bit b in bits [b*Ports +: Ports]
    input  logic [8*Ports-1:0] counts_i,
    /// number of the next segment upwards
    input  logic [       15:0] ups_i,
    /// number of the next result downwards
    input  logic [       15:0] downs_i,
    /// ports whose peer has room for segment number `ups_i`
    output logic [  Ports-1:0] up_credit_o,
    /// ports whose peer has room for result number `downs_i`
    output logic [  Ports-1:0] down_credit_o
);

  localparam int NearW = $clog2(Segments);

  logic [Ports-1:0] credit_q[16], credit_d[16];  // bit b of the ports' credits
  logic [Ports-1:0] count, carry;

  // What a CREDIT says replaces the lower half; when that falls, the upper half goes up.
  always_comb begin
    carry = '0;
    count = '0;
    for (int b = 0; b < 8; b++) begin
      count = counts_i[b*Ports+:Ports];
      credit_d[b] = credit_q[b] & ~credit_i | count & credit_i;
      carry = credit_q[b] & ~count | ~(credit_q[b] ^ count) & carry;
    end
    carry = carry & credit_i;
    for (int b = 8; b < 16; b++) begin
      credit_d[b] = credit_q[b] ^ carry;
      carry = carry & credit_q[b];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !bound_i) begin
      for (int b = 0; b < 16; b++) credit_q[b] <= '0;
    end else if (credit_i != '0) begin
      for (int b = 0; b < 16; b++) credit_q[b] <= credit_d[b];
    end
  end

  // Number less credit, modulo 65536, is near when only its lowest bits are set.
  logic [Ports-1:0] up_far, up_borrow, down_far, down_borrow;

  always_comb begin
    up_far      = '0;
    up_borrow   = '0;
    down_far    = '0;
    down_borrow = '0;
    for (int b = 0; b < 16; b++) begin
      if (b >= NearW) begin
        up_far   = up_far | credit_q[b] ^ up_borrow ^ {Ports{ups_i[b]}};
        down_far = down_far | credit_q[b] ^ down_borrow ^ {Ports{downs_i[b]}};
      end
      up_borrow   = ups_i[b] ? credit_q[b] & up_borrow : credit_q[b] | up_borrow;
      down_borrow = downs_i[b] ? credit_q[b] & down_borrow : credit_q[b] | down_borrow;
    end
  end
  assign up_credit_o   = ~up_far;
  assign down_credit_o = ~down_far;

  // Assertions.
`ifndef SYNTHESIS
`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (Segments != 2 ** NearW) $fatal(1, "tilefly_red_credits: Segments %0d; wanted: a power of 2", Segments);
  end
`endif
`endif

endmodule
