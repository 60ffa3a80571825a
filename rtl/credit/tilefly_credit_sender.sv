// SPDX-License-Identifier: Apache-2.0
// Sender's half of the link credits: how many cells of each lane are on their way to, or in, the receiver's buffer, and
// which lanes may send another packet. Manual: docs/blocks/credit.md; of a retry port: docs/blocks/link_retry.md (Credits).
// Latency: `lane_ok_o` is combinational on the state; what comes in cycle t changes it from t + 1. A stamp that is decided in
// t is shown (flops) in t + 1.
// Throughput: one grant, return, take and start a cycle. Handshake: valid only; only lanes that `lane_ok_o` shows may be granted.
// Kept per lane are the cells sent and the cells in use; the cells returned are their difference.

module tilefly_credit_sender #(
    /// cycles from a stamp to the next lane's, a power of two
    parameter int StampGap = 64,
    /// bits of a count of cells; less than 16 for small proofs
    parameter int CountW = 16,
    /// cells of a lane in use from which on the link is given up
    parameter int OverCells = 49152
) (
    /// clock
    input  logic                              clk_i,
    /// synchronous reset, active low
    input  logic                              rst_ni,
    /* verilator lint_off UNUSEDSIGNAL */  // stamps have turns by some bits of it
    /// number of the current cycle
    input  logic                       [47:0] cycle_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// number of this port
    input  logic                        [5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                 cfg_i,
    /// the port's flow control is by credits (PORT.MODE.credits); if not, grants and returns are ignored
    input  logic                              enable_i,
    /// the port retries (PORT.MODE.retry), so its credits heal; changes only while the link is down
    input  logic                              retry_i,
    /// the link works; looked at where the port retries
    input  logic                              link_up_i,
    /// lanes that ask
    input  logic       [tilefly_pkg::VLS-1:0] want_i,
    /// those of the lanes that ask which have credit for a packet of MTU_CELLS
    output logic       [tilefly_pkg::VLS-1:0] lane_ok_o,
    /// a packet is granted
    input  logic                              grant_valid_i,
    /// lane of the packet
    input  logic                        [3:0] grant_vl_i,
    /// cells of the packet
    input  logic                        [6:0] grant_cells_i,
    /// a credit return arrives
    input  logic                              ret_valid_i,
    /// lane of the credit return
    input  logic                        [3:0] ret_vl_i,
    /// cells returned on the lane since reset, modulo 65536
    input  logic                       [15:0] ret_cells_i,
    /// the return makes no sense and is ignored
    output logic                              bad_return_o,
    /// the port retries, and the return changes the cells in use of its lane
    output logic                              returned_o,
    /// a packet is taken out of the output buffer
    input  logic                              take_valid_i,
    /// lane of the packet
    input  logic                        [3:0] take_vl_i,
    /// cells of the packet
    input  logic                        [6:0] take_cells_i,
    /// it is discarded
    input  logic                              take_lost_i,
    /// a packet started on the link in the cycle before
    input  logic                              start_valid_i,
    /// it was sent whole before
    input  logic                              start_again_i,
    /// lane of the packet
    input  logic                        [3:0] start_vl_i,
    /// bytes of its frame; 0 of a packet without cells
    input  logic                       [12:0] start_len_i,
    /// a stamp for the control slot, decided in the cycle before
    output logic                              stamp_valid_o,
    /// lane of the stamp
    output logic                        [3:0] stamp_vl_o,
    /// cells put on the wire on the lane since link up, modulo 65536
    output logic                       [15:0] stamp_cells_o,
    /// so many cells of a lane are in use that a stamp could soon be taken for an old one
    output logic                              over_o,
    /// no stamp is due or shown
    output logic                              quiescent_o
);

  localparam int Vls = tilefly_pkg::VLS;
  localparam int VlW = $clog2(Vls);
  localparam int Mtu = tilefly_pkg::MTU_CELLS;
  localparam int Reserve = tilefly_pkg::CREDIT_RESERVE_CELLS;
  localparam int Cap = tilefly_pkg::CREDIT_CAP_CELLS;
  localparam int Shared = tilefly_pkg::CREDIT_SHARED_CELLS;
  localparam int SumW = 17 + VlW;
  localparam int GapW = $clog2(StampGap);
  localparam logic [CountW-1:0] Over = CountW'(OverCells);
  localparam logic [6:0] AllPorts = 7'd127;

  logic [CountW-1:0] sent_q[Vls];
  logic [CountW-1:0] used_q[Vls];
  logic [11:0] reserve_q[Vls];
  logic [11:0] cap_q[Vls];
  logic [15:0] shared_q;

  // Cells of a lane that are not covered by its reserve.
  function automatic [16:0] excess(input [16:0] used, input [11:0] reserve);
    excess = used > 17'(reserve) ? used - 17'(reserve) : '0;
  endfunction

  // Of a retry port: what the receiver has said, what is inside this switch, what has begun on the wire.
  localparam int InsideW = $clog2(tilefly_pkg::OBUF_CELLS + 1);
  logic retry, retry_q, up_q;
  logic [Vls-1:0] known_q;
  logic [Vls*InsideW-1:0] inside_q, inside_d;  // lane v in bits [v*InsideW +: InsideW]
  logic [CountW-1:0] wired_q[Vls];
  assign retry = enable_i && retry_i;

  logic [SumW-1:0] excess_sum, excess_others;

  // What is shared is known only when the receiver has spoken of all lanes.
  always_comb begin
    lane_ok_o     = '0;
    excess_sum    = '0;
    excess_others = '0;
    if (enable_i && want_i != '0 && (!retry || known_q == '1)) begin
      for (int v = 0; v < Vls; v++) excess_sum = excess_sum + SumW'(excess(17'(used_q[v]), reserve_q[v]));
      for (int v = 0; v < Vls; v++) begin
        if (want_i[v]) begin
          excess_others = excess_sum - SumW'(excess(17'(used_q[v]), reserve_q[v]));
          lane_ok_o[v] = 17'(used_q[v]) + 17'(Mtu) <= 17'(cap_q[v]) &&
              excess_others + SumW'(excess(17'(used_q[v]) + 17'(Mtu), reserve_q[v])) <= SumW'(shared_q);
        end
      end
    end
  end

  logic grant, ret, take, lost, start, again, down;
  logic [VlW-1:0] grant_vl, ret_vl, take_vl, start_vl;
  logic [6:0] start_cells;
  logic [CountW-1:0] used_after_return;

  assign grant = enable_i && grant_valid_i;
  assign ret = enable_i && ret_valid_i;
  assign take = retry && take_valid_i;
  assign lost = take && take_lost_i;
  assign start = retry && start_valid_i;
  assign again = start && start_again_i;
  assign down = retry && !link_up_i;
  assign grant_vl = grant_vl_i[VlW-1:0];
  assign ret_vl = ret_vl_i[VlW-1:0];
  assign take_vl = take_vl_i[VlW-1:0];
  assign start_vl = start_vl_i[VlW-1:0];
  assign start_cells = start_len_i == '0 ? '0 : tilefly_ingress_pkg::cells_of(start_len_i);
  assign used_after_return = sent_q[ret_vl] - CountW'(ret_cells_i);
  assign returned_o = retry && ret && !bad_return_o && used_after_return != used_q[ret_vl];
  assign bad_return_o = ret && (!retry || known_q[ret_vl]) && used_after_return > used_q[ret_vl];

  // Cells that lane v is charged in this cycle: those that are granted and sent again, less those that are discarded.
  logic [CountW-1:0] grant_charge, again_charge, lost_charge;
  assign grant_charge = grant ? CountW'(grant_cells_i) : '0;
  assign again_charge = again ? CountW'(start_cells) : '0;
  assign lost_charge  = lost ? CountW'(take_cells_i) : '0;

  function automatic [CountW-1:0] charged(input [VlW-1:0] v, input [VlW-1:0] of_grant, input [CountW-1:0] granted,
                                          input [VlW-1:0] of_start, input [CountW-1:0] repeated, input [VlW-1:0] of_take,
                                          input [CountW-1:0] discarded);
    charged = (of_grant == v ? granted : '0) + (of_start == v ? repeated : '0) - (of_take == v ? discarded : '0);
  endfunction

  // Cells of a lane inside the switch, behind this cycle.
  function automatic [InsideW-1:0] inside_next(input [InsideW-1:0] now, input granted, input [6:0] came, input taken,
                                               input [6:0] left);
    inside_next = now + (granted ? InsideW'(came) : '0) - (taken ? InsideW'(left) : '0);
  endfunction

  logic [CountW-1:0] of_grant, of_start, of_take, of_ret;
  always_comb begin
    of_grant = grant_charge;
    of_start = '0;
    of_take  = '0;
    of_ret   = grant_vl == ret_vl ? grant_charge : '0;
    if (retry) begin
      of_grant = charged(grant_vl, grant_vl, grant_charge, start_vl, again_charge, take_vl, lost_charge);
      of_start = charged(start_vl, grant_vl, grant_charge, start_vl, again_charge, take_vl, lost_charge);
      of_take  = charged(take_vl, grant_vl, grant_charge, start_vl, again_charge, take_vl, lost_charge);
      of_ret   = charged(ret_vl, grant_vl, grant_charge, start_vl, again_charge, take_vl, lost_charge);
    end
  end

  // Cells of all lanes inside the switch behind this cycle. A port without retry does not work them out, so that it costs little time of
  // a simulation.
  always_comb begin
    inside_d = '0;
    if (retry && (grant || take || down)) begin
      for (int v = 0; v < Vls; v++) begin
        inside_d[v*InsideW+:InsideW] = inside_next(inside_q[v*InsideW+:InsideW], grant && grant_vl == VlW'(v), grant_cells_i,
                                                   take && take_vl == VlW'(v), take_cells_i);
      end
    end
  end

  // On a lane of several events each writes the same sum; the return's part, which comes last, is of cells in use alone.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || down) begin
      for (int v = 0; v < Vls; v++) sent_q[v] <= rst_ni ? CountW'(inside_d[v*InsideW+:InsideW]) : '0;
      for (int v = 0; v < Vls; v++) used_q[v] <= rst_ni ? CountW'(inside_d[v*InsideW+:InsideW]) : '0;
    end else begin
      if (grant) begin
        sent_q[grant_vl] <= sent_q[grant_vl] + of_grant;
        used_q[grant_vl] <= used_q[grant_vl] + of_grant;
      end
      if (again) begin
        sent_q[start_vl] <= sent_q[start_vl] + of_start;
        used_q[start_vl] <= used_q[start_vl] + of_start;
      end
      if (lost) begin
        sent_q[take_vl] <= sent_q[take_vl] + of_take;
        used_q[take_vl] <= used_q[take_vl] + of_take;
      end
      if (ret && !bad_return_o) used_q[ret_vl] <= used_after_return + of_ret;
    end
  end

  logic stamps, stamp_valid_q;
  logic [VlW-1:0] stamp_vl, stamp_vl_q;
  logic [CountW-1:0] stamp_cells_q;
  assign stamp_vl = cycle_i[GapW+:VlW];
  always_comb begin
    stamps = 1'b0;
    if (retry && up_q && cycle_i[GapW-1:0] == '0) stamps = used_q[stamp_vl] != '0 || !known_q[stamp_vl];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (retry_q && !retry)) begin
      retry_q       <= 1'b0;
      up_q          <= 1'b0;
      known_q       <= '1;
      stamp_valid_q <= 1'b0;
      stamp_vl_q    <= '0;
      stamp_cells_q <= '0;
      inside_q      <= '0;
    end else begin
      retry_q <= retry;
      up_q    <= link_up_i;
      if (retry) begin
        stamp_valid_q <= stamps;
        stamp_vl_q    <= stamps ? stamp_vl : '0;
        stamp_cells_q <= stamps ? wired_q[stamp_vl] : '0;
        if (grant || take) inside_q <= inside_d;
        if (ret) known_q[ret_vl] <= 1'b1;
        if (down) known_q <= '0;
      end
    end
    if (!rst_ni || (retry_q && !retry) || down) begin
      for (int v = 0; v < Vls; v++) wired_q[v] <= '0;
    end else if (start) begin
      wired_q[start_vl] <= wired_q[start_vl] + CountW'(start_cells);
    end
  end

  always_comb begin
    over_o      = 1'b0;
    quiescent_o = !stamp_valid_q;
    if (retry) begin
      if (known_q != '1) quiescent_o = 1'b0;
      for (int v = 0; v < Vls; v++) begin
        if (used_q[v] >= Over) over_o = 1'b1;
        if (used_q[v] != '0) quiescent_o = 1'b0;
      end
    end
  end

  assign stamp_valid_o = stamp_valid_q;
  assign stamp_vl_o = 4'(stamp_vl_q);
  assign stamp_cells_o = 16'(stamp_cells_q);

  logic write;
  tilefly_pkg::credit_lane_t lane;
  tilefly_pkg::credit_shared_t shared;
  assign lane   = tilefly_pkg::get_credit_lane(cfg_i.data);
  assign shared = tilefly_pkg::get_credit_shared(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_CREDIT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      shared_q <= 16'(Shared);
      for (int v = 0; v < Vls; v++) begin
        reserve_q[v] <= 12'(Reserve);
        cap_q[v]     <= 12'(Cap);
      end
    end else if (write) begin
      if (cfg_i.index < 11'(Vls)) begin
        reserve_q[VlW'(cfg_i.index)] <= lane.reserve;
        cap_q[VlW'(cfg_i.index)]     <= lane.cap;
      end
      if (cfg_i.index == tilefly_pkg::TABLE_REG_CREDIT_SHARED) shared_q <= shared.cells;
    end
  end

  // Assertions: a grant leaves the lane within its cap and all lanes within what they share, by books of their own: cells
  // granted, less those that the partner has said are free. A retry port has no such books: there it is of the cells in use,
  // and not where a packet starts again with the grant.
  always_ff @(posedge clk_i) begin
    if (rst_ni && grant) begin
      CRED_2_packet : assert (17'(grant_cells_i) <= 17'(Mtu));
    end
  end
`ifndef SYNTHESIS
`ifndef FORMAL
  /* verilator tracing_off */
  logic [15:0] granted_mem[Vls], freed_mem[Vls];  // since reset or retry, modulo 65536
  logic judge;  // a packet was granted in the cycle before, by the registers that hold now
  logic [VlW-1:0] judged;
  logic [15:0] out;
  logic [SumW-1:0] of_shared;
  logic fits;
  /* verilator tracing_on */
  /* verilator lint_off BLKSEQ */  // the books are read here alone
  always_ff @(posedge clk_i) begin
    if (rst_ni && judge) begin
      of_shared = '0;
      for (int v = 0; v < Vls; v++) begin
        out = retry ? 16'(used_q[v]) : granted_mem[v] - freed_mem[v];
        if (out > 16'(reserve_q[v])) of_shared = of_shared + SumW'(out) - SumW'(reserve_q[v]);
        if (judged == VlW'(v)) fits = out <= 16'(cap_q[v]);
      end
      CRED_2 : assert (fits && of_shared <= SumW'(shared_q));
    end
    judge  = rst_ni && grant && !write && !again;
    judged = grant_vl;
    if (!rst_ni || retry) begin
      for (int v = 0; v < Vls; v++) begin
        granted_mem[v] = '0;
        freed_mem[v]   = '0;
      end
    end else begin
      // The return is judged by the grants before this cycle.
      if (ret && granted_mem[ret_vl] - ret_cells_i <= granted_mem[ret_vl] - freed_mem[ret_vl]) freed_mem[ret_vl] = ret_cells_i;
      if (grant) granted_mem[grant_vl] = granted_mem[grant_vl] + 16'(grant_cells_i);
    end
  end
  /* verilator lint_on BLKSEQ */
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) begin
      for (int v = 0; v < Vls; v++) begin
        CRED_3 : assert (used_q[v] == '0);
      end
    end
  end
`endif
`endif

endmodule
