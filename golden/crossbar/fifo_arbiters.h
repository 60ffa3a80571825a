// SPDX-License-Identifier: Apache-2.0
// A bank of round-robin arbiters, each with a fifo an input: the turn tiles' 2C:1 and the receivers' R:1 of a crossbar
// (docs/blocks/crossbar.md). One winner an arbiter and cycle. Fifos hold what their users can send, so nothing is
// refused; those of a bank with a limit lose what finds them full.
//
// A message that meets no other in the whole bank, the usual case, wins where it stands. An arbiter with one message
// waiting keeps it in its own record; only one with more has fifos.
#pragma once

#include <array>
#include <vector>

#include "golden/arbiter/round_robin.h"
#include "golden/common/audit.h"
#include "golden/common/pool.h"

namespace tilefly::golden {

class FifoArbiters {
 public:
  static constexpr int kMaxInputs = 16;
  static constexpr int kNoLimit = 0;

  /// `count` arbiters of `inputs` inputs each, with fifos of at most `limit` messages.
  FifoArbiters(int count, int inputs, int limit = kNoLimit)
      : inputs_(inputs), limit_(limit), arbiters_(count), active_((count + 63) / 64) {}

  /// The message enters the fifo (arbiter, input), before the decisions of the next cycle. Returns false when the fifo
  /// was full as the latest decisions were made; the message is then lost.
  bool Insert(int arbiter, int input, std::uint32_t message) {
    if (active_words_ == 0) {
      lone_ = {arbiter, input, message};
      active_words_ = kLone;
      return true;
    }
    if (active_words_ == kLone) {
      active_words_ = 0;
      File(lone_.arbiter, lone_.input, lone_.message);
    }
    return File(arbiter, input, message);
  }

  /// Makes one decision of every arbiter that has messages: calls `visit(arbiter, message)` for each winner.
  template <typename Visit>
  void Decide(Visit&& visit) {
    if (active_words_ == kLone) {
      active_words_ = 0;
      arbiters_[lone_.arbiter].pointer = PointerAfter(lone_.input, inputs_);
      return visit(lone_.arbiter, lone_.message);
    }
    ForEachBit(active_words_, [&](int word) {
      ForEachBit(active_[word], [&](int bit) {
        const int index = word * 64 + bit;
        Arbiter& a = arbiters_[index];
        const int winner = RoundRobin(a.waiting, a.pointer);
        a.pointer = PointerAfter(winner, inputs_);
        std::uint32_t message = a.message_or_fifos;
        if (a.in_fifos) {
          message = Pop(&a, winner);
        } else {
          a.waiting = 0;
        }
        if (a.waiting == 0) active_[word] &= ~Bit(bit);
        visit(index, message);
      });
      if (active_[word] == 0) active_words_ &= ~(1u << word);
    });
  }

  void Prefetch() const {
    golden::Prefetch(arbiters_);
    golden::Prefetch(active_);
  }
  /// Whether some arbiter has a message.
  bool active() const { return active_words_ != 0; }

  /// Checks XBAR-2: no fifo holds more than `depth` messages, and the masks agree with the fifos.
  void Check(int depth, Audit* audit) const {
    for (std::size_t index = 0; index < arbiters_.size(); ++index) {
      const Arbiter& a = arbiters_[index];
      const bool listed = (active_[index >> 6] & Bit(static_cast<int>(index & 63))) != 0;
      audit->Require("XBAR-2", listed == (a.waiting != 0), static_cast<int>(index), a.waiting);
      if (!a.in_fifos) continue;
      ForEachBit(a.waiting, [&](int input) {
        const Index last = fifos_[a.message_or_fifos][input];
        int held = 1;
        for (Index node = nodes_[last].next; node != last && held <= depth; node = nodes_[node].next) ++held;
        audit->Require("XBAR-2", held <= depth, static_cast<int>(index), held);
      });
    }
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(arbiters_, active_, active_words_, lone_, fifos_, counts_, nodes_);
  }

 private:
  /// In `active_words_`: the bank holds one message, `lone_`, and its arbiters nothing.
  static constexpr std::uint32_t kLone = 1u << 31;
  struct Lone {
    int arbiter;
    int input;
    std::uint32_t message;
  };
  struct Arbiter {
    std::uint16_t waiting = 0;  ///< inputs with a message
    std::uint8_t pointer = 0;
    bool in_fifos = false;
    std::uint32_t message_or_fifos = 0;
  };
  /// Circular lists: the index of the last, whose successor is the first.
  using Fifos = std::array<Index, kMaxInputs>;
  /// Of an arbiter's fifos where there is a limit, under the same index.
  struct Counts {
    std::array<std::uint16_t, kMaxInputs> held;  ///< messages
    std::uint8_t popped;                         ///< input of the latest decision
  };
  struct Node {
    std::uint32_t message;
    Index next;
  };

  /// What the fifo held before the latest decision. One that is near a limit is in the lists, and is decided in every cycle.
  int Held(const Arbiter& a, int input) const {
    const Counts& counts = counts_[a.message_or_fifos];
    return ((a.waiting >> input) & 1) == 0 ? 0 : counts.held[input] + (counts.popped == input);
  }

  bool File(int arbiter, int input, std::uint32_t message) {
    Arbiter& a = arbiters_[arbiter];
    if (a.waiting == 0) {
      a.waiting = static_cast<std::uint16_t>(1u << input);
      a.message_or_fifos = message;
      active_[arbiter >> 6] |= Bit(arbiter & 63);
      active_words_ |= 1u << (arbiter >> 6);
      return true;
    }
    if (!a.in_fifos) Spill(&a);
    if (limit_ != kNoLimit && Held(a, input) >= limit_) return false;
    Append(&a, input, message);
    return true;
  }

  void Spill(Arbiter* a) {
    const std::uint32_t message = a->message_or_fifos;
    const int input = LowestBit(a->waiting);
    a->message_or_fifos = fifos_.Allocate();
    if (limit_ != kNoLimit) {
      if (counts_.size() <= a->message_or_fifos) counts_.resize(a->message_or_fifos + 1);
      counts_[a->message_or_fifos].popped = kMaxInputs;
    }
    a->in_fifos = true;
    a->waiting = 0;
    Append(a, input, message);
  }

  void Append(Arbiter* a, int input, std::uint32_t message) {
    const Index node = nodes_.Allocate();
    Index& last = fifos_[a->message_or_fifos][input];
    if (limit_ != kNoLimit) {
      std::uint16_t& held = counts_[a->message_or_fifos].held[input];
      held = static_cast<std::uint16_t>(((a->waiting >> input) & 1) != 0 ? held + 1 : 1);
    }
    if ((a->waiting >> input) & 1) {
      nodes_[node] = {message, nodes_[last].next};
      nodes_[last].next = node;
    } else {
      nodes_[node] = {message, node};
      a->waiting = static_cast<std::uint16_t>(a->waiting | 1u << input);
    }
    last = node;
  }

  std::uint32_t Pop(Arbiter* a, int input) {
    const Index last = fifos_[a->message_or_fifos][input];
    const Index first = nodes_[last].next;
    if (limit_ != kNoLimit) {
      Counts& counts = counts_[a->message_or_fifos];
      --counts.held[input];
      counts.popped = static_cast<std::uint8_t>(input);
    }
    if (first == last) {
      a->waiting = static_cast<std::uint16_t>(a->waiting & ~(1u << input));
      if (a->waiting == 0) {
        fifos_.Release(a->message_or_fifos);
        a->in_fifos = false;
      }
    } else {
      nodes_[last].next = nodes_[first].next;
    }
    nodes_.Release(first);
    return nodes_[first].message;
  }

  int inputs_;
  int limit_;
  std::vector<Arbiter> arbiters_;
  std::vector<std::uint64_t> active_;
  std::uint32_t active_words_ = 0;  ///< of `active_`, those that are not 0; or kLone
  Lone lone_{};
  Pool<Fifos> fifos_;
  std::vector<Counts> counts_;
  Pool<Node> nodes_;
};

}  // namespace tilefly::golden
