// SPDX-License-Identifier: Apache-2.0
// A beat of AXI-Stream as benches of the conformance kit carry it: `tfr_beat` of tilefly_ref.h, bit for bit.
package tilefly_beat_pkg;
  typedef struct packed {
    bit [47:0]      reserved;
    bit [7:0]       last;
    bit [7:0]       valid;
    bit [31:0]      id;
    bit [31:0]      dest;
    bit [63:0]      user;
    bit [63:0]      keep;
    bit [63:0][7:0] data;
  } tfr_beat;
  localparam int BEAT_BITS = $bits(tfr_beat);

  // Returns the name of the first signal of a port that counts in this cycle and is X or Z; "": there is none. `ready`
  // is tready of the input, `row` the beat of the output. A mask sets the other signals to 0.
  function automatic string unknown_signal(logic ready, logic [BEAT_BITS-1:0] row, int beat_bytes);
    tfr_beat beat, valid, last, keep, side, data;
    beat = row;
    {valid, last, keep, side, data} = '0;
    valid.valid = '1;
    last.last = '1;
    keep.keep = '1;
    side.user = '1;
    side.dest = '1;
    side.id = '1;
    for (int i = 0; i < beat_bytes; i++) data.data[i] = {8{beat.keep[i]}};
    if ($isunknown(ready)) return "tready of the input";
    if ($isunknown(row & valid)) return "tvalid";
    if (beat.valid == 0) return "";
    if ($isunknown(row & last)) return "tlast";
    if ($isunknown(row & keep)) return "tkeep";
    if ($isunknown(row & side)) return "tuser, tdest or tid";
    if ($isunknown(row & data)) return "tdata of a byte that is kept";
    return "";
  endfunction
endpackage
