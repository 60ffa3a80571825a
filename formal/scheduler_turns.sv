// SPDX-License-Identifier: Apache-2.0
// SCHED-5 of tilefly_scheduler without `more`: a class that stays active in the highest group that has one is reached after
// at most W = weight of the other class's entry + MtuCells - 1 cells granted to others. The table is the one of power-up:
// entries of two classes in turn. Made small: four entries, two classes of one group, weights of 2 MtuCells.

module scheduler_turns #(
    /// entries of a bank
    parameter int Entries = 4,
    /// cells of the largest packet
    parameter int MtuCells = 2,
    /// bits of a weight
    parameter int WeightW = 3,
    /// the bound is made tighter by this many cells
    parameter int Tighter = 0
) (
    input logic       clk_i,
    input logic       run_i,
    input logic [1:0] wanted_i,
    input logic [1:0] sendable_i,
    input logic [6:0] serve_cells_i,
    input logic [6:0] next_cells_i
);

  localparam int Wait = 2 * MtuCells + MtuCells - 1;

  (* anyconst *) logic watched;
  logic started_q = 1'b0;
  logic serve, next, serve_class, next_class, grant_serve, grant_next;

  tilefly_scheduler #(
      .Entries (Entries),
      .Classes (2),
      .MtuCells(MtuCells),
      .WeightW (WeightW)
  ) u_scheduler (
      .clk_i,
      .rst_ni       (started_q),
      .cycle_i      (48'd0),
      .port_i       (6'd0),
      .cfg_i        ('0),
      .run_i,
      .wanted_i,
      .sendable_i,
      .serve_o      (serve),
      .serve_class_o(serve_class),
      .serve_cells_i,
      .next_o       (next),
      .next_class_o (next_class),
      .next_cells_i,
      .grant_serve_o(grant_serve),
      .grant_next_o (grant_next),
      .more_i       (1'b0),
      .settled_o    ()
  );

  logic granted_class;
  logic [6:0] granted_cells, others_q, others;  // cells that others got while the watched class stayed active
  assign granted_class = grant_next ? next_class : serve_class;
  assign granted_cells = grant_next ? next_cells_i : grant_serve ? serve_cells_i : '0;
  assign others = others_q + granted_cells;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (run_i) begin
      if (!sendable_i[watched] || (granted_cells != '0 && granted_class == watched)) others_q <= '0;
      else others_q <= others;
    end
    if (!started_q) others_q <= '0;
  end

  always_comb begin
    ENV_wanted : assume ((sendable_i & ~wanted_i) == '0);
    COV_wanted : cover (started_q && run_i && wanted_i == 2'b11 && sendable_i == 2'b10);
    ENV_mtu : assume (serve_cells_i <= MtuCells && next_cells_i <= MtuCells);
    COV_mtu : cover (started_q && grant_serve && serve_cells_i == MtuCells);
    if (started_q) begin
      one_grant : assert (!(grant_serve && grant_next));
      active_only : assert (granted_cells == '0 || (run_i && sendable_i[granted_class]));
      within_its_wait : assert (others_q <= Wait - Tighter);
    end
    COV_bound_reached : cover (started_q && others_q == Wait && granted_cells != '0 && granted_class == watched);
    COV_rotates : cover (started_q && serve && next && grant_next);
  end

endmodule
