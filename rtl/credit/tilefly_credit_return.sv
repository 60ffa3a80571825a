// SPDX-License-Identifier: Apache-2.0
// Receiver's half of the link credits: cumulative counts of the cells freed on each lane, reported to the sender one
// lane a cycle. Manual: docs/blocks/credit.md.
// Latency: cells freed as an event in cycle e can be in the message decided in d >= e + 1; the message is on the
// outputs (flops) in d + 1. Throughput: one message a cycle, `Sources` releases a cycle. Handshake: valid only.

module tilefly_credit_return #(
    /// places that can free cells in one cycle, also on one lane
    parameter int Sources = 3,
    /// bits of the number of cells freed at once
    parameter int CellsW = 7
) (
    /// clock
    input  logic                      clk_i,
    /// synchronous reset, active low
    input  logic                      rst_ni,
    /// source s frees cells in this cycle
    input  logic [       Sources-1:0] free_valid_i,
    /// lane of the cells, source s in bits [s*4 +: 4]
    input  logic [     Sources*4-1:0] free_vl_i,
    /// number of the cells, source s in bits [s*CellsW +: CellsW]
    input  logic [Sources*CellsW-1:0] free_cells_i,
    /// a credit return for the control slot, decided in the cycle before
    output logic                      ret_valid_o,
    /// lane of the credit return
    output logic [               3:0] ret_vl_o,
    /// cells freed on the lane since reset, modulo 65536
    output logic [              15:0] ret_cells_o,
    /// nothing to report
    output logic                      quiescent_o
);

  localparam int Vls = tilefly_pkg::VLS;
  localparam int VlW = $clog2(Vls);

  logic [15:0] freed_q[Vls];
  logic [Vls-1:0] pending_q, winner, freed_now;
  logic [VlW-1:0] pointer_q, pointer_next, lane;
  logic valid_q;
  logic [VlW-1:0] vl_q;
  logic [15:0] cells_q;

  tilefly_rr_arbiter #(
      .N(Vls)
  ) u_lane (
      .req_i    (pending_q),
      .pointer_i(pointer_q),
      .grant_o  (winner),
      .index_o  (lane),
      .next_o   (pointer_next)
  );

  // Lane of source s.
  function automatic [VlW-1:0] lane_of(input [Sources*4-1:0] lanes, input integer s);
    lane_of = lanes[s*4+:VlW];
  endfunction

  // Cells that all sources together free on source s's lane: each of them writes the same sum.
  function automatic [15:0] freed_on_lane_of(input integer s, input [Sources-1:0] valid, input [Sources*4-1:0] lanes,
                                             input [Sources*CellsW-1:0] cells);
    freed_on_lane_of = '0;
    for (int o = 0; o < Sources; o++) begin
      if (valid[o] && lane_of(lanes, o) == lane_of(lanes, s)) begin
        freed_on_lane_of = freed_on_lane_of + 16'(cells[o*CellsW+:CellsW]);
      end
    end
  endfunction

  always_comb begin
    freed_now = '0;
    for (int s = 0; s < Sources; s++) begin
      if (free_valid_i[s]) freed_now = freed_now | (Vls'(1) << lane_of(free_vl_i, s));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= '0;
      pointer_q <= '0;
      valid_q   <= 1'b0;
      vl_q      <= '0;
      cells_q   <= '0;
      for (int v = 0; v < Vls; v++) freed_q[v] <= '0;
    end else begin
      pending_q <= (pending_q & ~winner) | freed_now;
      valid_q   <= pending_q != '0;
      if (pending_q != '0) begin
        pointer_q <= pointer_next;
        vl_q      <= lane;
        cells_q   <= freed_q[lane];
      end
      for (int s = 0; s < Sources; s++) begin
        if (free_valid_i[s]) begin
          freed_q[lane_of(free_vl_i, s)] <= freed_q[lane_of(free_vl_i, s)] +
              freed_on_lane_of(s, free_valid_i, free_vl_i, free_cells_i);
        end
      end
    end
  end

  assign ret_valid_o = valid_q;
  assign ret_vl_o    = 4'(vl_q);
  assign ret_cells_o = cells_q;
  assign quiescent_o = pending_q == '0 && !valid_q;

endmodule
