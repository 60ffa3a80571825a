// SPDX-License-Identifier: Apache-2.0
// Deficit Table scheduler of one output: says which class is granted. Manual: docs/blocks/scheduler.md.
// Latency: the decision is combinational on the state and on the candidates; it is an event of its cycle. Throughput: one
// grant a cycle, with or without a rotation of the table.
// Handshake: in a cycle with `run_i` it asks for the candidate of the class whose turn it is (`serve_o`) and, when it goes on
// to the next entry, for that entry's class (`next_o`); a candidate of no cells means that the class's channels are busy.
// A class whose requests are on their way has its turn too, and is not granted whatever its candidate is.
//
//   step of the page   1 active  2 forget  3 group  4 serve        5 rotate       6 granted
//   signals            stays     dropped   members  serve_*, full  next_*, fresh  grant_*, hold_q

module tilefly_scheduler #(
    /// entries of a bank of the table
    parameter int Entries = tilefly_pkg::DTABLE_ENTRIES,
    /// classes
    parameter int Classes = tilefly_pkg::CLASSES,
    /// cells of the largest packet
    parameter int MtuCells = tilefly_pkg::MTU_CELLS,
    /// decisions of a turn for which it waits for requests on their way, one more for each cell granted; 0: none
    parameter int ClassHold = tilefly_pkg::CLASS_HOLD,
    /// bits of a weight
    parameter int WeightW = 12,
    /// bits of a class's number
    parameter int ClassW = $clog2(Classes)
) (
    /// clock
    input  logic                          clk_i,
    /// synchronous reset, active low
    input  logic                          rst_ni,
    /// number of the current cycle
    input  logic              [     47:0] cycle_i,
    /// number of this port
    input  logic              [      5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t             cfg_i,
    /// a decision is made in this cycle
    input  logic                          run_i,
    /// classes with a request
    input  logic              [Classes-1:0] wanted_i,
    /// those of these classes that have a request in a lane that may send
    input  logic              [Classes-1:0] sendable_i,
    /// an entry goes on being served: the candidate of the class whose turn it is, is wanted
    output logic                          serve_o,
    /// that class
    output logic              [ ClassW-1:0] serve_class_o,
    /// cells of that class's candidate; 0: the class has no candidate
    input  logic              [        6:0] serve_cells_i,
    /// an entry begins: the candidate of its class is wanted
    output logic                          next_o,
    /// that class
    output logic              [ ClassW-1:0] next_class_o,
    /// cells of that class's candidate; 0: the class has no candidate
    input  logic              [        6:0] next_cells_i,
    /// the candidate of the class whose turn it is, is granted
    output logic                          grant_serve_o,
    /// the candidate of the entry that begins is granted
    output logic                          grant_next_o,
    /// the request granted said `more`
    input  logic                          more_i,
    /// without requests a decision would change nothing
    output logic                          settled_o
);

  localparam int Groups = 4;
  localparam int GroupW = 2;
  localparam int EntryW = $clog2(Entries);
  localparam int MostWeight = 2 ** WeightW - 1;
  localparam int MostDeficit = MtuCells - 1;
  localparam int MostAcc = MostWeight + MostDeficit;
  localparam int DeficitW = $clog2(MostDeficit + 1);
  localparam int AccW = $clog2(MostAcc + 1);
  localparam int HoldW = ClassHold > 0 ? $clog2(ClassHold + 1) : 1;
  localparam logic [EntryW-1:0] LastEntry = EntryW'(Entries - 1);
  localparam logic [6:0] AllPorts = 7'd127;

  // Registers.
  logic write, write_entry, swap, write_class, write_group, write_maximum;
  tilefly_pkg::class_index_t index;
  tilefly_pkg::class_group_t group_written;
  tilefly_pkg::class_maximum_t maximum_written;
  tilefly_pkg::dtable_entry_t entry_written;
  logic [ClassW-1:0] class_written;

  assign index           = tilefly_pkg::get_class_index(cfg_i.index);
  assign group_written   = tilefly_pkg::get_class_group(cfg_i.data);
  assign maximum_written = tilefly_pkg::get_class_maximum(cfg_i.data);
  assign entry_written   = tilefly_pkg::get_dtable_entry(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);
  assign write_entry = write && cfg_i.space == tilefly_pkg::CFG_DTABLE && cfg_i.index < 11'(Entries);
  assign swap = write && cfg_i.space == tilefly_pkg::CFG_DTABLE && cfg_i.index == tilefly_pkg::TABLE_REG_DTABLE_SWAP;
  assign write_class = write && cfg_i.space == tilefly_pkg::CFG_CLASS && index.tc < 8'(Classes);
  assign write_group = write_class && index.which == tilefly_pkg::CLASS_REG_GROUP;
  assign write_maximum = write_class && index.which == tilefly_pkg::CLASS_REG_MAXIMUM;
  assign class_written = ClassW'(index.tc);

  // State. A deficit counts while its bit of `owed_q` is set, what is kept of a group's current entry while `current_q` is.
  logic [Classes*GroupW-1:0] group_q;  // of class c in bits [c*GroupW +: GroupW]
  logic [Classes-1:0] owed_q;
  logic [DeficitW-1:0] deficit_q[2**ClassW];
  logic [Groups*EntryW-1:0] pointer_q;  // of group g in bits [g*EntryW +: EntryW]
  logic [Groups-1:0] current_q;
  logic [AccW-1:0] acc_q[Groups];
  logic [ClassW-1:0] class_q[Groups];
  logic [Groups-1:0] promised_q;  // the last grant of the current entry said `more`
  logic [HoldW-1:0] hold_q[Groups];

  // 1. Active classes; expected ones: their entry waits for requests that are on their way; blocked ones: they have requests,
  // and no class of their group may go.
  logic [Classes-1:0] served, eligible, active, held, expected, stays, blocked, kept;
  logic [Groups-1:0] goes;  // groups with an active class
  logic grant;
  logic [ClassW-1:0] grant_class;
  logic [6:0] grant_cells;

  always_comb begin
    held = '0;
    if (run_i && current_q != '0) begin
      for (int g = 0; g < Groups; g++) begin
        if (current_q[g] && promised_q[g] && hold_q[g] != '0 && group_q[class_q[g]*GroupW+:GroupW] == GroupW'(g)) held[class_q[g]] = 1'b1;
      end
      held = held & ~wanted_i;
    end
  end

  tilefly_shaper #(
      .Classes(Classes)
  ) u_shaper (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .write_i      (write_maximum),
      .write_class_i(class_written),
      .write_cost_i (maximum_written.cost),
      .write_depth_i(maximum_written.depth),
      .ask_i        (sendable_i | held),
      .eligible_o   (eligible),
      .grant_i      (grant),
      .grant_class_i(grant_class),
      .grant_cells_i(grant_cells)
  );

  assign active   = run_i ? eligible & sendable_i & served : '0;
  assign expected = eligible & held;
  assign stays    = active | expected;

  always_comb begin
    goes    = '0;
    blocked = '0;
    if (wanted_i != '0) begin
      for (int c = 0; c < Classes; c++) if (active[c]) goes[group_q[c*GroupW+:GroupW]] = 1'b1;
      for (int c = 0; c < Classes; c++) blocked[c] = wanted_i[c] && !goes[group_q[c*GroupW+:GroupW]];
    end
  end
  assign kept = stays | blocked;

  // 2. What is forgotten: deficits of the other classes, and current entries that serve one of those or another group's.
  logic [Groups-1:0] dropped;

  always_comb begin
    dropped = '0;
    if (run_i) begin
      for (int g = 0; g < Groups; g++) begin
        dropped[g] = current_q[g] && (!kept[class_q[g]] || group_q[class_q[g]*GroupW+:GroupW] != GroupW'(g));
      end
    end
  end

  // 3. The highest group with an active or expected class, and its active ones.
  logic [GroupW-1:0] group;
  logic [Classes-1:0] members;

  always_comb begin
    group   = '0;
    members = '0;
    if (stays != '0) begin
      for (int c = 0; c < Classes; c++) begin
        if (stays[c] && group_q[c*GroupW+:GroupW] > group) group = group_q[c*GroupW+:GroupW];
      end
      for (int c = 0; c < Classes; c++) members[c] = active[c] && group_q[c*GroupW+:GroupW] == group;
    end
  end

  // 4. The current entry goes on being served while its candidate fits, or while it is on its way.
  logic [AccW-1:0] left;
  logic awaited, full;

  assign serve_o       = stays != '0 && current_q[group] && !dropped[group];
  assign serve_class_o = class_q[group];
  assign awaited       = serve_o && expected[serve_class_o];
  assign left          = acc_q[group];
  assign grant_serve_o = serve_o && !awaited && serve_cells_i != '0 && AccW'(serve_cells_i) <= left;
  assign full          = serve_o && !awaited && AccW'(serve_cells_i) > left;

  // 5. Else the next entry begins.
  logic [EntryW-1:0] entry;
  logic [WeightW-1:0] weight;
  logic [DeficitW-1:0] deficit;
  logic [AccW-1:0] fresh;

  assign next_o = stays != '0 && (!serve_o || full);

  tilefly_dtable #(
      .Entries(Entries),
      .Classes(Classes),
      .WeightW(WeightW),
      .PowerUpWeight(2 * MtuCells)
  ) u_table (
      .clk_i,
      .rst_ni,
      .write_i       (write_entry),
      .write_entry_i (EntryW'(cfg_i.index)),
      .write_class_i (ClassW'(entry_written.tc)),
      .write_weight_i(WeightW'(entry_written.weight)),
      .swap_i        (swap),
      .served_o      (served),
      .search_i      (next_o ? members : '0),
      .after_i       (pointer_q[group*EntryW+:EntryW]),
      .entry_o       (entry),
      .class_o       (next_class_o),
      .weight_o      (weight)
  );

  always_comb begin
    deficit = '0;
    if (full && next_class_o == serve_class_o) deficit = left[DeficitW-1:0];
    else if (owed_q[next_class_o]) deficit = deficit_q[next_class_o];
  end
  assign fresh = AccW'(weight) + AccW'(deficit);
  assign grant_next_o = next_o && next_cells_i != '0 && AccW'(next_cells_i) <= fresh;

  // 6. Granted.
  assign grant       = grant_serve_o || grant_next_o;
  assign grant_class = grant_next_o ? next_class_o : serve_class_o;
  assign grant_cells = grant_next_o ? next_cells_i : serve_cells_i;

  logic [Classes-1:0] owed;
  always_comb begin
    owed = owed_q & kept;
    if (full) owed[serve_class_o] = left != '0;
  end

  // A turn may wait for a decision more for each cell granted, never for more than at its begin.
  function automatic [HoldW-1:0] earned(input [HoldW-1:0] hold, input [6:0] granted);
    earned = 8'(hold) + 8'(granted) > 8'(ClassHold) ? HoldW'(ClassHold) : hold + HoldW'(granted);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni || swap) begin
      owed_q    <= '0;
      current_q <= '0;
      pointer_q <= {Groups{LastEntry}};
    end else if (run_i) begin
      owed_q    <= owed;
      current_q <= (current_q & ~dropped) | (next_o ? Groups'(1) << group : '0);
      if (next_o) pointer_q[group*EntryW+:EntryW] <= entry;
    end
    if (!rst_ni) group_q <= '0;
    else if (write_group) group_q[class_written*GroupW+:GroupW] <= group_written.group;
  end

  always_ff @(posedge clk_i) begin
    if (full) deficit_q[serve_class_o] <= left[DeficitW-1:0];
    if (next_o) begin
      class_q[group] <= next_class_o;
      acc_q[group]   <= fresh - (grant_next_o ? AccW'(next_cells_i) : '0);
    end else if (grant_serve_o) acc_q[group] <= left - AccW'(serve_cells_i);
    if (next_o || grant) promised_q[group] <= grant && more_i;
    if (next_o) hold_q[group] <= HoldW'(ClassHold);
    else if (grant) hold_q[group] <= earned(hold_q[group], grant_cells);
    else if (awaited) hold_q[group] <= hold_q[group] - 1'b1;
  end

  assign settled_o = current_q == '0 && owed_q == '0;

  // Assertions, and what only they look at: who may owe after the last decision, the weight of each current entry,
  // whether a class's group was written since the last decision, and turns that end though no class of the group may go.
  logic [Classes-1:0] may_owe_q;
  logic [WeightW-1:0] weight_q[Groups];
  logic regrouped_q;
  logic [Groups-1:0] strays, overdrawn, torn;

  always_ff @(posedge clk_i) begin
    regrouped_q <= rst_ni && (write_group || (regrouped_q && !run_i));
    if (run_i) may_owe_q <= kept;
    if (next_o) weight_q[group] <= weight;
    if (rst_ni) begin
      SCHED_1 : assert (!(grant_serve_o && grant_next_o) && (!grant || active[grant_class]));
      SCHED_4_deficit : assert (!full || left <= AccW'(MostDeficit));
    end
  end

  always_comb begin
    strays    = '0;
    overdrawn = '0;
    if (rst_ni && current_q != '0) begin
      for (int g = 0; g < Groups; g++) begin
        strays[g] = current_q[g] && (weight_q[g] == '0 || (!regrouped_q && group_q[class_q[g]*GroupW+:GroupW] != GroupW'(g)));
        /* verilator lint_off CMPCONST */  // constant where the hold fills its bits
        overdrawn[g] = current_q[g] && (acc_q[g] > AccW'(weight_q[g]) + AccW'(MostDeficit) || hold_q[g] > HoldW'(ClassHold));
        /* verilator lint_on CMPCONST */
      end
    end
    torn = '0;
    if (rst_ni && dropped != '0) begin
      for (int g = 0; g < Groups; g++) begin
        torn[g] = dropped[g] && wanted_i[class_q[g]] && group_q[class_q[g]*GroupW+:GroupW] == GroupW'(g);
        for (int c = 0; c < Classes; c++) if (active[c] && group_q[c*GroupW+:GroupW] == GroupW'(g)) torn[g] = 1'b0;
      end
    end
    SCHED_2 : assert (strays == '0);
    SCHED_3 : assert (!rst_ni || (owed_q & ~may_owe_q) == '0);
    SCHED_4 : assert (overdrawn == '0);
    SCHED_6 : assert (torn == '0);
  end

endmodule
