// SPDX-License-Identifier: Apache-2.0
// What the parts of a port tell each other about link-level retry. Manual: docs/blocks/link_retry.md.

package tilefly_retry_pkg;

  // How a port retries: PORT.MODE and PORT.RETRY.
  typedef struct packed {
    logic        on;  // the port retries
    logic [15:0] timer;  // cycles without progress before a replay
    logic [7:0]  limit;  // replays without progress before the link fails; 255: no limit
    logic [7:0]  threshold;  // replays without progress that the port shows
  } settings_t;

  // A report of the control slot.
  typedef struct packed {
    logic        valid;
    logic        nack;  // the receiver asks for a replay
    logic [10:0] seq;  // number that the receiver expects
  } report_t;

  // A stamp of the control slot.
  typedef struct packed {
    logic        valid;
    logic [3:0]  vl;  // virtual lane of the stamp
    logic [15:0] cells;  // cells put on the wire on the lane since link up, modulo 65536
  } stamp_t;

  // A packet started on the link in the cycle before.
  typedef struct packed {
    logic        valid;
    logic        again;  // the packet was sent before
    logic [3:0]  vl;  // virtual lane of the packet's header
    logic [12:0] len;  // bytes of the packet's frame; 0 of a packet without header
  } start_t;

  // Counted at the sender, from COUNTER_TX_REPLAY_EVENT on, the first in the lowest bit.
  typedef struct packed {
    logic bad_report;  // a report makes no sense
    logic timeout;  // the replay timer has run out
    logic repeated;  // a word is sent again
    logic replay;  // a replay begins
  } sent_events_t;

  // Counted at the receiver, from COUNTER_RX_EXPECTED_SEQ_GOOD on, the first in the lowest bit.
  typedef struct packed {
    logic replayed;  // a packet begins again that an error was in
    logic duplicate;  // a packet comes again
    logic missing;  // a word is missing, or is not the next
    logic bad;  // a word is bad
    logic accepted;  // a packet is accepted
  } received_events_t;

endpackage
