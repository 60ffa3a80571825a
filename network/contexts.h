// SPDX-License-Identifier: Apache-2.0
// What the nodes of a process share: a part for each of its threads (docs/network.md, Several threads). A node writes
// into the part of the thread that runs it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "network/node.h"

namespace tilefly::network {

class Contexts {
 public:
  /// All must outlive it.
  Contexts(const Wiring* wiring, const NicSetup* nics, int threads);

  int threads() const { return static_cast<int>(contexts_.size()); }
  NodeContext& operator[](int thread) { return *contexts_[static_cast<std::size_t>(thread)]; }
  /// Of the thread that the others work for.
  NodeContext& first() { return *contexts_.front(); }
  const NodeContext& first() const { return *contexts_.front(); }

  /// All is set up in the first: the others are alike. `zeros()` is what statistics begin with.
  void Begin(std::function<Statistics()> zeros);
  /// The first's statistics become those of all; the others begin anew.
  void Fold();
  void CutAt(Cycle until);
  void SetProbe(NodeProbe* probe);

  /// Records of packets that are in use.
  std::size_t records() const;
  /// The sum of what `of(statistics)` is in each.
  template <typename Of>
  std::int64_t Sum(Of&& of) const {
    std::int64_t sum = 0;
    for (const auto& one : contexts_) sum += of(one->statistics);
    return sum;
  }
  /// The largest of a member.
  template <typename T>
  T Largest(T NodeContext::*member) const {
    T largest = first().*member;
    for (const auto& one : contexts_) largest = std::max(largest, (*one).*member);
    return largest;
  }

  /// Of packets that are followed: those that have ended since the last call go to `listener`.
  void TellEnded(const Journeys::Listener& listener);
  void KeepEnded(bool keep);
  Journeys::Kept KeptJourneys() const;

 private:
  PacketStore store_;
  RedPackets reds_;
  std::vector<std::unique_ptr<NodeContext>> contexts_;
  std::vector<std::unique_ptr<Journeys>> journeys_;  ///< of the threads but for the first
  std::function<Statistics()> zeros_;
};

}  // namespace tilefly::network
