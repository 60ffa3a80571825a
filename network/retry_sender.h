// SPDX-License-Identifier: Apache-2.0
// The sending half of the retry block of a switch's port, for a link whose words may be damaged (docs/blocks/retry.md).
#pragma once

#include <deque>

#include "generated/registers.h"
#include "golden/egress/output_buffer.h"
#include "golden/retry/retry_out.h"
#include "network/messages.h"
#include "network/retry_counts.h"
#include "network/ring.h"

namespace tilefly::network {

class RetrySender {
 public:
  /// A packet in the replay buffer.
  struct Held {
    std::uint16_t seq;
    std::uint16_t words;
    golden::HeaderBits header;
    PacketRecord record;
  };

  /// The link works from cycle `up` on, with `lanes` SerDes lanes.
  RetrySender(const Profile& profile, Cycle up, int lanes);

  /// Whether the link may take a packet in the cycle behind the last `Step`.
  bool ready() const { return out_.ready(true); }
  /// The next cycle that must be stepped; kNever: none, until a packet is taken or a report comes.
  Cycle due() const { return due_; }
  /// The link takes a packet in cycle `departure.take`, which is to be stepped.
  void Take(const golden::Departure& departure, const PacketRecord& record);
  /// A report comes; reports come in the order of their cycles.
  void Hear(const LinkReport& report);
  /// Makes cycle `now`, with the port's `registers`. Returns the packet whose attempt starts in it: the attempt's word k is on
  /// `link_o` in now + 2 + floor(4k / lanes). Null: none starts. `again`: it was sent before.
  const Held* Step(Cycle now, const PortRetry& registers, bool* again, RetryCounts* counts);

  /// Whether the replay limit is reached: nothing is sent any more.
  bool has_given_up() const { return out_.Shown(true).link_failed; }
  /// The packets that the far end is not known to have accepted.
  const std::deque<Held>& held() const { return held_; }

 private:
  /// A packet whose words the MAC gives.
  struct Coming {
    Cycle first;
    int words;
    int next;
    golden::HeaderBits header;
  };

  Word NextWord(Cycle now);

  golden::RetryOut out_;
  int lanes_;
  Cycle now_;  ///< the next cycle to make
  Cycle due_;
  int take_words_ = 0;  ///< of the packet that is taken in the next cycle to make
  std::uint16_t next_seq_ = 0;
  std::deque<Coming> coming_;
  std::deque<Held> held_;
  Ring<LinkReport> reports_;
};

}  // namespace tilefly::network
