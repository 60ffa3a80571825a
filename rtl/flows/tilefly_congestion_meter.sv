// SPDX-License-Identifier: Apache-2.0
// Marks the acks of an edge output whose queue is long, and says how many cells each source may have in flight. Manual:
// docs/blocks/flow_channel.md, "Meter at the output".
// Latency: mark and share are combinational, on the requests that were committed. Throughput: requests of all rows, a grant and an
// ack a cycle. Handshake: valid only.

module tilefly_congestion_meter #(
    /// rows that bring requests
    parameter int Rows = tilefly_pkg::OUT_ROWS
) (
    /// clock
    input  logic                                clk_i,
    /// synchronous reset, active low
    input  logic                                rst_ni,
    /// number of the current cycle
    input  logic [                        47:0] cycle_i,
    /// number of this port
    input  logic [                         5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                   cfg_i,
    /// MODE.acks and MODE.flows; else no ack is marked or looked at
    input  logic                                on_i,
    /// requests that arrive, by row
    input  logic [                    Rows-1:0] request_valid_i,
    /// their lanes
    input  logic [                  4*Rows-1:0] request_vl_i,
    /// their cells
    input  logic [                  7*Rows-1:0] request_cells_i,
    /// lanes with a deep queue of requests
    input  logic [        tilefly_pkg::VLS-1:0] deep_i,
    /// a request is granted
    input  logic                                grant_valid_i,
    /// its lane
    input  logic [                         3:0] grant_vl_i,
    /// its cells
    input  logic [                         6:0] grant_cells_i,
    /// class of each lane, VL_CLASS
    input  logic [      3*tilefly_pkg::VLS-1:0] vl_class_i,
    /// an ack is made
    input  logic                                made_i,
    /// lane of its packet
    input  logic [                         3:0] vl_i,
    /// source of its packet
    input  logic [                        19:0] src_i,
    /// the ack is marked
    output logic                                mark_o,
    /// cells that the source may have in flight
    output logic [                        11:0] share_o
);

  localparam int Vls = tilefly_pkg::VLS;
  localparam int WaitW = 17;
  localparam int DepthW = WaitW + $clog2(Vls);
  localparam int DepthMost = 4095;

  tilefly_pkg::flow_mark_t mark_reg;
  /* verilator lint_off UNUSEDSIGNAL */  // the channel's register is the input's
  tilefly_pkg::flow_channel_t channel_reg;
  /* verilator lint_on UNUSEDSIGNAL */

  tilefly_flow_regs u_regs (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .mark_o   (mark_reg),
      .channel_o(channel_reg)
  );

  // Cells requested on a lane and not yet granted, in every mode: requests may be there when the mode is written.
  // A lane has none that has had no request since the reset: a cycle without requests and grants then costs nothing.
  logic [WaitW-1:0] waiting_mem[Vls];
  logic [Vls-1:0] known_q;
  logic [Rows*WaitW-1:0] in_waiting;  // of the request's lane, row r in the r-th slice, after all events of the cycle
  logic [WaitW-1:0] out_waiting;  // of the lane that is granted, after the grant
  logic [WaitW-1:0] lane_cells;
  always_comb begin
    out_waiting = '0;
    if (grant_valid_i) out_waiting = waiting_mem[grant_vl_i] - WaitW'(grant_cells_i);
  end
  always_comb begin
    in_waiting = '0;
    lane_cells = '0;
    if (request_valid_i != '0) for (int r = 0; r < Rows; r++) begin
      if (request_valid_i[r]) begin
        lane_cells = known_q[request_vl_i[4*r+:4]] ? waiting_mem[request_vl_i[4*r+:4]] : '0;
        if (grant_valid_i && grant_vl_i == request_vl_i[4*r+:4]) lane_cells = out_waiting;
        for (int o = 0; o < Rows; o++) begin
          if (request_valid_i[o] && request_vl_i[4*o+:4] == request_vl_i[4*r+:4]) lane_cells = lane_cells + WaitW'(request_cells_i[7*o+:7]);
        end
        in_waiting[r*WaitW+:WaitW] = lane_cells;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else if (request_valid_i != '0) for (int r = 0; r < Rows; r++) if (request_valid_i[r]) known_q[request_vl_i[4*r+:4]] <= 1'b1;
    if (grant_valid_i) waiting_mem[grant_vl_i] <= out_waiting;
    // After the grant: requests know of it, and of each other.
    for (int r = 0; r < Rows; r++) begin
      if (request_valid_i[r]) waiting_mem[request_vl_i[4*r+:4]] <= in_waiting[r*WaitW+:WaitW];
    end
  end

  // The ack's class: its lanes' cells, and whether one of them has a deep queue.
  logic made, deep;
  logic [2:0] tc;
  logic [DepthW-1:0] sum;
  logic [11:0] depth;
  assign made = made_i && on_i;
  always_comb begin
    tc    = '0;
    deep  = 1'b0;
    sum   = '0;
    depth = '0;
    if (made) begin
      tc = vl_class_i[32'(vl_i)*3+:3];
      for (int v = 0; v < Vls; v++) begin
        if (vl_class_i[3*v+:3] == tc) begin
          if (known_q[v]) sum = sum + DepthW'(waiting_mem[v]);
          deep = deep || deep_i[v];
        end
      end
      depth = sum > DepthW'(DepthMost) ? 12'(DepthMost) : sum[11:0];
    end
  end

  logic [6:0] sources;
  tilefly_congestion_sources u_sources (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .made_i   (made),
      .class_i  (tc),
      .src_i,
      .sources_o(sources)
  );

  assign mark_o = made && (depth >= mark_reg.on || deep);
  always_comb begin
    share_o = '0;
    if (made && depth < mark_reg.hard) share_o = mark_reg.full / 12'(sources);
  end

  // Assertions: cells that wait are those of a sum over all lanes, as the load is; and shares together are at most FULL.
`ifndef SYNTHESIS
  int total, waiting;
  logic moved;  // a request came or went in the cycle before
  /* verilator lint_off BLKSEQ */  // the books are read here alone
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      total = 0;
      moved = 1'b0;
    end else begin
      if (moved) begin
        waiting = 0;
        for (int v = 0; v < Vls; v++) if (known_q[v]) waiting = waiting + 32'(waiting_mem[v]);
        METER_1 : assert (waiting == total);
      end
      moved = grant_valid_i || request_valid_i != '0;
      if (moved) begin
        if (grant_valid_i) total = total - 32'(grant_cells_i);
        for (int r = 0; r < Rows; r++) if (request_valid_i[r]) total = total + 32'(request_cells_i[7*r+:7]);
      end
      if (made) begin
        METER_2_share : assert (19'(share_o) * 19'(sources) <= 19'(mark_reg.full));
      end
    end
  end
  /* verilator lint_on BLKSEQ */
`endif

endmodule
