// SPDX-License-Identifier: Apache-2.0
// One column of tiles of the data crossbar, for the conformance test: the R turn halves of the column.

module data_column #(
    /// bits of a payload
    parameter int Width = 32,
    /// bits of a row-bus message: valid, destination port, payload
    parameter int MsgW = 7 + Width,
    /// bits of a column-channel message: valid, payload
    parameter int ChannelW = 1 + Width,
    /// rows
    parameter int Rows = tilefly_pkg::ROWS,
    /// bits of the observation
    parameter int ObsW = tilefly_pkg::TURNOBS_W
) (
    /// clock
    input  logic                                          clk_i,
    /// synchronous reset, active low
    input  logic                                          rst_ni,
    /// number of the column
    input  logic [                                   3:0] col_pos_i,
    /// row buses: source port s in bits [s*MsgW +: MsgW]
    input  logic [Rows*tilefly_pkg::ROW_IN*MsgW-1:0]      row_i,
    /// column channels: row r towards crossbar output o in bits [(r*COL_OUT + o)*ChannelW +: ChannelW]
    output logic [Rows*tilefly_pkg::COL_OUT*ChannelW-1:0] col_o,
    /// observation (turnobs_t) of row r in bits [r*ObsW +: ObsW]
    output logic [                         Rows*ObsW-1:0] obs_o,
    /// no cell leaves
    output logic [                              Rows-1:0] quiescent_o
);

  localparam int RowW = tilefly_pkg::ROW_IN * MsgW;
  localparam int Outputs = tilefly_pkg::COL_OUT;

  generate
    for (genvar r = 0; r < Rows; r++) begin : gen_turn
      tilefly_xbar_data #(
          .Width(Width)
      ) u_turn (
          .clk_i,
          .rst_ni,
          .row_i      (row_i[r*RowW+:RowW]),
          .col_pos_i,
          .col_o      (col_o[r*Outputs*ChannelW+:Outputs*ChannelW]),
          .obs_o      (obs_o[r*ObsW+:ObsW]),
          .quiescent_o(quiescent_o[r])
      );
    end
  endgenerate

endmodule
