// SPDX-License-Identifier: Apache-2.0
// What the parts of the end-to-end acks have in common. Manual: docs/blocks/acks.md.

package tilefly_acks_pkg;

  // Most switches after the first that the way back can have: what a header's path has room for.
  localparam logic [2:0] MAX_HOPS = 3'd5;

  // Port of this switch towards the source: the one by which the packet came in.
  function automatic [5:0] port_back(input [2:0] hops, input [5:0] port, input [29:0] path);
    case (hops)
      3'd0: port_back = port;
      3'd1: port_back = path[5:0];
      3'd2: port_back = path[11:6];
      3'd3: port_back = path[17:12];
      3'd4: port_back = path[23:18];
      default: port_back = path[29:24];
    endcase
  endfunction

  // There is a way back from here: not too many switches, and a port that exists.
  function automatic logic has_way(input [2:0] hops, input [5:0] towards);
    has_way = hops <= MAX_HOPS && {1'b0, towards} < 7'(tilefly_pkg::PORTS);
  endfunction

endpackage
