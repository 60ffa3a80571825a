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
    if (in_valid_i != '0) for (int r = 0; r < Rows; r++) begin
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
    end else if (out_i || in_valid_i != '0) begin
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
  /* verilator tracing_off */
  logic [SlotW:0] book_mem[2**QueueW];  // {more of the newest, requests} of a fifo
  int fifos_mem[Vls];  // deep fifos of a lane
  logic [Vls-1:0] own_deep;
  logic more;
  logic [SlotW-1:0] requests;
  logic [QueueW-1:0] fifo;
  logic [3:0] vl;
  /* verilator tracing_on */
  /* verilator lint_off BLKSEQ */  // an arrival knows of the request that leaves
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int q = 0; q < 2 ** QueueW; q++) book_mem[q] = '0;
      for (int v = 0; v < Vls; v++) fifos_mem[v] = 0;
      own_deep = '0;
    end else begin
      METER_1_deep : assert (deep_o == own_deep);
      if (out_i) begin
        vl = 4'(out_lane);
        {more, requests} = book_mem[out_queue_i];
        if (more && many(requests) && !many(requests - 1'b1)) fifos_mem[vl] = fifos_mem[vl] - 1;
        book_mem[out_queue_i] = {more, requests - 1'b1};
        own_deep[vl] = fifos_mem[vl] != 0;
      end
      if (in_valid_i != '0) begin
        for (int r = 0; r < Rows; r++) begin
          if (in_valid_i[r]) begin
            fifo = in_queue_i[r*QueueW+:QueueW];
            vl   = 4'(fifo >> InputW);
            {more, requests} = book_mem[fifo];
            if (more && many(requests)) fifos_mem[vl] = fifos_mem[vl] - 1;
            if (in_more_i[r] && many(requests + 1'b1)) fifos_mem[vl] = fifos_mem[vl] + 1;
            book_mem[fifo] = {in_more_i[r], requests + 1'b1};
            own_deep[vl] = fifos_mem[vl] != 0;
          end
        end
      end
    end
  end
  /* verilator lint_on BLKSEQ */
`endif

endmodule
