// SPDX-License-Identifier: Apache-2.0
// Messages from domain to domain of one process. What threads send in a round is taken when the domain is visited next
// (docs/network.md, Several threads). Messages to other processes leave after the round (mail.h).
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "golden/common/prefetch.h"
#include "network/messages.h"

namespace tilefly::network {

class Post {
 public:
  /// For the threads 0 to `threads` - 1. One more sender may send between two rounds.
  Post(int threads, int domains) : senders_(static_cast<std::size_t>(threads + 1)), waits_(domains) {
    for (Sender& sender : senders_) {
      for (auto& boxes : sender.boxes) boxes.resize(static_cast<std::size_t>(domains));
    }
  }

  /// In a round: sends a message to a domain, due in round `due`.
  void Send(int thread, int domain, const LinkMessage& message, Cycle due) { Put(thread, now_, domain, message, due); }
  /// Between two rounds: sends a message to a domain.
  void SendBetween(int domain, const LinkMessage& message, Cycle due) {
    Put(static_cast<int>(senders_.size()) - 1, before_, domain, message, due);
    Collect(&senders_.back());
  }
  /// After a round: calls `away(domain, messages)` for the messages to each domain for which `is_away(domain)` holds.
  template <typename IsAway, typename Away>
  void EndRound(IsAway&& is_away, Away&& away) {
    for (Sender& sender : senders_) {
      for (std::size_t i = 0; i < sender.to.size();) {
        const int domain = sender.to[i];
        if (!is_away(domain)) {
          ++i;
          continue;
        }
        std::vector<LinkMessage>& box = sender.boxes[now_][static_cast<std::size_t>(domain)];
        away(domain, box);
        box.clear();
        sender.to[i] = sender.to.back();
        sender.to.pop_back();
      }
      Collect(&sender);
    }
    std::swap(now_, before_);
  }

  /// Between two rounds: the domains for which messages wait. Messages that are taken in the next round wait no longer.
  const std::vector<int>& waiting() const { return waiting_; }
  /// The first round in which a message is due; kNever: there is none.
  Cycle due() const { return due_; }
  /// Begins a round in which all domains of waiting() are visited.
  void BeginRound() {
    for (const int domain : waiting_) waits_[static_cast<std::size_t>(domain)] = 0;
    waiting_.clear();
    due_ = kNever;
  }
  /// Calls `take(messages)` for what was sent to the domain before this round. Only one thread may call it for a
  /// domain.
  template <typename Take>
  void TakeFor(int domain, Take&& take) {
    for (Sender& sender : senders_) {
      std::vector<LinkMessage>& box = sender.boxes[before_][static_cast<std::size_t>(domain)];
      if (box.empty()) continue;
      take(box);
      box.clear();
    }
  }

 private:
  struct alignas(golden::kCacheLine) Sender {
    std::array<std::vector<std::vector<LinkMessage>>, 2> boxes;  ///< of this round and of the one before, by domain
    std::vector<int> to;  ///< domains with a message in this round
    Cycle due = kNever;   ///< first round in which one of these messages is due
  };

  void Put(int thread, std::size_t round, int domain, const LinkMessage& message, Cycle due) {
    Sender& sender = senders_[static_cast<std::size_t>(thread)];
    std::vector<LinkMessage>& box = sender.boxes[round][static_cast<std::size_t>(domain)];
    if (box.empty()) sender.to.push_back(domain);
    box.push_back(message);
    sender.due = std::min(sender.due, due);
  }
  void Collect(Sender* sender) {
    for (const int domain : sender->to) {
      if (std::exchange(waits_[static_cast<std::size_t>(domain)], 1) == 0) waiting_.push_back(domain);
    }
    sender->to.clear();
    due_ = std::min(due_, std::exchange(sender->due, kNever));
  }

  std::vector<Sender> senders_;
  std::size_t now_ = 0, before_ = 1;
  std::vector<char> waits_;   ///< by domain
  std::vector<int> waiting_;
  Cycle due_ = kNever;
};

}  // namespace tilefly::network
