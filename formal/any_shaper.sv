// SPDX-License-Identifier: Apache-2.0
// Stands for tilefly_shaper in proofs of its users: any class may be held back in any cycle, whatever was written and granted.
// All that the shaper can do is among that, and the times of 56 bits are not in the model.

module tilefly_shaper #(
    /// classes
    parameter int Classes = tilefly_pkg::CLASSES,
    /// bits of a class's number
    parameter int ClassW = $clog2(Classes)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic [       47:0] cycle_i,
    input  logic               write_i,
    input  logic [ ClassW-1:0] write_class_i,
    input  logic [       15:0] write_cost_i,
    input  logic [       31:0] write_depth_i,
    input  logic [Classes-1:0] ask_i,
    output logic [Classes-1:0] eligible_o,
    input  logic               grant_i,
    input  logic [ ClassW-1:0] grant_class_i,
    input  logic [        6:0] grant_cells_i
);

  (* anyseq *) logic [Classes-1:0] paid;
  assign eligible_o = ask_i & paid;

endmodule
