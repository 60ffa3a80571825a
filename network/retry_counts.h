// SPDX-License-Identifier: Apache-2.0
// What the links of a system that repeat have done (docs/blocks/link_retry.md, Results).
#pragma once

#include <cstdint>

namespace tilefly::network {

/// Sums over directions of links, of the whole run.
struct RetryCounts {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(attempts, sent_words, resent_words, accepted_words, replays, timeouts, nacks, broken_copies, broken_ended,
            bad_words, dropped_words, repeated_words, noisy_words, bad_slots, dropped_slots, repeated_slots,
            healed_cells, given_up, planned, words_of_lanes, slots_of_lanes, lanes_failed, lanes_back);
  }

  std::int64_t attempts = 0;        ///< sendings of packets
  std::int64_t sent_words = 0;      ///< words of these
  std::int64_t resent_words = 0;    ///< of these words, those of packets that were sent before
  std::int64_t accepted_words = 0;  ///< words of the packets that the far ends accepted
  std::int64_t replays = 0;
  std::int64_t timeouts = 0;
  std::int64_t nacks = 0;
  std::int64_t broken_copies = 0;  ///< attempts that a switch got, and that were broken off
  std::int64_t broken_ended = 0;   ///< of these, those that were dropped, or came to a NIC
  std::int64_t bad_words = 0;
  std::int64_t dropped_words = 0;
  std::int64_t repeated_words = 0;  ///< words in whose place the one before came again
  std::int64_t noisy_words = 0;     ///< bad words that came in the place of none, where they asked for a replay
  std::int64_t bad_slots = 0;       ///< control slots that carried something, as all slots here
  std::int64_t dropped_slots = 0;
  std::int64_t repeated_slots = 0;
  std::int64_t healed_cells = 0;  ///< credits of lost attempts that stamps gave back; those of switches are known in Figures
  std::int64_t given_up = 0;      ///< times that ends gave their links up; known in Figures
  std::int64_t planned = 0;       ///< of the damaged words and slots above, those that events of the plan were to damage
  std::int64_t words_of_lanes = 0;  ///< of the bad words and slots, those that dead SerDes lanes made
  std::int64_t slots_of_lanes = 0;
  std::int64_t lanes_failed = 0;  ///< times that a receiver gave a SerDes lane up, and that it took one for good again
  std::int64_t lanes_back = 0;
};

/// One direction of a link that repeats, in a run from the begin of traffic to its end.
struct DirectionCounts {
  std::int64_t resent_words = 0;  ///< words of packets that were sent before
  std::int64_t replays = 0;
  std::int64_t down_cycles = 0;      ///< cycles in which the link was down
  std::int64_t degraded_cycles = 0;  ///< cycles in which the sender used fewer SerDes lanes than the link has
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(RetryCounts) == 23 * sizeof(std::int64_t));

}  // namespace tilefly::network
