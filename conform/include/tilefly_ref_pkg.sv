// SPDX-License-Identifier: Apache-2.0
// tilefly_ref.h in SystemVerilog; the header says what each function does. `verilator -CFLAGS "-DTILEFLY_REF_DPI
// -include tilefly_ref.h"` compiles the header beside the prototypes that are made of these imports: one that differs
// is an error.
package tilefly_ref_pkg;
  localparam int unsigned VERSION = 2;

  localparam int ERROR = -1;
  // What comes next.
  localparam int OVER = 0;
  localparam int CYCLE = 1;
  localparam int RESET = 2;
  // How ports speak, and parts of the observation record.
  localparam int STREAM = 1;
  localparam int LINK = 2;
  localparam int RECORD_PORT = 0;
  localparam int RECORD_TURN = 1;
  localparam int RECORD_RED = 2;
  localparam int RECORD_CFU = 3;
  // Verdicts.
  localparam int PASS = 0;
  localparam int FAIL = 1;
  localparam int UNDECIDED = 2;

  import tilefly_beat_pkg::tfr_beat;
  import tilefly_beat_pkg::BEAT_BITS;
  export tilefly_beat_pkg::tfr_beat;
  export tilefly_beat_pkg::BEAT_BITS;

  // Packed structs of links, in whole words.
  typedef bit [511:0] tfr_link;    // 503 bits
  typedef bit [95:0]  tfr_cfg;     // 88 bits
  typedef bit [191:0] tfr_record;  // up to 189 bits

  import "DPI-C" function int unsigned tfr_version();
  import "DPI-C" function chandle tfr_create(input int unsigned version, input string capability, input string test,
                                             input longint unsigned seed);
  import "DPI-C" function void tfr_destroy(input chandle handle);
  import "DPI-C" function int tfr_style(input chandle handle);
  import "DPI-C" function int tfr_ports(input chandle handle);
  import "DPI-C" function int tfr_tiles(input chandle handle);
  import "DPI-C" function int tfr_beat_bytes(input chandle handle);
  import "DPI-C" function int tfr_reset_cycles(input chandle handle);
  import "DPI-C" function int tfr_send(input chandle handle, input int unsigned port, input tfr_beat beat);
  import "DPI-C" function int tfr_write_table(input chandle handle, input longint unsigned mac, input int unsigned port,
                                              input int unsigned index);
  import "DPI-C" function int tfr_configure(input chandle handle, input string name, input real value);
  import "DPI-C" function int tfr_end(input chandle handle);
  import "DPI-C" function int tfr_mask(input chandle handle, input string rule, input int port);
  import "DPI-C" function int tfr_next(input chandle handle);
  import "DPI-C" function int tfr_show_link(input chandle handle, input int unsigned port, input tfr_link link);
  import "DPI-C" function int tfr_show_record(input chandle handle, input int part, input int unsigned index,
                                              input tfr_record record);
  import "DPI-C" function int tfr_drive_link(input chandle handle, input int unsigned port, output tfr_link link);
  import "DPI-C" function int tfr_drive_cfg(input chandle handle, output tfr_cfg cfg);
  import "DPI-C" function int tfr_link_up(input chandle handle, input int unsigned port);
  import "DPI-C" function int tfr_drive(input chandle handle, input int unsigned port, output tfr_beat beat);
  import "DPI-C" function int tfr_ready(input chandle handle, input int unsigned port);
  import "DPI-C" function int tfr_table_write(input chandle handle, output longint unsigned mac,
                                              output int unsigned port, output int unsigned index);
  import "DPI-C" function int tfr_show(input chandle handle, input int unsigned port, input int ready,
                                       input tfr_beat beat);
  import "DPI-C" function int tfr_show_drops(input chandle handle, input longint unsigned drops);
  import "DPI-C" function int tfr_show_unknown(input chandle handle, input int unsigned port, input string signal);
  import "DPI-C" function int tfr_expect(input chandle handle, input int unsigned port, input int unsigned source,
                                         input int unsigned k, output tfr_beat beat);
  import "DPI-C" function int tfr_counter(input chandle handle, input int unsigned port, input string name,
                                          output longint unsigned value);
  import "DPI-C" function string tfr_observe(input chandle handle, input int unsigned port);
  import "DPI-C" function int tfr_drained(input chandle handle);
  import "DPI-C" function int tfr_figure(input chandle handle, input string name, output real value);
  import "DPI-C" function int tfr_finish(input chandle handle);
  import "DPI-C" function string tfr_message(input chandle handle);
  import "DPI-C" function string tfr_result(input chandle handle);
endpackage
