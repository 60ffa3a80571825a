// SPDX-License-Identifier: Apache-2.0
// End-to-end acks of one port: makes or passes them on, and takes those that the ack crossbar brings. Manual: docs/blocks/acks.md.
// Latency: an ack made in event e, or on the wire in c, leaves in T = e + 1, T = c + 5 (`row_*` are the row-bus flops that show it
// in T + 1); one that arrives in A is on `ctrl_*` (flops) in A + 5, a cycle before it is on the link. Throughput: an ack a cycle
// each way. Handshake: valid only; nothing holds an ack back.
//
//   requests, grants -> meter ----+
//   output, delivered packet -> maker --+-> row bus
//   link, control slot      --> relay --+     neighbour's load -> tile
//   ack crossbar --------------------------> control slot, flow account

module tilefly_ack_port (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// number of the current cycle, a flop of the tile; right while the egress sends a packet
    input  logic                    [47:0] cycle_i,
    /// number of this port
    input  logic                    [ 5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t              cfg_i,
    /// the link works: in this cycle for the control slot, from the next on for acks that leave
    input  logic                           link_up_i,
    /// control slot on the wire in this cycle
    input  tilefly_pkg::ctrl_t             ctrl_i,
    /// load of this output
    input  logic                    [11:0] load_i,
    /// a request arrives at the egress from row r
    input  logic [tilefly_pkg::OUT_ROWS-1:0] req_valid_i,
    /// requests, row r in bits [r*REQUEST_W +: REQUEST_W]
    input  logic [tilefly_pkg::OUT_ROWS*tilefly_pkg::REQUEST_W-1:0] req_i,
    /// the egress grants a request or takes it back
    input  logic                           grant_i,
    /// lane of the request
    input  logic                    [ 3:0] grant_vl_i,
    /// cells of the request
    input  logic                    [ 6:0] grant_cells_i,
    /// lanes in which a fifo of requests is deep
    input  logic    [tilefly_pkg::VLS-1:0] deep_i,
    /// the link takes a packet
    input  logic                           take_i,
    /// header of the packet, as it leaves
    input  tilefly_pkg::header_t           header_i,
    /// the last word of the packet that is being sent is read
    input  logic                           release_i,
    /// cells of the packet that is being sent
    input  logic                    [ 6:0] cells_i,
    /// the words of the packet are sent
    input  logic                           sent_i,
    /// the packet is damaged
    input  logic                           bad_i,
    /// an ack arrives from the crossbar
    input  logic                           arrives_i,
    /// the ack
    input  tilefly_pkg::ack_t              arrived_i,
    /// row bus of acks: valid (flop)
    output logic                           row_valid_o,
    /// port towards the source (flop)
    output logic                    [ 5:0] row_dst_o,
    /// the ack (flop)
    output tilefly_pkg::ack_t              row_o,
    /// an ack for the control slot of the next cycle (flop)
    output logic                           ctrl_valid_o,
    /// the ack (flop)
    output tilefly_pkg::ack_t              ctrl_o,
    /// the acked cells have left the network: an ack arrives at its source's port
    output logic                           home_o,
    /// load that the last ack passed on brought (flop)
    output logic                    [11:0] neighbour_o,
    /// acks passed on, modulo 512 (flop)
    output logic                    [ 8:0] acks_o,
    /// a counter is answered (flop)
    output logic                           rd_valid_o,
    /// value of the counter
    output logic                    [63:0] rd_data_o,
    /// no ack is on its way here
    output logic                           quiescent_o
);

  localparam int RowW = 6 + tilefly_pkg::ACK_W;
  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int CtrlCycles = 5;

  /* verilator lint_off UNUSEDSIGNAL */  // most of the mode is for others
  tilefly_pkg::port_mode_t mode;
  /* verilator lint_on UNUSEDSIGNAL */

  tilefly_port_mode u_mode (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .mode_o(mode)
  );

  // Towards the row bus.
  logic made, passed, made_bad, passed_bad, relay_busy, mark;
  logic [5:0] made_dst, passed_dst;
  logic [3:0] made_vl;
  logic [19:0] made_src;
  logic [11:0] share;
  tilefly_pkg::ack_t made_ack, passed_ack, marked_ack;

  tilefly_ack_maker u_maker (
      .clk_i,
      .rst_ni,
      .edge_i   (mode.acks),
      .flows_i  (mode.flows),
      .take_i,
      .header_i,
      .release_i,
      .cells_i,
      .sent_i,
      .bad_i,
      .load_i,
      .made_o   (made),
      .dst_o    (made_dst),
      .ack_o    (made_ack),
      .vl_o     (made_vl),
      .src_o    (made_src),
      .bad_ack_o(made_bad)
  );

  tilefly_ack_mark u_mark (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .on_i(mode.acks && mode.flows),
      .req_valid_i,
      .req_i,
      .grant_i,
      .grant_vl_i,
      .grant_cells_i,
      .deep_i,
      .made_i (made),
      .vl_i   (made_vl),
      .src_i  (made_src),
      .mark_o (mark),
      .share_o(share)
  );

  always_comb begin
    marked_ack       = made_ack;
    marked_ack.mark  = mark;
    marked_ack.share = share;
  end

  tilefly_ack_relay u_relay (
      .clk_i,
      .rst_ni,
      .live_i   (mode.enable && link_up_i),
      .edge_i   (mode.acks),
      .ctrl_i,
      .load_i,
      .passed_o (passed),
      .dst_o    (passed_dst),
      .ack_o    (passed_ack),
      .bad_ack_o(passed_bad),
      .neighbour_o,
      .acks_o,
      .busy_o   (relay_busy)
  );

  logic leaves_q, row_valid_q;
  logic [RowW-1:0] leaving_q, row_q;  // {dst, ack}

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      leaves_q    <= 1'b0;
      row_valid_q <= 1'b0;
    end else begin
      leaves_q    <= made || passed;
      row_valid_q <= leaves_q;
    end
    if (made) leaving_q <= {made_dst, marked_ack};
    else if (passed) leaving_q <= {passed_dst, passed_ack};
    if (leaves_q) row_q <= leaving_q;
  end

  assign row_valid_o = row_valid_q;
  assign {row_dst_o, row_o} = row_q;

  // From the crossbar: home, and to who is at the other end of the link.
  logic link_up_q, ctrl_busy;
  tilefly_pkg::ack_t onward;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) link_up_q <= 1'b0;
    else link_up_q <= link_up_i;
  end

  always_comb begin
    onward = '0;
    if (arrives_i) begin
      onward = arrived_i;
      if (arrived_i.hops != '0) onward.hops = arrived_i.hops - 3'd1;
    end
  end

  tilefly_delay_line #(
      .Width(tilefly_pkg::ACK_W),
      .Depth(CtrlCycles)
  ) u_ctrl (
      .clk_i,
      .rst_ni,
      .valid_i(arrives_i && mode.enable && mode.credits && link_up_q),
      .data_i (onward),
      .valid_o(ctrl_valid_o),
      .data_o (ctrl_o),
      .busy_o (ctrl_busy)
  );

  assign home_o = arrives_i && mode.acks;

  tilefly_ack_counters u_counters (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .made_i  (made),
      .marked_i(mark),
      .in_i    (home_o),
      .bad_i   ({passed_bad, made_bad}),
      .rd_valid_o,
      .rd_data_o
  );

  assign quiescent_o = !relay_busy && !leaves_q && !row_valid_q && !ctrl_busy && !rd_valid_o;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ACK_1_ways : assert (!(made && passed));
      ACK_1_port : assert (!row_valid_q || {1'b0, row_dst_o} < 7'(tilefly_pkg::PORTS));
    end
  end

endmodule
