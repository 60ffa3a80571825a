// SPDX-License-Identifier: Apache-2.0
// One column of tiles of an arbitrated crossbar, for the conformance test: the R turn halves of the column and the
// receiving halves of its 2R ports, wired as on the tile page. Everything that can reach these ports is here.

module merged_column #(
    /// bits of a payload
    parameter int Width = 32,
    /// bits of a row-bus message: valid, destination port, payload
    parameter int MsgW = 7 + Width,
    /// bits of a column-channel message: valid, payload
    parameter int ChannelW = 1 + Width,
    /// rows
    parameter int Rows = tilefly_pkg::ROWS,
    /// ports of the column
    parameter int Ports = 2 * Rows
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
    /// a message arrives at the column's port 2*row + tile port
    output logic [                             Ports-1:0] valid_o,
    /// that message
    output logic [                       Ports*Width-1:0] data_o,
    /// nothing is inside
    output logic                                          quiescent_o
);

  localparam int RowW = tilefly_pkg::ROW_IN * MsgW;
  localparam int Outputs = tilefly_pkg::COL_OUT;

  logic [Rows-1:0] turn_quiescent;
  logic [Ports-1:0] merge_quiescent;

  generate
    for (genvar r = 0; r < Rows; r++) begin : gen_turn
      tilefly_xbar_turn #(
          .Width(Width)
      ) u_turn (
          .clk_i,
          .rst_ni,
          .row_i      (row_i[r*RowW+:RowW]),
          .col_pos_i,
          .col_o      (col_o[r*Outputs*ChannelW+:Outputs*ChannelW]),
          .quiescent_o(turn_quiescent[r])
      );
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_merge
      logic [Rows*ChannelW-1:0] col;
      for (genvar r = 0; r < Rows; r++) begin : gen_wire
        assign col[r*ChannelW+:ChannelW] = col_o[(r*Outputs+p)*ChannelW+:ChannelW];
      end
      tilefly_xbar_merge #(
          .Width(Width)
      ) u_merge (
          .clk_i,
          .rst_ni,
          .col_i      (col),
          .valid_o    (valid_o[p]),
          .data_o     (data_o[p*Width+:Width]),
          .quiescent_o(merge_quiescent[p])
      );
    end
  endgenerate

  assign quiescent_o = turn_quiescent == '1 && merge_quiescent == '1;

endmodule
