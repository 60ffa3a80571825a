// SPDX-License-Identifier: Apache-2.0
// What the parts of a port tell each other about link-level retry. Manual: docs/blocks/link_retry.md.

package tilefly_retry_pkg;

  // How a port retries: PORT.MODE and PORT.RETRY.
  typedef struct packed {
    logic        on;  // the port is a retry port
    logic        enable;  // its retry blocks work: it has not come up without them, as best effort
    logic        discards;  // packets for a link that is down are discarded
    logic [15:0] watchdog;  // 64 cycles each without a return, before the link is given up; 0: never
    logic [15:0] timer;  // cycles without progress before a replay
    logic [7:0]  limit;  // replays without progress before the link fails; 255: no limit
    logic [7:0]  threshold;  // replays without progress that the port shows
  } settings_t;

  // SerDes lanes of a port: PORT.LANES.
  typedef struct packed {
    logic       written;  // an event of this cycle writes the register
    logic [3:0] off;  // lanes that software takes out of use
    logic [7:0] back;  // epochs without an error after which a bad lane is good again; 0: never
    logic [7:0] fail;  // errors of a lane in an epoch that make it bad; 0: never
  } lanes_t;

  // A report of the control slot.
  typedef struct packed {
    logic        valid;
    logic        nack;  // the receiver asks for a replay
    logic [10:0] seq;  // number that the receiver expects
  } report_t;

  // What a port hears of its link in a cycle: the control slot, and the FEC.
  typedef struct packed {
    report_t    report;
    logic       lanes_valid;  // the slot has a mask
    logic [3:0] lanes_bad;  // the mask: SerDes lanes that the far end does not want to receive on
    logic [3:0] lane_err;  // SerDes lanes in which the FEC found errors
  } heard_t;

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

  // Counted when a link is given up or goes down.
  typedef struct packed {
    logic        given_up;  // `link_fail_o` rises
    logic        watchdog;  // the watchdog is due
    logic        lost;  // a packet of the output buffer is discarded
    logic [10:0] replay_lost;  // packets that were in the replay buffer
  } down_events_t;

  // Counted of the SerDes lanes of the incoming direction.
  typedef struct packed {
    logic [3:0] failed;  // lanes that become bad
    logic [3:0] back;  // lanes that become good again
  } lane_events_t;

  // Counted at the receiver, from COUNTER_RX_EXPECTED_SEQ_GOOD on, the first in the lowest bit.
  typedef struct packed {
    logic replayed;  // a packet begins again that an error was in
    logic duplicate;  // a packet comes again
    logic missing;  // a word is missing, or is not the next
    logic bad;  // a word is bad
    logic accepted;  // a packet is accepted
  } received_events_t;

endpackage
