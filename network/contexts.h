// SPDX-License-Identifier: Apache-2.0
// What the nodes of a process share. Each thread of the process has a part (docs/network.md, Several threads), and a
// node writes into the part of the thread that runs it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "network/node.h"

namespace tilefly::network {

class Contexts {
 public:
  /// All arguments must outlive the contexts.
  Contexts(const Wiring* wiring, const NicSetup* nics, int threads);

  int threads() const { return static_cast<int>(contexts_.size()); }
  NodeContext& operator[](int thread) { return *contexts_[static_cast<std::size_t>(thread)]; }
  /// The context of the thread that the other threads work for.
  NodeContext& first() { return *contexts_.front(); }
  const NodeContext& first() const { return *contexts_.front(); }

  /// Called when the first context is set up: sets the others up in the same way. `zeros()` gives the statistics to
  /// begin with.
  void Begin(std::function<Statistics()> zeros);
  /// Adds the statistics of all contexts into the first; those of the others begin at zero again.
  void Fold();
  void CutAt(Cycle until);
  void SetProbe(NodeProbe* probe);

  /// The number of packet records in use.
  std::size_t records() const;
  /// The sum of `of(statistics)` over all contexts.
  template <typename Of>
  std::int64_t Sum(Of&& of) const {
    std::int64_t sum = 0;
    for (const auto& one : contexts_) sum += of(one->statistics);
    return sum;
  }
  /// The largest value of a member over all contexts.
  template <typename T>
  T Largest(T NodeContext::*member) const {
    T largest = first().*member;
    for (const auto& one : contexts_) largest = std::max(largest, (*one).*member);
    return largest;
  }

  /// Gives the followed packets that have ended since the last call to `listener`.
  void TellEnded(const Journeys::Listener& listener);
  void KeepEnded(bool keep);
  Journeys::Kept KeptJourneys() const;

 private:
  PacketStore store_;
  RedPackets reds_;
  std::vector<std::unique_ptr<NodeContext>> contexts_;
  std::vector<std::unique_ptr<Journeys>> journeys_;  ///< of all threads except the first
  std::function<Statistics()> zeros_;
};

}  // namespace tilefly::network
