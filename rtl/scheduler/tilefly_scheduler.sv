// SPDX-License-Identifier: Apache-2.0
// Deficit Table scheduler of one output: says which class is granted. Manual: docs/blocks/scheduler.md.
// Latency: the decision is combinational on the state and on the candidates; it is an event of its cycle. Throughput: one
// grant a cycle, with or without a rotation of the table.
// Handshake: in a cycle with `run_i` it asks for the candidate of the class whose turn it is (`serve_o`) and, when it goes on
// to the next entry, for that entry's class (`next_o`); a candidate of no cells means that the class's channels are busy.
//
//   step of the page   1 active  2 forget  3 group  4 serve        5 rotate       6 granted
//   signals            active    dropped   member   serve_*, full  next_*, fresh  grant_*

module tilefly_scheduler #(
    /// entries of a bank of the table
    parameter int Entries = tilefly_pkg::DTABLE_ENTRIES,
    /// classes
    parameter int Classes = tilefly_pkg::CLASSES,
    /// cells of the largest packet
    parameter int MtuCells = tilefly_pkg::MTU_CELLS,
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
    /* verilator lint_off UNUSEDSIGNAL */  // registers are narrower than the bus's data
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t             cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a decision is made in this cycle
    input  logic                          run_i,
    /// classes with a request
    input  logic              [Classes-1:0] wanted_i,
    /// of these, the ones with a request in a lane that may send
    input  logic              [Classes-1:0] sendable_i,
    /// the class whose turn it is has cells left: its candidate is wanted
    output logic                          serve_o,
    /// that class
    output logic              [ ClassW-1:0] serve_class_o,
    /// cells of its candidate; 0: it has none
    input  logic              [        6:0] serve_cells_i,
    /// an entry begins: the candidate of its class is wanted
    output logic                          next_o,
    /// that class
    output logic              [ ClassW-1:0] next_class_o,
    /// cells of its candidate; 0: it has none
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
  localparam int MostDeficit = MostWeight + MtuCells;
  localparam int MostAcc = MostWeight + MostDeficit;
  localparam int DeficitW = $clog2(MostDeficit + 1);
  localparam int AccW = $clog2(MostAcc + 1);
  localparam logic [EntryW-1:0] LastEntry = EntryW'(Entries - 1);
  localparam logic [10:0] SwapIndex = 11'd1024;
  localparam logic [6:0] AllPorts = 7'd127;

  // Registers.
  logic write, write_entry, swap, write_class, write_group, write_maximum;
  logic [ClassW-1:0] class_written;

  assign write = cfg_i.valid && !cfg_i.read && (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);
  assign write_entry = write && cfg_i.space == tilefly_pkg::CFG_DTABLE && cfg_i.index < 11'(Entries);
  assign swap = write && cfg_i.space == tilefly_pkg::CFG_DTABLE && cfg_i.index == SwapIndex;
  assign write_class = write && cfg_i.space == tilefly_pkg::CFG_CLASS && cfg_i.index[10:3] < 8'(Classes);
  assign write_group = write_class && cfg_i.index[2:0] == 3'(tilefly_pkg::CLASS_REG_GROUP);
  assign write_maximum = write_class && cfg_i.index[2:0] == 3'(tilefly_pkg::CLASS_REG_MAXIMUM);
  assign class_written = cfg_i.index[3+:ClassW];

  // State. A deficit counts while its bit of `owed_q` is set, what is kept of a group's current entry while `current_q` is.
  logic [Classes*GroupW-1:0] group_q;  // of class c in bits [c*GroupW +: GroupW]
  logic [Classes-1:0] held_q, owed_q;
  logic [DeficitW-1:0] deficit_q[2**ClassW];
  logic [Groups*EntryW-1:0] pointer_q;  // of group g in bits [g*EntryW +: EntryW]
  logic [Groups-1:0] current_q;
  logic [AccW-1:0] acc_q[Groups];
  logic [ClassW-1:0] class_q[Groups];
  logic [WeightW-1:0] weight_q[Groups];

  // 1. Active classes.
  logic [Classes-1:0] served, eligible, active;
  logic grant;
  logic [ClassW-1:0] grant_class;
  logic [6:0] grant_cells;

  tilefly_shaper #(
      .Classes(Classes)
  ) u_shaper (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .write_i      (write_maximum),
      .write_class_i(class_written),
      .write_cost_i (cfg_i.data[15:0]),
      .write_depth_i(cfg_i.data[47:16]),
      .ask_i        (sendable_i),
      .eligible_o   (eligible),
      .grant_i      (grant),
      .grant_class_i(grant_class),
      .grant_cells_i(grant_cells)
  );

  assign active = run_i ? eligible & served : '0;

  // 2. What is forgotten: deficits of inactive classes, and current entries that serve none. A class that only waits for its
  // inputs' next requests keeps its deficit, and what its current entry had left.
  logic [Classes-1:0] waits;
  logic [Groups-1:0] dropped, kept;
  logic [DeficitW-1:0] rest[Groups];

  function automatic [DeficitW-1:0] rest_of(input [AccW-1:0] acc, input [WeightW-1:0] weight);
    rest_of = acc > AccW'(weight) + AccW'(MtuCells) ? DeficitW'(weight) + DeficitW'(MtuCells) : acc[DeficitW-1:0];
  endfunction

  assign waits = held_q & ~wanted_i;
  always_comb begin
    dropped = '0;
    kept    = '0;
    for (int g = 0; g < Groups; g++) begin
      rest[g] = '0;
      if (run_i && current_q[g] &&
          (!active[class_q[g]] || group_q[class_q[g]*GroupW+:GroupW] != GroupW'(g))) begin
        dropped[g] = 1'b1;
        kept[g]    = waits[class_q[g]] && group_q[class_q[g]*GroupW+:GroupW] == GroupW'(g);
        rest[g]    = rest_of(acc_q[g], weight_q[g]);
      end
    end
  end

  // 3. The highest group with an active class.
  logic [GroupW-1:0] group;
  logic [Classes-1:0] members;

  always_comb begin
    group   = '0;
    members = '0;
    if (active != '0) begin
      for (int c = 0; c < Classes; c++) begin
        if (active[c] && group_q[c*GroupW+:GroupW] > group) group = group_q[c*GroupW+:GroupW];
      end
      for (int c = 0; c < Classes; c++) members[c] = active[c] && group_q[c*GroupW+:GroupW] == group;
    end
  end

  // 4. The current entry goes on being served while its candidate fits.
  logic [AccW-1:0] left;
  logic full;

  assign serve_o       = members != '0 && current_q[group] && !dropped[group];
  assign serve_class_o = class_q[group];
  assign left          = acc_q[group];
  assign grant_serve_o = serve_o && serve_cells_i != '0 && AccW'(serve_cells_i) <= left;
  assign full          = serve_o && AccW'(serve_cells_i) > left;

  // 5. Else the next entry begins.
  logic [EntryW-1:0] entry;
  logic [WeightW-1:0] weight;
  logic [DeficitW-1:0] deficit;
  logic [AccW-1:0] fresh;

  assign next_o = members != '0 && (!serve_o || full);

  tilefly_dtable #(
      .Entries(Entries),
      .Classes(Classes),
      .WeightW(WeightW),
      .PowerUpWeight(2 * MtuCells)
  ) u_table (
      .clk_i,
      .rst_ni,
      .write_i       (write_entry),
      .write_entry_i (cfg_i.index[EntryW-1:0]),
      .write_class_i (cfg_i.data[12+:ClassW]),
      .write_weight_i(cfg_i.data[WeightW-1:0]),
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
    owed = owed_q & (active | waits);
    for (int g = 0; g < Groups; g++) begin
      if (kept[g]) owed[class_q[g]] = rest[g] != '0;
    end
    if (full) owed[serve_class_o] = left != '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || swap) begin
      held_q    <= '0;
      owed_q    <= '0;
      current_q <= '0;
      pointer_q <= {Groups{LastEntry}};
    end else if (run_i) begin
      owed_q    <= owed;
      current_q <= (current_q & ~dropped) | (next_o ? Groups'(1) << group : '0);
      if (next_o) pointer_q[group*EntryW+:EntryW] <= entry;
      if (grant) held_q[grant_class] <= more_i;
    end
    if (!rst_ni) group_q <= '0;
    else if (write_group) group_q[class_written*GroupW+:GroupW] <= cfg_i.data[GroupW-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (dropped != '0) begin
      for (int g = 0; g < Groups; g++) begin
        if (kept[g]) deficit_q[class_q[g]] <= rest[g];
      end
    end
    if (full) deficit_q[serve_class_o] <= left[DeficitW-1:0];
    if (next_o) begin
      class_q[group]  <= next_class_o;
      weight_q[group] <= weight;
      acc_q[group]    <= fresh - (grant_next_o ? AccW'(next_cells_i) : '0);
    end else if (grant_serve_o) acc_q[group] <= left - AccW'(serve_cells_i);
  end

  assign settled_o = current_q == '0 && (owed_q & ~held_q) == '0;

  // Assertions.
  logic [Classes-1:0] may_owe_q;  // what the last decision left

  always_ff @(posedge clk_i) begin
    if (run_i) may_owe_q <= active | waits;
    if (rst_ni) begin
      SCHED_1 : assert (!(grant_serve_o && grant_next_o) && (!grant || active[grant_class]));
      SCHED_2 : assert (!serve_o || (weight_q[group] != '0 && members[serve_class_o]));
      SCHED_3 : assert ((owed_q & ~may_owe_q) == '0);
      SCHED_4 : assert (!next_o || (fresh <= AccW'(MostAcc) && weight != '0 && members[next_class_o]));
      SCHED_4_deficit : assert (!full || left <= AccW'(MostDeficit));
    end
  end

endmodule
