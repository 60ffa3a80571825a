// SPDX-License-Identifier: Apache-2.0
// What the MAC's framing says about a cycle of the wire. Manual: docs/blocks/link.md.

package tilefly_mac_in_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no part needs all of them
  typedef struct packed {
    logic        take;     // a word of a packet, from the wire or filled in
    logic        sop;      // it is the packet's first
    logic        enh;      // the packet has the internal header
    logic        ends;     // the packet ends in this cycle
    logic [4:0]  last;     // index of the word's last byte in use
    logic [12:0] len;      // bytes of the frame: of the header, or at the end of a bare frame the bytes seen
    logic [6:0]  cells;    // cells of a packet with header
    logic        broken;   // at the end: words were missing, damaged or too many
    logic        too_long; // at the end: no end within the MTU
    logic        refused;  // a packet with an impossible header was refused
    logic        stray;    // a word outside any packet
  } framed_t;
  localparam int FRAMED_W = 33;
  /* verilator lint_on UNUSEDPARAM */

endpackage
