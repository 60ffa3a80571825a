// SPDX-License-Identifier: Apache-2.0
// Receiver's half of the link credits: cumulative counts of the cells freed on each lane, reported to the sender one
// lane a cycle. Manual: docs/blocks/credit.md; of a retry port: docs/blocks/link_retry.md (Credits).
// Latency: cells freed as an event in cycle e can be in the message decided in d >= e + 1; the message is on the
// outputs (flops) in d + 1. Throughput: one message a cycle, `Sources` releases a cycle. Handshake: valid only.

module tilefly_credit_return #(
    /// places that can free cells in one cycle, also on one lane
    parameter int Sources = 3,
    /// bits of the number of cells freed at once
    parameter int CellsW = 7,
    /// bits of a count of cells; less than 16 for small proofs
    parameter int CountW = 16,
    /// a stamp that is behind by so many cells or less is old
    parameter int OldCells = 1023
) (
    /// clock
    input  logic                      clk_i,
    /// synchronous reset, active low
    input  logic                      rst_ni,
    /// the port retries (PORT.MODE.retry), so its credits heal; changes only while the link is down
    input  logic                      retry_i,
    /// the link works; looked at where the port retries
    input  logic                      link_up_i,
    /// source s frees cells in this cycle
    input  logic [       Sources-1:0] free_valid_i,
    /// lane of the cells, source s in bits [s*4 +: 4]
    input  logic [     Sources*4-1:0] free_vl_i,
    /// number of the cells, source s in bits [s*CellsW +: CellsW]
    input  logic [Sources*CellsW-1:0] free_cells_i,
    /// a packet with header begins at the MAC
    input  logic                      taken_valid_i,
    /// lane of its header
    input  logic [               3:0] taken_vl_i,
    /// cells of the packet
    input  logic [        CellsW-1:0] taken_cells_i,
    /// a stamp arrives
    input  logic                      stamp_valid_i,
    /// lane of the stamp
    input  logic [               3:0] stamp_vl_i,
    /// cells put on the wire on the lane since link up, modulo 65536
    input  logic [              15:0] stamp_cells_i,
    /// a credit return for the control slot, decided in the cycle before
    output logic                      ret_valid_o,
    /// lane of the credit return
    output logic [               3:0] ret_vl_o,
    /// cells freed on the lane since reset, modulo 65536
    output logic [              15:0] ret_cells_o,
    /// event: cells that the stamp gives back; 0: none
    output logic [              15:0] healed_cells_o,
    /// event: the stamp is older than what is known, and is ignored
    output logic                      old_stamp_o,
    /// nothing to report
    output logic                      quiescent_o
);

  localparam int Vls = tilefly_pkg::VLS;
  localparam int VlW = $clog2(Vls);

  logic [CountW-1:0] freed_q[Vls];
  logic [Vls-1:0] pending_q, waiting, winner, freed_now;
  logic [VlW-1:0] pointer_q, pointer_next, lane;
  logic valid_q;
  logic [VlW-1:0] vl_q;
  logic [CountW-1:0] cells_q;

  assign waiting = pending_q;

  tilefly_rr_arbiter #(
      .N(Vls)
  ) u_lane (
      .req_i    (waiting),
      .pointer_i(pointer_q),
      .grant_o  (winner),
      .index_o  (lane),
      .next_o   (pointer_next)
  );

  // Lane of source s.
  function automatic [VlW-1:0] lane_of(input [Sources*4-1:0] lanes, input integer s);
    lane_of = lanes[s*4+:VlW];
  endfunction

  // Cells that all sources together free on a lane: each source of the lane writes the same sum.
  function automatic [CountW-1:0] freed_on_lane(input [VlW-1:0] v, input [Sources-1:0] valid, input [Sources*4-1:0] lanes,
                                          input [Sources*CellsW-1:0] cells);
    freed_on_lane = '0;
    for (int o = 0; o < Sources; o++) begin
      if (valid[o] && lane_of(lanes, o) == v) begin
        freed_on_lane = freed_on_lane + CountW'(cells[o*CellsW+:CellsW]);
      end
    end
  endfunction

  // Of a retry port: what the MAC took, and stamps, which say what it should have taken.
  logic retry_q, up_q, taken, stamp, starts_to_retry;
  logic [CountW-1:0] taken_q[Vls];
  logic [Vls-1:0] asked_q, asks, asked_winner;
  logic [VlW-1:0] taken_vl, stamp_vl, asked_lane;
  logic [CountW-1:0] behind, healed;
  logic heals, old;
  assign taken = retry_i && taken_valid_i;
  assign taken_vl = taken_vl_i[VlW-1:0];
  assign stamp_vl = stamp_vl_i[VlW-1:0];
  assign heals = healed != '0;
  assign starts_to_retry = retry_i && !retry_q;

  always_comb begin
    behind = '0;
    old    = 1'b0;
    stamp  = 1'b0;
    healed = '0;
    if (retry_i && stamp_valid_i) begin
      behind = taken_q[stamp_vl] - CountW'(stamp_cells_i);
      old    = behind != '0 && behind <= CountW'(OldCells);
      stamp  = !old;
      if (stamp) healed = -behind;
    end
  end

  // All lanes at once, lane v in bits [v*CountW +: CountW]: cells freed behind a cycle without link, none where the port starts
  // to retry. Other cycles do not work them out, so that a port without retry costs little time of a simulation.
  logic [Vls*CountW-1:0] freed_down;
  always_comb begin
    freed_down = '0;
    if (retry_i && !link_up_i && !starts_to_retry) begin
      for (int v = 0; v < Vls; v++) begin
        freed_down[v*CountW+:CountW] = freed_q[v] + freed_on_lane(VlW'(v), free_valid_i, free_vl_i, free_cells_i) -
            taken_q[v] - (taken && taken_vl == VlW'(v) ? CountW'(taken_cells_i) : '0);
      end
    end
  end

  // The lowest lane that a stamp has asked for has its turn when no lane is pending.
  always_comb begin
    asked_lane   = '0;
    asked_winner = '0;
    asks         = stamp ? Vls'(1) << stamp_vl : '0;
    if (asked_q != '0) begin
      for (int v = Vls - 1; v >= 0; v--) if (asked_q[v]) asked_lane = VlW'(v);
      if (waiting == '0) asked_winner = Vls'(1) << asked_lane;
    end
  end

  always_comb begin
    freed_now = '0;
    if (free_valid_i != '0) for (int s = 0; s < Sources; s++) begin
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
    end else begin
      pending_q <= (pending_q & ~winner) | freed_now;
      valid_q   <= pending_q != '0 || asked_q != '0;
      if (waiting != '0) begin
        pointer_q <= pointer_next;
        vl_q      <= lane;
        cells_q   <= freed_q[lane];
      end else if (asked_q != '0) begin
        vl_q    <= asked_lane;
        cells_q <= freed_q[asked_lane];
      end
      for (int s = 0; s < Sources; s++) begin
        if (free_valid_i[s]) begin
          freed_q[lane_of(free_vl_i, s)] <= freed_q[lane_of(free_vl_i, s)] +
              freed_on_lane(lane_of(free_vl_i, s), free_valid_i, free_vl_i, free_cells_i) +
              (heals && lane_of(free_vl_i, s) == stamp_vl ? healed : '0);
        end
      end
      // Of a retry port. On a lane of several events each writes the same sum.
      if (retry_i) begin
        if (heals) begin
          pending_q[stamp_vl] <= 1'b1;
          freed_q[stamp_vl]   <= freed_q[stamp_vl] + healed + freed_on_lane(stamp_vl, free_valid_i, free_vl_i, free_cells_i);
        end
        if (!link_up_i) pending_q <= '0;
        else if (!up_q) pending_q <= '1;
      end
    end
    if (!rst_ni || (retry_i && (!link_up_i || starts_to_retry))) begin
      for (int v = 0; v < Vls; v++) freed_q[v] <= rst_ni ? freed_down[v*CountW+:CountW] : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    up_q    <= !rst_ni || link_up_i;
    retry_q <= rst_ni && retry_i;
    if (!rst_ni || (retry_i ? !link_up_i : retry_q)) begin
      asked_q <= '0;
      for (int v = 0; v < Vls; v++) taken_q[v] <= '0;
    end else if (retry_i) begin
      asked_q <= (asked_q & ~winner & ~asked_winner) | asks;
      if (heals) taken_q[stamp_vl] <= taken_q[stamp_vl] + healed;
      if (taken) begin
        taken_q[taken_vl] <= taken_q[taken_vl] + CountW'(taken_cells_i) + (taken_vl == stamp_vl ? healed : '0);
      end
    end
  end

  assign ret_valid_o = valid_q;
  assign ret_vl_o    = 4'(vl_q);
  assign ret_cells_o = 16'(cells_q);
  assign healed_cells_o = 16'(healed);
  assign old_stamp_o = old;
  assign quiescent_o = pending_q == '0 && asked_q == '0 && !valid_q && (!retry_i || up_q);

  // Assertion: what was taken and not freed is what the buffer holds, by books of its own.
`ifndef SYNTHESIS
  /* verilator tracing_off */
  logic [Vls*CountW-1:0] resident_q, resident_d;  // lane v in bits [v*CountW +: CountW]
  logic changes, holds;
  /* verilator tracing_on */
  assign changes = retry_i && (taken || freed_now != '0);
  always_comb begin
    holds = 1'b1;
    if (retry_q) for (int v = 0; v < Vls; v++) holds = holds && taken_q[v] - freed_q[v] == resident_q[v*CountW+:CountW];
  end
  always_comb begin
    resident_d = '0;
    if (changes) begin
      for (int v = 0; v < Vls; v++) begin
        resident_d[v*CountW+:CountW] = resident_q[v*CountW+:CountW] + (taken && taken_vl == VlW'(v) ? CountW'(taken_cells_i) : '0) -
            freed_on_lane(VlW'(v), free_valid_i, free_vl_i, free_cells_i);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || starts_to_retry) resident_q <= '0;
    else if (changes) resident_q <= resident_d;
    if (rst_ni) LSV_2 : assert (holds);
  end
`endif

endmodule
