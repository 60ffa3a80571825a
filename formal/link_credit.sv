// SPDX-License-Identifier: Apache-2.0
// Both halves of credits that heal, and a wire that drops words and drops or repeats slots as it likes: a known lane's cells in
// use are those inside, in the replay buffer and never sent, on the wire, lost and not given back, resident, and freed and not
// known (LSV-1); what was taken and not freed is resident (LSV-2); and a grant leaves caps and the shared part kept (CRED-2).
// Packets start in any order and any number of times; stamps come in any cycle; the link goes down in any cycle.
// Lane 1 of two is watched. Made small: counts of six bits, packets of one or two cells, caps of four bits, a wire of two cycles.

module link_credit (
    input logic        clk_i,
    input logic        link_up_i,
    input logic [47:0] cycle_i,
    // sender
    input logic [ 1:0] want_i,
    input logic        grant_valid_i,
    input logic        grant_vl_i,
    input logic [ 1:0] grant_cells_i,
    input logic        take_valid_i,
    input logic        take_vl_i,
    input logic [ 1:0] take_cells_i,
    input logic        take_lost_i,
    input logic        start_valid_i,
    input logic        start_again_i,
    input logic        start_vl_i,
    input logic [ 1:0] start_cells_i,
    // what the wire does to the word that leaves it, and to the slots of this cycle
    input logic        drop_i,
    input logic [ 1:0] stamp_fault_i,
    input logic [ 1:0] ret_fault_i,
    // receiver
    input logic        free_valid_i,
    input logic        free_vl_i,
    input logic [ 1:0] free_cells_i
);

  localparam int W = 6;  // bits of a count
  localparam int SumW = W + 1;  // bits of a sum that does not wrap
  localparam logic [SumW-1:0] Buffer = 20;  // cells of the receiver's buffer
  localparam logic [SumW-1:0] Late = 7;  // cells by which a repeated slot is behind, at most
  localparam logic [SumW-1:0] Over = 32;  // cells in use from which on nothing is sent again
  localparam logic [SumW-1:0] Inside = tilefly_pkg::OBUF_CELLS;
  localparam logic [1:0] Passes = 2'd0, Repeated = 2'd2;
  localparam int SlotW = W + 2;  // {valid, lane, count}
  localparam int PacketW = 4;  // {valid, lane, cells}

  logic started_q = 1'b0, retries_q = 1'b0;
  logic [1:0] lane_ok;
  logic bad_return, over, sender_quiet, receiver_quiet, old_stamp;
  logic stamp_valid, ret_valid;
  logic [3:0] stamp_vl, ret_vl;
  logic [15:0] stamp_cells, ret_cells;
  logic [SlotW-1:0] stamp_now, ret_now, stamp, ret;
  logic [15:0] healed;
  logic [3*PacketW-1:0] words_q;  // the oldest above
  logic [2*SlotW-1:0] stamps_q, rets_q;
  logic [PacketW-1:0] out;
  logic taken;

  assign out       = words_q[2*PacketW+:PacketW];
  assign taken     = out[3] && !drop_i;
  assign stamp     = stamps_q[SlotW+:SlotW];
  assign ret       = rets_q[SlotW+:SlotW];
  assign stamp_now = {stamp_valid, stamp_vl[0], stamp_cells[W-1:0]};
  assign ret_now   = {ret_valid, ret_vl[0], ret_cells[W-1:0]};

  // A frame of 32 bytes has one cell, a frame of 80 bytes two.
  tilefly_credit_sender #(
      .CountW   (W),
      .OverCells(32)
  ) u_sender (
      .clk_i,
      .rst_ni       (started_q),
      .cycle_i,
      .port_i       (6'd5),
      .cfg_i        ('0),
      .enable_i     (1'b1),
      .retry_i      (1'b1),
      .link_up_i,
      .want_i,
      .lane_ok_o    (lane_ok),
      .grant_valid_i,
      .grant_vl_i   ({3'd0, grant_vl_i}),
      .grant_cells_i({5'd0, grant_cells_i}),
      .ret_valid_i  (ret[SlotW-1]),
      .ret_vl_i     ({3'd0, ret[W]}),
      .ret_cells_i  ({10'd0, ret[W-1:0]}),
      .bad_return_o (bad_return),
      .take_valid_i,
      .take_vl_i    ({3'd0, take_vl_i}),
      .take_cells_i ({5'd0, take_cells_i}),
      .take_lost_i,
      .start_valid_i,
      .start_again_i,
      .start_vl_i   ({3'd0, start_vl_i}),
      .start_len_i  (start_cells_i == 2'd0 ? 13'd0 : start_cells_i == 2'd1 ? 13'd32 : 13'd80),
      .stamp_valid_o(stamp_valid),
      .stamp_vl_o   (stamp_vl),
      .stamp_cells_o(stamp_cells),
      .over_o       (over),
      .quiescent_o  (sender_quiet)
  );

  tilefly_credit_return #(
      .Sources (1),
      .CountW  (W),
      .OldCells(7)
  ) u_return (
      .clk_i,
      .rst_ni        (started_q),
      .retry_i       (1'b1),
      .link_up_i,
      .free_valid_i,
      .free_vl_i     ({3'd0, free_vl_i}),
      .free_cells_i  ({5'd0, free_cells_i}),
      .taken_valid_i (taken),
      .taken_vl_i    ({3'd0, out[2]}),
      .taken_cells_i ({5'd0, out[1:0]}),
      .stamp_valid_i (stamp[SlotW-1]),
      .stamp_vl_i    ({3'd0, stamp[W]}),
      .stamp_cells_i ({10'd0, stamp[W-1:0]}),
      .healed_cells_o(healed),
      .old_stamp_o   (old_stamp),
      .ret_valid_o   (ret_valid),
      .ret_vl_o      (ret_vl),
      .ret_cells_o   (ret_cells),
      .quiescent_o   (receiver_quiet)
  );

  (* hierconn *)wire [W-1:0] \u_sender.used_q[0] , \u_sender.used_q[1] , \u_sender.sent_q[1] , \u_sender.wired_q[1] ;
  (* hierconn *)wire [5:0] \u_sender.inside_q ;
  (* hierconn *)wire [1:0] \u_sender.known_q , \u_return.pending_q , \u_return.asked_q ;
  (* hierconn *)wire \u_sender.up_q , \u_return.up_q , \u_sender.retry_q , \u_return.retry_q ;
  (* hierconn *)wire [W-1:0] \u_return.taken_q[1] , \u_return.freed_q[1] ;
  (* hierconn *)wire [W-1:0] \u_return.taken_q[0] , \u_return.freed_q[0] ;
  (* hierconn *)wire [2*W-1:0] \u_return.resident_q ;
  (* hierconn *)wire [11:0] \u_sender.cap_q[0] , \u_sender.cap_q[1] , \u_sender.reserve_q[0] , \u_sender.reserve_q[1] ;
  (* hierconn *)wire [15:0] \u_sender.shared_q ;

  // The slot is about the watched lane.
  function automatic of_lane(input [SlotW-1:0] slot);
    of_lane = slot[SlotW-1] && slot[W];
  endfunction

  // Cells of the watched lane in a place of the wire.
  function automatic [SumW-1:0] cells_in(input [PacketW-1:0] packet);
    cells_in = packet[3] && packet[2] ? SumW'(packet[1:0]) : '0;
  endfunction

  // Events of the watched lane, in cells.
  logic [SumW-1:0] granted, left, discarded, begun, again, comes, takes, frees, heals;
  logic known, answered;
  assign granted   = grant_valid_i && grant_vl_i ? SumW'(grant_cells_i) : '0;
  assign left      = take_valid_i && take_vl_i ? SumW'(take_cells_i) : '0;
  assign discarded = take_lost_i ? left : '0;
  assign begun     = start_valid_i && start_vl_i ? SumW'(start_cells_i) : '0;
  assign again     = start_again_i ? begun : '0;
  assign comes     = cells_in(out);
  assign takes     = drop_i ? '0 : comes;
  assign frees     = free_valid_i && free_vl_i ? SumW'(free_cells_i) : '0;
  assign heals     = of_lane(stamp) ? SumW'(healed[W-1:0]) : '0;
  assign known     = \u_sender.known_q [1];
  assign answered  = of_lane(ret) && !bad_return;

  // Books of the watched lane, of cells, that do not wrap: granted and not taken; taken and never sent; on the wire; lost on the
  // wire and not given back; in the buffer; freed or given back since what the sender knows was said, or else since link up.
  logic [SumW-1:0] inside_q, held_q, wire_q, lost_q, resident_q, unseen_q;
  // Sums of the first two, three, four, five, and of all.
  logic [SumW-1:0] sum2_q, sum3_q, sum4_q, sum5_q, sum;
  assign sum = sum5_q + unseen_q;
  logic [SumW-1:0] first_q;  // in the buffer at link up
  logic [W-1:0] passed_q;  // out of the wire since link up
  // Freed or given back since the return was decided that is shown, amid the wire, at its end; passed since the stamp at its end.
  logic [SumW-1:0] since_now_q, since_middle_q, since_end_q, late_q;
  logic [1:0] down_q;  // cycles without link, up to 2
  logic [SumW-1:0] more, charge;
  assign more   = frees + heals;
  assign charge = granted + again - discarded;

  always @(posedge clk_i) begin
    started_q      <= 1'b1;
    retries_q      <= started_q;
    inside_q       <= inside_q + granted - left;
    held_q         <= held_q + left - discarded - begun + again;
    wire_q         <= wire_q + begun - comes;
    lost_q         <= lost_q + comes - takes - heals;
    resident_q     <= resident_q + takes - frees;
    unseen_q       <= (answered ? since_end_q : unseen_q) + more;
    sum2_q         <= sum2_q + charge - begun;
    sum3_q         <= sum3_q + charge - comes;
    sum4_q         <= sum4_q + charge - takes - heals;
    sum5_q         <= sum5_q + charge - more;
    passed_q       <= passed_q + W'(comes);
    words_q        <= {words_q[2*PacketW-1:0], start_valid_i, start_vl_i, start_valid_i ? start_cells_i : 2'd0};
    since_now_q    <= more;
    since_middle_q <= (of_lane(ret_now) ? since_now_q : '0) + more;
    case (stamp_fault_i)
      Passes: stamps_q <= {stamps_q[SlotW-1:0], stamp_now};
      Repeated: stamps_q <= {stamp, stamp_now};
      default: stamps_q <= {8'd0, stamp_now};
    endcase
    late_q <= stamp_fault_i == Repeated && of_lane(stamp) ? late_q + comes : '0;
    case (ret_fault_i)
      Passes: rets_q <= {rets_q[SlotW-1:0], ret_now};
      Repeated: rets_q <= {ret, ret_now};
      default: rets_q <= {8'd0, ret_now};
    endcase
    since_end_q <= (ret_fault_i == Repeated && of_lane(ret) ? since_end_q : of_lane(ret_middle) ? since_middle_q : '0) + more;
    down_q <= link_up_i ? 2'd0 : down_q == 2'd2 ? 2'd2 : down_q + 2'd1;
    if (!link_up_i) begin
      {held_q, wire_q, lost_q, unseen_q, passed_q, words_q, stamps_q, rets_q} <= '0;
      {since_now_q, since_middle_q, since_end_q, late_q} <= '0;
      sum2_q  <= inside_q + granted - left;
      sum3_q  <= inside_q + granted - left;
      sum4_q  <= inside_q + granted - left;
      sum5_q  <= inside_q + granted - left + resident_q + takes - frees;
      first_q <= resident_q + takes - frees;
    end
    if (!started_q) begin
      {inside_q, held_q, wire_q, lost_q, resident_q, unseen_q, sum2_q, sum3_q, sum4_q, sum5_q, first_q, passed_q} <= '0;
      {words_q, stamps_q, rets_q, since_now_q, since_middle_q, since_end_q, late_q, down_q} <= '0;
    end
  end

  // What a grant leaves.
  logic judge_q;
  logic [SumW-1:0] of_shared, oldest, middle;
  assign of_shared = SumW'(\u_sender.used_q[0] > 5 ? \u_sender.used_q[0] - 6'd5 : 6'd0) +
      SumW'(\u_sender.used_q[1] > 5 ? \u_sender.used_q[1] - 6'd5 : 6'd0);
  assign oldest = cells_in(words_q[2*PacketW+:PacketW]);
  assign middle = cells_in(words_q[PacketW+:PacketW]);
  always @(posedge clk_i) judge_q <= started_q && granted != '0 && !(start_valid_i && start_again_i) && link_up_i;

  logic [SlotW-1:0] ret_middle, stamp_middle;
  assign ret_middle = rets_q[0+:SlotW];
  assign stamp_middle = stamps_q[0+:SlotW];

  // Counts of the RTL, which wrap, and books that do not.
  function automatic same(input [W-1:0] count, input [SumW-1:0] book);
    same = count == book[W-1:0];
  endfunction

  always_comb begin
    ENV_grant : assume (!grant_valid_i || (lane_ok[grant_vl_i] && grant_cells_i <= 2'd2 && inside_q + granted <= Inside));
    COV_grant : cover (started_q && granted == 2 && inside_q != '0);
    ENV_take : assume (!take_valid_i || take_cells_i <= 2'd2 && left <= inside_q);
    COV_take : cover (started_q && left != '0 && !take_lost_i);
    ENV_discard : assume (!(take_valid_i && take_lost_i) || !link_up_i || down_q != '0);
    COV_discard : cover (started_q && discarded != '0 && link_up_i);
    ENV_start : assume (!start_valid_i || link_up_i && start_cells_i <= 2'd2);
    COV_start : cover (started_q && again == 2);
    ENV_first : assume (begun - again <= held_q);
    COV_first : cover (started_q && begun == 2 && !start_again_i);
    ENV_again : assume (!(start_valid_i && start_again_i) || !over);
    COV_again : cover (started_q && again != '0 && !known);
    ENV_room : assume (takes == '0 || resident_q <= Buffer - 2);
    COV_room : cover (started_q && takes != '0 && resident_q != '0);
    ENV_frees : assume (!free_valid_i || free_cells_i <= 2'd2 && frees <= resident_q);
    COV_frees : cover (started_q && frees != '0 && frees == resident_q);
    ENV_faults : assume (stamp_fault_i <= Repeated && ret_fault_i <= Repeated);
    COV_faults : cover (started_q && stamp_fault_i == Repeated && of_lane(stamp) && ret_fault_i == Repeated && of_lane(ret));
    // A slot that comes again is not older than a limit.
    ENV_late : assume (late_q <= Late && (!of_lane(ret) || since_end_q <= unseen_q + Late));
    COV_late : cover (started_q && of_lane(stamp) && late_q != '0);
    ENV_down : assume (!link_up_i || down_q != 2'd1);
    COV_down : cover (started_q && link_up_i && down_q == 2'd2 && resident_q != '0);
    if (started_q) begin
      // The statement.
      room_is_paid_for : assert (!known || SumW'(\u_sender.used_q[1] ) >= inside_q + resident_q);
      nothing_else_is_charged : assert (!known || same(\u_sender.used_q[1] , sum));
      resident_is : assert (same(\u_return.taken_q[1] - \u_return.freed_q[1] , resident_q));
      grant_keeps : assert (!judge_q || \u_sender.used_q[1] <= 15 && of_shared <= 11);
      lost_is_given_back : assert (heals <= lost_q || !link_up_i);
      // Both ends retry behind reset, and the other lane's cells are kept, too.
      retries_is : assert (\u_sender.retry_q == retries_q && \u_return.retry_q == retries_q);
      other_lane_is : assert (W'(\u_return.taken_q[0] - \u_return.freed_q[0] ) == \u_return.resident_q [W-1:0]);
      // The sums.
      sum2_is : assert (sum2_q == inside_q + held_q);
      sum3_is : assert (sum3_q == sum2_q + wire_q);
      sum4_is : assert (sum4_q == sum3_q + lost_q);
      sum5_is : assert (sum5_q == sum4_q + resident_q);
      // What is where.
      set_up_is : assert (\u_sender.cap_q[0] == 15 && \u_sender.cap_q[1] == 15 && \u_sender.reserve_q[0] == 5 &&
                          \u_sender.reserve_q[1] == 5 && \u_sender.shared_q == 11);
      inside_is : assert (SumW'(\u_sender.inside_q [5:3]) == inside_q && inside_q <= Inside);
      buffer_is : assert (SumW'(\u_return.resident_q [2*W-1:W]) == resident_q && resident_q <= Buffer);
      small_is : assert (sum < Over + 2 + Buffer);
      unseen_is_part : assert (unseen_q <= sum);
      parts_are : assert (resident_q <= sum5_q && lost_q <= sum4_q && wire_q <= sum3_q && held_q <= sum2_q);
      words_are : assert (words_q[1:0] != 2'd3 && words_q[PacketW+:2] != 2'd3 && words_q[2*PacketW+:2] != 2'd3);
      wire_is : assert (wire_q == oldest + middle + cells_in(words_q[0+:PacketW]));
      wired_is : assert (same(\u_sender.wired_q[1] - passed_q, wire_q));
      sent_is : assert (same(\u_sender.sent_q[1] - \u_sender.wired_q[1] , sum2_q));
      lost_is : assert (same(passed_q - \u_return.taken_q[1] , lost_q));
      freed_is : assert (same(\u_sender.sent_q[1] - \u_return.freed_q[1] , sum5_q));
      unknown_is : assert (known || \u_sender.used_q[1] == \u_sender.sent_q[1] && SumW'(\u_sender.sent_q[1] ) < Over + 2 &&
          sum == SumW'(\u_sender.sent_q[1] ) + first_q && first_q <= Buffer);
      down_is : assert (down_q == '0 || !\u_sender.up_q && !\u_return.up_q && \u_sender.known_q == '0 && words_q == '0 &&
          stamps_q == '0 && rets_q == '0 && passed_q == '0 && held_q == '0 && \u_return.taken_q[1] == '0 && unseen_q == '0 &&
          first_q == resident_q && \u_return.pending_q == '0 && \u_return.asked_q == '0);
      stays_down_is : assert (down_q != 2'd2 || !stamp_now[SlotW-1] && !ret_now[SlotW-1]);
      stamps_are : assert ((down_q != '0 || !of_lane(stamp_now) || same(stamp_now[W-1:0] - passed_q, oldest + middle)) &&
          (!of_lane(stamp_middle) || same(stamp_middle[W-1:0] - passed_q, oldest)) &&
          (!of_lane(stamp) || same(passed_q - stamp[W-1:0], late_q)));
      returns_are : assert ((down_q != '0 || !of_lane(ret_now) || same(\u_return.freed_q[1] - ret_now[W-1:0], since_now_q)) &&
          (!of_lane(ret_middle) || same(\u_return.freed_q[1] - ret_middle[W-1:0], since_middle_q)) &&
          (!of_lane(ret) || same(\u_return.freed_q[1] - ret[W-1:0], since_end_q)));
      returns_are_known : assert ((down_q != '0 || !of_lane(ret_now) || since_now_q <= unseen_q) &&
          (!of_lane(ret_middle) || since_middle_q <= unseen_q) && (!of_lane(ret) || known || since_end_q <= unseen_q));
      returns_in_order : assert (!of_lane(ret) || ((!of_lane(ret_middle) || since_middle_q <= since_end_q) &&
          (!of_lane(ret_now) || down_q != '0 || since_now_q <= since_end_q)));
      returns_follow : assert (!of_lane(ret_now) || !of_lane(ret_middle) || down_q != '0 || since_now_q <= since_middle_q);
    end
    COV_healed : cover (started_q && heals == 3);
    COV_old : cover (started_q && old_stamp);
    COV_bad_return : cover (started_q && bad_return);
    COV_home : cover (started_q && sender_quiet && receiver_quiet && resident_q == '0 && \u_sender.wired_q[1] != '0);
  end

endmodule
