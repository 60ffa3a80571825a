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

  // When the cells of a flow are forgotten: docs/blocks/link_retry.md, "Deadline of the account", "How the RTL counts".
  localparam int FLOW_W = 10;
  localparam int SWEEP_W = 48 - FLOW_W;

  typedef struct packed {
    logic [SWEEP_W-1:0] sweep;   // number of the present sweep
    logic [FLOW_W-1:0]  looked;  // flow of this cycle's look
    logic               walks;   // a walk: this cycle's look is judged in the cycle itself
    logic [FLOW_W:0]    walked;  // looks of the walk before this cycle; all flows have had theirs from 1024 on
    logic [7:0]         before;  // ACK_DEADLINE.sweeps before the walk
    logic [7:0]         sweeps;  // ACK_DEADLINE.sweeps
  } deadline_t;

  // Looks at a flow before this cycle, and up to it, since cycle 0.
  /* verilator lint_off UNUSEDSIGNAL */  // the time matters here
  function automatic [SWEEP_W-1:0] looks_before(input deadline_t now, input [FLOW_W-1:0] flow);
    looks_before = now.sweep + SWEEP_W'(now.looked > flow);
  endfunction
  function automatic [SWEEP_W-1:0] looks_up_to(input deadline_t now, input [FLOW_W-1:0] flow);
    looks_up_to = now.sweep + SWEEP_W'(now.looked >= flow);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // The value of `sweeps` for all looks at a flow that are not judged yet; 0: there are none, or they forget nothing.
  /* verilator lint_off UNUSEDSIGNAL */  // the number of the sweep does not matter
  function automatic [7:0] judges_by(input deadline_t now, input [FLOW_W-1:0] flow);
    logic [FLOW_W-1:0] since;  // the flow's last look, in cycles before the last cycle
    since = now.looked - FLOW_W'(1) - flow;
    judges_by = !now.walks ? now.sweeps : {1'b0, since} < now.walked ? '0 : now.before;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
