// SPDX-License-Identifier: Apache-2.0
// SCHED-1 to SCHED-6 of tilefly_scheduler, with any tables, groups, maxima and frozen cycles, with swaps and writes while it
// works, and with requests that say `more` and are followed by others or are not. Which class is watched is left open.
// Both banks hold anything at power-up. Made small: three entries, three classes, weights below 4, an MTU of two cells, a hold of two decisions.
//
// The proof of SCHED-5 is a budget: what others of the watched class's group can still get before it is reached, and what
// they got since it began to wait, never exceed W together. A write that W depends on lets it begin anew: a swap, a group.

module scheduler_turns #(
    /// entries of a bank
    parameter int Entries = 3,
    /// classes
    parameter int Classes = 3,
    /// cells of the largest packet
    parameter int MtuCells = 2,
    /// decisions for which an entry waits for requests on their way
    parameter int ClassHold = 2,
    /// bits of a weight
    parameter int WeightW = 2,
    /// the bound is made tighter by this many cells
    parameter int Tighter = 0
) (
    input logic                             clk_i,
    input tilefly_pkg::cfg_t                cfg_i,
    input logic                             run_i,
    input logic              [Classes-1:0]  wanted_i,
    input logic              [Classes-1:0]  sendable_i,
    input logic              [        6:0]  serve_cells_i,
    input logic              [        6:0]  next_cells_i,
    input logic                             more_i
);

  localparam int SumW = 5;  // of cells

  (* anyconst *) logic [1:0] watched;
  logic started_q = 1'b0;
  logic serve, next, grant_serve, grant_next;
  logic [1:0] serve_class, next_class;

  tilefly_scheduler #(
      .Entries  (Entries),
      .Classes  (Classes),
      .MtuCells (MtuCells),
      .ClassHold(ClassHold),
      .WeightW  (WeightW)
  ) u_scheduler (
      .clk_i,
      .rst_ni       (started_q),
      .cycle_i      (48'd0),
      .port_i       (6'd0),
      .cfg_i        (started_q ? cfg_i : '0),
      .run_i,
      .wanted_i,
      .sendable_i,
      .serve_o      (serve),
      .serve_class_o(serve_class),
      .serve_cells_i,
      .next_o       (next),
      .next_class_o (next_class),
      .next_cells_i,
      .grant_serve_o(grant_serve),
      .grant_next_o (grant_next),
      .more_i,
      .settled_o    ()
  );

  (* hierconn *) wire \u_scheduler.write_group , \u_scheduler.swap , \u_scheduler.u_table.bank_q ;
  (* hierconn *) wire [3:0] \u_scheduler.u_table.entries_q[0] , \u_scheduler.u_table.entries_q[1] , \u_scheduler.u_table.entries_q[2] ;
  (* hierconn *) wire [3:0] \u_scheduler.u_table.entries_q[4] , \u_scheduler.u_table.entries_q[5] , \u_scheduler.u_table.entries_q[6] ;
  (* hierconn *) wire [2:0] \u_scheduler.u_table.masks_q[0] , \u_scheduler.u_table.masks_q[1] , \u_scheduler.u_table.masks_q[2] ;
  (* hierconn *) wire [2:0] \u_scheduler.u_table.masks_q[4] , \u_scheduler.u_table.masks_q[5] , \u_scheduler.u_table.masks_q[6] ;
  (* hierconn *) wire [2:0] \u_scheduler.eligible , \u_scheduler.owed_q ;
  (* hierconn *) wire [5:0] \u_scheduler.group_q ;
  (* hierconn *) wire [7:0] \u_scheduler.pointer_q ;
  (* hierconn *) wire [3:0] \u_scheduler.current_q ;
  (* hierconn *) wire [1:0] \u_scheduler.class_q[0] , \u_scheduler.class_q[1] , \u_scheduler.class_q[2] , \u_scheduler.class_q[3] ;
  (* hierconn *) wire [1:0] \u_scheduler.weight_q[0] , \u_scheduler.weight_q[1] , \u_scheduler.weight_q[2] , \u_scheduler.weight_q[3] ;
  (* hierconn *) wire [2:0] \u_scheduler.acc_q[0] , \u_scheduler.acc_q[1] , \u_scheduler.acc_q[2] , \u_scheduler.acc_q[3] ;
  (* hierconn *) wire [1:0] \u_scheduler.hold_q[0] , \u_scheduler.hold_q[1] , \u_scheduler.hold_q[2] , \u_scheduler.hold_q[3] ;
  (* hierconn *) wire \u_scheduler.deficit_q[0] , \u_scheduler.deficit_q[1] , \u_scheduler.deficit_q[2] ;

  // What is kept of each group's current entry, and what each class is owed.
  wire [7:0] group_of = {2'd0, \u_scheduler.group_q };
  wire [7:0] holders = {\u_scheduler.class_q[3] , \u_scheduler.class_q[2] , \u_scheduler.class_q[1] , \u_scheduler.class_q[0] };
  wire [7:0] weights = {\u_scheduler.weight_q[3] , \u_scheduler.weight_q[2] , \u_scheduler.weight_q[1] , \u_scheduler.weight_q[0] };
  wire [11:0] accs = {\u_scheduler.acc_q[3] , \u_scheduler.acc_q[2] , \u_scheduler.acc_q[1] , \u_scheduler.acc_q[0] };
  wire [7:0] holds = {\u_scheduler.hold_q[3] , \u_scheduler.hold_q[2] , \u_scheduler.hold_q[1] , \u_scheduler.hold_q[0] };
  wire [2:0] owed = {\u_scheduler.deficit_q[2] , \u_scheduler.deficit_q[1] , \u_scheduler.deficit_q[0] } & \u_scheduler.owed_q ;

  // The table: entry e of a bank is {class, weight} in bits [e*4 +: 4]; its masks say that it serves class c in bit c*3 + e.
  wire [11:0] even = {\u_scheduler.u_table.entries_q[2] , \u_scheduler.u_table.entries_q[1] , \u_scheduler.u_table.entries_q[0] };
  wire [11:0] odd = {\u_scheduler.u_table.entries_q[6] , \u_scheduler.u_table.entries_q[5] , \u_scheduler.u_table.entries_q[4] };
  wire [17:0] masks = {\u_scheduler.u_table.masks_q[6] , \u_scheduler.u_table.masks_q[5] , \u_scheduler.u_table.masks_q[4] ,
      \u_scheduler.u_table.masks_q[2] , \u_scheduler.u_table.masks_q[1] , \u_scheduler.u_table.masks_q[0] };
  wire [11:0] entries = \u_scheduler.u_table.bank_q ? odd : even;
  function automatic [8:0] serving(input [11:0] bank);
    for (int c = 0; c < Classes; c++) begin
      for (int e = 0; e < Entries; e++) serving[c*3+e] = bank[e*4+:2] != '0 && bank[e*4+2+:2] == 2'(c);
    end
  endfunction

  // Entries that serve the watched class, and those of its group.
  logic [1:0] level;
  logic [2:0] mine, ours;
  logic [8:0] serves;
  assign serves = serving(entries);
  assign level = group_of[watched*2+:2];
  always_comb begin
    mine = '0;
    ours = '0;
    for (int c = 0; c < Classes; c++) begin
      if (watched == 2'(c)) mine = serves[c*3+:3];
      if (group_of[c*2+:2] == level) ours = ours | serves[c*3+:3];
    end
  end

  // Entries of the group after entry e, cyclically, before the next one of the watched class.
  function automatic [2:0] between(input [1:0] e, input [2:0] own, input [2:0] all);
    logic over;
    logic [1:0] at;
    over    = 1'b0;
    at      = e;
    between = '0;
    for (int i = 1; i < Entries; i++) begin
      at          = at == 2'(Entries - 1) ? 2'd0 : at + 2'd1;
      over        = over || own[at];
      between[at] = !over && all[at];
    end
  endfunction

  // Of a set of entries: the sum of their weights; their classes; their number.
  function automatic [SumW-1:0] weight_of(input [2:0] set, input [11:0] all);
    weight_of = '0;
    for (int e = 0; e < Entries; e++) weight_of = weight_of + (set[e] ? SumW'(all[e*4+:2]) : '0);
  endfunction
  function automatic [2:0] classes_of(input [2:0] set, input [11:0] all);
    classes_of = '0;
    for (int e = 0; e < Entries; e++) begin
      for (int c = 0; c < Classes; c++) classes_of[c] = classes_of[c] || (set[e] && all[e*4+2+:2] == 2'(c));
    end
  endfunction
  function automatic [SumW-1:0] number_of(input [2:0] set);
    number_of = '0;
    for (int i = 0; i < 3; i++) number_of = number_of + SumW'(set[i]);
  endfunction

  // W: the largest gap between entries of the watched class, weights and a cell less than an MTU for each class.
  logic [SumW-1:0] bound, gap;
  logic [2:0] inside_gap;
  always_comb begin
    bound      = '0;
    gap        = '0;
    inside_gap = '0;
    for (int e = 0; e < Entries; e++) begin
      inside_gap = between(2'(e), mine, ours);
      gap        = weight_of(inside_gap, entries) + number_of(classes_of(inside_gap, entries));
      if (mine[e] && gap > bound) bound = gap;
    end
  end

  // The budget: the rest of another's entry that is being served, the entries before the next one of the watched class, and
  // what their classes are owed; the class being served puts its rest in the place of what it was owed.
  logic [2:0] coming;
  logic [1:0] holder;
  logic other_served;
  logic [SumW-1:0] budget;
  assign coming = between(\u_scheduler.pointer_q [level*2+:2], mine, ours);
  assign holder = holders[level*2+:2];
  assign other_served = \u_scheduler.current_q [level] && holder != watched && group_of[holder*2+:2] == level;
  assign budget = (other_served ? SumW'(accs[level*3+:3]) : '0) + weight_of(coming, entries) +
      number_of(owed & classes_of(coming, entries) & ~(other_served ? 3'd1 << holder : 3'd0));

  // Some class of the watched one's group may go.
  logic goes;
  always_comb begin
    goes = 1'b0;
    for (int c = 0; c < Classes; c++) begin
      goes = goes || (sendable_i[c] && \u_scheduler.eligible [c] && serves[c*3+:3] != '0 && group_of[c*2+:2] == level);
    end
  end

  // The decision, seen from outside, and what became of the watched class's wait: it goes on while the class is blocked.
  logic active, blocked, grant, of_group, on_its_way, reached;
  logic [1:0] granted_class;
  logic [6:0] granted_cells;
  logic [SumW-1:0] others_q;  // cells granted to others of its group
  logic [2:0] entries_q;      // entries of others that began
  logic [3:0] waits_q;        // decisions of its group's turn that waited for requests
  logic [3:0] turn_q;         // cells granted in that turn
  logic stopped_q;            // the watched class was blocked in its turn
  logic [2:0] left_q;         // with the cells that were left
  assign active        = run_i && sendable_i[watched] && \u_scheduler.eligible [watched] && mine != '0;
  assign blocked       = run_i && wanted_i[watched] && !goes;
  assign grant         = grant_serve || grant_next;
  assign granted_class = grant_next ? next_class : serve_class;
  assign granted_cells = grant_next ? next_cells_i : serve_cells_i;
  assign of_group      = (next || serve) && group_of[(next ? next_class : serve_class)*2+:2] == level;
  assign on_its_way    = serve && !wanted_i[serve_class];
  assign reached       = serve && serve_class == watched;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (run_i) begin
      others_q  <= (reached ? '0 : others_q) + (grant && of_group ? SumW'(granted_cells) : '0);
      entries_q <= (reached ? '0 : entries_q) + 3'(next && of_group);
      if (!(active || blocked) || (reached && !next) || (next && next_class == watched)) {others_q, entries_q} <= '0;
      if (of_group) waits_q <= (next ? '0 : waits_q) + 4'(on_its_way);
      if (of_group) turn_q <= (next ? '0 : turn_q) + (grant ? 4'(granted_cells) : '0);
    end
    if (!started_q || \u_scheduler.swap || \u_scheduler.write_group ) {others_q, entries_q, waits_q, turn_q} <= '0;
    stopped_q <= started_q && blocked && \u_scheduler.current_q [level] && holder == watched && !\u_scheduler.swap &&
        !\u_scheduler.write_group ;
    left_q <= accs[level*3+:3];
  end

  // What is kept of a group's current entry is that entry; an entry begins at the first of the group's active classes.
  logic [3:0] astray;
  always_comb begin
    for (int g = 0; g < 4; g++) begin
      astray[g] = \u_scheduler.pointer_q [g*2+:2] == 2'd3 || \u_scheduler.current_q [g] && (holders[g*2+:2] == 2'd3 ||
          entries[\u_scheduler.pointer_q [g*2+:2]*4+:4] != {holders[g*2+:2], weights[g*2+:2]});
    end
  end

  always_comb begin
    ENV_watched : assume (watched < Classes);
    COV_watched : cover (started_q && watched == Classes - 1 && grant && granted_class == watched);
    ENV_wanted : assume ((sendable_i & ~wanted_i) == '0);
    COV_wanted : cover (started_q && run_i && wanted_i == 3'b111 && sendable_i == 3'b010);
    ENV_mtu : assume (serve_cells_i <= MtuCells && next_cells_i <= MtuCells);
    COV_mtu : cover (started_q && grant_serve && serve_cells_i == MtuCells);
    ENV_power_up : assume (started_q || masks == {serving(odd), serving(even)});
    COV_power_up : cover (started_q && serve && serving(odd) != serving(even));
    masks_agree : assert (masks == {serving(odd), serving(even)});
    if (started_q) begin
      one_grant : assert (!(grant_serve && grant_next));
      active_only : assert (!grant || (run_i && granted_cells != '0 && sendable_i[granted_class] && \u_scheduler.eligible [granted_class]));
      kept_is_the_entry : assert (astray == '0);
      goes_on : assert (!active || serve || next);
      within_its_wait : assert (mine == '0 || others_q == '0 || others_q + Tighter <= bound);
      within_its_budget : assert (mine == '0 || others_q + budget <= bound);
      turn_survives_a_stop : assert (!stopped_q || (\u_scheduler.current_q [level] && holder == watched && accs[level*3+:3] == left_q));
      within_a_round : assert (mine == '0 || entries_q + number_of(coming) < Entries);
      hold_ends : assert (waits_q + (\u_scheduler.current_q [level] ? holds[level*2+:2] : 2'd0) <= ClassHold + turn_q);
      turn_ends : assert (!\u_scheduler.current_q [level] || turn_q + accs[level*3+:3] <= weights[level*2+:2] + MtuCells - 1);
    end
    COV_hold_runs_out : cover (started_q && run_i && waits_q == ClassHold && turn_q == 4'd1 && !on_its_way && wanted_i == '0);
    COV_hold_grows : cover (started_q && waits_q == ClassHold + 1);
    COV_request_in_time : cover (started_q && waits_q != '0 && grant_serve && of_group);
    COV_blocked_in_a_wait : cover (started_q && blocked && others_q != '0);
    COV_goes_on_after_a_stop : cover (started_q && stopped_q && grant_serve && granted_class == watched);
    COV_swap_in_a_hold : cover (started_q && on_its_way && \u_scheduler.swap );
    COV_higher_group_in_a_hold : cover (started_q && waits_q != '0 && grant && !of_group && level != '0);
  end

endmodule
