// SPDX-License-Identifier: Apache-2.0
// Checker of RETRY-1 of docs/blocks/retry.md. It watches both ends of one link: what the MAC gave to the sender, and
// what the receiver passed on to the MAC behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "generated/wire.h"
#include "golden/common/audit.h"

namespace tilefly::golden {

class RetryLinkChecker {
 public:
  /// Packets accepted since the beginning.
  std::int64_t accepted() const { return accepted_; }
  /// Packets given and not accepted yet, the one that is being given among them.
  std::size_t open() const { return packets_.size(); }

  /// The sender's MAC gives a word of a packet that was taken since link up.
  void Given(Word word) {
    word.err = false;
    if (word.sop) packets_.emplace_back();
    packets_.back().push_back(word);
  }
  /// The receiver passes a word on: of the oldest packet that is not accepted, in order from its first word on.
  void Passed(const Word& word, int port, Audit* audit) {
    if (word.sop) place_ = 0;
    const bool known = !packets_.empty() && place_ < packets_.front().size() && packets_.front()[place_] == word;
    audit->Require("RETRY-1", known, port, accepted_);
    ++place_;
  }
  /// The receiver accepts the packet whose last word it has passed.
  void Accepted(int port, Audit* audit) {
    const bool whole = !packets_.empty() && place_ == packets_.front().size() && packets_.front().back().eop;
    audit->Require("RETRY-1", whole, port, accepted_);
    if (packets_.empty()) return;
    packets_.pop_front();
    ++accepted_;
    place_ = 0;
  }
  /// Both ends are down: nothing of before comes any more.
  void LinkDown() {
    packets_.clear();
    place_ = 0;
  }
  /// After the drain: every packet was accepted.
  void CheckDrained(int port, Audit* audit) const {
    audit->Require("RETRY-1", packets_.empty(), port, static_cast<std::int64_t>(packets_.size()));
  }

 private:
  std::deque<std::vector<Word>> packets_;
  std::size_t place_ = 0;  ///< words passed of the attempt in progress
  std::int64_t accepted_ = 0;
};

}  // namespace tilefly::golden
