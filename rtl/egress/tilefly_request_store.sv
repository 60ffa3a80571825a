// SPDX-License-Identifier: Apache-2.0
// Requests that wait at an output: a fifo for every (input, lane), and for every (row, lane) the mask of the inputs that
// have one. Manual: docs/blocks/egress.md.
// Latency: a request that arrives in cycle t (an event of t) is visible from t + 1; all look-ups are combinational.
// Throughput: one request a row and cycle in, one a cycle out. Handshake: valid only; the inputs own the entries.
// Nothing but `has_q` is reset: a mask counts only while it has a lane's bit there, pointers only while the queue's bit is in
// the mask, and a queue that has run empty starts again at its first entry.

module tilefly_request_store (
    /// clock
    input  logic                                                  clk_i,
    /// synchronous reset, active low
    input  logic                                                  rst_ni,
    /// a request arrives from row r
    input  logic [                         tilefly_pkg::OUT_ROWS-1:0] req_valid_i,
    /// requests, row r in bits [r*REQUEST_W +: REQUEST_W]
    input  logic [  tilefly_pkg::OUT_ROWS*tilefly_pkg::REQUEST_W-1:0] req_i,
    /// (row r, lane v) has a request: bit r*VLS + v
    output logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] has_o,
    /// look-up by input, row r: do it
    input  logic [                         tilefly_pkg::OUT_ROWS-1:0] owner_valid_i,
    /// look-up by input, row r: the input, in bits [r*4 +: 4]
    input  logic [                       tilefly_pkg::OUT_ROWS*4-1:0] owner_i,
    /// lanes in which that input has a request: row r in bits [r*VLS +: VLS]
    output logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] of_owner_o,
    /// lanes in which another input of the row has a request
    output logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] of_others_o,
    /// first look-up by lane: do it
    input  logic                                                  serve_valid_i,
    /// row of the first look-up
    input  logic [                 $clog2(tilefly_pkg::OUT_ROWS)-1:0] serve_row_i,
    /// lane of the first look-up
    input  logic [                                           3:0] serve_vl_i,
    /// inputs of the row with a request in the lane
    output logic [                       tilefly_pkg::ROW_IN-1:0] serve_inputs_o,
    /// input of the row, of whom the head request in the lane is wanted
    input  logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] serve_input_i,
    /// cells of that request; 0 without a look-up
    output logic [                                           6:0] serve_cells_o,
    /// second look-up by lane, as the first: do it
    input  logic                                                  next_valid_i,
    /// row of the second look-up
    input  logic [                 $clog2(tilefly_pkg::OUT_ROWS)-1:0] next_row_i,
    /// lane of the second look-up
    input  logic [                                           3:0] next_vl_i,
    /// inputs of the row with a request in the lane
    output logic [                       tilefly_pkg::ROW_IN-1:0] next_inputs_o,
    /// input of the row, of whom the head request in the lane is wanted
    input  logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] next_input_i,
    /// cells of that request; 0 without a look-up
    output logic [                                           6:0] next_cells_o,
    /// remove a request that was looked up
    input  logic                                                  pop_i,
    /// the request to remove is the one of the second look-up
    input  logic                                                  pop_next_i,
    /// cells of the request to remove
    output logic [                                           6:0] cells_o,
    /// the queue of the request held packets that were not yet requested
    output logic                                                  more_o,
    /// cells requested and not yet granted, saturating
    output logic [                                          11:0] load_o,
    /// lanes with a deep fifo
    output logic [                          tilefly_pkg::VLS-1:0] deep_o,
    /// no request waits
    output logic                                                  empty_o
);

  localparam int Rows = tilefly_pkg::OUT_ROWS;
  localparam int Inputs = tilefly_pkg::ROW_IN;
  localparam int Vls = tilefly_pkg::VLS;
  localparam int Credits = tilefly_pkg::REQUEST_CREDITS;
  localparam int RequestW = tilefly_pkg::REQUEST_W;
  localparam int RowW = $clog2(Rows);
  localparam int InputW = $clog2(Inputs);
  localparam int VlW = $clog2(Vls);
  localparam int SlotW = $clog2(Credits + 1);
  localparam int LaneW = RowW + VlW;      // {row, lane}
  localparam int QueueW = LaneW + InputW; // {row, lane, input}
  localparam int LoadW = $clog2(Rows * Inputs * Vls * Credits * tilefly_pkg::MTU_CELLS + 1);

  logic [7:0] mem[2**(SlotW+QueueW)];  // {more, cells} of {entry, queue}: the first entries of all queues are neighbours
  logic [2*SlotW-1:0] ends_q[2**QueueW];  // {head, tail} of a queue
  logic [Inputs-1:0] mask_q[2**LaneW];
  logic [Rows*Vls-1:0] has_q;
  logic [LoadW-1:0] load_q;

  // Look-up by input.
  logic [Inputs-1:0] inputs, owner_bit;
  always_comb begin
    of_owner_o  = '0;
    of_others_o = '0;
    inputs      = '0;
    owner_bit   = '0;
    for (int r = 0; r < Rows; r++) begin
      if (owner_valid_i[r] && has_q[r*Vls+:Vls] != '0) begin
        owner_bit = Inputs'(1) << owner_i[r*4+:InputW];
        for (int v = 0; v < Vls; v++) begin
          if (has_q[r*Vls+v]) begin
            inputs               = mask_q[LaneW'(r*Vls+v)];
            of_owner_o[r*Vls+v]  = (inputs & owner_bit) != '0;
            of_others_o[r*Vls+v] = (inputs & ~owner_bit) != '0;
          end
        end
      end
    end
  end

  // Look-ups by lane.
  logic [LaneW-1:0] serve_lane, next_lane;
  logic [SlotW-1:0] serve_head, serve_tail, next_head, next_tail;
  logic serve_more, next_more;

  assign serve_lane = {serve_row_i, serve_vl_i[VlW-1:0]};
  assign next_lane  = {next_row_i, next_vl_i[VlW-1:0]};

  always_comb begin
    serve_inputs_o = '0;
    if (serve_valid_i) serve_inputs_o = mask_q[serve_lane];
  end
  always_comb begin
    next_inputs_o = '0;
    if (next_valid_i) next_inputs_o = mask_q[next_lane];
  end

  always_comb begin
    serve_head    = '0;
    serve_tail    = '0;
    serve_more    = 1'b0;
    serve_cells_o = '0;
    if (serve_valid_i) begin
      {serve_head, serve_tail}    = ends_q[{serve_lane, serve_input_i}];
      {serve_more, serve_cells_o} = mem[{serve_head, serve_lane, serve_input_i}];
    end
  end
  always_comb begin
    next_head    = '0;
    next_tail    = '0;
    next_more    = 1'b0;
    next_cells_o = '0;
    if (next_valid_i) begin
      {next_head, next_tail}    = ends_q[{next_lane, next_input_i}];
      {next_more, next_cells_o} = mem[{next_head, next_lane, next_input_i}];
    end
  end

  // The head that leaves.
  logic [LaneW-1:0] out_lane;
  logic [InputW-1:0] out_input;
  logic [QueueW-1:0] out_queue;
  logic [SlotW-1:0] out_head, out_tail;
  logic [Inputs-1:0] out_inputs;
  logic out_last;

  assign out_lane   = pop_next_i ? next_lane : serve_lane;
  assign out_input  = pop_next_i ? next_input_i : serve_input_i;
  assign out_queue  = {out_lane, out_input};
  assign out_head   = pop_next_i ? next_head : serve_head;
  assign out_tail   = pop_next_i ? next_tail : serve_tail;
  assign out_inputs = pop_next_i ? next_inputs_o : serve_inputs_o;
  assign out_last   = out_head + 1'b1 == out_tail;
  assign cells_o    = pop_next_i ? next_cells_o : serve_cells_o;
  assign more_o     = pop_next_i ? next_more : serve_more;

  // Arrivals, row r in the r-th slice: queue, its ends and the mask as they are after the head left, {more, cells}.
  logic [Rows*QueueW-1:0] in_queue;
  logic [Rows*SlotW-1:0] in_head, in_tail;
  logic [Rows*8-1:0] in_entry;
  logic [Rows*Inputs-1:0] in_mask;
  logic [LoadW-1:0] in_sum;
  logic [Rows-1:0] overflow;
  logic [Inputs-1:0] leaving, mask_left;
  logic [QueueW-1:0] queue;
  logic [Inputs-1:0] mask;
  tilefly_pkg::request_t request;

  assign leaving   = (pop_i && out_last) ? Inputs'(1) << out_input : '0;
  assign mask_left = out_inputs & ~leaving;

  always_comb begin
    in_queue = '0;
    in_head  = '0;
    in_tail  = '0;
    in_entry = '0;
    in_mask  = '0;
    overflow = '0;
    in_sum   = '0;
    request  = '0;
    queue    = '0;
    mask     = '0;
    for (int r = 0; r < Rows; r++) begin
      if (req_valid_i[r]) begin
        request = req_i[r*RequestW+:RequestW];
        queue   = {RowW'(r), request.vl[VlW-1:0], InputW'(request.src % 6'(Inputs))};
        mask    = has_q[queue[QueueW-1:InputW]] ? mask_q[queue[QueueW-1:InputW]] : '0;
        if (mask[queue[InputW-1:0]]) begin
          {in_head[r*SlotW+:SlotW], in_tail[r*SlotW+:SlotW]} = ends_q[queue];
          overflow[r] = in_tail[r*SlotW+:SlotW] - in_head[r*SlotW+:SlotW] >= SlotW'(Credits);
          if (pop_i && out_queue == queue) in_head[r*SlotW+:SlotW] = in_head[r*SlotW+:SlotW] + 1'b1;
        end
        if (out_lane == queue[QueueW-1:InputW]) mask = mask & ~leaving;
        in_mask[r*Inputs+:Inputs] = mask | (Inputs'(1) << queue[InputW-1:0]);
        in_queue[r*QueueW+:QueueW] = queue;
        in_entry[r*8+:8] = {request.more, request.cells};
        in_sum = in_sum + LoadW'(request.cells);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      has_q  <= '0;
      load_q <= '0;
    end else begin
      if (pop_i || req_valid_i != '0) load_q <= load_q + in_sum - (pop_i ? LoadW'(cells_o) : '0);
      if (pop_i && mask_left == '0) has_q[out_lane] <= 1'b0;
      for (int r = 0; r < Rows; r++) begin
        if (req_valid_i[r]) has_q[in_queue[r*QueueW+InputW+:LaneW]] <= 1'b1;
      end
    end
    if (pop_i) begin
      ends_q[out_queue] <= {out_head + 1'b1, out_tail};
      mask_q[out_lane]  <= mask_left;
    end
    // After the pop: an arrival knows of it.
    for (int r = 0; r < Rows; r++) begin
      if (req_valid_i[r]) begin
        mem[{in_tail[r*SlotW+:SlotW], in_queue[r*QueueW+:QueueW]}] <= in_entry[r*8+:8];
        ends_q[in_queue[r*QueueW+:QueueW]] <= {in_head[r*SlotW+:SlotW], in_tail[r*SlotW+:SlotW] + 1'b1};
        mask_q[in_queue[r*QueueW+InputW+:LaneW]] <= in_mask[r*Inputs+:Inputs];
      end
    end
  end

  // Lanes with a deep fifo.
  logic [Rows*SlotW-1:0] in_count;
  logic [Rows-1:0] in_more;
  always_comb begin
    in_count = '0;
    in_more  = '0;
    for (int r = 0; r < Rows; r++) begin
      if (req_valid_i[r]) begin
        in_count[r*SlotW+:SlotW] = in_tail[r*SlotW+:SlotW] - in_head[r*SlotW+:SlotW] + 1'b1;
        in_more[r]               = in_entry[r*8+7];
      end
    end
  end

  tilefly_deep_requests u_deep (
      .clk_i,
      .rst_ni,
      .in_valid_i (req_valid_i),
      .in_queue_i (in_queue),
      .in_count_i (in_count),
      .in_more_i  (in_more),
      .out_i      (pop_i),
      .out_queue_i(out_queue),
      .out_count_i(out_tail - out_head - 1'b1),
      .deep_o
  );

  assign has_o   = has_q;
  assign empty_o = has_q == '0;
  assign load_o  = load_q[LoadW-1:12] != '0 ? '1 : load_q[11:0];

  // Assertions. By books of their own, which have the cells of each lane: a lane that has some has a request, and the load is all
  // of them.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      EGR_2 : assert (overflow == '0);
      EGR_6_pop : assert (!pop_i || (out_inputs[out_input] && has_q[out_lane]));
    end
  end
`ifndef SYNTHESIS
  /* verilator tracing_off */
  int lane_cells_mem[2**LaneW];
  int lanes_sum;  // of all lanes
  logic [Rows*Vls-1:0] lane_busy;  // the lane has cells
  logic [LaneW-1:0] arrives;  // lane of an arrival
  /* verilator tracing_on */
  /* verilator lint_off BLKSEQ */  // an arrival knows of the request that leaves
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int l = 0; l < Rows * Vls; l++) lane_cells_mem[l] = 0;
      lanes_sum = 0;
      lane_busy = '0;
    end else begin
      EGR_6 : assert (32'(load_q) == lanes_sum);
      EGR_6_lane : assert ((lane_busy & ~has_q) == '0);
      if (pop_i) begin
        lane_cells_mem[out_lane] = lane_cells_mem[out_lane] - 32'(cells_o);
        lanes_sum = lanes_sum - 32'(cells_o);
        lane_busy[out_lane] = lane_cells_mem[out_lane] != 0;
      end
      if (req_valid_i != '0) begin
        for (int r = 0; r < Rows; r++) begin
          if (req_valid_i[r]) begin
            arrives = in_queue[r*QueueW+InputW+:LaneW];
            lane_cells_mem[arrives] = lane_cells_mem[arrives] + 32'(in_entry[r*8+:7]);
            lanes_sum = lanes_sum + 32'(in_entry[r*8+:7]);
            lane_busy[arrives] = lane_cells_mem[arrives] != 0;
          end
        end
      end
    end
  end
  /* verilator lint_on BLKSEQ */
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) EGR_6_drained : assert (load_q == '0 && has_q == '0);
  end
`endif

endmodule
