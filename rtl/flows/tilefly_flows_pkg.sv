// SPDX-License-Identifier: Apache-2.0
// What the parts of the flow channels have in common. Manual: docs/blocks/flow_channel.md.

package tilefly_flows_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no part needs all of them
  localparam int KEY_W = 23;  // {tc, dst}
  localparam int COUNT_W = 20;  // cells of a generation; it and the next two are less in small proofs
  localparam int TIME_W = 8;  // sweeps
  localparam int WINDOW_W = 12;  // cells
  localparam int PATH_W = 22;

  // Path of the ordered packets in flight.
  typedef struct packed {
    logic        valid;
    logic [5:0]  port;
    logic        via_valid;
    logic [13:0] via;
  } path_t;

  // State of a channel, but for the ends of its hold queue.
  typedef struct packed {
    logic                gen;
    logic                throttled;
    logic                ready;      // it stands in the ready fifo
    logic                tell;       // it stands in the tell fifo
    logic [COUNT_W-1:0]  cells;      // in flight, of the present generation
    logic [COUNT_W-1:0]  old;        // in flight, of the generation before
    logic [TIME_W-1:0]   age;        // sweeps of the present generation
    logic [TIME_W-1:0]   idle;       // sweeps since the last packet or ack
    logic [WINDOW_W-1:0] window;     // cells that may be in flight; 0 unless throttled
    logic [WINDOW_W-1:0] held;       // cells of the packets held
    path_t               path;
  } channel_t;
  localparam int CHANNEL_W = 4 + 2 * COUNT_W + 2 * TIME_W + 2 * WINDOW_W + PATH_W;
  /* verilator lint_on UNUSEDPARAM */

  // A packet may be sent in a channel with so many cells in flight.
  function automatic logic may_send(input throttled, input [COUNT_W:0] flight, input [WINDOW_W-1:0] window);
    may_send = !throttled || flight == '0 || {1'b0, flight} < (COUNT_W + 2)'(window);
  endfunction

  // A class channel is in use.
  function automatic logic in_use(input throttled, input [COUNT_W-1:0] cells, input [COUNT_W-1:0] old, input [WINDOW_W-1:0] held);
    in_use = throttled || cells != '0 || old != '0 || held != '0;
  endfunction

  // A number of sweeps, of which 0 works as 1.
  function automatic [TIME_W-1:0] at_least_one(input [TIME_W-1:0] sweeps);
    at_least_one = sweeps == '0 ? TIME_W'(1) : sweeps;
  endfunction

endpackage
