// SPDX-License-Identifier: Apache-2.0
// The scheduler of one output: gives at most one grant a cycle. Manual: docs/blocks/egress.md, "Decision t".
// Latency: the decision is combinational on the state; its grant is an event of the same cycle. Throughput: one grant a cycle.
// Handshake: none; it grants whenever it may (`run_i`) and there is a candidate. Order of choice: class, lane, row, input.

module tilefly_grant_unit (
    /// clock
    input  logic                                                  clk_i,
    /// synchronous reset, active low
    input  logic                                                  rst_ni,
    /// the port is enabled, its link up, and the output buffer has room for a packet of MTU_CELLS
    input  logic                                                  run_i,
    /// lanes of class c in bits [c*VLS +: VLS]
    input  logic [     tilefly_pkg::CLASSES*tilefly_pkg::VLS-1:0] class_lanes_i,
    /// (row r, lane v) has a request: bit r*VLS + v
    input  logic [        tilefly_pkg::ROWS*tilefly_pkg::VLS-1:0] has_i,
    /// lanes with a request in some row
    output logic [                          tilefly_pkg::VLS-1:0] want_o,
    /// of these, the lanes that may send
    input  logic [                          tilefly_pkg::VLS-1:0] lane_ok_i,
    /// row r's channel may be given to a new owner
    input  logic [                         tilefly_pkg::ROWS-1:0] free_i,
    /// its owner has been granted as much as it may while another input waits
    input  logic [                         tilefly_pkg::ROWS-1:0] run_out_i,
    /// its owner, in bits [r*4 +: 4]
    input  logic [                       tilefly_pkg::ROWS*4-1:0] owner_i,
    /// lanes in which the owner has a request, row r in bits [r*VLS +: VLS]
    input  logic [        tilefly_pkg::ROWS*tilefly_pkg::VLS-1:0] of_owner_i,
    /// lanes in which another input of the row has one
    input  logic [        tilefly_pkg::ROWS*tilefly_pkg::VLS-1:0] of_others_i,
    /// a row and a lane are chosen
    output logic                                                  lane_valid_o,
    /// the row
    output logic [                 $clog2(tilefly_pkg::ROWS)-1:0] row_o,
    /// the lane
    output logic [                                           3:0] vl_o,
    /// inputs of that row with a request in that lane
    input  logic [                       tilefly_pkg::ROW_IN-1:0] inputs_i,
    /// the input of the row
    output logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] input_o,
    /// the grant is given
    output logic                                                  grant_o
);

  localparam int Rows = tilefly_pkg::ROWS;
  localparam int Inputs = tilefly_pkg::ROW_IN;
  localparam int Vls = tilefly_pkg::VLS;
  localparam int Classes = tilefly_pkg::CLASSES;
  localparam int RowW = $clog2(Rows);
  localparam int InputW = $clog2(Inputs);
  localparam int VlW = $clog2(Vls);
  localparam int ClassW = $clog2(Classes);

  logic [Classes-1:0] active_classes;
  logic [Vls-1:0] lanes;         // active lanes of the class served
  logic [Rows*Vls-1:0] candidates;
  logic [Vls-1:0] lane_requests;
  logic [Rows-1:0] row_requests;
  logic [ClassW-1:0] class_served;
  /* verilator lint_off UNUSEDSIGNAL */  // winners are wanted as numbers
  logic [Vls-1:0] lane_winner;
  logic [Rows-1:0] row_winner;
  logic [Inputs-1:0] input_winner;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [VlW-1:0] lane, lane_next;
  logic [RowW-1:0] row, row_next;
  logic [InputW-1:0] free_input, input_next;
  logic [VlW-1:0] lane_pointer_q[Classes];
  logic [RowW-1:0] row_pointer_q[Vls];
  logic [InputW-1:0] input_pointer_q[Rows*Vls];

  always_comb begin
    want_o = '0;
    if (run_i && has_i != '0) begin
      for (int r = 0; r < Rows; r++) want_o = want_o | has_i[r*Vls+:Vls];
    end
  end

  always_comb begin
    active_classes = '0;
    if (lane_ok_i != '0) begin
      for (int c = 0; c < Classes; c++) active_classes[c] = (lane_ok_i & class_lanes_i[c*Vls+:Vls]) != '0;
    end
  end

  tilefly_class_chooser u_class (
      .clk_i,
      .rst_ni,
      .active_i(active_classes),
      .taken_i (grant_o),
      .class_o (class_served)
  );

  // Candidates of each (row, lane): on a free channel every request, on a busy one the owner's, unless its run is over and
  // another input of the row has a request in an active lane of this class.
  always_comb begin
    lanes         = '0;
    candidates    = '0;
    lane_requests = '0;
    if (active_classes != '0) begin
      lanes = lane_ok_i & class_lanes_i[class_served*Vls+:Vls];
      for (int r = 0; r < Rows; r++) begin
        if (free_i[r]) candidates[r*Vls+:Vls] = has_i[r*Vls+:Vls] & lanes;
        else if (!run_out_i[r] || (of_others_i[r*Vls+:Vls] & lanes) == '0) begin
          candidates[r*Vls+:Vls] = of_owner_i[r*Vls+:Vls] & lanes;
        end
        lane_requests = lane_requests | candidates[r*Vls+:Vls];
      end
    end
  end

  tilefly_rr_arbiter #(
      .N(Vls)
  ) u_lane (
      .req_i    (lane_requests),
      .pointer_i(lane_pointer_q[class_served]),
      .grant_o  (lane_winner),
      .index_o  (lane),
      .next_o   (lane_next)
  );

  always_comb begin
    row_requests = '0;
    if (lane_requests != '0) begin
      for (int r = 0; r < Rows; r++) row_requests[r] = (candidates[r*Vls+:Vls] & lane_winner) != '0;
    end
  end

  tilefly_rr_arbiter #(
      .N(Rows)
  ) u_row (
      .req_i    (row_requests),
      .pointer_i(row_pointer_q[lane]),
      .grant_o  (row_winner),
      .index_o  (row),
      .next_o   (row_next)
  );

  assign lane_valid_o = row_requests != '0;
  assign row_o = row;
  assign vl_o = 4'(lane);

  tilefly_rr_arbiter #(
      .N(Inputs)
  ) u_input (
      .req_i    (inputs_i),
      .pointer_i(input_pointer_q[{row, lane}]),
      .grant_o  (input_winner),
      .index_o  (free_input),
      .next_o   (input_next)
  );

  assign input_o = free_i[row] ? free_input : owner_i[row*4+:InputW];
  assign grant_o = lane_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int c = 0; c < Classes; c++) lane_pointer_q[c] <= '0;
      for (int v = 0; v < Vls; v++) row_pointer_q[v] <= '0;
      for (int l = 0; l < Rows * Vls; l++) input_pointer_q[l] <= '0;
    end else if (grant_o) begin
      lane_pointer_q[class_served] <= lane_next;
      row_pointer_q[lane]          <= row_next;
      if (free_i[row]) input_pointer_q[{row, lane}] <= input_next;
    end
  end

endmodule
