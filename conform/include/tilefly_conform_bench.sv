// SPDX-License-Identifier: Apache-2.0
// A test of the conformance kit in any simulator: clock, reset and AXI-Stream ports of a device, driven and judged by
// libtilefly_ref.so. It prints the result as JSON and the verdict, and ends the simulation: by $finish when the device
// passes, otherwise by $fatal.
//
// Ports are rows of `tfr_beat`, the device's input p in bits p*BEAT_BITS and up; `tilefly conform run --simulator dpi` writes
// the module between these and the device's own ports. +capability=FILE +test=ID +seed=N go before the parameters.
module tilefly_conform_bench #(
  parameter int              PORTS      = 4,
  parameter int              BEAT_BYTES = 8,
  parameter bit              DROPS      = 0,   // the device has a drop counter, flow.drops
  parameter string           CAPABILITY = "",
  parameter string           TEST       = "",
  parameter longint unsigned SEED       = 1
) (
  output logic                                        clk,
  output logic                                        rst,
  output logic [PORTS*tilefly_ref_pkg::BEAT_BITS-1:0] in_beats,
  input  logic [PORTS-1:0]                            in_ready,
  input  logic [PORTS*tilefly_ref_pkg::BEAT_BITS-1:0] out_beats,
  output logic [PORTS-1:0]                            out_ready,
  output logic                                        write_valid,
  output logic [47:0]                                 write_mac,
  output logic [31:0]                                 write_port,
  output logic [31:0]                                 write_index,
  input  logic [63:0]                                 drops
);
  timeunit 1ns;
  timeprecision 1ps;
  import tilefly_ref_pkg::*;

  chandle          handle;
  string           capability, test;
  longint unsigned seed;

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
    repeat (tfr_reset_cycles(handle)) begin
      #1;
      rise();
    end
    rst = 1'b0;
  endtask

  task automatic drive();
    tfr_beat         beat;
    longint unsigned mac;
    int unsigned     port, index;
    for (int p = 0; p < PORTS; p++) begin
      void'(tfr_drive(handle, p, beat));
      in_beats[p*BEAT_BITS+:BEAT_BITS] = beat;
      out_ready[p] = tfr_ready(handle, p) == 1;
    end
    write_valid = tfr_table_write(handle, mac, port, index) == 1;
    write_mac   = mac[47:0];
    write_port  = port;
    write_index = index;
  endtask

  task automatic show();
    tfr_beat beat;
    string   signal;
    for (int p = 0; p < PORTS; p++) begin
      beat   = out_beats[p*BEAT_BITS+:BEAT_BITS];
      signal = tilefly_beat_pkg::unknown_signal(in_ready[p], out_beats[p*BEAT_BITS+:BEAT_BITS], BEAT_BYTES);
      if (signal != "") void'(tfr_show_unknown(handle, p, signal));
      else void'(tfr_show(handle, p, {31'b0, in_ready[p]}, beat));
    end
    if (DROPS) void'(tfr_show_drops(handle, drops));
  endtask

  task automatic conclude(int turn);
    int    verdict;
    string word;
    word    = "UNDECIDED";
    verdict = turn == ERROR ? UNDECIDED : tfr_finish(handle);
    if (turn != ERROR) $display("result: %s", tfr_result(handle));
    if (verdict == PASS) begin
      $display("PASS: %s seed %0d", test, seed);
      tfr_destroy(handle);
      $finish;
    end else begin
      if (verdict == FAIL) word = "FAIL";
      $display("%s: %s seed %0d: %s", word, test, seed, tfr_message(handle));
      $fatal(1, "the device did not pass");
    end
  endtask

  initial begin
    int turn;
    capability = CAPABILITY;
    test       = TEST;
    seed       = SEED;
    void'($value$plusargs("capability=%s", capability));
    void'($value$plusargs("test=%s", test));
    void'($value$plusargs("seed=%d", seed));
    clk = 1'b0;
    rst = 1'b0;
    idle();
    if (test == "") $fatal(1, "+test=ID: a test of `tilefly conform list`");
    handle = tfr_create(VERSION, capability, test, seed);
    turn = tfr_next(handle);
    if (turn != ERROR && (tfr_ports(handle) != PORTS || tfr_beat_bytes(handle) != BEAT_BYTES)) begin
      $fatal(1, "%s has %0d ports of %0d bytes, and the bench %0d of %0d: PORTS, BEAT_BYTES", capability, tfr_ports(handle),
             tfr_beat_bytes(handle), PORTS, BEAT_BYTES);
    end
    while (turn == CYCLE || turn == RESET) begin
      if (turn == RESET) reset();
      else begin
        drive();
        #1;
        show();
        rise();
      end
      turn = tfr_next(handle);
    end
    conclude(turn);
  end
endmodule
