// SPDX-License-Identifier: Apache-2.0
// The stored request that an output takes back while its link is down: of the lowest lane, then row, then input.
// Manual: docs/blocks/link_retry.md, "Taken back".
// Combinational on the state. Throughput: one request a cycle. Handshake: none; what is chosen leaves the store in the same cycle.
// Results of reductions, in row R, are not taken back.

module tilefly_take_back (
    /// the link is down, and requests do not wait for it
    input  logic                                               on_i,
    /// (row r, lane v) has a request: bit r*VLS + v
    input  logic [ tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] has_i,
    /// inputs of the row that is looked up with a request in the lane that is looked up
    input  logic [                    tilefly_pkg::ROW_IN-1:0] inputs_i,
    /// a request is taken back
    output logic                                               valid_o,
    /// its row
    output logic [         $clog2(tilefly_pkg::OUT_ROWS)-1:0] row_o,
    /// its lane
    output logic [                                        3:0] vl_o,
    /// its input of the row
    output logic [            $clog2(tilefly_pkg::ROW_IN)-1:0] input_o
);

  localparam int Rows = tilefly_pkg::ROWS;
  localparam int Inputs = tilefly_pkg::ROW_IN;
  localparam int Vls = tilefly_pkg::VLS;
  localparam int RowW = $clog2(tilefly_pkg::OUT_ROWS);
  localparam int InputW = $clog2(Inputs);

  always_comb begin
    valid_o = 1'b0;
    row_o   = '0;
    vl_o    = '0;
    if (on_i && has_i != '0) begin
      for (int v = Vls - 1; v >= 0; v--) begin
        for (int r = Rows - 1; r >= 0; r--) begin
          if (has_i[r*Vls+v]) begin
            valid_o = 1'b1;
            row_o   = RowW'(r);
            vl_o    = 4'(v);
          end
        end
      end
    end
  end

  always_comb begin
    input_o = '0;
    if (valid_o) begin
      for (int i = Inputs - 1; i >= 0; i--) if (inputs_i[i]) input_o = InputW'(i);
    end
  end

endmodule
