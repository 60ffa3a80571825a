// SPDX-License-Identifier: Apache-2.0
// Which launch goes: what is known of the ports' segments, credits and room, and the choice among the candidates. Manual:
// docs/blocks/reduction.md, "CFU: launches".
// Latency: the decision is combinational on the state; it is an event of its cycle, as is a report that stands. Throughput: a launch
// a cycle. Handshake: none; who may go goes.

module tilefly_red_launch #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS
) (
    /// clock
    input  logic                                   clk_i,
    /// synchronous reset, active low
    input  logic                                   rst_ni,
    /// reports of the ports
    /* verilator lint_off UNUSEDSIGNAL */  // errors and levels are for the groups
    input  logic [Ports*tilefly_pkg::RED_REPORT_W-1:0] reports_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// some report is not empty
    input  logic                                   some_report_i,
    /// slot s is bound; else its state is 0
    input  logic [                            1:0] bound_i,
    /// its group is ACTIVE, and valid
    input  logic [                            1:0] active_i,
    /// its group is at the root
    input  logic [                            1:0] root_i,
    /// children of the slots' groups
    input  logic [                    2*Ports-1:0] children_i,
    /// those that are nodes
    input  logic [                    2*Ports-1:0] nodes_i,
    /// the parent, a mask
    input  logic [                    2*Ports-1:0] parent_i,
    /// short up, short down, notice: eligible
    input  logic [                            2:0] brief_i,
    /// ports that their packets are for
    input  logic [                    3*Ports-1:0] brief_mask_i,
    /// ports with room for a short packet
    output logic [                      Ports-1:0] short_room_o,
    /// a launch
    output logic                                   launch_o,
    /// its number
    output logic [                            2:0] number_o,
    /// ports that its packet is for
    output logic [                      Ports-1:0] mask_o,
    /// segment or result of a stream: its number
    output logic [                           15:0] seq_o,
    /// it is the last of its operation
    output logic                                   final_o,
    /// some candidate is eligible
    output logic                                   eligible_o,
    /// nothing of an operation of slot s is under way
    output logic [                            1:0] idle_o,
    /// room that a launch did not need comes back
    input  logic                                   return_i,
    /// lane: U 0, D 1, S 2
    input  logic [                            1:0] return_lane_i,
    /// so many cells
    input  logic [                            6:0] return_cells_i,
    /// at these ports
    input  logic [                      Ports-1:0] return_mask_i
);

  localparam int Slots = tilefly_pkg::RED_SLOTS;
  localparam int Entries = tilefly_pkg::RED_STORE;
  localparam int EntryW = $clog2(Entries);
  localparam int ReportW = tilefly_pkg::RED_REPORT_W;
  localparam int Segments = tilefly_pkg::RED_SEGMENTS;
  localparam int Candidates = 7;
  localparam int Room = tilefly_pkg::RED_ROOM;
  localparam int ShortRoom = tilefly_pkg::RED_SHORT_ROOM;
  localparam int RoomW = $clog2(Room + 1);
  localparam int ShortRoomW = $clog2(ShortRoom + 1);
  localparam logic [RoomW-1:0] Cells = RoomW'(tilefly_pkg::RED_CELLS);
  localparam logic [ShortRoomW-1:0] ShortCells = ShortRoomW'(tilefly_pkg::RED_SHORT_CELLS);
  // Lanes as bits: UP, DOWN, U, D, S.
  localparam logic [4:0] Up = 5'd1, Down = 5'd2, U = 5'd4, D = 5'd8, S = 5'd16;

  // What is known, of slot s and port p at s * Ports + p.
  logic [15:0] arrived_q[Slots*Ports];
  logic [15:0] credit_q[Slots*Ports];
  logic [Entries-1:0] wants_q[Slots*Ports];
  logic [Entries-1:0] ends_q[Slots*Ports];
  logic [RoomW-1:0] up_room_q[Ports];
  logic [RoomW-1:0] down_room_q[Ports];
  logic [ShortRoomW-1:0] short_room_q[Ports];
  logic [15:0] ups_q[Slots];
  logic [15:0] downs_q[Slots];
  logic [Slots-1:0] in_op_q;
  logic [Ports-1:0] members_q[Slots];  // who gets the results
  logic [7:0] busy_q[5];  // cycles until a lane's next launch
  logic [2:0] pointer_q;

  // Room for a packet.
  logic [Ports-1:0] up_room, down_room;
  always_comb begin
    for (int p = 0; p < Ports; p++) begin
      up_room[p]      = up_room_q[p] >= Cells;
      down_room[p]    = down_room_q[p] >= Cells;
      short_room_o[p] = short_room_q[p] >= ShortCells;
    end
  end

  // Streams.
  logic [Ports-1:0] children, nodes, parent, up_here, down_here, up_credit, down_credit, wants, up_ends, down_ends;
  logic [Ports-1:0] up_members[Slots], up_mask[Slots], down_mask[Slots];
  logic [Slots-1:0] up_ok, down_ok, up_final, down_final, results_home;

  always_comb begin
    up_ok        = '0;
    down_ok      = '0;
    up_final     = '0;
    down_final   = '0;
    idle_o       = '0;
    results_home = '0;
    children     = '0;
    nodes        = '0;
    parent       = '0;
    up_here      = '0;
    down_here    = '0;
    up_credit    = '0;
    down_credit  = '0;
    wants        = '0;
    up_ends      = '0;
    down_ends    = '0;
    for (int s = 0; s < Slots; s++) begin
      up_members[s] = '0;
      up_mask[s]    = '0;
      down_mask[s]  = '0;
      if (active_i[s]) begin
        children = children_i[s*Ports+:Ports];
        nodes    = nodes_i[s*Ports+:Ports];
        parent   = parent_i[s*Ports+:Ports];
        for (int p = 0; p < Ports; p++) begin
          up_here[p]     = arrived_q[s*Ports+p] != ups_q[s];
          down_here[p]   = arrived_q[s*Ports+p] != downs_q[s];
          up_credit[p]   = ups_q[s] - credit_q[s*Ports+p] < 16'(Segments);
          down_credit[p] = downs_q[s] - credit_q[s*Ports+p] < 16'(Segments);
          wants[p]       = wants_q[s*Ports+p][ups_q[s][EntryW-1:0]];
          up_ends[p]     = ends_q[s*Ports+p][ups_q[s][EntryW-1:0]];
          down_ends[p]   = ends_q[s*Ports+p][downs_q[s][EntryW-1:0]];
        end
        results_home[s] = root_i[s] || downs_q[s] == ups_q[s];
        idle_o[s]       = !in_op_q[s] && (up_here & children) == '0 && results_home[s];
        up_final[s]     = (up_ends & children) != '0;
        down_final[s]   = (down_ends & parent) != '0;
        up_members[s]   = in_op_q[s] ? members_q[s] : nodes | (children & wants);
        if (!root_i[s]) up_mask[s] = parent;
        else up_mask[s] = up_final[s] ? children : up_members[s];
        down_mask[s] = down_final[s] ? children : members_q[s];
        up_ok[s] = (children & ~up_here) == '0;
        if (root_i[s]) up_ok[s] = up_ok[s] && (up_mask[s] & ~down_room) == '0 && (nodes & ~up_credit) == '0;
        else up_ok[s] = up_ok[s] && (in_op_q[s] || downs_q[s] == ups_q[s]) && (parent & ~(up_room & up_credit)) == '0;
        down_ok[s] = !root_i[s] && (parent & ~down_here) == '0 && (down_mask[s] & ~down_room) == '0 && (nodes & ~down_credit) == '0;
      end
    end
  end

  // The choice: in turn from the pointer on; who waits for a lane is not overtaken there.
  logic [Candidates-1:0] eligible;
  logic [4:0] lanes[Candidates];
  logic [4:0] taken, held;
  logic [2:0] at;
  logic up, down, slot;

  always_comb begin
    eligible = {brief_i, down_ok, up_ok};
    for (int s = 0; s < Slots; s++) begin
      lanes[s]   = Up | (root_i[s] ? D : U);
      lanes[2+s] = Down | D;
    end
    lanes[4] = Up | S;
    lanes[5] = Down | S;
    lanes[6] = S;
    for (int l = 0; l < 5; l++) held[l] = busy_q[l] != '0;
  end

  always_comb begin
    launch_o = 1'b0;
    number_o = '0;
    taken    = '0;
    at       = '0;
    if (eligible != '0) begin
      taken = held;
      for (int i = 0; i < Candidates; i++) begin
        at = 32'(pointer_q) + i >= Candidates ? 3'(32'(pointer_q) + i - Candidates) : 3'(32'(pointer_q) + i);
        if (eligible[at] && !launch_o) begin
          if ((taken & lanes[at]) == '0) begin
            launch_o = 1'b1;
            number_o = at;
          end
          taken = taken | lanes[at];
        end
      end
    end
  end

  assign eligible_o = eligible != '0;
  assign up   = launch_o && number_o < 3'd2;
  assign down = launch_o && (number_o == 3'd2 || number_o == 3'd3);
  assign slot = number_o[0];

  always_comb begin
    mask_o  = '0;
    seq_o   = '0;
    final_o = 1'b0;
    if (up) {mask_o, seq_o, final_o} = {up_mask[slot], ups_q[slot], up_final[slot]};
    else if (down) {mask_o, seq_o, final_o} = {down_mask[slot], downs_q[slot], down_final[slot]};
    else if (launch_o) mask_o = brief_mask_i[32'(number_o[1:0])*Ports+:Ports];
  end

  // Lanes, slots.
  logic [4:0] lanes_taken;
  assign lanes_taken = launch_o ? lanes[number_o] : '0;

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < 5; l++) begin
      if (!rst_ni) busy_q[l] <= '0;
      else if (lanes_taken[l]) busy_q[l] <= up || down ? 8'(tilefly_pkg::RED_STREAM - 1) : 8'(tilefly_pkg::RED_SHORT - 1);
      else if (held[l]) busy_q[l] <= busy_q[l] - 8'd1;
    end
    if (!rst_ni) pointer_q <= '0;
    else if (launch_o) pointer_q <= number_o == 3'd6 ? 3'd0 : number_o + 3'd1;
    for (int s = 0; s < Slots; s++) begin
      if (!rst_ni || !bound_i[s]) begin
        ups_q[s]     <= '0;
        downs_q[s]   <= '0;
        in_op_q[s]   <= 1'b0;
        members_q[s] <= '0;
      end else if (up && slot == 1'(s)) begin
        ups_q[s]     <= ups_q[s] + 16'd1;
        in_op_q[s]   <= !up_final[s];
        members_q[s] <= up_members[s];
      end else if (down && slot == 1'(s)) downs_q[s] <= downs_q[s] + 16'd1;
    end
  end

  // Ports.
  logic [Ports-1:0] takes_u, takes_d, takes_s;
  assign takes_u = lanes_taken[2] ? mask_o : '0;
  assign takes_d = lanes_taken[3] ? mask_o : '0;
  assign takes_s = lanes_taken[4] ? mask_o : '0;

  // What they report, port p in place p.
  /* verilator lint_off UNUSEDSIGNAL */  // errors and levels are for the groups
  tilefly_pkg::red_report_t report;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] segments, credits, slots, wanted, ended;
  logic [8*Ports-1:0] counts;
  logic [3*Ports-1:0] frees;
  logic [7*Ports-1:0] free_cells;

  always_comb begin
    report     = '0;
    segments   = '0;
    credits    = '0;
    slots      = '0;
    wanted     = '0;
    ended      = '0;
    counts     = '0;
    frees      = '0;
    free_cells = '0;
    if (some_report_i) begin
      for (int p = 0; p < Ports; p++) begin
        report           = reports_i[p*ReportW+:ReportW];
        segments[p]      = report.ev == tilefly_pkg::RED_EV_SEGMENT;
        credits[p]       = report.ev == tilefly_pkg::RED_EV_CREDIT;
        slots[p]         = report.slot;
        wanted[p]        = report.wants;
        ended[p]         = report.ends;
        counts[8*p+:8]   = report.credit;
        if (report.free_valid) frees[3*p+:3] = 3'd1 << report.free_lane;
        free_cells[7*p+:7] = report.free_cells;
      end
    end
  end

  generate
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      logic [2:0] returns;
      logic [6:0] cells_freed;
      assign returns = return_i && return_mask_i[p] ? 3'd1 << return_lane_i : 3'd0;
      assign cells_freed = free_cells[7*p+:7];

      for (genvar s = 0; s < Slots; s++) begin : gen_slot
        localparam int At = s * Ports + p;
        logic [7:0] fresh;  // segments that the peer launched since its last CREDIT
        assign fresh = counts[8*p+:8] - credit_q[At][7:0];
        always_ff @(posedge clk_i) begin
          if (!rst_ni || !bound_i[s]) begin
            arrived_q[At] <= '0;
            credit_q[At]  <= '0;
            wants_q[At]   <= '0;
            ends_q[At]    <= '0;
          end else if (slots[p] == 1'(s)) begin
            if (segments[p]) begin
              arrived_q[At] <= arrived_q[At] + 16'd1;
              wants_q[At][arrived_q[At][EntryW-1:0]] <= wanted[p];
              ends_q[At][arrived_q[At][EntryW-1:0]]  <= ended[p];
            end
            if (credits[p]) credit_q[At] <= credit_q[At] + {8'd0, fresh};
          end
        end
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          up_room_q[p]    <= RoomW'(Room);
          down_room_q[p]  <= RoomW'(Room);
          short_room_q[p] <= ShortRoomW'(ShortRoom);
        end else if (some_report_i || return_i || launch_o) begin
          up_room_q[p] <= up_room_q[p] - (takes_u[p] ? Cells : '0) + (returns[0] ? RoomW'(return_cells_i) : '0) +
              (frees[3*p+0] ? RoomW'(cells_freed) : '0);
          down_room_q[p] <= down_room_q[p] - (takes_d[p] ? Cells : '0) + (returns[1] ? RoomW'(return_cells_i) : '0) +
              (frees[3*p+1] ? RoomW'(cells_freed) : '0);
          short_room_q[p] <= short_room_q[p] - (takes_s[p] ? ShortCells : '0) +
              (returns[2] ? ShortRoomW'(return_cells_i) : '0) + (frees[3*p+2] ? ShortRoomW'(cells_freed) : '0);
        end
      end
    end
  endgenerate

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      RED_3 : assert ((lanes_taken & held) == '0);
      RED_5 : assert (!up || in_op_q[slot] || results_home[slot]);
    end
  end

endmodule
