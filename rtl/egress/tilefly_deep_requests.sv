// SPDX-License-Identifier: Apache-2.0
// Lanes of an output in which an input has many requests and more packets behind them: fifos of the request store that are
// deep. Manual: docs/blocks/flow_channel.md, "Meter at the output".
// Latency: a request that arrives or leaves in cycle t (an event of t) is in the lanes (flops) from t + 1 on.
// Throughput: one request a row and cycle in, one a cycle out; the one that leaves goes first. Handshake: valid only.
// Nothing but `has_q` is reset: a mask counts only while its lane's bit is there.

module tilefly_deep_requests #(
    /// requests from which on a fifo is deep
    parameter int Deep = tilefly_pkg::FLOW_DEEP_REQUESTS,
    /// rows that bring requests
    parameter int Rows = tilefly_pkg::OUT_ROWS,
    /// inputs of a row
    parameter int Inputs = tilefly_pkg::ROW_IN,
    /// bits of a fifo's number: {row, lane, input}
    parameter int QueueW = $clog2(Rows) + $clog2(tilefly_pkg::VLS) + $clog2(Inputs),
    /// bits of the number of requests in a fifo
    parameter int SlotW = $clog2(tilefly_pkg::REQUEST_CREDITS + 1)
) (
    /// clock
    input  logic                        clk_i,
    /// synchronous reset, active low
    input  logic                        rst_ni,
    /// a request arrives from row r
    input  logic [            Rows-1:0] in_valid_i,
    /// its fifo, row r in bits [r*QueueW +: QueueW]
    input  logic [     Rows*QueueW-1:0] in_queue_i,
    /// requests that the fifo then stores
    input  logic [      Rows*SlotW-1:0] in_count_i,
    /// the input has packets behind the request
    input  logic [            Rows-1:0] in_more_i,
    /// a request leaves
    input  logic                        out_i,
    /// its fifo
    input  logic [          QueueW-1:0] out_queue_i,
    /// requests that are left there, without one that arrives
    input  logic [           SlotW-1:0] out_count_i,
    /// lanes with a deep fifo
    output logic [tilefly_pkg::VLS-1:0] deep_o
);

  localparam int Vls = tilefly_pkg::VLS;
  localparam int InputW = $clog2(Inputs);
  localparam int LaneW = QueueW - InputW;  // {row, lane}

  logic [Inputs-1:0] mask_q[2**LaneW];  // of {row, lane}: inputs whose fifo is deep
  logic [Rows*Vls-1:0] has_q;  // the mask is not empty

  function automatic logic many(input [SlotW-1:0] count);
    many = 32'(count) >= Deep;
  endfunction

  // The fifo that a request leaves, and its lane's mask behind that.
  logic [LaneW-1:0] out_lane;
  logic [Inputs-1:0] leaving, mask_left;
  assign out_lane = out_queue_i[QueueW-1:InputW];
  always_comb begin
    leaving   = '0;
    mask_left = '0;
    if (out_i && has_q[out_lane]) begin
      if (!many(out_count_i)) leaving = Inputs'(1) << out_queue_i[InputW-1:0];
      mask_left = mask_q[out_lane] & ~leaving;
    end
  end

  // Arrivals, after it.
  logic [Rows*Inputs-1:0] in_mask;
  logic [Inputs-1:0] mask, bit_of;
  logic [LaneW-1:0] lane;
  always_comb begin
    in_mask = '0;
    mask    = '0;
    bit_of  = '0;
    lane    = '0;
    for (int r = 0; r < Rows; r++) begin
      if (in_valid_i[r]) begin
        lane   = in_queue_i[r*QueueW+InputW+:LaneW];
        mask   = has_q[lane] ? mask_q[lane] : '0;
        bit_of = Inputs'(1) << in_queue_i[r*QueueW+:InputW];
        if (lane == out_lane) mask = mask & ~leaving;
        in_mask[r*Inputs+:Inputs] = in_more_i[r] && many(in_count_i[r*SlotW+:SlotW]) ? mask | bit_of : mask & ~bit_of;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      has_q <= '0;
    end else begin
      if (leaving != '0) has_q[out_lane] <= mask_left != '0;
      for (int r = 0; r < Rows; r++) begin
        if (in_valid_i[r]) has_q[in_queue_i[r*QueueW+InputW+:LaneW]] <= in_mask[r*Inputs+:Inputs] != '0;
      end
    end
    if (leaving != '0) mask_q[out_lane] <= mask_left;
    // After the request that leaves: an arrival knows of it.
    for (int r = 0; r < Rows; r++) begin
      if (in_valid_i[r]) mask_q[in_queue_i[r*QueueW+InputW+:LaneW]] <= in_mask[r*Inputs+:Inputs];
    end
  end

  always_comb begin
    deep_o = '0;
    if (has_q != '0) for (int r = 0; r < Rows; r++) deep_o = deep_o | has_q[r*Vls+:Vls];
  end

  // Assertions: a lane is deep iff a fifo of it is, by books of their own, which count the fifos that are.
`ifndef SYNTHESIS
  localparam int BookW = SlotW + 1;  // {more of the newest, requests} of a fifo
  localparam int RowQueueW = LaneW + InputW - $clog2(Rows);  // {lane, input}
  localparam int FifosW = $clog2(Rows * Inputs + 1);
  /* verilator tracing_off */
  logic [2**RowQueueW*BookW-1:0] books_q[Rows];
  logic [Vls*FifosW-1:0] fifos_q, fifos_d;  // deep fifos of a lane
  logic moved_q;  // a request came or went in the cycle before
  logic [SlotW-1:0] own, own_left;
  logic own_more, came;
  logic [3:0] vl;
  logic [Rows*BookW-1:0] in_book;
  logic [Vls-1:0] own_deep;
  logic [$clog2(Rows)-1:0] out_row;
  /* verilator tracing_on */
  assign out_row = out_queue_i[QueueW-1:RowQueueW];
  always_comb begin
    fifos_d  = fifos_q;
    in_book  = '0;
    own      = '0;
    own_left = '0;
    own_more = 1'b0;
    came     = 1'b0;
    vl       = '0;
    for (int r = 0; r < Rows; r++) begin
      if (in_valid_i[r]) begin
        {own_more, own} = books_q[r][in_queue_i[r*QueueW+:RowQueueW]*BookW+:BookW];
        own_left = own;
        if (out_i && in_queue_i[r*QueueW+:QueueW] == out_queue_i) begin
          came     = 1'b1;
          own_left = own - 1'b1;
        end
        in_book[r*BookW+:BookW] = {in_more_i[r], own_left + 1'b1};
        vl = 4'(in_queue_i[r*QueueW+InputW+:LaneW]);
        if (own_more && many(own)) fifos_d[vl*FifosW+:FifosW] = fifos_d[vl*FifosW+:FifosW] - 1'b1;
        if (in_more_i[r] && many(own_left + 1'b1)) fifos_d[vl*FifosW+:FifosW] = fifos_d[vl*FifosW+:FifosW] + 1'b1;
      end
    end
    if (out_i && !came) begin
      {own_more, own} = books_q[out_row][out_queue_i[RowQueueW-1:0]*BookW+:BookW];
      own_left = own - 1'b1;
      vl = 4'(out_lane);
      if (own_more && many(own) && !many(own_left)) fifos_d[vl*FifosW+:FifosW] = fifos_d[vl*FifosW+:FifosW] - 1'b1;
    end
  end
  always_comb begin
    own_deep = '0;
    if (moved_q) for (int v = 0; v < Vls; v++) own_deep[v] = fifos_q[v*FifosW+:FifosW] != '0;
  end
  always_ff @(posedge clk_i) begin
    moved_q <= rst_ni && (out_i || in_valid_i != '0);
    if (!rst_ni) begin
      for (int r = 0; r < Rows; r++) books_q[r] <= '0;
      fifos_q <= '0;
    end else begin
      if (out_i || in_valid_i != '0) fifos_q <= fifos_d;
      if (out_i && !came) books_q[out_row][out_queue_i[RowQueueW-1:0]*BookW+:BookW] <= {own_more, own_left};
      for (int r = 0; r < Rows; r++) begin
        if (in_valid_i[r]) books_q[r][in_queue_i[r*QueueW+:RowQueueW]*BookW+:BookW] <= in_book[r*BookW+:BookW];
      end
    end
    if (rst_ni) METER_1_deep : assert (!moved_q || deep_o == own_deep);
  end
`endif

endmodule
