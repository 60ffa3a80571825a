// SPDX-License-Identifier: Apache-2.0
// Combines two words of operands, operand lane by operand lane. Manual: docs/blocks/arithmetic.md.
// Latency: operands in cycle t, the result (flops) in t + 6. Throughput: a word a cycle. Handshake: valid only; nothing holds a
// word back.
//
//   t                     t + 1 .. t + 4                            t + 5             t + 6
//   bytes in use --+--> floating sums, a lane of each type -------> special values -> result
//                  +--> all others, done in t + 1, delayed ------------------------->
//
// What is not in use is made zero in front: zeros give zero and no flag with every operation. An operand alone is combined bit by
// bit with nothing, and so is an illegal pair, of which no byte is in use.

module tilefly_combine (
    /// clock
    input  logic         clk_i,
    /// synchronous reset, active low
    input  logic         rst_ni,
    /// operands stand on the other inputs in this cycle
    input  logic         valid_i,
    /// operation
    input  logic [  3:0] op_i,
    /// type
    input  logic [  2:0] type_i,
    /// rounding of a floating sum
    input  logic [  1:0] rnd_i,
    /// a floating sum flushes subnormals
    input  logic         ftz_i,
    /// operands that count: bit 0 a, bit 1 b
    input  logic [  1:0] use_i,
    /// last byte in use
    input  logic [  4:0] last_i,
    /// operands, byte i in bits 8i+7..8i
    input  logic [255:0] a_i,
    input  logic [255:0] b_i,
    /// a result stands on the outputs (flop)
    output logic         valid_o,
    /// the result (flop)
    output logic [255:0] y_o,
    /// flags of the result (flop)
    output logic [  3:0] flags_o,
    /// a word is inside or on the outputs
    output logic         busy_o
);

  localparam int Cycles = tilefly_pkg::COMBINE_CYCLES;
  localparam int FlagsW = tilefly_arith_pkg::FLAGS_W;
  localparam int Sums = 4;  // types that are summed in floating point, FLOAT16 first
  localparam int Ways = 1 + Sums;
  localparam int DelayCycles = Cycles - 2;

  // What is in use, and which way it goes.
  logic both, legal;
  logic [3:0] op;
  logic [2:0] scale;
  logic [5:0] used;
  logic [255:0] mask, a, b;
  logic [Ways-1:0] way;  // bit 0: not a floating sum; bit 1 + k: sum of type FLOAT16 + k

  always_comb begin
    both  = 1'b0;
    legal = 1'b0;
    op    = tilefly_pkg::RED_OP_OR;
    scale = '0;
    used  = '0;
    mask  = '0;
    a     = '0;
    b     = '0;
    way   = '0;
    if (valid_i) begin
      both  = use_i == 2'b11;
      legal = both && tilefly_arith_pkg::is_legal(op_i, type_i);
      if (legal) begin
        op    = op_i;
        scale = tilefly_arith_pkg::lane_scale(type_i) + 3'(tilefly_arith_pkg::has_records(op_i));
      end
      if (legal || !both) used = tilefly_arith_pkg::bytes_used(last_i, scale);
      mask = ~({256{1'b1}} << {used, 3'b000});
      if (use_i[0]) a = a_i & mask;
      if (use_i[1]) b = b_i & mask;
      way[0] = 1'b1;
      for (int k = 0; k < Sums; k++) begin
        if (op == tilefly_pkg::RED_OP_SUM && type_i == tilefly_pkg::RED_TYPE_FLOAT16 + 3'(k)) way = Ways'(2) << k;
      end
    end
  end

  // Stages 1 to 5: where words are. Kept apart from the inputs, or a simulator takes all for a function of them.
  logic [Ways-1:0] way1_q, way2_q, way3_q, way4_q, way5_q;
  tilefly_arith_pkg::mode_t mode1_q, mode2_q, mode3_q, mode4_q, mode5_q;
  logic valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {way1_q, way2_q, way3_q, way4_q, way5_q} <= '0;
      valid_q <= 1'b0;
    end else begin
      {way1_q, way2_q, way3_q, way4_q, way5_q} <= {way, way1_q, way2_q, way3_q, way4_q};
      valid_q <= way5_q != '0;
    end
    if (way[Sums:1] != '0) mode1_q <= {rnd_i, ftz_i};
    if (way1_q[Sums:1] != '0) mode2_q <= mode1_q;
    if (way2_q[Sums:1] != '0) mode3_q <= mode2_q;
    if (way3_q[Sums:1] != '0) mode4_q <= mode3_q;
    if (way4_q[Sums:1] != '0) mode5_q <= mode4_q;
  end

  // Floating sums.
  logic [Sums*256-1:0] sums;
  logic [Sums*FlagsW-1:0] sum_flags;

  generate
    for (genvar k = 0; k < Sums; k++) begin : gen_sum
      tilefly_float_sum #(
          .ExpW (k == 0 ? 5 : k == 3 ? 11 : 8),
          .FracW(k == 0 ? 10 : k == 1 ? 7 : k == 2 ? 23 : 52)
      ) u_sum (
          .clk_i,
          .enter_i     (way[1+k]),
          .stages_i    ({way5_q[1+k], way4_q[1+k], way3_q[1+k], way2_q[1+k], way1_q[1+k]}),
          .enter_ftz_i (ftz_i),
          .round_rnd_i (mode4_q.rnd),
          .leave_mode_i(mode5_q),
          .a_i         (a),
          .b_i         (b),
          .y_o         (sums[k*256+:256]),
          .flags_o     (sum_flags[k*FlagsW+:FlagsW])
      );
    end
  endgenerate

  // All others.
  logic [255:0] a_q, b_q, exact;
  logic [3:0] op_q;
  logic [2:0] type_q;
  logic [FlagsW-1:0] exact_flags;
  logic delayed_valid, delay_busy;
  logic [255:0] delayed;
  logic [FlagsW-1:0] delayed_flags;

  always_ff @(posedge clk_i) begin
    if (way[0]) begin
      a_q    <= a;
      b_q    <= b;
      op_q   <= op;
      type_q <= type_i;
    end
  end

  tilefly_exact u_exact (
      .valid_i(way1_q[0]),
      .op_i   (op_q),
      .type_i (type_q),
      .a_i    (a_q),
      .b_i    (b_q),
      .y_o    (exact),
      .flags_o(exact_flags)
  );

  tilefly_delay_line #(
      .Width(FlagsW + 256),
      .Depth(DelayCycles)
  ) u_delay (
      .clk_i,
      .rst_ni,
      .valid_i(way1_q[0]),
      .data_i ({exact_flags, exact}),
      .valid_o(delayed_valid),
      .data_o ({delayed_flags, delayed}),
      .busy_o (delay_busy)
  );

  // The result.
  logic [255:0] y_q, y_d;
  logic [FlagsW-1:0] flags_q, flags_d;
  logic result;
  assign result = way5_q != '0;

  always_comb begin
    y_d     = '0;
    flags_d = '0;
    if (delayed_valid) begin
      y_d     = delayed;
      flags_d = delayed_flags;
    end else if (result) begin
      for (int k = 0; k < Sums; k++) begin
        y_d     = y_d | sums[k*256+:256];
        flags_d = flags_d | sum_flags[k*FlagsW+:FlagsW];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      y_q     <= '0;
      flags_q <= '0;
    end else if (result) begin
      y_q     <= y_d;
      flags_q <= flags_d;
    end
  end

  assign valid_o = valid_q;
  assign y_o     = y_q;
  assign flags_o = flags_q;
  assign busy_o  = {way1_q, way2_q, way3_q, way4_q, way5_q, valid_q} != '0;

  // Assertions.
`ifndef SYNTHESIS
  tilefly_combine_check u_check (
      .clk_i,
      .rst_ni,
      .valid_i,
      .op_i,
      .type_i,
      .use_i,
      .last_i,
      .result_i(valid_o),
      .y_i     (y_o),
      .busy_i  (busy_o)
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ARITH_1_exact : assert (delayed_valid == way5_q[0]);
      ARITH_1_inside : assert (busy_o || !delay_busy);
    end
  end
`endif

endmodule
