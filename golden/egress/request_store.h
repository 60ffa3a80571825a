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
  struct StoredRequest {
    std::size_t fifo;
    int cells;
    bool more;  ///< its queue held packets without a request when it was made
  };

  explicit RequestStore(const Profile& profile)
      : depth_(profile.request_credits), fifos_(static_cast<std::size_t>(profile.ports + kRedInputs) * kMaxLanes) {}

  void Put(int input, int vl, int cells, bool more) { fifos_[Slot(input, vl)].push_back({Slot(input, vl), cells, more}); }
  /// For GrantUnit: the oldest request, and its removal by a grant or by a grant with `reroute`, which says whether
  /// further ones are stored.
  StoredRequest Head(int input, int /*output*/, int vl) const { return fifos_[Slot(input, vl)].front(); }
  bool Grant(const StoredRequest& head) {
    fifos_[head.fifo].pop_front();
    return !fifos_[head.fifo].empty();
  }
  bool TakeBack(const StoredRequest& head) { return Grant(head); }

  /// Checks EGR-2 of `output`. Returns the cells of all requests stored.
  int Check(int output, Audit* audit) const;

 private:
  static std::size_t Slot(int input, int vl) { return static_cast<std::size_t>(input) * kMaxLanes + vl; }

  int depth_;
  std::vector<std::deque<StoredRequest>> fifos_;
};

}  // namespace tilefly::golden
