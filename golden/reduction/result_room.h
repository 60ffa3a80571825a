// SPDX-License-Identifier: Apache-2.0
// Room of the ports' result fifos, as the CFU knows it (docs/blocks/reduction.md, CFU: launches).
#pragma once

#include <array>

#include "golden/common/audit.h"
#include "golden/state/context.h"

namespace tilefly::golden {

/// Fifos of results, a return lane each.
inline constexpr int kRedLanes = kRedLaneValues.size();

/// Room of result fifos that is free.
struct RedRoom {
  std::uint8_t port;
  RedLane lane;
  std::uint8_t cells;
};

class ResultRoom {
 public:
  explicit ResultRoom(const Profile& profile) : profile_(profile) {
    const auto room = static_cast<std::int16_t>(profile.red_room);
    for (auto& port : room_) port = {room, room, static_cast<std::int16_t>(profile.red_short_room)};
  }

  /// Free cells of the port's fifo for `lane`.
  int cells(int port, RedLane lane) const { return room_[port][static_cast<int>(lane)]; }
  /// Whether at each of the ports at least `cells` cells are free.
  bool HasRoom(PortMask ports, RedLane lane, int cells) const {
    bool all = true;
    ForEachBit(ports, [&](int p) { all = all && room_[p][static_cast<int>(lane)] >= cells; });
    return all;
  }
  /// `cells` cells become free at the port; less than 0: they are reserved.
  void Add(int port, RedLane lane, int cells) {
    std::int16_t& room = room_[port][static_cast<int>(lane)];
    room = static_cast<std::int16_t>(room + cells);
  }
  /// Checks RED-4.
  void Check(Audit* audit) const {
    for (int p = 0; p < profile_.ports; ++p) {
      for (int lane = 0; lane < kRedLanes; ++lane) {
        const int most = lane == static_cast<int>(RedLane::kS) ? profile_.red_short_room : profile_.red_room;
        audit->Require("RED-4", room_[p][lane] >= 0 && room_[p][lane] <= most, p, room_[p][lane]);
      }
    }
  }

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(room_);
  }

 private:
  const Profile& profile_;
  std::array<std::array<std::int16_t, kRedLanes>, kMaxPorts> room_{};
};

}  // namespace tilefly::golden
