// SPDX-License-Identifier: Apache-2.0
// What inputs have taken back from outputs whose links are down (docs/blocks/link_retry.md, Taken back): packets that wait
// in the back fifos for a free cycle of the pipeline, and copies of replicated packets, which end.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::golden {

class TakenBack {
 public:
  explicit TakenBack(int ports) : ports_(ports) {}

  /// Event of cycle `now`: the packet joins the back fifo of its input.
  void Join(Cycle now, int input, Index id) {
    if (fifos_.empty()) fifos_.resize(static_cast<std::size_t>(ports_));
    fifos_[static_cast<std::size_t>(input)].push_back({now + kJoinToPipeline, id});
    waiting_ |= Bit(input);
    next_ = std::min(next_, now + kJoinToPipeline);
  }
  /// Event of cycle `now`: the copy ends.
  void End(Cycle now, Index id) {
    ended_.push_back(id);
    next_ = now;
  }

  /// The first cycle in which something may happen by itself, kNever when there is nothing here. It is past when the
  /// pipelines had no free cycle.
  Cycle Next() const { return next_; }

  /// Calls `visit(packet id)` for every packet that enters the pipeline in cycle `now`, its cycle a + 4: the oldest of
  /// every input but those in `busy`, whose pipelines take another packet.
  template <typename Visit>
  void Enter(Cycle now, PortMask busy, Visit&& visit) {
    next_ = kNever;
    ForEachBit(waiting_, [&](int input) {
      std::deque<Entry>& fifo = fifos_[static_cast<std::size_t>(input)];
      if ((busy & Bit(input)) == 0 && fifo.front().ready <= now) {
        const Index id = fifo.front().packet;
        fifo.pop_front();
        visit(id);
      }
      if (fifo.empty()) waiting_ &= ~Bit(input);
      else next_ = std::min(next_, fifo.front().ready);
    });
  }
  /// Calls `visit(packet id)` for every copy that ends in this cycle.
  template <typename Visit>
  void Ends(Visit&& visit) {
    for (const Index id : ended_) visit(id);
    ended_.clear();
  }

  /// Packets in the back fifo of the input.
  std::size_t waiting(int input) const {
    return fifos_.empty() ? 0 : fifos_[static_cast<std::size_t>(input)].size();
  }

  /// State between two cycles. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(fifos_, waiting_, next_);
  }

 private:
  /// From the event in which a packet joins to the first cycle in which it may enter the pipeline: its header is read in
  /// between.
  static constexpr Cycle kJoinToPipeline = 2;

  struct Entry {
    Cycle ready;  ///< first cycle in which it may enter the pipeline
    Index packet;
  };

  int ports_;
  std::vector<std::deque<Entry>> fifos_;  ///< by input; none until the first packet is taken back
  PortMask waiting_ = 0;                  ///< inputs whose fifo has a packet
  Cycle next_ = kNever;
  std::vector<Index> ended_;
};

}  // namespace tilefly::golden
