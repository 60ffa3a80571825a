// SPDX-License-Identifier: Apache-2.0
// tilefly_credit_sender with an honest partner: for any lane, cells in use = in flight or resident + freed and not yet
// known (CRED-1), so that all are home when nothing is out (CRED-3), and no honest return is refused. Returns may be
// late, repeated or lost: a count is any between the last one that was known and what is freed by now. Made small: four
// lanes, caps of four bits.

module credit_books (
    input logic              clk_i,
    input tilefly_pkg::cfg_t cfg_i,
    input logic        [3:0] want_i,
    input logic              grant_valid_i,
    input logic        [3:0] grant_vl_i,
    input logic        [6:0] grant_cells_i,
    input logic              ret_valid_i,
    input logic        [3:0] ret_vl_i,
    /// any count, for the other lanes
    input logic       [15:0] ret_cells_i,
    /// lane 2: cells that the partner frees in this cycle, and those that the sender learns of
    input logic       [15:0] free_cells_i,
    input logic       [15:0] news_cells_i
);

  localparam int Watched = 2;

  logic started_q = 1'b0;
  logic [3:0] lane_ok;
  logic bad_return;
  tilefly_pkg::credit_lane_t lane;
  tilefly_pkg::credit_shared_t shared;
  assign lane = tilefly_pkg::get_credit_lane(cfg_i.data);
  assign shared = tilefly_pkg::get_credit_shared(cfg_i.data);

  // In flight or resident; freed, not yet known to the sender; the count of the last return.
  logic [15:0] out_q, unseen_q, known_q;
  logic grant, ret;
  assign grant = grant_valid_i && grant_vl_i == Watched;
  assign ret = ret_valid_i && ret_vl_i == Watched;

  tilefly_credit_sender u_sender (
      .clk_i,
      .rst_ni      (started_q),
      .cycle_i     ('0),
      .retry_i     (1'b0),
      .link_up_i   (1'b1),
      .take_valid_i(1'b0),
      .start_valid_i(1'b0),
      .port_i      (6'd5),
      .cfg_i,
      .enable_i    (1'b1),
      .want_i,
      .lane_ok_o   (lane_ok),
      .grant_valid_i,
      .grant_vl_i,
      .grant_cells_i,
      .ret_valid_i,
      .ret_vl_i,
      .ret_cells_i (ret ? known_q + news_cells_i : ret_cells_i),
      .bad_return_o(bad_return)
  );

  (* hierconn *)wire [15:0] \u_sender.used_q[2] , \u_sender.sent_q[2] ;
  (* hierconn *)wire [11:0] \u_sender.cap_q[2] ;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    out_q     <= out_q + (grant ? 16'(grant_cells_i) : 16'd0) - free_cells_i;
    unseen_q  <= unseen_q + free_cells_i - (ret ? news_cells_i : 16'd0);
    if (ret) known_q <= known_q + news_cells_i;
    if (!started_q) {out_q, unseen_q, known_q} <= '0;
  end

  always_comb begin
    ENV_grant : assume (!grant_valid_i || (lane_ok[grant_vl_i[1:0]] && grant_cells_i <= tilefly_pkg::MTU_CELLS));
    COV_grant : cover (started_q && grant && grant_cells_i == tilefly_pkg::MTU_CELLS);
    ENV_frees_what_it_has : assume (free_cells_i <= out_q);
    COV_frees_what_it_has : cover (started_q && free_cells_i == out_q && out_q != '0);
    ENV_honest_count : assume (!ret || news_cells_i <= unseen_q);
    COV_honest_count : cover (started_q && ret && news_cells_i < unseen_q && news_cells_i != '0);
    ENV_lanes : assume (grant_vl_i < 4 && ret_vl_i < 4);
    COV_lanes : cover (started_q && grant_valid_i && grant_vl_i == 3 && ret);
    // Made small: what is written to the registers.
    ENV_small : assume (!cfg_i.valid || (cfg_i.index == tilefly_pkg::TABLE_REG_CREDIT_SHARED ? shared.cells < 64 :
        lane.cap < 16 && lane.reserve < 16));
    COV_small : cover (started_q && grant && \u_sender.cap_q[2] == 15 && cfg_i.valid);
    if (started_q) begin
      books_balance : assert ({1'b0, \u_sender.used_q[2] } == {1'b0, out_q} + {1'b0, unseen_q});
      sent_is_known_and_used : assert (\u_sender.sent_q[2] == known_q + \u_sender.used_q[2] );
      stays_small : assert (\u_sender.used_q[2] < 16 && \u_sender.cap_q[2] < 16);
      no_honest_return_refused : assert (!ret || !bad_return);
    end
    COV_same_cycle : cover (started_q && grant && ret && news_cells_i != '0);
    COV_home_again : cover (started_q && \u_sender.used_q[2] == '0 && known_q != '0);
  end

endmodule
