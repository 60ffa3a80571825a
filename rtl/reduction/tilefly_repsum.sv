// SPDX-License-Identifier: Apache-2.0
// Adds two partial reproducible sums. Manual: docs/blocks/arithmetic.md, "Reproducible sum".
// Latency: operands in cycle t, the sum (flops) in t + 6. Throughput: one a cycle. Handshake: valid only; nothing holds one back.
//
//   t                    t + 1        t + 2   t + 3, t + 4   t + 5
//   head, shifts of the  bins         bins    (delayed)      result
//   bins                 shifted      added
//
// Whatever is not added has bins of zero in front, so that an operand alone, and a special value, pass as they are.

module tilefly_repsum (
    /// clock
    input  logic         clk_i,
    /// synchronous reset, active low
    input  logic         rst_ni,
    /// operands stand on the other inputs in this cycle
    input  logic         valid_i,
    /// operands that count: bit 0 a, bit 1 b
    input  logic [  1:0] use_i,
    /// operands: {low 3, ovfl 2, m 8, bins 4 x 64, t[0] lowest}
    input  logic [268:0] a_i,
    input  logic [268:0] b_i,
    /// a sum stands on the outputs (flop)
    output logic         valid_o,
    /// the sum (flop)
    output logic [268:0] y_o,
    /// a sum is inside or on the outputs
    output logic         busy_o
);

  localparam int Cycles = tilefly_pkg::COMBINE_CYCLES;
  localparam int Bins = 4;
  localparam int BinsW = 256;
  localparam int HeadW = tilefly_arith_pkg::REPSUM_HEAD_W;
  localparam int Width = tilefly_arith_pkg::REPSUM_W;
  localparam logic [7:0] LowestM = -8'd26;
  localparam logic [7:0] HighestM = 8'd25;
  localparam logic [7:0] BelowSpecialM = 8'd124;
  localparam logic [7:0] MinusInfinityM = 8'd125;
  localparam logic [7:0] InfinityM = 8'd126;
  localparam logic [2:0] BitsLost = 3'd5;

  // 0 a number, 1 -infinity, 2 +infinity, 3 NaN: of two, the OR of them is what their sum is.
  function automatic [1:0] special(input [7:0] m);
    if (m <= HighestM || m >= LowestM) special = 2'd0;
    else if (m == MinusInfinityM) special = 2'd1;
    else if (m == InfinityM) special = 2'd2;
    else special = 2'd3;
  endfunction

  // 1 + distance of the lowest bin ever used from the operand's own m; 0: none was.
  function automatic [2:0] depth(input [2:0] low, input [BinsW-1:0] t);
    depth = '0;
    for (int i = Bins - 1; i >= 0; i--) begin
      if (t[i*64+:64] != '0) depth = 3'(Bins - i);
    end
    if (low > depth) depth = low;
  endfunction

  // The same from the sum's m.
  function automatic [2:0] depth_below(input [2:0] own, input [2:0] shift);
    reg [3:0] below;
    below = {1'b0, own} + {1'b0, shift};
    if (own == '0) depth_below = '0;
    else depth_below = below > {1'b0, BitsLost} ? BitsLost : below[2:0];
  endfunction

  // Places by which the bins of an operand move when the sum's m is d higher: beyond the last there is no difference.
  function automatic [2:0] places(input [7:0] d);
    places = d > 8'(Bins) ? 3'(Bins) : d[2:0];
  endfunction

  // Each bin modulo 2^64, and whether a signed one wrapped.
  function automatic [BinsW:0] added(input [BinsW-1:0] a, input [BinsW-1:0] b);
    reg [63:0] bin_a, bin_b, sum;
    reg wrapped;
    wrapped = 1'b0;
    for (int i = 0; i < Bins; i++) begin
      bin_a = a[i*64+:64];
      bin_b = b[i*64+:64];
      sum   = bin_a + bin_b;
      if (bin_a[63] == bin_b[63] && sum[63] != bin_a[63]) wrapped = 1'b1;
      added[i*64+:64] = sum;
    end
    added[BinsW] = wrapped;
  endfunction

  // In cycle t
  tilefly_arith_pkg::repsum_head_t head_a, head_b, head;
  logic [BinsW-1:0] bins_a, bins_b;
  logic [2:0] places_a, places_b, depth_a, depth_b;
  logic [1:0] kind;
  logic b_higher;

  always_comb begin
    head_a   = '0;
    head_b   = '0;
    head     = '0;
    bins_a   = '0;
    bins_b   = '0;
    places_a = '0;
    places_b = '0;
    depth_a  = '0;
    depth_b  = '0;
    kind     = '0;
    b_higher = 1'b0;
    if (valid_i) begin
      if (use_i[0]) {head_a, bins_a} = a_i;
      if (use_i[1]) {head_b, bins_b} = b_i;
      head = head_a | head_b;
      if (use_i == 2'b11) begin
        kind      = special(head_a.m) | special(head_b.m);
        b_higher  = {!head_b.m[7], head_b.m[6:0]} > {!head_a.m[7], head_a.m[6:0]};
        head      = '0;
        if (kind != '0) begin
          bins_a = '0;
          bins_b = '0;
          head.m = BelowSpecialM + 8'(kind);
        end else begin
          if (b_higher) places_a = places(head_b.m - head_a.m);
          else places_b = places(head_a.m - head_b.m);
          depth_a   = depth_below(depth(head_a.low, bins_a), places_a);
          depth_b   = depth_below(depth(head_b.low, bins_b), places_b);
          head.low  = depth_a > depth_b ? depth_a : depth_b;
          head.ovfl = {1'b0, head_a.ovfl != '0 || head_b.ovfl != '0};
          head.m    = b_higher ? head_b.m : head_a.m;
        end
      end
    end
  end

  logic [Cycles-1:0] valid_q;  // bit s: a sum is in stage s + 1
  logic [HeadW-1:0] head1_q, head2_q;
  logic [2:0] places_a1_q, places_b1_q;
  logic [BinsW-1:0] bins_a1_q, bins_b1_q, bins_a2_q, bins_b2_q;
  logic [Width-1:0] sum, delayed, y_q;
  logic wrapped, delayed_valid, delay_busy;

  always_comb begin
    wrapped = 1'b0;
    sum     = '0;
    if (valid_q[1]) begin
      {wrapped, sum[BinsW-1:0]} = added(bins_a2_q, bins_b2_q);
      sum[Width-1:BinsW] = head2_q;
      if (wrapped) sum[BinsW+8] = 1'b1;
    end
  end

  tilefly_delay_line #(
      .Width(Width),
      .Depth(Cycles - 3)
  ) u_delay (
      .clk_i,
      .rst_ni,
      .valid_i(valid_q[1]),
      .data_i (sum),
      .valid_o(delayed_valid),
      .data_o (delayed),
      .busy_o (delay_busy)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Cycles-2:0], valid_i};
    if (valid_i) begin
      head1_q     <= head;
      bins_a1_q   <= bins_a;
      bins_b1_q   <= bins_b;
      places_a1_q <= places_a;
      places_b1_q <= places_b;
    end
    if (valid_q[0]) begin
      head2_q   <= head1_q;
      bins_a2_q <= bins_a1_q >> {places_a1_q, 6'd0};
      bins_b2_q <= bins_b1_q >> {places_b1_q, 6'd0};
    end
    if (!rst_ni) y_q <= '0;
    else if (delayed_valid) y_q <= delayed;
  end

  assign valid_o = valid_q[Cycles-1];
  assign y_o     = y_q;
  assign busy_o  = valid_q != '0;

  // Assertions.
`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ARITH_1_repsum : assert (delayed_valid == valid_q[Cycles-2]);
      ARITH_1_inside : assert (busy_o || !delay_busy);
    end
  end
`endif

endmodule
