// SPDX-License-Identifier: Apache-2.0
// Sender's half of the link credits: how many cells of each lane are on their way to, or in, the receiver's buffer, and
// which lanes may send another packet. Manual: docs/blocks/credit.md.
// Latency: `lane_ok_o` is combinational on the state; a grant or a return in cycle t changes it from t + 1.
// Throughput: one grant and one return a cycle. Handshake: valid only; only lanes that `lane_ok_o` shows may be granted.
// Kept per lane are the cells sent and the cells in use; the cells returned are their difference.

module tilefly_credit_sender (
    /// clock
    input  logic                              clk_i,
    /// synchronous reset, active low
    input  logic                              rst_ni,
    /// number of this port
    input  logic                        [5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                 cfg_i,
    /// the port's flow control is by credits (PORT.MODE.credits); if not, grants and returns are ignored
    input  logic                              enable_i,
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
    output logic                              bad_return_o
);

  localparam int Vls = tilefly_pkg::VLS;
  localparam int VlW = $clog2(Vls);
  localparam int Mtu = tilefly_pkg::MTU_CELLS;
  localparam int Reserve = tilefly_pkg::CREDIT_RESERVE_CELLS;
  localparam int Cap = tilefly_pkg::CREDIT_CAP_CELLS;
  localparam int Shared = tilefly_pkg::CREDIT_SHARED_CELLS;
  localparam int SumW = 17 + VlW;
  localparam logic [6:0] AllPorts = 7'd127;

  logic [15:0] sent_q[Vls];
  logic [15:0] used_q[Vls];
  logic [11:0] reserve_q[Vls];
  logic [11:0] cap_q[Vls];
  logic [15:0] shared_q;

  // Cells of a lane that are not covered by its reserve.
  function automatic [16:0] excess(input [16:0] used, input [11:0] reserve);
    excess = used > 17'(reserve) ? used - 17'(reserve) : '0;
  endfunction

  logic [SumW-1:0] excess_sum, excess_others;

  always_comb begin
    lane_ok_o     = '0;
    excess_sum    = '0;
    excess_others = '0;
    if (enable_i && want_i != '0) begin
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

  logic grant, ret, same_lane;
  logic [VlW-1:0] grant_vl, ret_vl;
  logic [15:0] used_after_return;

  assign grant = enable_i && grant_valid_i;
  assign ret = enable_i && ret_valid_i;
  assign grant_vl = grant_vl_i[VlW-1:0];
  assign ret_vl = ret_vl_i[VlW-1:0];
  assign same_lane = grant_vl == ret_vl;
  assign used_after_return = sent_q[ret_vl] - ret_cells_i;
  assign bad_return_o = ret && used_after_return > used_q[ret_vl];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int v = 0; v < Vls; v++) begin
        sent_q[v] <= '0;
        used_q[v] <= '0;
      end
    end else begin
      if (grant) begin
        sent_q[grant_vl] <= sent_q[grant_vl] + 16'(grant_cells_i);
        used_q[grant_vl] <= used_q[grant_vl] + 16'(grant_cells_i);
      end
      // After the grant's, so that on one lane both take effect.
      if (ret && !bad_return_o) begin
        used_q[ret_vl] <= used_after_return + (grant && same_lane ? 16'(grant_cells_i) : 16'd0);
      end
    end
  end

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
  // granted, less those that the partner has said are free.
  always_ff @(posedge clk_i) begin
    if (rst_ni && grant) begin
      CRED_2_packet : assert (17'(grant_cells_i) <= 17'(Mtu));
    end
  end
`ifndef SYNTHESIS
`ifndef FORMAL
  /* verilator tracing_off */
  logic [15:0] granted_q[Vls], freed_q[Vls];  // since reset, modulo 65536
  logic judge_q;  // a packet was granted in the cycle before, by the registers that hold now
  logic [VlW-1:0] judged_q;
  logic [15:0] out;
  logic [SumW-1:0] of_shared;
  logic fits;
  /* verilator tracing_on */
  always_comb begin
    fits    = 1'b1;
    of_shared = '0;
    out       = '0;
    if (judge_q) begin
      for (int v = 0; v < Vls; v++) begin
        out = granted_q[v] - freed_q[v];
        if (out > 16'(reserve_q[v])) of_shared = of_shared + SumW'(out) - SumW'(reserve_q[v]);
        if (judged_q == VlW'(v)) fits = out <= 16'(cap_q[v]);
      end
      fits = fits && of_shared <= SumW'(shared_q);
    end
  end
  always_ff @(posedge clk_i) begin
    judge_q  <= rst_ni && grant && !write;
    judged_q <= grant_vl;
    if (grant) granted_q[grant_vl] <= granted_q[grant_vl] + 16'(grant_cells_i);
    if (ret && granted_q[ret_vl] - ret_cells_i <= granted_q[ret_vl] - freed_q[ret_vl]) freed_q[ret_vl] <= ret_cells_i;
    if (!rst_ni) begin
      for (int v = 0; v < Vls; v++) begin
        granted_q[v] <= '0;
        freed_q[v]   <= '0;
      end
    end else begin
      CRED_2 : assert (fits);
    end
  end
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
