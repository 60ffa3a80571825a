// SPDX-License-Identifier: Apache-2.0
// The lock of a tree of two switches, whatever fails in them and whenever: when nothing is on its way between them, the root is ACTIVE
// only for a node that is, and the node only below a root that is: no switch stays locked for nobody. A node that is LOCKING is let go
// by its own timeout (red_slots). Packets of a link arrive in their order, any time later. Made small: one group, one child beside the
// node, two packets on a link.

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

  localparam int Depth = 2;  // packets on a link

  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  // The link to the root is number 1, that to the node 0; its oldest packet is in place 0 of its places.
  logic [1:0] lock, busy, fail, waits, going, fail_on_ring, empty, full, pushes, pops, head_busy, head_fail;
  logic [2*Depth-1:0] here_q, here_d, busys_q, busys_d, fails_q, fails_d;
  logic [2:0] root_state, node_state;
  logic placed;
  assign pushes = {lock[0] || fail[0], lock[1] || fail[1]};
  assign pops   = arrives_i & ~empty;

  always_comb begin
    placed = 1'b0;
    for (int i = 0; i < 2; i++) begin
      empty[i]     = !here_q[Depth*i];
      full[i]      = here_q[Depth*i+Depth-1];
      head_busy[i] = busys_q[Depth*i];
      head_fail[i] = fails_q[Depth*i];
      here_d[Depth*i+:Depth]  = here_q[Depth*i+:Depth] >> pops[i];
      busys_d[Depth*i+:Depth] = busys_q[Depth*i+:Depth] >> pops[i];
      fails_d[Depth*i+:Depth] = fails_q[Depth*i+:Depth] >> pops[i];
      placed = 1'b0;
      for (int e = 0; e < Depth; e++) begin
        if (pushes[i] && !placed && !here_d[Depth*i+e]) begin
          placed = 1'b1;
          here_d[Depth*i+e]  = 1'b1;
          busys_d[Depth*i+e] = lock[1-i] && busy[1-i];
          fails_d[Depth*i+e] = fail[1-i];
        end
      end
    end
  end
  always @(posedge clk_i) begin
    if (!started_q) {here_q, busys_q, fails_q} <= '0;
    else {here_q, busys_q, fails_q} <= {here_d, busys_d, fails_d};
  end

  generate
    for (genvar i = 0; i < 2; i++) begin : gen_switch
      logic [2:0] state;

      red_node #(
          .Root(i == 1)
      ) u_switch (
          .clk_i,
          .rst_ni        (started_q),
          .late_i        (late_i[i]),
          .far_lock_i    (pops[i] && !head_fail[i]),
          .far_busy_i    (head_busy[i]),
          .far_fail_i    (pops[i] && head_fail[i]),
          .near_lock_i   (near_lock_i[i]),
          .breaks_i      (breaks_i[i]),
          .code_i        (code_i[4*i+:4]),
          .go_i          (go_i[3*i+:3]),
          .differ_i      (differ_i[i]),
          .near_code_i   (near_code_i[4*i+:4]),
          .lock_o        (lock[i]),
          .busy_o        (busy[i]),
          .fail_o        (fail[i]),
          .state_o       (state),
          .waits_o       (waits[i]),
          .going_o       (going[i]),
          .fail_on_ring_o(fail_on_ring[i])
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
    ENV_links : assume ((pushes & full) == '0);
    COV_links : cover (started_q && full != '0);
    // What is long over is off the ring lanes: RED_HOME is more than RED_DELAY.
    ENV_late : assume ((late_i & going) == '0);
    COV_late : cover (started_q && late_i == '1 && root_state == tilefly_pkg::RED_STATE_FAILING);
    if (started_q) begin
      root_for_its_node : assert (!quiet || !root_active || node_active);
      node_for_its_root : assert (!quiet || !node_active || root_active);
    end
    COV_locked : cover (started_q && quiet && root_active && node_active);
    COV_fail_on_ring : cover (started_q && fail_on_ring[1]);
    COV_let_go : cover (started_q && quiet && node_state == tilefly_pkg::RED_STATE_LOCKING);
  end

endmodule
