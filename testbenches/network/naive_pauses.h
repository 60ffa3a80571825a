// SPDX-License-Identifier: Apache-2.0
// Pauses of flows at a NIC, as the page says them: everything is looked at in every cycle. Written apart from
// network/paused_flows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <utility>

#include "network/network.h"

namespace tilefly::network {

class NaivePauses {
 public:
  /// A packet that was put aside.
  struct Aside {
    int queue;
    Traffic::NewPacket packet;
  };

  /// The pause was on the link in cycle `now`: it counts behind it.
  void Take(Cycle now, const golden::FlowPause& pause) {
    State& own = states_[{pause.tc, pause.destination}];
    own.until = pause.period == 0 ? 0 : now + 1 + 64 * Cycle{pause.period};
    own.credit = pause.credit;
    ++taken_;
  }
  /// Whether the flow may start a packet in cycle `now`.
  bool MayStart(int tc, std::uint32_t to, Cycle now) const {
    const auto own = states_.find({tc, to});
    return own == states_.end() || own->second.until <= now || own->second.credit > 0;
  }
  void Start(int tc, std::uint32_t to, Cycle now, int length) {
    const auto own = states_.find({tc, to});
    if (own != states_.end() && own->second.until > now) own->second.credit -= (length + 16 + 47) / 48;
  }
  std::int64_t taken() const { return taken_; }

  bool HasAside(const Traffic::NewPacket& like) const {
    return std::any_of(aside.begin(), aside.end(), [&](const Aside& one) {
      return one.packet.tc == like.tc && one.packet.destination == like.destination;
    });
  }

  std::list<Aside> aside;  ///< in the order in which they were put aside

 private:
  struct State {
    Cycle until = 0;
    std::int64_t credit = 0;
  };
  std::map<std::pair<int, std::uint32_t>, State> states_;
  std::int64_t taken_ = 0;
};

}  // namespace tilefly::network
