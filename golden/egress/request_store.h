// SPDX-License-Identifier: Apache-2.0
// Request store of one output (docs/blocks/egress.md): a fifo for each (input, VL). The switch does without: there a
// request's place is that of its packet in the virtual output queue.
#pragma once

#include <array>
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
      : depth_(profile.request_credits),
        deep_requests_(static_cast<std::size_t>(profile.flow_deep_requests)),
        fifos_(static_cast<std::size_t>(profile.ports + kRedInputs) * kMaxLanes) {}

  void Put(int input, int vl, int cells, bool more) {
    Change(Slot(input, vl), [&](auto& fifo) { fifo.push_back({Slot(input, vl), cells, more}); });
  }
  /// For GrantUnit: the oldest request, and its removal by a grant or by a grant with `reroute`, which says whether
  /// further ones are stored.
  StoredRequest Head(int input, int /*output*/, int vl) const { return fifos_[Slot(input, vl)].front(); }
  bool Grant(const StoredRequest& head) {
    Change(head.fifo, [](auto& fifo) { fifo.pop_front(); });
    return !fifos_[head.fifo].empty();
  }
  bool TakeBack(const StoredRequest& head) { return Grant(head); }
  /// Lanes with a deep fifo, one bit each (docs/blocks/flow_channel.md, "Meter at the output").
  std::uint16_t deep() const {
    unsigned lanes = 0;
    for (int vl = 0; vl < kMaxLanes; ++vl) lanes |= unsigned{deep_fifos_[static_cast<std::size_t>(vl)] != 0} << vl;
    return static_cast<std::uint16_t>(lanes);
  }

  /// Checks EGR-2 and METER-1 of `output`. Returns the cells of all requests stored.
  int Check(int output, Audit* audit) const;

 private:
  using Fifo = std::deque<StoredRequest>;

  bool IsDeep(const Fifo& fifo) const { return fifo.size() >= deep_requests_ && fifo.back().more; }
  /// Changes a fifo, and the count of its lane's deep ones.
  template <typename How>
  void Change(std::size_t slot, How&& how) {
    Fifo& fifo = fifos_[slot];
    const int before = IsDeep(fifo);
    how(fifo);
    deep_fifos_[slot % kMaxLanes] += IsDeep(fifo) - before;
  }
  static std::size_t Slot(int input, int vl) { return static_cast<std::size_t>(input) * kMaxLanes + vl; }

  int depth_;
  std::size_t deep_requests_;
  std::vector<Fifo> fifos_;
  std::array<int, kMaxLanes> deep_fifos_{};  ///< by lane
};

}  // namespace tilefly::golden
