// SPDX-License-Identifier: Apache-2.0
// The candidate of one class at an output: of its active lanes one, of the rows with a request there one, of that row's
// inputs one. Manual: docs/blocks/egress.md, "Decision t", 3 and 4.
// Combinational; the pointers are registers of the user, who loads `*_next_o` in a cycle in which the candidate is granted.

module tilefly_candidate (
    /// active lanes of the class; zero: not asked
    input  logic [                          tilefly_pkg::VLS-1:0] lanes_i,
    /// (row r, lane v) has a request: bit r*VLS + v
    input  logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] has_i,
    /// row r's channel may be given to a new owner
    input  logic [                         tilefly_pkg::OUT_ROWS-1:0] free_i,
    /// the owner of row r's channel has been granted as much as it may while another input waits
    input  logic [                         tilefly_pkg::OUT_ROWS-1:0] run_out_i,
    /// owner of row r's channel, in bits [r*4 +: 4]
    input  logic [                       tilefly_pkg::OUT_ROWS*4-1:0] owner_i,
    /// lanes in which the owner has a request, row r in bits [r*VLS +: VLS]
    input  logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] of_owner_i,
    /// lanes in which another input of row r has a request
    input  logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] of_others_i,
    /// lane of the class that is looked at first
    input  logic [                  $clog2(tilefly_pkg::VLS)-1:0] lane_pointer_i,
    /// row that is looked at first in the lane
    input  logic [                 $clog2(tilefly_pkg::OUT_ROWS)-1:0] row_pointer_i,
    /// input that is looked at first in (row, lane)
    input  logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] input_pointer_i,
    /// inputs of the row with a request in the lane
    input  logic [                       tilefly_pkg::ROW_IN-1:0] inputs_i,
    /// there is a candidate
    output logic                                                  valid_o,
    /// lane of the candidate
    output logic [                  $clog2(tilefly_pkg::VLS)-1:0] lane_o,
    /// lane pointer of the class once the candidate is granted
    output logic [                  $clog2(tilefly_pkg::VLS)-1:0] lane_next_o,
    /// row of the candidate
    output logic [                 $clog2(tilefly_pkg::OUT_ROWS)-1:0] row_o,
    /// row pointer of the lane once the candidate is granted
    output logic [                 $clog2(tilefly_pkg::OUT_ROWS)-1:0] row_next_o,
    /// input of the candidate in its row
    output logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] input_o,
    /// input pointer of (row, lane) once the candidate is granted on a free channel
    output logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] input_next_o
);

  localparam int Rows = tilefly_pkg::OUT_ROWS;
  localparam int Inputs = tilefly_pkg::ROW_IN;
  localparam int Vls = tilefly_pkg::VLS;
  localparam int InputW = $clog2(Inputs);

  logic [Rows*Vls-1:0] candidates;
  logic [Vls-1:0] lane_requests;
  logic [Rows-1:0] row_requests;
  /* verilator lint_off UNUSEDSIGNAL */  // winners are wanted as numbers
  logic [Vls-1:0] lane_winner;
  logic [Rows-1:0] row_winner;
  logic [Inputs-1:0] input_winner;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [InputW-1:0] free_input;

  // Candidates of each (row, lane): on a free channel every request, on a busy one the owner's, unless its run is over and
  // another input of the row has a request in an active lane of this class.
  always_comb begin
    candidates    = '0;
    lane_requests = '0;
    if (lanes_i != '0) begin
      for (int r = 0; r < Rows; r++) begin
        if (free_i[r]) candidates[r*Vls+:Vls] = has_i[r*Vls+:Vls] & lanes_i;
        else if (!run_out_i[r] || (of_others_i[r*Vls+:Vls] & lanes_i) == '0) begin
          candidates[r*Vls+:Vls] = of_owner_i[r*Vls+:Vls] & lanes_i;
        end
        lane_requests = lane_requests | candidates[r*Vls+:Vls];
      end
    end
  end

  tilefly_rr_arbiter #(
      .N(Vls)
  ) u_lane (
      .req_i    (lane_requests),
      .pointer_i(lane_pointer_i),
      .grant_o  (lane_winner),
      .index_o  (lane_o),
      .next_o   (lane_next_o)
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
      .pointer_i(row_pointer_i),
      .grant_o  (row_winner),
      .index_o  (row_o),
      .next_o   (row_next_o)
  );

  assign valid_o = row_requests != '0;

  tilefly_rr_arbiter #(
      .N(Inputs)
  ) u_input (
      .req_i    (inputs_i),
      .pointer_i(input_pointer_i),
      .grant_o  (input_winner),
      .index_o  (free_input),
      .next_o   (input_next_o)
  );

  assign input_o = free_i[row_o] ? free_input : owner_i[row_o*4+:InputW];

endmodule
