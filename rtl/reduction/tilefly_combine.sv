// SPDX-License-Identifier: Apache-2.0
// Combines two words of operands, lane by lane. Manual: docs/blocks/arithmetic.md.
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
    /// its flags (flop)
    output logic [  3:0] flags_o,
    /// a word is inside or on the outputs
    output logic         busy_o
);

  localparam int Cycles = tilefly_arith_pkg::COMBINE_CYCLES;
  localparam int FlagsW = tilefly_arith_pkg::FLAGS_W;
  localparam int ModeW = tilefly_arith_pkg::MODE_W;
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

  // Stages: those of the floating sums, and the valid bit of the outputs.
  logic [(Cycles-1)*Ways-1:0] ways_q;  // stage s in bits [(s-1)*Ways +: Ways]
  logic [Cycles*Ways-1:0] ways;  // stage 0 too
  logic [(Cycles-1)*ModeW-1:0] modes_q;
  logic [Cycles*ModeW-1:0] modes;
  logic valid_q;
  assign ways  = {ways_q, way};
  assign modes = {modes_q, rnd_i, ftz_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ways_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      ways_q  <= ways[(Cycles-1)*Ways-1:0];
      valid_q <= ways[(Cycles-1)*Ways+:Ways] != '0;
    end
    for (int s = 0; s < Cycles - 1; s++) begin
      if (ways[s*Ways+1+:Sums] != '0) modes_q[s*ModeW+:ModeW] <= modes[s*ModeW+:ModeW];
    end
  end

  // Floating sums.
  logic [Sums*Cycles-1:0] stages;  // of type k in bits [k*Cycles +: Cycles]
  logic [Sums*256-1:0] sums;
  logic [Sums*FlagsW-1:0] sum_flags;

  always_comb begin
    for (int k = 0; k < Sums; k++) begin
      for (int s = 0; s < Cycles; s++) stages[k*Cycles+s] = ways[s*Ways+1+k];
    end
  end

  generate
    for (genvar k = 0; k < Sums; k++) begin : gen_sum
      tilefly_float_lanes #(
          .ExpW (k == 0 ? 5 : k == 3 ? 11 : 8),
          .FracW(k == 0 ? 10 : k == 1 ? 7 : k == 2 ? 23 : 52)
      ) u_lanes (
          .clk_i,
          .stages_i    (stages[k*Cycles+:Cycles]),
          .enter_ftz_i (ftz_i),
          .round_rnd_i (modes[4*ModeW+1+:2]),
          .leave_mode_i(modes[5*ModeW+:ModeW]),
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
      .valid_i(ways[Ways]),
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
      .valid_i(ways[Ways]),
      .data_i ({exact_flags, exact}),
      .valid_o(delayed_valid),
      .data_o ({delayed_flags, delayed}),
      .busy_o (delay_busy)
  );

  // The result.
  logic [255:0] y_q, y_d;
  logic [FlagsW-1:0] flags_q, flags_d;
  logic result;
  assign result = ways[(Cycles-1)*Ways+:Ways] != '0;

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
  assign busy_o  = ways_q != '0 || valid_q;

  // Assertions.
`ifndef SYNTHESIS
  tilefly_combine_check u_check (
      .clk_i,
      .rst_ni,
      .valid_i,
      .computed_i(legal),
      .op_i      (op),
      .type_i,
      .used_i    (used),
      .result_i  (valid_o),
      .y_i       (y_o),
      .busy_i    (busy_o)
  );
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ARITH_1_exact : assert (delayed_valid == ways[(Cycles-1)*Ways]);
      ARITH_1_inside : assert (busy_o || !delay_busy);
    end
  end
`endif

endmodule
