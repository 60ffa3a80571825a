// SPDX-License-Identifier: Apache-2.0
// The lock of a tree of two switches, whatever fails in them and whenever: when nothing is on its way between them, the root is ACTIVE
// only for a node that is, and the node only below a root that is: no switch stays locked for nobody. A node that is LOCKING is let go
// by its own timeout (red_slots). Packets of a link arrive in their order, any time later. Made small: one group, one child beside the
// node, three packets on a link.

module red_locks (
    input logic       clk_i,
    /// of {root, node}: see red_node
    input logic [1:0] late_i,
    input logic [1:0] near_lock_i,
    input logic [1:0] breaks_i,
    input logic [7:0] code_i,
    input logic [5:0] go_i,
    input logic [1:0] differ_i,
    input logic [7:0] near_code_i,
    /// a packet arrives at {root, node}
    input logic [1:0] arrives_i
);

  localparam int Links = 3;

  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  // The link to the root in bit 1, to the node in bit 0.
  logic [1:0] lock, busy, fail, waits, going, fail_on_lanes, empty, full, pops, head_busy, head_fail;
  logic [2:0] root_state, node_state;
  assign pops = arrives_i & ~empty;

  generate
    for (genvar i = 0; i < 2; i++) begin : gen_switch
      logic [2:0] state;

      tilefly_fifo #(
          .Width(2),
          .Depth(Links)
      ) u_link (
          .clk_i,
          .rst_ni (started_q),
          .push_i (lock[1-i] || fail[1-i]),
          .data_i ({busy[1-i], fail[1-i]}),
          .pop_i  (pops[i]),
          .head_o ({head_busy[i], head_fail[i]}),
          .empty_o(empty[i]),
          .full_o (full[i])
      );

      red_node #(
          .Root(i == 1)
      ) u_switch (
          .clk_i,
          .rst_ni         (started_q),
          .late_i         (late_i[i]),
          .far_lock_i     (pops[i] && !head_fail[i]),
          .far_busy_i     (head_busy[i]),
          .far_fail_i     (pops[i] && head_fail[i]),
          .near_lock_i    (near_lock_i[i]),
          .breaks_i       (breaks_i[i]),
          .code_i         (code_i[4*i+:4]),
          .go_i           (go_i[3*i+:3]),
          .differ_i       (differ_i[i]),
          .near_code_i    (near_code_i[4*i+:4]),
          .lock_o         (lock[i]),
          .busy_o         (busy[i]),
          .fail_o         (fail[i]),
          .state_o        (state),
          .waits_o        (waits[i]),
          .going_o        (going[i]),
          .fail_on_lanes_o(fail_on_lanes[i])
      );
      if (i == 1) begin : gen_root
        assign root_state = state;
      end else begin : gen_node
        assign node_state = state;
      end
    end
  endgenerate

  logic quiet, root_active, node_active;
  assign quiet       = empty == '1 && waits == '0;
  assign root_active = root_state == tilefly_pkg::RED_STATE_ACTIVE;
  assign node_active = node_state == tilefly_pkg::RED_STATE_ACTIVE;

  always_comb begin
    ENV_links : assume (((lock | fail) & {full[0], full[1]}) == '0);
    COV_links : cover (started_q && full != '0);
    // What is long over is off the lanes: RED_HOME is more than RED_DELAY.
    ENV_late : assume ((late_i & going) == '0);
    COV_late : cover (started_q && late_i == '1 && root_state == tilefly_pkg::RED_STATE_FAILING);
    if (started_q) begin
      root_for_its_node : assert (!quiet || !root_active || node_active);
      node_for_its_root : assert (!quiet || !node_active || root_active);
    end
    COV_locked : cover (started_q && quiet && root_active && node_active);
    COV_fail_on_lanes : cover (started_q && fail_on_lanes[1]);
    COV_let_go : cover (started_q && quiet && node_state == tilefly_pkg::RED_STATE_LOCKING);
  end

endmodule
