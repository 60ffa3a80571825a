// SPDX-License-Identifier: Apache-2.0
// tilefly_credit_return: a message carries what the lane had freed when it was decided, and when nothing is pending
// everything has been reported (the receiver's half of CRED-3). Any one lane is watched; made small: four lanes.

module credit_return #(
    /// places that can free cells in one cycle
    parameter int Sources = 2,
    /// bits of the number of cells freed at once
    parameter int CellsW = 2
) (
    input logic                      clk_i,
    input logic [       Sources-1:0] free_valid_i,
    input logic [     Sources*4-1:0] free_vl_i,
    input logic [Sources*CellsW-1:0] free_cells_i
);

  localparam int Watched = 2;

  logic started_q = 1'b0;
  logic valid, quiescent;
  logic [3:0] vl;
  logic [15:0] cells;

  tilefly_credit_return #(
      .Sources(Sources),
      .CellsW (CellsW)
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
      .ret_cells_o(cells),
      .quiescent_o(quiescent)
  );

  (* hierconn *)wire [15:0] \u_return.freed_q[2] ;
  (* hierconn *)wire [3:0] \u_return.pending_q ;

  logic lanes_exist;
  logic [15:0] freed_now, freed_q, freed_before_q, reported_q, reported;
  always_comb begin
    freed_now   = '0;
    lanes_exist = 1'b1;
    for (int s = 0; s < Sources; s++) begin
      if (free_valid_i[s] && free_vl_i[s*4+:4] == Watched) freed_now = freed_now + 16'(free_cells_i[s*CellsW+:CellsW]);
      if (free_vl_i[s*4+:4] >= 4) lanes_exist = 1'b0;
    end
    reported = valid && vl == Watched ? cells : reported_q;
  end

  always @(posedge clk_i) begin
    started_q      <= 1'b1;
    freed_q        <= freed_q + freed_now;
    freed_before_q <= freed_q;
    reported_q     <= reported;
    if (!started_q) {freed_q, freed_before_q, reported_q} <= '0;
  end

  always_comb begin
    ENV_lanes : assume (lanes_exist);
    COV_lanes : cover (started_q && free_valid_i == '1 && free_vl_i[3:0] == 3 && free_vl_i[7:4] == 3);
    if (started_q) begin
      counts_all : assert (\u_return.freed_q[2] == freed_q);
      message_of_its_decision : assert (!valid || vl != Watched || cells == freed_before_q);
      nothing_forgotten : assert (\u_return.pending_q [Watched] || reported == freed_q);
      quiet_means_reported : assert (!quiescent || reported_q == freed_q);
    end
    COV_both_sources : cover (started_q && freed_now == 2 * (2 ** CellsW - 1));
    COV_reported_twice : cover (started_q && valid && vl == Watched && reported_q != '0 && cells != reported_q);
    COV_quiet_again : cover (started_q && quiescent && freed_q != '0);
  end

endmodule
