// SPDX-License-Identifier: Apache-2.0
// Request store of one output (docs/blocks/egress.md): a fifo for each (input, VL). The switch does without: there a
// request's place is that of its packet in the virtual output queue.
#pragma once

#include <deque>
#include <vector>

#include "golden/common/audit.h"

namespace tilefly::golden {

class RequestStore {
 public:
  struct Granted {
    int cells;
    bool more;  ///< further requests are stored
  };

  explicit RequestStore(const Profile& profile)
      : depth_(profile.request_credits), fifos_(static_cast<std::size_t>(profile.ports) * kMaxLanes) {}

  void Put(int input, int vl, int cells) { fifos_[input * kMaxLanes + vl].push_back(cells); }
  /// Removes the head; for GrantUnit.
  Granted Grant(int input, int /*output*/, int vl) {
    std::deque<int>& fifo = fifos_[input * kMaxLanes + vl];
    const int cells = fifo.front();
    fifo.pop_front();
    return {cells, !fifo.empty()};
  }

  /// EGR-2; returns the cells of all requests stored.
  int Check(int output, Audit* audit) const;

 private:
  int depth_;
  std::vector<std::deque<int>> fifos_;
};

}  // namespace tilefly::golden
