// SPDX-License-Identifier: Apache-2.0
// Shares of the input buffer by class. The block counts the cells that each class holds, and says which packet of a
// lossy class exceeds the share of its class. Manual: docs/blocks/ingress.md, "Class shares".
// Latency: full_o is combinational on the registers and accounts of the cycle; a packet that enters, a packet that
// leaves and a write count from the next cycle on. Throughput: one packet in, one out of each source a cycle. Handshake: valid only.
//
//   cells of class c   0 ........ reserve ........ cap
//                      its own    | taken of the part that the classes share

module tilefly_class_shares #(
    /// places where packets leave
    parameter int Sources = tilefly_ingress_pkg::RELEASES
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// number of this port
    input  logic        [ 5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t  cfg_i,
    /// some class is lossy, so packets that enter the pipeline are accounted from now on
    output logic               lossy_o,
    /// an accounted packet comes out of the pipeline and wants to enter the buffer's accounts
    input  logic               enters_i,
    /// class of the packet that enters
    input  logic        [ 2:0] tc_i,
    /// cells of the packet that enters
    input  logic        [ 6:0] cells_i,
    /// the packet that enters is dropped: its class is lossy, and the packet exceeds the share of the class
    output logic               full_o,
    /// the cells of an accounted packet become free, one bit a source
    input  logic [Sources-1:0] leaves_i,
    /// class of the packet that leaves, source s in bits [s*3 +: 3]
    input  logic [Sources*3-1:0] leaves_tc_i,
    /// cells of the packet that leaves, source s in bits [s*7 +: 7]
    input  logic [Sources*7-1:0] leaves_cells_i,
    /// cells of the input buffer that are in use, of all packets; only assertions read it
    input  logic        [11:0] used_i
);

  localparam int Classes = tilefly_pkg::CLASSES;
  localparam logic [6:0] AllPorts = 7'd127;

  logic [15:0] reserve_q[Classes];
  logic [15:0] cap_q[Classes];
  logic [Classes-1:0] lossy_q;
  logic [15:0] shared_q;
  logic [11:0] used_q[Classes];  // cells of the accounted packets inside

  // Registers.
  logic write, write_share, write_shared;
  logic [2:0] written;
  tilefly_pkg::class_index_t index;
  tilefly_pkg::class_share_t share;
  tilefly_pkg::class_shared_t shared;

  assign index  = tilefly_pkg::get_class_index(cfg_i.index);
  assign share  = tilefly_pkg::get_class_share(cfg_i.data);
  assign shared = tilefly_pkg::get_class_shared(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_CLASS &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);
  assign write_share = write && index.tc < 8'(Classes) && index.which == tilefly_pkg::CLASS_REG_SHARE;
  assign write_shared = write && cfg_i.index == 11'(tilefly_pkg::TABLE_REG_CLASS_SHARED);
  assign written = 3'(index.tc);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lossy_q  <= '0;
      shared_q <= '0;
      for (int c = 0; c < Classes; c++) begin
        reserve_q[c] <= '0;
        cap_q[c]     <= '0;
      end
    end else begin
      if (write_share) begin
        reserve_q[written] <= share.reserve;
        cap_q[written]     <= share.cap;
        lossy_q[written]   <= share.lossy;
      end
      if (write_shared) shared_q <= shared.cells;
    end
  end

  // Cells that a class takes from the shared part.
  function automatic [12:0] taken(input [12:0] used, input [15:0] reserve);
    taken = 16'(used) > reserve ? used - reserve[12:0] : '0;
  endfunction

  logic [12:0] used;  // cells of the class of the packet that enters, this packet included
  logic [15:0] taken_sum;
  logic takes;

  always_comb begin
    used      = '0;
    taken_sum = '0;
    full_o    = 1'b0;
    if (enters_i) begin
      used = 13'(used_q[tc_i]) + 13'(cells_i);
      if (lossy_q[tc_i]) begin
        for (int c = 0; c < Classes; c++) begin
          taken_sum = taken_sum + 16'(taken(tc_i == 3'(c) ? used : 13'(used_q[c]), reserve_q[c]));
        end
        full_o = 16'(used) > cap_q[tc_i] || taken_sum > shared_q;
      end
    end
  end

  assign lossy_o = lossy_q != '0;
  assign takes   = enters_i && !full_o;

  // Cells that all sources together free of a class.
  function automatic [11:0] left_of(input [2:0] tc, input [Sources-1:0] leaves, input [Sources*3-1:0] tcs,
                                    input [Sources*7-1:0] cells);
    left_of = '0;
    for (int s = 0; s < Sources; s++) if (leaves[s] && tcs[s*3+:3] == tc) left_of = left_of + 12'(cells[s*7+:7]);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int c = 0; c < Classes; c++) used_q[c] <= '0;
    end else begin
      if (takes) used_q[tc_i] <= used[11:0];
      // Comes after the packet that enters, so that both count when they are of one class. Each source of a class writes the same sum.
      if (leaves_i != '0) begin
        for (int s = 0; s < Sources; s++) begin
          if (leaves_i[s]) begin
            used_q[leaves_tc_i[s*3+:3]] <= (takes && tc_i == leaves_tc_i[s*3+:3] ? used[11:0] : used_q[leaves_tc_i[s*3+:3]]) -
                left_of(leaves_tc_i[s*3+:3], leaves_i, leaves_tc_i, leaves_cells_i);
          end
        end
      end
    end
  end

  // Assertions. They look at the accounts in the cycle after a change.
  logic changed_q;
  logic [Classes-1:0] capped_q;  // by class: lossy, and its SHARE unchanged, since it last had no cell inside
  logic [Classes-1:0] capped, above;
  logic [14:0] used_sum_q, used_sum;
  logic [Sources-1:0] beyond;  // more cells leave than the class has

  always_comb begin
    beyond = '0;
    if (leaves_i != '0) begin
      for (int s = 0; s < Sources; s++) begin
        beyond[s] = leaves_i[s] && left_of(leaves_tc_i[s*3+:3], leaves_i, leaves_tc_i, leaves_cells_i) > used_q[leaves_tc_i[s*3+:3]];
      end
    end
  end

  always_comb begin
    used_sum = used_sum_q;
    capped   = capped_q;
    above    = '0;
    if (changed_q) begin
      used_sum = '0;
      for (int c = 0; c < Classes; c++) begin
        used_sum  = used_sum + 15'(used_q[c]);
        capped[c] = lossy_q[c] && (capped_q[c] || used_q[c] == '0);
        above[c]  = 16'(used_q[c]) > cap_q[c];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    changed_q  <= !rst_ni || takes || leaves_i != '0 || write_share;
    used_sum_q <= rst_ni ? used_sum : '0;
    capped_q   <= rst_ni ? capped & ~(write_share ? Classes'(1) << written : '0) : '0;
    if (rst_ni) begin
      ING_7 : assert (used_sum <= 15'(used_i));
      ING_7_cap : assert ((capped & above) == '0);
      ING_7_leaves : assert (beyond == '0);
    end
  end
`ifndef SYNTHESIS
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) begin
      for (int c = 0; c < Classes; c++) begin
        ING_7_drained : assert (used_q[c] == '0);
      end
    end
  end
`endif

endmodule
