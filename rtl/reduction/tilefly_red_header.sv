// SPDX-License-Identifier: Apache-2.0
// Internal header of a packet to a group's peer. Manual: docs/blocks/reduction.md, "Return lanes".
// Latency: none, combinational.

module tilefly_red_header (
    /// the way to the peer
    input  tilefly_pkg::red_way_t way_i,
    /// own fabric address
    input  logic [          19:0] src_i,
    /// bytes of the frame
    input  logic [          12:0] len_i,
    /// the header
    output tilefly_pkg::header_t  header_o
);

  always_comb begin
    header_o         = '0;
    header_o.an      = way_i.an;
    header_o.src     = src_i;
    header_o.dst     = way_i.address;
    header_o.mode    = tilefly_pkg::ROUTE_MODE_IN_ORDER;
    header_o.ordered = 1'b1;
    header_o.hop     = 4'd1;
    header_o.vl      = way_i.vl;
    header_o.tc      = way_i.tc;
    header_o.len     = len_i;
    header_o.kind    = tilefly_pkg::KIND_RED;
  end

endmodule
