// SPDX-License-Identifier: Apache-2.0
// tilefly_credit_sender against any partner, whatever it reports: a lane's cells in use never fall below nothing, and
// the caps and the shared part, once kept, stay kept (CRED-2). Made small: two lanes, reserves and caps of four bits.

module credit_limits (
    input logic              clk_i,
    input tilefly_pkg::cfg_t cfg_i,
    input logic              enable_i,
    input logic        [1:0] want_i,
    input logic              grant_valid_i,
    input logic        [3:0] grant_vl_i,
    input logic        [6:0] grant_cells_i,
    input logic              ret_valid_i,
    input logic        [3:0] ret_vl_i,
    input logic       [15:0] ret_cells_i
);

  logic started_q = 1'b0;
  logic [1:0] lane_ok;
  logic bad_return;
  tilefly_pkg::credit_lane_t lane;
  tilefly_pkg::credit_shared_t shared;
  assign lane = tilefly_pkg::get_credit_lane(cfg_i.data);
  assign shared = tilefly_pkg::get_credit_shared(cfg_i.data);

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
      .enable_i,
      .want_i,
      .lane_ok_o   (lane_ok),
      .grant_valid_i,
      .grant_vl_i,
      .grant_cells_i,
      .ret_valid_i,
      .ret_vl_i,
      .ret_cells_i,
      .bad_return_o(bad_return)
  );

  // The sender's own registers.
  (* hierconn *)wire [15:0] \u_sender.used_q[0] , \u_sender.used_q[1] , \u_sender.shared_q ;
  (* hierconn *)wire [11:0] \u_sender.cap_q[0] , \u_sender.cap_q[1] ;
  (* hierconn *)wire [11:0] \u_sender.reserve_q[0] , \u_sender.reserve_q[1] ;

  logic [2*16-1:0] used, used_before_q;
  logic [2*12-1:0] cap, reserve;
  assign used    = {\u_sender.used_q[1] , \u_sender.used_q[0] };
  assign cap     = {\u_sender.cap_q[1] , \u_sender.cap_q[0] };
  assign reserve = {\u_sender.reserve_q[1] , \u_sender.reserve_q[0] };

  logic [16:0] granted;
  logic [31:0] excess;  // cells that the reserves do not cover
  logic within, grew, small;
  logic grant;
  assign grant = enable_i && grant_valid_i;

  // What a lane may have at most after the last cycle.
  logic grant_q;
  logic [3:0] grant_vl_q;
  logic [6:0] grant_cells_q;

  always_comb begin
    excess = '0;
    within = 1'b1;
    grew   = 1'b0;
    small  = \u_sender.shared_q [15:6] == '0;
    for (int v = 0; v < 2; v++) begin
      if (used[v*16+:16] > reserve[v*12+:12]) excess = excess + used[v*16+:16] - reserve[v*12+:12];
      if (used[v*16+:16] > cap[v*12+:12]) within = 1'b0;
      if (used[v*16+4+:12] != '0 || cap[v*12+4+:8] != '0 || reserve[v*12+4+:8] != '0) small = 1'b0;
      granted = grant_q && grant_vl_q == v ? 17'(grant_cells_q) : 17'd0;
      if ({1'b0, used[v*16+:16]} > used_before_q[v*16+:16] + granted) grew = 1'b1;
    end
    if (excess > \u_sender.shared_q ) within = 1'b0;
  end

  logic kept_q, running_q = 1'b0;
  always @(posedge clk_i) begin
    started_q     <= 1'b1;
    used_before_q <= used;
    grant_q       <= grant;
    grant_vl_q    <= grant_vl_i;
    grant_cells_q <= grant_cells_i;
    running_q     <= started_q;
    kept_q        <= started_q && within && !cfg_i.valid;
    if (!started_q) {running_q, kept_q} <= '0;
  end

  always_comb begin
    // The user's part: it grants a lane that has credit, and at most an MTU.
    ENV_grant : assume (!grant || (lane_ok[grant_vl_i[0]] && grant_cells_i <= tilefly_pkg::MTU_CELLS));
    COV_grant : cover (started_q && grant && grant_cells_i == tilefly_pkg::MTU_CELLS);
    ENV_lanes : assume (grant_vl_i < 2 && ret_vl_i < 2);
    COV_lanes : cover (started_q && grant && grant_vl_i == 1 && ret_valid_i && ret_vl_i == 1 && !bad_return);
    // Made small: what is written to the registers.
    ENV_small : assume (!cfg_i.valid || (cfg_i.index == tilefly_pkg::TABLE_REG_CREDIT_SHARED ? shared.cells < 64 :
        lane.cap < 16 && lane.reserve < 16));
    COV_small : cover (started_q && grant && \u_sender.cap_q[1] == 15 && \u_sender.reserve_q[0] == 1 );
    if (started_q) stays_small : assert (small);
    if (started_q && running_q) begin
      never_negative : assert (!grew);
      limits_stay_kept : assert (!kept_q || within);
    end
    COV_bad_return : cover (started_q && bad_return);
    COV_cap_reached : cover (running_q && used[15:0] == cap[11:0] && cap[11:0] != '0);
    COV_shared_reached : cover (running_q && excess == \u_sender.shared_q && excess != '0);
    COV_exceeded : cover (running_q && !within);  // a register was lowered: kept again only later
  end

endmodule
