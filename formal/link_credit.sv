// SPDX-License-Identifier: Apache-2.0
// Both halves of credits that heal, and a wire that drops words and drops or repeats slots as it likes: a known lane's cells in
// use are those inside, in the replay buffer and never sent, on the wire, lost and not given back, resident, and freed and not
// known (LSV-1); what was taken and not freed is resident (LSV-2); and a grant leaves caps and the shared part kept (CRED-2).
// Packets start in any order and any number of times; stamps come in any cycle; the link goes down in any cycle.
// Lane 1 of two is watched. Made small: packets of one or two cells, caps of four bits, a wire of two cycles.

module link_credit (
    input logic        clk_i,
    input logic        link_up_i,
    input logic [47:0] cycle_i,
    // sender
    input logic [ 1:0] want_i,
    input logic        grant_valid_i,
    input logic [ 3:0] grant_vl_i,
    input logic [ 6:0] grant_cells_i,
    input logic        take_valid_i,
    input logic [ 3:0] take_vl_i,
    input logic [ 6:0] take_cells_i,
    input logic        take_lost_i,
    input logic        start_valid_i,
    input logic        start_again_i,
    input logic [ 3:0] start_vl_i,
    input logic [12:0] start_len_i,
    // what the wire does to the word that leaves it, and to the slots of this cycle
    input logic        drop_i,
    input logic [ 1:0] stamp_fault_i,
    input logic [ 1:0] ret_fault_i,
    // receiver
    input logic        free_valid_i,
    input logic [ 3:0] free_vl_i,
    input logic [ 6:0] free_cells_i
);

  localparam int Watched = 1;
  localparam logic [15:0] Buffer = 16'd2560;  // cells of the receiver's buffer
  localparam logic [15:0] Late = 16'd1023;  // cells by which a repeated slot is behind, at most
  localparam logic [1:0] Passes = 2'd0, Lost = 2'd1, Repeated = 2'd2;
  localparam int SlotW = 21;  // {valid, lane, count}
  localparam int PacketW = 12;  // {valid, lane, cells}

  logic started_q = 1'b0;
  logic [1:0] lane_ok;
  logic bad_return, over, sender_quiet, receiver_quiet, old_stamp;
  logic [SlotW-1:0] stamp_now, ret_now, stamp, ret;
  logic [15:0] healed;
  logic [3*PacketW-1:0] words_q;  // the oldest above
  logic [2*SlotW-1:0] stamps_q, rets_q;
  logic [PacketW-1:0] out;
  logic taken;

  assign out   = words_q[2*PacketW+:PacketW];
  assign taken = out[11] && !drop_i;
  assign stamp = stamps_q[SlotW+:SlotW];
  assign ret   = rets_q[SlotW+:SlotW];

  tilefly_credit_sender u_sender (
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
      .grant_vl_i,
      .grant_cells_i,
      .ret_valid_i  (ret[20]),
      .ret_vl_i     (ret[19:16]),
      .ret_cells_i  (ret[15:0]),
      .bad_return_o (bad_return),
      .take_valid_i,
      .take_vl_i,
      .take_cells_i,
      .take_lost_i,
      .start_valid_i,
      .start_again_i,
      .start_vl_i,
      .start_len_i,
      .stamp_valid_o(stamp_now[20]),
      .stamp_vl_o   (stamp_now[19:16]),
      .stamp_cells_o(stamp_now[15:0]),
      .over_o       (over),
      .quiescent_o  (sender_quiet)
  );

  tilefly_credit_return #(
      .Sources(1)
  ) u_return (
      .clk_i,
      .rst_ni        (started_q),
      .retry_i       (1'b1),
      .link_up_i,
      .free_valid_i,
      .free_vl_i,
      .free_cells_i,
      .taken_valid_i (taken),
      .taken_vl_i    (out[10:7]),
      .taken_cells_i (out[6:0]),
      .stamp_valid_i (stamp[20]),
      .stamp_vl_i    (stamp[19:16]),
      .stamp_cells_i (stamp[15:0]),
      .healed_cells_o(healed),
      .old_stamp_o   (old_stamp),
      .ret_valid_o   (ret_now[20]),
      .ret_vl_o      (ret_now[19:16]),
      .ret_cells_o   (ret_now[15:0]),
      .quiescent_o   (receiver_quiet)
  );

  (* hierconn *)wire [15:0] \u_sender.used_q[0] , \u_sender.used_q[1] , \u_sender.sent_q[1] , \u_sender.wired_q[1] ;
  (* hierconn *)wire [8:0] \u_sender.inside_q[1] ;
  (* hierconn *)wire [1:0] \u_sender.known_q , \u_return.pending_q , \u_return.asked_q ;
  (* hierconn *)wire [6:0] \u_sender.start_cells ;
  (* hierconn *)wire \u_sender.up_q , \u_sender.retry_q , \u_return.up_q , \u_return.retry_q ;
  (* hierconn *)wire [15:0] \u_return.taken_q[1] , \u_return.freed_q[1] , \u_return.resident_q[1] ;

  // Books of the watched lane.
  logic [15:0] inside_q, held_q, passed_q, resident_q;  // granted, not taken; taken, never sent; out of the wire; in the buffer
  logic [1:0] down_q;  // cycles without link, up to 2
  logic grant, take, start, comes, takes, frees;
  assign grant = grant_valid_i && grant_vl_i == Watched;
  assign take  = take_valid_i && take_vl_i == Watched;
  assign start = start_valid_i && start_vl_i == Watched;
  assign comes = out[11] && out[10:7] == Watched;
  assign takes = taken && out[10:7] == Watched;
  assign frees = free_valid_i && free_vl_i == Watched;

  always @(posedge clk_i) begin
    started_q  <= 1'b1;
    inside_q   <= inside_q + (grant ? 16'(grant_cells_i) : 16'd0) - (take ? 16'(take_cells_i) : 16'd0);
    held_q     <= held_q + (take && !take_lost_i ? 16'(take_cells_i) : 16'd0) -
        (start && !start_again_i ? 16'(\u_sender.start_cells ) : 16'd0);
    passed_q   <= passed_q + (comes ? 16'(out[6:0]) : 16'd0);
    resident_q <= resident_q + (takes ? 16'(out[6:0]) : 16'd0) - (frees ? 16'(free_cells_i) : 16'd0);
    words_q    <= {words_q[2*PacketW-1:0], start_valid_i, start_vl_i, \u_sender.start_cells };
    case (stamp_fault_i)
      Passes: stamps_q <= {stamps_q[SlotW-1:0], stamp_now};
      Repeated: stamps_q <= {stamp, stamp_now};
      default: stamps_q <= {21'd0, stamp_now};
    endcase
    case (ret_fault_i)
      Passes: rets_q <= {rets_q[SlotW-1:0], ret_now};
      Repeated: rets_q <= {ret, ret_now};
      default: rets_q <= {21'd0, ret_now};
    endcase
    down_q <= link_up_i ? 2'd0 : down_q == 2'd2 ? 2'd2 : down_q + 2'd1;
    if (!link_up_i) {held_q, passed_q, words_q, stamps_q, rets_q} <= '0;
    if (!started_q) {inside_q, held_q, passed_q, resident_q, words_q, stamps_q, rets_q, down_q} <= '0;
  end

  // Cells of the lane in a place of the wire.
  function automatic [15:0] cells_in(input [PacketW-1:0] packet);
    cells_in = packet[11] && packet[10:7] == Watched ? 16'(packet[6:0]) : 16'd0;
  endfunction

  logic [15:0] oldest, middle, newest, lost, unseen, returned;
  logic [19:0] out_of_hand;  // all but what is freed and not known
  logic known;
  assign oldest = cells_in(words_q[2*PacketW+:PacketW]);
  assign middle = cells_in(words_q[PacketW+:PacketW]);
  assign newest = cells_in(words_q[0+:PacketW]);
  assign lost = passed_q - \u_return.taken_q[1] ;
  assign returned = \u_sender.sent_q[1] - \u_sender.used_q[1] ;
  assign unseen = \u_return.freed_q[1] - returned;
  assign known = \u_sender.known_q [Watched];
  assign out_of_hand = 20'(inside_q) + 20'(held_q) + 20'(oldest) + 20'(middle) + 20'(newest) + 20'(lost) + 20'(resident_q);

  // A return on its way makes the cells in use what they are then; a newer one never more than an older one.
  function automatic return_is(input [SlotW-1:0] slot, input [15:0] freed, input [15:0] sent, input [19:0] rest,
                               input is_known, input [15:0] of_known);
    logic [15:0] behind, use_then;
    behind = freed - slot[15:0];
    use_then = sent - slot[15:0];
    return_is = !slot[20] || slot[19:16] != Watched ||
        (20'(use_then) == rest + 20'(behind) && (is_known ? behind <= of_known : 20'(use_then) <= 20'(sent) + 20'(Buffer)));
  endfunction

  function automatic [15:0] behind_of(input [SlotW-1:0] slot, input [15:0] freed);
    behind_of = freed - slot[15:0];
  endfunction

  function automatic of_lane(input [SlotW-1:0] slot);
    of_lane = slot[20] && slot[19:16] == Watched;
  endfunction

  logic [SlotW-1:0] ret_middle, stamp_middle;
  logic [15:0] stamp_late, ret_late, d_now, d_middle, d_ret;
  logic ret_old;  // repeated, and older than what is known
  assign ret_middle = rets_q[0+:SlotW];
  assign stamp_middle = stamps_q[0+:SlotW];
  assign stamp_late = passed_q - stamp[15:0];
  assign ret_late = returned - ret[15:0];
  assign d_now = behind_of(ret_now, \u_return.freed_q[1] );
  assign d_middle = behind_of(ret_middle, \u_return.freed_q[1] );
  assign d_ret = behind_of(ret, \u_return.freed_q[1] );
  assign ret_old = of_lane(ret) && known && ret_late != '0 && ret_late <= Late;

  // What a grant leaves.
  logic judge_q;
  logic [15:0] of_shared;
  assign of_shared = (\u_sender.used_q[0] > 5 ? \u_sender.used_q[0] - 16'd5 : 16'd0) +
      (\u_sender.used_q[1] > 5 ? \u_sender.used_q[1] - 16'd5 : 16'd0);
  always @(posedge clk_i) judge_q <= started_q && grant && !(start_valid_i && start_again_i) && link_up_i;

  always_comb begin
    ENV_lanes : assume (grant_vl_i < 2 && take_vl_i < 2 && start_vl_i < 2 && free_vl_i < 2);
    COV_lanes : cover (started_q && grant_valid_i && grant_vl_i == 1 && start_valid_i && start_vl_i == 0);
    ENV_grant : assume (!grant_valid_i || (lane_ok[grant_vl_i[0]] && grant_cells_i <= tilefly_pkg::MTU_CELLS &&
                                           inside_q < 16'd300));
    COV_grant : cover (started_q && grant && grant_cells_i == tilefly_pkg::MTU_CELLS && inside_q != '0);
    ENV_take : assume (!take || 16'(take_cells_i) <= inside_q);
    COV_take : cover (started_q && take && take_cells_i != '0 && !take_lost_i);
    ENV_discard : assume (!(take_valid_i && take_lost_i) || take_cells_i == '0 || take && link_up_i && down_q != '0 || take && !link_up_i);
    COV_discard : cover (started_q && take && take_lost_i && take_cells_i != '0 && link_up_i);
    ENV_start : assume (!start_valid_i || link_up_i && start_len_i <= 80);
    COV_start : cover (started_q && start && start_again_i && \u_sender.start_cells == 2);
    ENV_first : assume (!(start && !start_again_i) || 16'(\u_sender.start_cells ) <= held_q);
    COV_first : cover (started_q && start && !start_again_i && \u_sender.start_cells == 2);
    ENV_again : assume (!(start_valid_i && start_again_i) || !over);
    COV_again : cover (started_q && start && start_again_i && !known);
    ENV_room : assume (!takes || resident_q <= Buffer - 16'd128);
    COV_room : cover (started_q && takes && resident_q != '0);
    ENV_frees : assume (!frees || 16'(free_cells_i) <= resident_q);
    COV_frees : cover (started_q && frees && 16'(free_cells_i) == resident_q && resident_q != '0);
    ENV_faults : assume (stamp_fault_i <= Repeated && ret_fault_i <= Repeated);
    COV_faults : cover (started_q && stamp_fault_i == Repeated && of_lane(stamp) && ret_fault_i == Repeated && of_lane(ret));
    // A slot that comes again is not older than a limit.
    ENV_late : assume (!(of_lane(stamp) && stamp_late > Late) && !(of_lane(ret) && known && ret_late > Late && d_ret > unseen));
    COV_late : cover (started_q && of_lane(stamp) && stamp_late != '0);
    ENV_down : assume (!link_up_i || down_q != 2'd1);
    COV_down : cover (started_q && link_up_i && down_q == 2'd2 && resident_q != '0);
    if (started_q) begin
      // The statement.
      room_is_paid_for : assert (!known || 20'(\u_sender.used_q[1] ) >= 20'(inside_q) + 20'(resident_q));
      nothing_else_is_charged : assert (!known || 20'(\u_sender.used_q[1] ) == out_of_hand + 20'(unseen));
      resident_is : assert (16'(\u_return.taken_q[1] - \u_return.freed_q[1] ) == resident_q);
      grant_keeps : assert (!judge_q || \u_sender.used_q[1] <= 15 && of_shared <= 11);
      // What is where.
      books_are : assert (\u_return.resident_q[1] == resident_q && 16'(\u_sender.inside_q[1] ) == inside_q && inside_q < 16'd360 && resident_q <= Buffer);
      sent_is : assert (\u_sender.sent_q[1] == inside_q + held_q + \u_sender.wired_q[1] );
      wired_is : assert (\u_sender.wired_q[1] == passed_q + oldest + middle + newest);
      small_is : assert (\u_sender.used_q[1] < 16'd49792);
      unknown_is : assert (known || \u_sender.used_q[1] == \u_sender.sent_q[1] && lost <= passed_q &&
          20'(\u_sender.sent_q[1] ) == 20'(inside_q) + 20'(held_q) + 20'(passed_q) + 20'(oldest) + 20'(middle) + 20'(newest));
      down_is : assert (down_q == '0 || !\u_sender.up_q && !\u_return.up_q && \u_sender.known_q == '0 && words_q == '0 && stamps_q == '0 &&
          rets_q == '0 && passed_q == '0 && held_q == '0 && \u_return.taken_q[1] == '0 && \u_return.pending_q == '0 && \u_return.asked_q == '0);
      stays_down_is : assert (down_q != 2'd2 || !stamp_now[20] && !ret_now[20]);
      stamps_are : assert ((down_q != '0 || !of_lane(stamp_now) || stamp_now[15:0] == passed_q + oldest + middle) &&
          (!of_lane(stamp_middle) || stamp_middle[15:0] == passed_q + oldest));
      returns_are : assert ((down_q != '0 || return_is(ret_now, \u_return.freed_q[1] , \u_sender.sent_q[1] , out_of_hand, known, unseen)) &&
          return_is(ret_middle, \u_return.freed_q[1] , \u_sender.sent_q[1] , out_of_hand, known, unseen) &&
          (ret_old || return_is(ret, \u_return.freed_q[1] , \u_sender.sent_q[1] , out_of_hand, known, unseen)));
      returns_in_order : assert ((down_q != '0 || !of_lane(ret_now) || ((!of_lane(ret_middle) || d_now <= d_middle) &&
          (!of_lane(ret) || ret_old || d_now <= d_ret))) &&
          (!of_lane(ret_middle) || !of_lane(ret) || ret_old || d_middle <= d_ret));
    end
    COV_healed : cover (started_q && healed == 16'd3 && stamp[19:16] == Watched);
    COV_old : cover (started_q && old_stamp);
    COV_bad_return : cover (started_q && bad_return);
    COV_home : cover (started_q && sender_quiet && receiver_quiet && resident_q == '0 && \u_sender.wired_q[1] != '0);
  end

endmodule
