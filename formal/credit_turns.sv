// SPDX-License-Identifier: Apache-2.0
// The bound of tilefly_credit_return: cells freed in event e are in a message that is on the outputs in e + VLS + 1 at
// the latest. One event of one lane is watched; which, is left open. Made small: four lanes.

module credit_turns #(
    /// places that can free cells in one cycle
    parameter int Sources = 2,
    /// the bound is made tighter by this many cycles
    parameter int Tighter = 0
) (
    input logic                 clk_i,
    input logic [  Sources-1:0] free_valid_i,
    input logic [Sources*4-1:0] free_vl_i,
    input logic [  Sources-1:0] free_cells_i,
    /// the event that source 0 has in this cycle is the one to watch
    input logic                 watch_i
);

  localparam int Vls = tilefly_pkg::VLS;

  logic started_q = 1'b0;
  logic valid;
  logic [3:0] vl;

  tilefly_credit_return #(
      .Sources(Sources),
      .CellsW (1)
  ) u_return (
      .clk_i,
      .rst_ni     (started_q),
      .retry_i    (1'b0),
      .link_up_i  (1'b1),
      .taken_valid_i(1'b0),
      .stamp_valid_i(1'b0),
      .free_valid_i,
      .free_vl_i,
      .free_cells_i,
      .ret_valid_o(valid),
      .ret_vl_o   (vl),
      .ret_cells_o(),
      .quiescent_o()
  );

  logic lanes_exist;
  always_comb begin
    lanes_exist = 1'b1;
    for (int s = 0; s < Sources; s++) if (free_vl_i[s*4+:4] >= Vls) lanes_exist = 1'b0;
  end

  logic watching_q;  // an event is watched and not reported yet
  logic [3:0] lane_q;  // its lane
  logic [4:0] age_q;  // cycles since the event
  logic reported;
  assign reported = valid && vl == lane_q && age_q >= 2;  // a message of e + 1 was decided before the event counted

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (watching_q) begin
      age_q <= age_q + 1'b1;
      if (reported) watching_q <= 1'b0;
    end else if (watch_i && free_valid_i[0]) begin
      watching_q <= 1'b1;
      lane_q     <= free_vl_i[3:0];
      age_q      <= 5'd1;
    end
    if (!started_q) watching_q <= 1'b0;
  end

  always_comb begin
    ENV_lanes : assume (lanes_exist);
    COV_lanes : cover (started_q && free_valid_i == '1 && free_vl_i[3:0] == Vls - 1 && free_vl_i[7:4] == Vls - 1);
    if (started_q && watching_q) begin
      reported_in_time : assert (age_q < Vls + 1 - Tighter || (reported && age_q == Vls + 1 - Tighter));
    end
    COV_bound_reached : cover (started_q && watching_q && reported && age_q == Vls + 1);
    COV_at_once : cover (started_q && watching_q && reported && age_q == 2);
  end

endmodule
