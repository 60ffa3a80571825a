// SPDX-License-Identifier: Apache-2.0
// Results leave: the fifos of the return lanes, credits to the peers, and row R of the port's output. Manual:
// docs/blocks/reduction.md, "Return lanes", "Row R".
// Latency: a packet whose last word comes in cycle t is asked for in t + 1 at the earliest; cell j of a packet granted in t is on
// `cell_o` in t + 24 + j at the earliest. Throughput: three words in, a request, a grant and a cell out a cycle. Handshake: valid
// only; the CFU keeps account of the fifos' room.
//
//   return lanes -> fifos U, D, S --+-> request -> scheduler -> grant, 23 cycles -> cells
//   credit due -> credit of a slot -+

module tilefly_red_results #(
    /// bits of an input's number
    parameter int InputW = $clog2(tilefly_pkg::ROW_IN)
) (
    /// clock
    input  logic                                       clk_i,
    /// synchronous reset, active low
    input  logic                                       rst_ni,
    /// number of this port
    input  logic [                                5:0] port_i,
    /// own address: group 9, switch 5
    input  logic [                               13:0] own_address_i,
    /// the way to the peer of a group is written
    input  logic                                       way_write_i,
    /// the group
    input  logic [                                2:0] way_group_i,
    /// the way
    input  tilefly_pkg::red_way_t                      way_i,
    /// return lanes U, D, S
    input  logic [     3*tilefly_pkg::RED_RETURN_W-1:0] returns_i,
    /// commands of the CFU
    /* verilator lint_off UNUSEDSIGNAL */  // the bindings matter here
    input  tilefly_pkg::red_cmd_t                      cmd_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a CREDIT of slot s is due
    input  logic [                                1:0] credit_due_i,
    /// segments of slot s launched, modulo 256, 8 bits each
    input  logic [                               15:0] launched_i,
    /// the CREDIT of slot s is on its way
    output logic [                                1:0] credited_o,
    /// a request enters row R of the store
    output logic                                       req_valid_o,
    /// the request; its src is the input of the row
    output tilefly_pkg::request_t                      req_o,
    /// an input of row R is granted
    input  logic                                       grant_i,
    /// the input
    input  logic [                         InputW-1:0] grant_input_i,
    /// a cell enters bank R of the output buffer
    output logic                                       cell_valid_o,
    /// the cell
    output tilefly_pkg::cell_t                         cell_o,
    /// room of results becomes free
    output logic                                       free_o,
    /// return lane to which room comes back (red_lane_e)
    output logic [                                1:0] free_lane_o,
    /// number of cells that become free
    output logic [                                6:0] free_cells_o,
    /// results that became complete, U, D, S
    output logic [                                2:0] done_o,
    /// with idle inputs nothing here will change
    output logic                                       quiescent_o
);

  localparam int Groups = tilefly_pkg::RED_GROUPS;
  localparam int ReturnW = tilefly_pkg::RED_RETURN_W;
  localparam int Inputs = 4;
  localparam int Credit = 3;  // input of the credits; those below are the fifos'
  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int TransferCycles = 23;
  // The oldest, and while it is on its way of each slot the one that was due, and those of launches.
  localparam int WayCycles = TransferCycles + 1;
  localparam int LaunchesOnWay = (WayCycles + tilefly_pkg::RED_STREAM - 1) / tilefly_pkg::RED_STREAM;
  localparam int CreditsKept = 1 + tilefly_pkg::RED_SLOTS * (1 + LaunchesOnWay);
  localparam int WayW = tilefly_pkg::RED_WAY_W;
  localparam int CreditW = WayW + 3 + 4 + 8;  // {way, group, tag, credit}

  // Ways to the peers.
  logic [WayW*Groups-1:0] ways_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ways_q <= '0;
    else if (way_write_i) ways_q[WayW*way_group_i+:WayW] <= way_i;
  end

  // Return lanes.
  logic [2:0] ready, more, asks, reads;
  logic [3*7-1:0] head_cells;
  logic [3*4-1:0] head_vl;
  logic [3*384-1:0] heads;

  generate
    for (genvar ring_lane = 0; ring_lane < 3; ring_lane++) begin : gen_ring_lane
      tilefly_red_return #(
          .Room(ring_lane == 32'(tilefly_pkg::RED_LANE_S) ? tilefly_pkg::RED_SHORT_ROOM : tilefly_pkg::RED_ROOM)
      ) u_lane (
          .clk_i,
          .rst_ni,
          .port_i,
          .own_address_i,
          .word_i (returns_i[ring_lane*ReturnW+:ReturnW]),
          .ways_i (ways_q),
          .ask_i  (asks[ring_lane]),
          .cells_o(head_cells[ring_lane*7+:7]),
          .vl_o   (head_vl[ring_lane*4+:4]),
          .ready_o(ready[ring_lane]),
          .more_o (more[ring_lane]),
          .read_i (reads[ring_lane]),
          .cell_o (heads[ring_lane*384+:384]),
          .done_o (done_o[ring_lane])
      );
    end
  endgenerate

  // The slot whose credit would go.
  logic credit_slot, credit_pointer_q, credit_next;
  logic [2:0] credit_group, head_group;
  logic [3:0] credit_tag, head_tag;
  logic [7:0] head_credit;
  tilefly_pkg::red_way_t credit_way, head_way;
  logic [CreditW-1:0] credit;

  tilefly_rr_arbiter #(
      .N(2)
  ) u_slot (
      .req_i    (credit_due_i),
      .pointer_i(credit_pointer_q),
      /* verilator lint_off PINCONNECTEMPTY */  // the winner is wanted as a number
      .grant_o  (),
      /* verilator lint_on PINCONNECTEMPTY */
      .index_o  (credit_slot),
      .next_o   (credit_next)
  );

  always_comb begin
    credit_group = credit_slot ? cmd_i.bind1_group : cmd_i.bind0_group;
    credit_tag   = credit_slot ? cmd_i.bind1_tag : cmd_i.bind0_tag;
    credit_way   = ways_q[WayW*credit_group+:WayW];
    credit = {credit_way, credit_group, credit_tag, launched_i[8*credit_slot+:8]};
  end

  // Requests: one input a cycle.
  logic [Inputs-1:0] asked_q, wants, chosen, granted;
  logic [1:0] pointer_q, pointer_next, winner;
  logic [6:0] asked_cells_q[Inputs];
  logic [3:0] asked_vl_q[Inputs];

  assign wants = {credit_due_i != '0, ready} & ~asked_q;

  tilefly_rr_arbiter #(
      .N(Inputs)
  ) u_input (
      .req_i    (wants),
      .pointer_i(pointer_q),
      .grant_o  (chosen),
      .index_o  (winner),
      .next_o   (pointer_next)
  );

  assign asks = chosen[2:0];
  assign req_valid_o = chosen != '0;
  assign credited_o = chosen[Credit] ? 2'd1 << credit_slot : '0;

  always_comb begin
    req_o = '0;
    if (req_valid_o) begin
      req_o.src   = 6'(winner);
      req_o.cells = chosen[Credit] ? 7'd1 : head_cells[winner*7+:7];
      req_o.vl    = chosen[Credit] ? credit_way.vl : head_vl[winner*4+:4];
      req_o.more  = chosen[Credit] ? credit_due_i == '1 : more[winner];
    end
  end

  assign granted = grant_i ? Inputs'(1) << grant_input_i : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asked_q          <= '0;
      pointer_q        <= '0;
      credit_pointer_q <= 1'b0;
    end else if (req_valid_o || grant_i) begin
      asked_q <= asked_q & ~granted | chosen;
      if (req_valid_o) pointer_q <= pointer_next;
      if (chosen[Credit]) credit_pointer_q <= credit_next;
    end
    if (req_valid_o) begin
      asked_cells_q[winner] <= req_o.cells;
      asked_vl_q[winner]    <= req_o.vl;
    end
  end

  // Transfers: a granted packet's cells, one packet after another.
  logic [1:0] input_granted, due_input, input_now;
  logic due, due_busy, none;
  logic [6:0] due_cells, cells_now, at_q;
  logic [3:0] due_vl, vl_now;
  logic last;
  assign input_granted = grant_input_i[1:0];

  tilefly_delay_line #(
      .Width(13),
      .Depth(TransferCycles)
  ) u_due (
      .clk_i,
      .rst_ni,
      .valid_i(grant_i),
      .data_i ({input_granted, asked_cells_q[input_granted], asked_vl_q[input_granted]}),
      .valid_o(due),
      .data_o ({due_input, due_cells, due_vl}),
      .busy_o (due_busy)
  );

  /* verilator lint_off PINCONNECTEMPTY */  // every one has room in the output buffer
  tilefly_fifo #(
      .Width(13),
      .Depth(tilefly_pkg::OBUF_CELLS)
  ) u_transfers (
      .clk_i,
      .rst_ni,
      .push_i (due),
      .data_i ({due_input, due_cells, due_vl}),
      .pop_i  (last),
      .head_o ({input_now, cells_now, vl_now}),
      .empty_o(none),
      .full_o ()
  );

  // CREDITs from their request to their cell.
  tilefly_fifo #(
      .Width(CreditW),
      .Depth(CreditsKept)
  ) u_credits (
      .clk_i,
      .rst_ni,
      .push_i (chosen[Credit]),
      .data_i (credit),
      .pop_i  (last && input_now == 2'(Credit)),
      .head_o ({head_way, head_group, head_tag, head_credit}),
      .empty_o(),
      .full_o ()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  assign cell_valid_o = !none;
  assign last         = !none && at_q + 7'd1 == cells_now;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || last) at_q <= '0;
    else if (!none) at_q <= at_q + 7'd1;
  end

  // A CREDIT is a single cell: header, red_t, zeros, FCS.
  localparam logic [12:0] CreditLen = 13'd32;
  tilefly_pkg::red_t credit_red;
  logic [31:0] crc;
  logic [383:0] credit_cell;
  tilefly_pkg::header_t credit_header;

  tilefly_red_header u_credit_header (
      .way_i   (head_way),
      .src_i   ({own_address_i, port_i}),
      .len_i   (CreditLen),
      .header_o(credit_header)
  );

  always_comb begin
    credit_red  = '0;
    crc         = '0;
    credit_cell = '0;
    if (!none && input_now == 2'(Credit)) begin
      credit_red.what   = 5'(tilefly_pkg::RED_WHAT_CREDIT);
      credit_red.group  = {3'd0, head_group};
      credit_red.tag    = head_tag;
      credit_red.credit = head_credit;
      // 28 bytes at the word's end; the register's first value is all ones.
      crc = tilefly_crc_pkg::crc32_word({96'd0, credit_red ^ 128'hffff_ffff, 32'd0});
      credit_cell = {~crc, 96'd0, credit_red, credit_header};
    end
  end

  always_comb begin
    cell_o = '0;
    reads  = '0;
    if (!none) begin
      if (input_now != 2'(Credit)) reads[input_now] = 1'b1;
      cell_o.sop   = at_q == '0;
      cell_o.eop   = last;
      cell_o.src   = port_i;
      cell_o.vl    = vl_now;
      cell_o.cells = cells_now;
      cell_o.data  = heads[383:0] | heads[767:384] | heads[1151:768] | credit_cell;
    end
  end

  assign free_o       = last && input_now != 2'(Credit);
  assign free_lane_o  = free_o ? input_now : '0;
  assign free_cells_o = free_o ? cells_now : '0;
  assign quiescent_o  = wants == '0 && asked_q == '0 && !due_busy && none;

endmodule
