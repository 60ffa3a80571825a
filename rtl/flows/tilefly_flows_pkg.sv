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
    logic                begins;     // no ack has come yet
    logic                ready;      // it stands in the ready fifo
    logic                tell;       // it stands in the tell fifo
    logic [COUNT_W-1:0]  cells;      // in flight, of the present generation
    logic [COUNT_W-1:0]  old;        // in flight, of the generation before
    logic [TIME_W-1:0]   age;        // sweeps of the present generation
    logic [TIME_W-1:0]   idle;       // sweeps since the last packet or ack
    logic [WINDOW_W-1:0] window;     // cells that may be in flight; 0 unless limited
    logic [WINDOW_W-1:0] held;       // cells of the packets held
    path_t               path;
  } channel_t;
  localparam int CHANNEL_W = 5 + 2 * COUNT_W + 2 * TIME_W + 2 * WINDOW_W + PATH_W;

  // A packet that was held is released; all zero while none is.
  typedef struct packed {
    logic        valid;
    logic [11:0] packet;    // its number
    logic [6:0]  cells;     // its cells
    logic [5:0]  port;      // its output
    logic [3:0]  lane;      // its lane there
    logic        gen;       // of its header: generation of its channel
    logic        by_class;  // of its header: it is counted in the channel of its class
  } release_t;

  // A pause for the NIC; all zero while none is decided.
  typedef struct packed {
    logic        valid;
    logic [2:0]  tc;      // class of the flow
    logic [19:0] dst;     // destination of the flow
    logic [7:0]  period;  // times 64 cycles; 0: the pause is over
    logic [11:0] credit;  // cells that may be sent meanwhile
  } pause_t;
  localparam int PAUSE_W = 44;

  // What is counted and shown of a cycle.
  typedef struct packed {
    logic        held;        // a packet is held
    logic        full;        // a packet is counted in the channel of its class
    logic        throttled;   // a channel becomes throttled
    logic [1:0]  lost;        // generations lost
    logic        stray;       // an ack for no cells in flight
    logic        pause;       // a pause is decided
    logic        marked;      // a channel takes a marked ack
    logic [10:0] channel;     // channel of the packet that is held
    logic [10:0] go_channel;  // channel of the packet that is released
  } events_t;
  /* verilator lint_on UNUSEDPARAM */

  // A packet may be sent in a channel with so many cells in flight. A channel that is throttled or begins is limited.
  function automatic logic may_send(input limited, input [COUNT_W:0] flight, input [WINDOW_W-1:0] window);
    may_send = !limited || flight == '0 || {1'b0, flight} < (COUNT_W + 2)'(window);
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
