// SPDX-License-Identifier: Apache-2.0
// Plays vectors of `tilefly conform vectors` into a device with AXI-Stream ports, and judges what comes out: every frame once
// at each output that it is for, byte for byte, in order from input to output, and by the rules of AXI-Stream. No library, no
// DPI. The page is docs/conformance.md.
//
// A beat goes in in its cycle when the device takes all in time, otherwise as soon as those before it have. It prints a line,
// "PASS: TEST seed N" or "FAIL: TEST seed N: REASON", and ends the simulation: by $finish, or by $fatal.
//
// Ports are rows of `tfr_beat`, as those of tilefly_conform_bench. +vectors=FOLDER of the test, +test=ID: what the line says.
module tilefly_vector_bench #(
  parameter int PORTS        = 4,
  parameter int BEAT_BYTES   = 8,
  parameter int ROWS         = 1,     // the most that a part of a test has: beats,
  parameter int FRAMES       = 1,     // frames,
  parameter int COPIES       = 1,     // frames at outputs,
  parameter int CYCLES       = 1,     // cycles with a row of tready,
  parameter int WRITES       = 1,     // cycles with a row of the table,
  parameter int LONGEST      = 1,     // beats of a frame
  parameter int NUMBERS      = 1,     // words of test.hex
  parameter int RESET_CYCLES = 2,     // reset.cycles
  parameter int PROGRESS     = 1000,  // claims.progress
  parameter bit DROPS        = 0,     // the device has a drop counter, flow.drops
  parameter bit CUT_THROUGH  = 0,     // flow.cut_through
  parameter int MARK_BIT     = -1,    // bit of tuser of a frame that is marked when it comes out (frames.bad: marked); -1: none
  parameter bit TID          = 0      // tid passes through
) (
  output logic                                         clk,
  output logic                                         rst,
  output logic [PORTS*tilefly_beat_pkg::BEAT_BITS-1:0] in_beats,
  input  logic [PORTS-1:0]                             in_ready,
  input  logic [PORTS*tilefly_beat_pkg::BEAT_BITS-1:0] out_beats,
  output logic [PORTS-1:0]                             out_ready,
  output logic                                         write_valid,
  output logic [47:0]                                  write_mac,
  output logic [31:0]                                  write_port,
  output logic [31:0]                                  write_index,
  input  logic [63:0]                                  drops
);
  timeunit 1ns;
  timeprecision 1ps;
  import tilefly_beat_pkg::*;

  // How a line of in_P.hex is read.
  localparam int KEEP_BITS = (BEAT_BYTES + 3) / 4 * 4;
  typedef struct packed {
    logic [31:0]             cycle;  // of the part, in which it goes in
    logic [3:0]              flags;  // 0: the last beat of a frame, 1: the first one
    logic [31:0]             user;
    logic [31:0]             dest;
    logic [31:0]             id;
    logic [KEEP_BITS-1:0]    keep;
    logic [8*BEAT_BYTES-1:0] data;   // byte 0 lowest
  } row_t;
  localparam int ROW_BITS = $bits(row_t);
  localparam int SETTLE = PROGRESS < 1000 ? PROGRESS : 1000;

  // The files of a test, and of the part that is under way: those of all ports one after the other.
  logic [31:0]         numbers [NUMBERS];
  logic [ROW_BITS-1:0] rows    [ROWS];
  logic [63:0]         copies  [COPIES];  // input, and which of its frames
  logic [PORTS-1:0]    stalls  [CYCLES];  // tready of the outputs
  logic [112:0]        writes  [WRITES];  // valid, MAC, port, index
  string test, folder;
  int    words;  // of `numbers`, read by now

  // What is known of a test and a part.
  bit patient, quiet, lossy, judged;
  longint unsigned seed;
  int parts, cycles, ready_rows, table_rows, due_drops;
  int row_of    [FRAMES];       // first beat of a frame
  int beats_of  [FRAMES];
  int copies_of [FRAMES];       // outputs that it is for
  int end_of    [FRAMES];       // cycle in which its last beat went in
  int frame_of  [PORTS];        // first frame of an input
  int frames    [PORTS];
  int row       [PORTS];        // next beat of an input
  int row_end   [PORTS];
  int begun     [PORTS];        // frames whose first beat went in
  int ended     [PORTS];        // whose last one did
  bit offered   [PORTS];        // the next beat is driven
  int copy      [PORTS];        // first copy of an output that did not come out
  int copy_from [PORTS];
  int copy_end  [PORTS];
  bit out       [COPIES];       // came out, or is lost
  int                      size  [PORTS];  // beats of the frame that comes out
  int                      shown [PORTS];  // cycle of its first beat
  tfr_beat                 held  [PORTS];  // shown and not taken in the cycle before
  tfr_beat                 head  [PORTS];  // first beat of the frame
  logic [KEEP_BITS-1:0]    got_keep [PORTS*LONGEST];
  logic [8*BEAT_BYTES-1:0] got_data [PORTS*LONGEST];
  int now, cycle, moved, waited, pending, lost, delivered;
  bit failed;

  task automatic fail(int port, string why);
    if (failed) return;
    failed = 1;
    if (port < 0) $display("FAIL: %s seed %0d: cycle %0d: %s", test, seed, cycle, why);
    else $display("FAIL: %s seed %0d: cycle %0d, port %0d: %s", test, seed, cycle, port, why);
  endtask

  function automatic int number();
    words++;
    return int'(numbers[words-1]);
  endfunction

  function automatic int kept(logic [KEEP_BITS-1:0] keep);
    int bytes;
    bytes = 0;
    for (int i = 0; i < BEAT_BYTES; i++) bytes += int'(keep[i]);
    return bytes;
  endfunction

  function automatic logic [8*BEAT_BYTES-1:0] kept_data(logic [8*BEAT_BYTES-1:0] data, logic [KEEP_BITS-1:0] keep);
    for (int i = 0; i < BEAT_BYTES; i++) kept_data[8*i+:8] = keep[i] ? data[8*i+:8] : 8'h0;
  endfunction

  function automatic string name(int input_port, int frame);
    row_t last;
    last = rows[row_of[frame_of[input_port]+frame] + beats_of[frame_of[input_port]+frame] - 1];
    return $sformatf("frame %0d of input %0d (%0d bytes)", frame + 1, input_port,
                     (beats_of[frame_of[input_port]+frame] - 1) * BEAT_BYTES + kept(last.keep));
  endfunction

  // Reads the files of a part; `words` stands at its numbers.
  task automatic load(int index, output bit resets);
    string place;
    row_t  one;
    int    at, frame, last;
    place = $sformatf("%s/part%0d", folder, index);
    resets     = number() != 0;
    judged     = number() != 0;
    cycles     = number();
    table_rows = number();
    ready_rows = number();
    due_drops  = number();
    if (table_rows > 0) $readmemh({place, "/table.hex"}, writes, 0, table_rows - 1);
    if (ready_rows > 0) $readmemh({place, "/ready.hex"}, stalls, 0, ready_rows - 1);
    at = 0;
    frame = 0;
    for (int p = 0; p < PORTS; p++) begin
      row[p] = at;
      at += number();
      row_end[p] = at;
      if (at > row[p]) $readmemh($sformatf("%s/in_%0d.hex", place, p), rows, row[p], at - 1);
      frame_of[p] = frame;
      for (int r = row[p]; r < at; r++) begin
        one = rows[r];
        if (one.flags[1]) begin
          row_of[frame] = r;
          beats_of[frame] = 0;
          copies_of[frame] = 0;
          frame++;
        end
        beats_of[frame-1]++;
      end
      frames[p] = frame - frame_of[p];
      begun[p] = 0;
      ended[p] = 0;
      offered[p] = 0;
    end
    at = 0;
    for (int p = 0; p < PORTS; p++) begin
      copy[p] = at;
      copy_from[p] = at;
      at += number();
      copy_end[p] = at;
      if (at > copy[p]) $readmemh($sformatf("%s/out_%0d.hex", place, p), copies, copy[p], at - 1);
      for (int c = copy[p]; c < at; c++) begin
        out[c] = 0;
        last = frame_of[int'(copies[c][63:32])] + int'(copies[c][31:0]);
        copies_of[last]++;
      end
      size[p] = 0;
      held[p] = '0;
    end
    if (resets) lost = 0;
    now = 0;
    moved = 0;
    waited = 0;
    pending = 0;
  endtask

  task automatic idle();
    in_beats    = '0;
    out_ready   = '0;
    write_valid = 1'b0;
    write_mac   = '0;
    write_port  = '0;
    write_index = '0;
  endtask

  // The inputs of a cycle are on the ports: they settle, and the clock rises. Outputs are read before.
  task automatic rise();
    clk = 1'b1;
    #1;
    clk = 1'b0;
  endtask

  task automatic reset();
    idle();
    rst = 1'b1;
    repeat (RESET_CYCLES) begin
      #1;
      rise();
    end
    rst = 1'b0;
  endtask

  // Nothing is in the device, and no other input has a beat of an earlier cycle.
  function automatic bit alone(int port, logic [31:0] begin_cycle);
    row_t one;
    if (pending > 0) return 0;
    for (int p = 0; p < PORTS; p++) begin
      if (begun[p] > ended[p]) return 0;
      if (p == port || row[p] == row_end[p]) continue;
      one = rows[row[p]];
      if (offered[p] || one.cycle < begin_cycle) return 0;
    end
    return 1;
  endfunction

  task automatic drive();
    tfr_beat beat;
    row_t    one;
    for (int p = 0; p < PORTS; p++) begin
      beat = '0;
      if (row[p] < row_end[p]) begin
        one = rows[row[p]];
        if (!offered[p] && int'(one.cycle) <= now && (!quiet || !one.flags[1] || alone(p, one.cycle))) offered[p] = 1;
        if (offered[p]) begin
          beat.valid = 8'd1;
          beat.last  = 8'(one.flags[0]);
          beat.user  = 64'(one.user);
          beat.dest  = one.dest;
          beat.id    = one.id;
          beat.keep  = 64'(one.keep);
          for (int i = 0; i < BEAT_BYTES; i++) beat.data[i] = one.data[8*i+:8];
        end
      end
      in_beats[p*BEAT_BITS+:BEAT_BITS] = beat;
      out_ready[p] = patient ? held[p].valid != 0 : now < ready_rows ? stalls[now][p] : 1'b1;
    end
    {write_valid, write_mac, write_port, write_index} = now < table_rows ? writes[now] : '0;
  endtask

  // A beat of input p went in.
  task automatic took(int p);
    row_t one;
    one = rows[row[p]];
    if (one.flags[1]) begin
      pending += copies_of[frame_of[p]+begun[p]];
      begun[p]++;
    end
    if (one.flags[0]) begin
      end_of[frame_of[p]+ended[p]] = now;
      ended[p]++;
    end
    row[p]++;
    offered[p] = 0;
  endtask

  // The frame that came out at o has the bytes of a frame.
  function automatic bit equal(int o, int input_port, int frame);
    row_t one;
    int   f;
    f = frame_of[input_port] + frame;
    if (beats_of[f] != size[o]) return 0;
    for (int k = 0; k < size[o]; k++) begin
      one = rows[row_of[f]+k];
      if (one.keep != got_keep[o*LONGEST+k] || kept_data(one.data, one.keep) != got_data[o*LONGEST+k]) return 0;
    end
    return 1;
  endfunction

  // A whole frame came out at o, with the tuser of its last beat.
  task automatic came_out(int o, logic [63:0] user);
    bit   seen [PORTS];
    row_t last;
    int   i, f;
    for (int p = 0; p < PORTS; p++) seen[p] = 0;
    for (int c = copy[o]; c < copy_end[o]; c++) begin
      i = int'(copies[c][63:32]);
      f = int'(copies[c][31:0]);
      if (out[c] || (seen[i] && !lossy) || f >= begun[i]) continue;
      seen[i] = 1;
      if (!equal(o, i, f)) continue;
      last = rows[row_of[frame_of[i]+f] + size[o] - 1];
      if (!CUT_THROUGH && (f >= ended[i] || shown[o] < end_of[frame_of[i]+f]))
        fail(o, {name(i, f), " began to come out before its last beat went in; the capability file says flow.cut_through: no"});
      if (MARK_BIT >= 0 && user[MARK_BIT] != last.user[MARK_BIT])
        fail(o, {name(i, f), " came out with another bad bit than it went in with"});
      if (TID && head[o].id != last.id) fail(o, {name(i, f), " came out with another tid than it went in with"});
      for (int e = copy[o]; e <= c; e++) begin  // a lossy device dropped those in front of it
        if (out[e] || int'(copies[e][63:32]) != i) continue;
        out[e] = 1;
        pending--;
        if (e < c) lost++;
      end
      delivered++;
      while (copy[o] < copy_end[o] && out[copy[o]]) copy[o]++;
      return;
    end
    not_due(o);
  endtask

  // What came out at o is none of the frames that are due: says what it is.
  task automatic not_due(int o);
    bit is_for, is_out;
    for (int i = 0; i < PORTS; i++) begin
      for (int f = begun[i] - 1; f >= 0; f--) begin
        if (!equal(o, i, f)) continue;
        is_for = 0;
        is_out = 0;
        for (int c = copy_from[o]; c < copy_end[o]; c++) begin
          if (int'(copies[c][63:32]) == i && int'(copies[c][31:0]) == f) begin
            is_for = 1;
            is_out = out[c];
          end
        end
        if (is_for && !is_out) fail(o, {name(i, f), " came out; one of that input went in before it, and is lost, or late"});
        if (is_out) fail(o, {name(i, f), " came out once more than it has to"});
        if (copies_of[frame_of[i]+f] == 0) fail(o, {name(i, f), " came out; it must be dropped"});
        fail(o, {name(i, f), " came out here"});
      end
    end
    fail(o, $sformatf("a frame of %0d bytes came out that nobody sent",
                      (size[o] - 1) * BEAT_BYTES + kept(got_keep[o*LONGEST+size[o]-1])));
  endtask

  // What output o shows keeps the rules of AXI-Stream (ARM IHI 0051).
  task automatic check(int o, tfr_beat beat);
    logic [63:0] full;
    full = 64'hffff_ffff_ffff_ffff >> (64 - BEAT_BYTES);
    if (held[o].valid != 0 && beat.valid == 0) fail(o, "tvalid fell before tready took the beat (IHI 0051, 2.2.1)");
    else if (held[o].valid != 0 && beat != held[o]) fail(o, "a beat changed before tready took it (IHI 0051, 2.2.1)");
    if (beat.valid == 0) return;
    if (beat.last != 0 ? beat.keep == 0 || (beat.keep & (beat.keep + 1)) != 0 || (beat.keep & ~full) != 0 : beat.keep != full)
      fail(o, $sformatf("tkeep is 0x%0h in %s beat", beat.keep, beat.last != 0 ? "a last" : "an inner"));
    if (size[o] > 0 && (beat.dest != head[o].dest || beat.id != head[o].id)) fail(o, "tdest or tid changed within a frame");
  endtask

  task automatic look_at_output(int o);
    tfr_beat beat;
    beat = out_beats[o*BEAT_BITS+:BEAT_BITS];
    check(o, beat);
    if (beat.valid != 0 && size[o] == 0 && held[o].valid == 0) shown[o] = now;
    held[o] = out_ready[o] ? '0 : beat;
    if (beat.valid == 0 || !out_ready[o]) return;
    if (size[o] == LONGEST) begin
      fail(o, $sformatf("%0d beats without tlast; the longest frame that goes in has %0d", size[o] + 1, LONGEST));
      return;
    end
    if (size[o] == 0) head[o] = beat;
    got_keep[o*LONGEST+size[o]] = KEEP_BITS'(beat.keep);
    for (int i = 0; i < BEAT_BYTES; i++) got_data[o*LONGEST+size[o]][8*i+:8] = beat.keep[i] ? beat.data[i] : 8'h0;
    size[o]++;
    if (beat.last == 0) return;
    came_out(o, beat.user);
    size[o] = 0;
  endtask

  // What the device shows in the cycle, and whether something moves.
  task automatic look();
    string   signal;
    tfr_beat beat;
    bit      moves, waits, refuses;
    moves = 0;
    refuses = 0;
    for (int p = 0; p < PORTS; p++) begin
      signal = unknown_signal(in_ready[p], out_beats[p*BEAT_BITS+:BEAT_BITS], BEAT_BYTES);
      if (signal != "") fail(p, {signal, " is X or Z"});
    end
    for (int p = 0; p < PORTS; p++) begin
      if (!offered[p]) continue;
      if (in_ready[p] === 1'b1) begin
        took(p);
        moves = 1;
      end else refuses = 1;
    end
    if (!judged || failed) return;
    for (int p = 0; p < PORTS; p++) begin
      beat = out_beats[p*BEAT_BITS+:BEAT_BITS];
      if (beat.valid != 0) moves = 1;  // or the bench holds it up
      look_at_output(p);
    end
    waits = refuses || pending > 0;
    if (moves) moved = now;
    if (!waits) waited = now;
    if (now - (moved > waited ? moved : waited) > PROGRESS && (refuses || !lossy))
      fail(-1, $sformatf("nothing moved for %0d cycles (claims.progress), and %0d copies of frames are inside", PROGRESS, pending));
  endtask

  // The part is over.
  function automatic bit over();
    if (failed) return 1;
    if (cycles > 0) return now == cycles;
    for (int p = 0; p < PORTS; p++) if (row[p] < row_end[p] || size[p] > 0 || held[p].valid != 0) return 0;
    return now >= ready_rows && now - moved > (pending == 0 ? SETTLE : PROGRESS) && (pending == 0 || lossy);
  endfunction

  task automatic play(int index);
    bit resets;
    load(index, resets);
    if (resets) reset();
    while (!over()) begin
      drive();
      #1;
      look();
      rise();
      now++;
      cycle++;
    end
    if (cycles > 0 || failed) return;
    lost += pending;
    if (DROPS && drops != 64'(due_drops + lost))
      fail(-1, $sformatf("the device counts %0d dropped frames, and %0d did not come out", drops, due_drops + lost));
  endtask

  initial begin
    test = "?";
    if (!$value$plusargs("vectors=%s", folder)) $fatal(1, "+vectors=FOLDER: the folder of a test");
    void'($value$plusargs("test=%s", test));
    clk = 1'b0;
    rst = 1'b0;
    idle();
    cycle = 0;
    lost = 0;
    delivered = 0;
    failed = 0;
    words = 0;
    $readmemh({folder, "/test.hex"}, numbers);
    parts   = number();
    seed    = 64'(unsigned'(number())) << 32;
    seed    = seed | 64'(unsigned'(number()));
    patient = number() != 0;
    quiet   = number() != 0;
    lossy   = number() != 0;
    for (int n = 0; n < parts && !failed; n++) play(n);
    if (failed) $fatal(1, "the device did not pass");
    $display("PASS: %s seed %0d", test, seed);
    $display("delivered: %0d copies of frames in %0d cycles", delivered, cycle);
    $finish;
  end
endmodule
