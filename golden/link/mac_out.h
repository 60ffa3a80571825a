// SPDX-License-Identifier: Apache-2.0
// MAC of one port, sending side (docs/blocks/link.md, Out): puts packets, credit messages, acks and pauses of flows on
// `link_o` in their cycles. Call order in a cycle: Output shows what earlier cycles took; then Queue, StompedRead.
#pragma once

#include <deque>

#include "golden/acks/ack_route.h"
#include "golden/common/audit.h"
#include "golden/credit/credit_returner.h"
#include "golden/flows/flow_pause.h"
#include "golden/link/framer.h"

namespace tilefly::golden {

class MacOut {
 public:
  explicit MacOut(FrameStore& frames) : frames_(frames) {}

  /// The link takes a packet. Its bytes are in the frame store under the packet's payload. `eth`: see Framer. On a
  /// retry port (`retries`) `Output` shows its words as the retry block gets them, two cycles before the wire.
  void Queue(const Departure& departure, const Framer::EthHeader& eth, bool retries = false);
  /// The link takes a PAUSE frame.
  void Queue(const PauseFrame& pause);
  /// A credit message is to be on the control slot in wire cycle `wire`, which is later than the cycles of earlier
  /// messages.
  void Queue(Cycle wire, const CreditReturner::Message& message) { credits_.push_back({wire, message}); }
  /// An ack is to be on the control slot in wire cycle `wire`, which is later than the cycles of earlier acks.
  void TakeAck(Cycle wire, const Ack& ack) { acks_.push_back({wire, ack}); }

  /// The same of a pause for a flow of the NIC.
  void TakePause(Cycle wire, const FlowPause& pause) { flow_pauses_.push_back({wire, pause}); }

  /// `link_o` of cycle `now`. Call it once for each cycle.
  Link Output(Cycle now);
  /// Whether no word is to come of what was taken, before the cycle's `Output`.
  bool empty() const { return sending_.empty(); }
  /// Whether the last word of a packet that leaves stomped is read from the output buffer in cycle `now`: TX_STOMPED.
  bool StompedRead(Cycle now);
  /// Checks LINK-2 and LINK-3 of `port`, after cycle `now`.
  void Check(Cycle now, int port, Audit* audit) const;

 private:
  struct Sending {
    Cycle first;  ///< wire cycle of its first word
    int serdes_lanes;
    int words;
    int next;     ///< next word
    Index frame;  ///< kNone: a PAUSE frame
    Framer framer;
    std::array<std::uint8_t, kMinStdBytes> pause;
  };
  struct CreditOnWire {
    Cycle wire;
    CreditReturner::Message message;
  };
  struct AckOnWire {
    Cycle wire;
    Ack ack;
  };
  struct PauseOnWire {
    Cycle wire;
    FlowPause pause;
  };
  struct LastRead {
    Cycle cycle;
    Index frame;
  };

  FrameStore& frames_;
  std::deque<Sending> sending_;
  std::deque<CreditOnWire> credits_;
  std::deque<AckOnWire> acks_;
  std::deque<PauseOnWire> flow_pauses_;
  std::deque<LastRead> last_reads_;
};

}  // namespace tilefly::golden
