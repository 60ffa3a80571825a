// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "generated/profile.h"

namespace tilefly::cosim {

/// The buffer at one end of a link, as its sender, or an observer, accounts it (docs/blocks/credit.md, Sender-owned
/// shared buffer).
class LinkCredits {
 public:
  explicit LinkCredits(const Profile& profile) : LinkCredits(profile, profile.credit_shared_cells) {}
  /// `shared`: S of this link, in cells.
  LinkCredits(const Profile& profile, int shared)
      : mtu_(profile.mtu_cells), shared_(shared) {
    reserve_.fill(static_cast<std::uint16_t>(profile.credit_reserve_cells));
    cap_.fill(static_cast<std::uint16_t>(profile.credit_cap_cells));
  }
  /// By the CREDIT registers of the port, in cells: `reserve` and `cap` of each lane.
  LinkCredits(const Profile& profile, const std::array<std::uint16_t, 16>& reserve,
              const std::array<std::uint16_t, 16>& cap, int shared)
      : mtu_(profile.mtu_cells), shared_(shared), reserve_(reserve), cap_(cap) {}

  int used(int lane) const { return static_cast<std::uint16_t>(sent_[At(lane)] - returned_[At(lane)]); }
  /// Whether a packet of any size may be sent on the lane.
  bool LaneOk(int lane) const { return used(lane) + mtu_ <= cap_[At(lane)] && SharedUse(lane, mtu_) <= shared_; }
  void Send(int lane, int cells) { sent_[At(lane)] = static_cast<std::uint16_t>(sent_[At(lane)] + cells); }
  /// A link with retry is down: each lane's next return says what the buffer holds, whatever was sent.
  void Restart() {
    sent_ = returned_ = {};
    unknown_ = (1u << kLanes) - 1;
  }
  /// Whether each lane has had its first return since Restart.
  bool all_known() const { return unknown_ == 0; }
  /// A credit return with a cumulative count. Returns false when the count makes no sense and was ignored.
  bool Return(int lane, std::uint16_t cells) {
    if ((unknown_ >> lane & 1) != 0) {
      unknown_ &= ~(1u << lane);
      returned_[At(lane)] = cells;
      return true;
    }
    if (static_cast<std::uint16_t>(sent_[At(lane)] - cells) > used(lane)) return false;
    returned_[At(lane)] = cells;
    return true;
  }
  /// Whether the limits are kept: no lane is over its cap, and no more shared cells are in use than there are.
  bool WithinLimits() const {
    for (int lane = 0; lane < kLanes; ++lane) {
      if (used(lane) > cap_[At(lane)]) return false;
    }
    return SharedUse(0, 0) <= shared_;
  }
  bool AllHome() const { return sent_ == returned_; }

 private:
  static constexpr int kLanes = 16;
  static std::size_t At(int lane) { return static_cast<std::size_t>(lane); }
  /// Shared cells that would be in use with `extra` more cells on `lane`.
  int SharedUse(int lane, int extra) const {
    int sum = 0;
    for (int w = 0; w < kLanes; ++w) {
      const int above = used(w) + (w == lane ? extra : 0) - reserve_[At(w)];
      if (above > 0) sum += above;
    }
    return sum;
  }

  int mtu_, shared_;
  std::array<std::uint16_t, kLanes> reserve_{}, cap_{};  ///< by lane
  std::uint32_t unknown_ = 0;  ///< lanes, a bit each
  std::array<std::uint16_t, kLanes> sent_{};
  std::array<std::uint16_t, kLanes> returned_{};
};

}  // namespace tilefly::cosim
