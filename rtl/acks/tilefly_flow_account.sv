// SPDX-License-Identifier: Apache-2.0
// Flow account of an edge port: cells in the network by flow, and the path that an ordered flow keeps while there are any. Manual:
// docs/blocks/acks.md, "Flow account".
// Latency: a packet's path is combinational on the account as it is in the cycle; packets that enter and acks that arrive count from
// the next cycle on. Throughput: one packet, one ack and one broken attempt a cycle, of one flow too. Handshake: valid only.
// Deadline of the account: docs/blocks/link_retry.md. A flow keeps the number of looks that it had when it was heard of, a packet
// or an ack, and whether its cells are forgotten shows when the next event asks. So an account at rest costs nothing.
//
// Nothing but the number of known flows is reset: a flow is known since then when its entry in `order_mem` lies below that number
// and names the flow. So a reset is short, and an idle account costs nothing.

module tilefly_flow_account (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// number of the current cycle; it has to be right in each event, and while `quiescent_o` is 0
    input  logic                    [47:0] cycle_i,
    /// number of this port
    input  logic                    [ 5:0] own_port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t              cfg_i,
    /// the port is an edge port of the ack network
    input  logic                           edge_i,
    /// a packet wants to enter the queue stage
    input  logic                           valid_i,
    /// header of the packet; via as routed
    /* verilator lint_off UNUSEDSIGNAL */  // one header for all
    input  tilefly_pkg::header_t           header_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// cells of the packet
    input  logic                    [ 6:0] cells_i,
    /// the packet chose its path here
    input  logic                           decides_i,
    /// output of the packet, as routed
    input  logic                    [ 5:0] port_i,
    /// ports that are down, as the packet saw them: no path leads there
    input  logic [tilefly_pkg::PORTS-1:0]  down_i,
    /// output of the packet if it may not choose
    input  logic                    [ 5:0] pair_port_i,
    /// via of the packet as it came
    input  logic                    [13:0] came_via_i,
    /// the packet does enter, for the first time
    input  logic                           enters_i,
    /// the packet takes another path than it was given
    output logic                           instead_o,
    /// output of that path
    output logic                    [ 5:0] port_o,
    /// via of that path is still to be reached
    output logic                           via_valid_o,
    /// via of that path
    output logic                    [13:0] via_o,
    /// an ack arrives
    input  logic                           ack_i,
    /// flow of the ack
    input  logic                    [ 9:0] ack_flow_i,
    /// cells of the ack
    input  logic                    [ 6:0] ack_cells_i,
    /// the packet counts in the account
    output logic                           counts_o,
    /// cells of an attempt that was broken off leave the account
    input  logic                           broken_i,
    /// flow of the attempt
    input  logic                    [ 9:0] broken_flow_i,
    /// cells of the attempt
    input  logic                    [ 6:0] broken_cells_i,
    /// nothing will change without an event
    output logic                           quiescent_o
);

  localparam int FlowW = 10;
  localparam int SweepW = 48 - FlowW;
  localparam int CellsW = 20;
  localparam logic [19:0] Replicated = 20'hfffff;

  // The path of the packets in flight.
  typedef struct packed {
    logic        valid;      // the first of them is an ordered one that decided here
    logic [19:0] dst;
    logic [5:0]  port;
    logic        via_valid;
    logic [13:0] via;
  } path_t;
  localparam int PathW = 42;

  logic [CellsW-1:0] cells_mem[2**FlowW];
  logic [PathW-1:0] path_mem[2**FlowW];
  logic [FlowW-1:0] place_mem[2**FlowW];  // of a known flow in `order_mem`
  logic [FlowW-1:0] order_mem[2**FlowW];  // known flows as they came
  logic [FlowW:0] known_q;  // how many
  logic [SweepW-1:0] heard_mem[2**FlowW];  // looks at the flow up to its last packet or ack

  // Looks: the flow of this cycle's, and the number of the present sweep.
  logic walks;
  logic [7:0] sweeps, earlier;
  logic [FlowW:0] walked;
  logic [FlowW-1:0] looked;
  logic [SweepW-1:0] sweep;
  assign {sweep, looked} = cycle_i;

  tilefly_ack_deadline u_deadline (
      .clk_i,
      .rst_ni,
      .port_i   (own_port_i),
      .cfg_i,
      .sweeps_o (sweeps),
      .walks_o  (walks),
      .walked_o (walked),
      .earlier_o(earlier)
  );

  // Looks at a flow since cycle 0: before this cycle, and up to it.
  function automatic [SweepW-1:0] looks_before(input [FlowW-1:0] of);
    looks_before = sweep + {37'd0, looked > of};
  endfunction
  function automatic [SweepW-1:0] looks_up_to(input [FlowW-1:0] of);
    looks_up_to = sweep + {37'd0, looked >= of};
  endfunction

  // So many looks since a flow was heard of forget its cells.
  function automatic logic is_over(input [7:0] after, input [SweepW-1:0] idle);
    is_over = after != '0 && idle >= {30'd0, after};
  endfunction

  // The value of `sweeps` by which looks at a flow before this cycle are still to be judged; 0: no look is left, or it forgets
  // nothing. In a walk the last looks, of as many cycles as the walk is old, are judged.
  function automatic [7:0] judged_by(input [FlowW-1:0] of);
    logic [FlowW-1:0] since;
    since     = looked - 10'd1 - of;
    judged_by = !walks ? sweeps : {1'b0, since} < walked ? '0 : earlier;
  endfunction

  function automatic logic is_known(input [FlowW-1:0] place, input [FlowW-1:0] owner, input [FlowW-1:0] flow, input [FlowW:0] known);
    is_known = {1'b0, place} < known && owner == flow;
  endfunction

  // The packet. Cells that a look before this cycle forgot are none.
  logic counted, ordered, known, over;
  logic [FlowW-1:0] flow, place;
  logic [CellsW-1:0] cells, cells_with;
  logic [CellsW:0] sum;
  path_t path;
  assign flow = header_i.flow;

  always_comb begin
    counted     = 1'b0;
    ordered     = 1'b0;
    known       = 1'b0;
    over        = 1'b0;
    place       = '0;
    cells       = '0;
    sum         = '0;
    cells_with  = '0;
    path        = '0;
    instead_o   = 1'b0;
    port_o      = '0;
    via_valid_o = 1'b0;
    via_o       = '0;
    if (edge_i && valid_i && header_i.hop == '0 && header_i.dst != Replicated && header_i.kind != tilefly_pkg::KIND_RED) begin
      counted    = 1'b1;
      ordered    = header_i.ordered && decides_i;
      place      = place_mem[flow];
      known      = is_known(place, order_mem[place], flow, known_q);
      over       = is_over(judged_by(flow), looks_before(flow) - heard_mem[flow]);
      if (known && !over) cells = cells_mem[flow];
      sum        = {1'b0, cells} + {14'd0, cells_i};
      cells_with = sum[CellsW] ? '1 : sum[CellsW-1:0];
      if (ordered && cells != '0) begin
        path      = path_mem[flow];
        instead_o = 1'b1;
        if (path.valid && path.dst == header_i.dst && !down_i[path.port[$clog2(tilefly_pkg::PORTS)-1:0]]) begin
          {port_o, via_valid_o, via_o} = {path.port, path.via_valid, path.via};
        end else begin
          {port_o, via_valid_o, via_o} = {pair_port_i, 1'b0, came_via_i};
        end
      end
    end
  end

  // The ack, after the packet.
  logic enters, ack_known, ack_over, same;
  logic [FlowW-1:0] ack_place;
  logic [CellsW-1:0] ack_cells, ack_cells_left;
  assign enters = counted && enters_i;

  always_comb begin
    same           = 1'b0;
    ack_known      = 1'b0;
    ack_over       = 1'b0;
    ack_place      = '0;
    ack_cells      = '0;
    ack_cells_left = '0;
    if (ack_i) begin
      same      = enters && flow == ack_flow_i;
      ack_place = place_mem[ack_flow_i];
      ack_known = same || is_known(ack_place, order_mem[ack_place], ack_flow_i, known_q);
      ack_over  = is_over(judged_by(ack_flow_i), looks_before(ack_flow_i) - heard_mem[ack_flow_i]);
      if (same) ack_cells = cells_with;
      else if (ack_known && !ack_over) ack_cells = cells_mem[ack_flow_i];
      if (ack_cells > {13'd0, ack_cells_i}) ack_cells_left = ack_cells - {13'd0, ack_cells_i};
    end
  end

  // The attempt that was broken off, after both.
  logic broken_known, broken_over;
  logic [FlowW-1:0] broken_place;
  logic [CellsW-1:0] broken_cells, broken_cells_left;

  always_comb begin
    broken_known      = 1'b0;
    broken_over       = 1'b0;
    broken_place      = '0;
    broken_cells      = '0;
    broken_cells_left = '0;
    if (broken_i) begin
      broken_place = place_mem[broken_flow_i];
      broken_known = (enters && flow == broken_flow_i) || is_known(broken_place, order_mem[broken_place], broken_flow_i, known_q);
      broken_over  = is_over(judged_by(broken_flow_i), looks_before(broken_flow_i) - heard_mem[broken_flow_i]);
      if (ack_known && ack_flow_i == broken_flow_i) broken_cells = ack_cells_left;
      else if (enters && flow == broken_flow_i) broken_cells = cells_with;
      else if (broken_known && !broken_over) broken_cells = cells_mem[broken_flow_i];
      if (broken_cells > {13'd0, broken_cells_i}) broken_cells_left = broken_cells - {13'd0, broken_cells_i};
    end
  end
  assign counts_o    = enters;
  assign quiescent_o = !walks;

  // This cycle's look in a walk, after all. What is not known has no cells, and may lose them.
  logic looks, forgets;
  logic [SweepW-1:0] idle;
  always_comb begin
    looks   = 1'b0;
    forgets = 1'b0;
    idle    = '0;
    if (walks) begin
      looks = !(enters && flow == looked) && !(ack_i && ack_flow_i == looked);
      idle  = looks_before(looked) - heard_mem[looked];
      forgets = looks && (is_over(judged_by(looked), idle) || is_over(sweeps, idle + 1'b1));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else if (enters && !known) known_q <= known_q + 1'b1;
    if (enters && !known) begin
      place_mem[flow] <= known_q[FlowW-1:0];
      order_mem[known_q[FlowW-1:0]] <= flow;
    end
    if (enters && cells == '0) begin
      path_mem[flow] <= {ordered, header_i.dst, port_i, header_i.via_valid, header_i.via};
    end
    if (enters && !same) cells_mem[flow] <= cells_with;
    if (ack_known) cells_mem[ack_flow_i] <= ack_cells_left;
    if (broken_known) cells_mem[broken_flow_i] <= broken_cells_left;
    if (forgets) cells_mem[looked] <= '0;
    if (enters) heard_mem[flow] <= looks_up_to(flow);
    if (ack_i) heard_mem[ack_flow_i] <= looks_up_to(ack_flow_i);
  end

  // Assertions: a flow has the cells that its packets brought less those that acks and a look took, never fewer than none; no
  // cell is in the account when no flow has one, and the other way round; cells are forgotten in time, and not too early.
`ifndef SYNTHESIS
  logic [CellsW+FlowW-1:0] total_q, total_d;  // cells of all flows, forgotten ones too until somebody asks
  logic [FlowW:0] flows_q, flows_d;  // that have cells
  logic [CellsW-1:0] packet_had, ack_had, broken_had, looked_had;
  always_comb begin
    total_d    = total_q;
    flows_d    = flows_q;
    packet_had = '0;
    ack_had    = '0;
    broken_had = '0;
    looked_had = '0;
    if (enters) begin
      if (known) packet_had = cells_mem[flow];
      total_d = total_d + {10'd0, cells_with} - {10'd0, packet_had};
      if (packet_had == '0) flows_d = flows_d + 1'b1;
    end
    if (ack_known) begin
      ack_had = same ? cells_with : cells_mem[ack_flow_i];
      total_d = total_d - {10'd0, ack_had - ack_cells_left};
      if (ack_had != '0 && ack_cells_left == '0) flows_d = flows_d - 1'b1;
    end
    if (broken_i) begin
      if (ack_known && ack_flow_i == broken_flow_i) broken_had = ack_cells_left;
      else if (enters && flow == broken_flow_i) broken_had = cells_with;
      else if (broken_known) broken_had = cells_mem[broken_flow_i];
      total_d = total_d - {10'd0, broken_had - broken_cells_left};
      if (broken_had != '0 && broken_cells_left == '0) flows_d = flows_d - 1'b1;
    end
    if (forgets) begin
      if (broken_known && broken_flow_i == looked) looked_had = broken_cells_left;
      else if (is_known(place_mem[looked], order_mem[place_mem[looked]], looked, known_q)) looked_had = cells_mem[looked];
      total_d = total_d - {10'd0, looked_had};
      if (looked_had != '0) flows_d = flows_d - 1'b1;
    end
  end
  /* verilator tracing_off */
  logic [CellsW-1:0] own_q[2**FlowW];  // cells of a flow
  logic [47:0] own_heard_q[2**FlowW];  // cycle of its last packet or ack
  logic [2**FlowW-1:0] owned_q;  // flows that have had a packet or an ack since reset; others have no cells
  logic signed [CellsW+1:0] packet_cells, packet_cells_with, acked_cells, left_cells;
  /* verilator tracing_on */
  always_comb begin
    packet_cells      = '0;
    packet_cells_with = '0;
    acked_cells       = '0;
    if (counted) begin
      if (owned_q[flow] && !over) packet_cells = $signed({2'd0, own_q[flow]});
      packet_cells_with = packet_cells + $signed({15'd0, cells_i});
      if (packet_cells_with > $signed({2'd0, {CellsW{1'b1}}})) packet_cells_with = $signed({2'd0, {CellsW{1'b1}}});
    end
    if (ack_i) begin
      if (owned_q[ack_flow_i] && !ack_over) acked_cells = $signed({2'd0, own_q[ack_flow_i]});
      if (enters && flow == ack_flow_i) acked_cells = packet_cells_with;
      acked_cells = acked_cells - $signed({15'd0, ack_cells_i});
      if (acked_cells < 0) acked_cells = '0;
    end
    left_cells = '0;
    if (broken_i) begin
      if (owned_q[broken_flow_i] && !broken_over) left_cells = $signed({2'd0, own_q[broken_flow_i]});
      if (enters && flow == broken_flow_i) left_cells = packet_cells_with;
      if (ack_i && ack_flow_i == broken_flow_i) left_cells = acked_cells;
      left_cells = left_cells - $signed({15'd0, broken_cells_i});
      if (left_cells < 0) left_cells = '0;
    end
  end
  // Behind `sweeps` looks, of which the first comes 1 to 1024 cycles after the flow was heard of, and not before.
  function automatic logic in_time(input [7:0] after, input [47:0] age, input logic is_forgotten);
    if (is_forgotten) in_time = after != '0 && age > {30'd0, after - 8'd1, 10'd0};
    else in_time = after == '0 || age < {30'd0, after, 10'd0};
  endfunction
  // The same of an event that asks: looks before it count.
  function automatic logic asked_in_time(input [FlowW-1:0] of, input logic is_forgotten);
    asked_in_time = in_time(judged_by(of), cycle_i - own_heard_q[of] - 48'd1, is_forgotten);
  endfunction
  always_ff @(posedge clk_i) begin
    if (enters) own_q[flow] <= packet_cells_with[CellsW-1:0];
    if (ack_i) own_q[ack_flow_i] <= acked_cells[CellsW-1:0];
    if (broken_i) own_q[broken_flow_i] <= left_cells[CellsW-1:0];
    if (forgets) own_q[looked] <= '0;
    if (enters) own_heard_q[flow] <= cycle_i;
    if (ack_i) own_heard_q[ack_flow_i] <= cycle_i;
    if (enters) owned_q[flow] <= 1'b1;
    if (ack_i) owned_q[ack_flow_i] <= 1'b1;
    if (!rst_ni) begin
      owned_q <= '0;
    end else begin
      ACK_2 : assert (!counted || (cells == packet_cells[CellsW-1:0] && cells_with == packet_cells_with[CellsW-1:0]));
      ACK_2_below : assert (!ack_i || ack_cells_left == acked_cells[CellsW-1:0]);
      ACK_2_broken : assert (!broken_i || broken_cells_left == left_cells[CellsW-1:0]);
      ACK_4 : assert (!enters || !owned_q[flow] || asked_in_time(flow, over));
      ACK_4_ack : assert (!ack_i || same || !owned_q[ack_flow_i] || asked_in_time(ack_flow_i, ack_over));
      ACK_4_look : assert (!looks || !owned_q[looked] || in_time(sweeps, cycle_i - own_heard_q[looked], forgets) ||
          is_over(judged_by(looked), idle));
    end
  end
  final begin
    if (rst_ni && $test$plusargs("tilefly_acked") != 0) begin
      for (int f = 0; f < 2 ** FlowW; f++) begin
        ACK_2_drained : assert (!is_known(place_mem[f], order_mem[place_mem[f]], FlowW'(f), known_q) || cells_mem[f] == '0);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      total_q <= '0;
      flows_q <= '0;
    end else begin
      total_q <= total_d;
      flows_q <= flows_d;
    end
    if (rst_ni) begin
      ACK_2_sum : assert ((total_d == '0) == (flows_d == '0));
    end
  end
`endif

endmodule
