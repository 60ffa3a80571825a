// SPDX-License-Identifier: Apache-2.0
// Sender-owned shared buffer of one link, sender's side (docs/blocks/credit.md).
#pragma once

#include <algorithm>
#include <array>

#include "golden/common/audit.h"

namespace tilefly::golden {

/// The CREDIT registers of a port, in cells: what the receiver at the other end of the link gives to each lane.
struct CreditTable {
  CreditTable() = default;
  explicit CreditTable(const Profile& profile) : shared(profile.credit_shared_cells) {
    reserve.fill(static_cast<std::uint16_t>(profile.credit_reserve_cells));
    cap.fill(static_cast<std::uint16_t>(profile.credit_cap_cells));
  }
  std::array<std::uint16_t, kMaxLanes> reserve{};  ///< D_v
  std::array<std::uint16_t, kMaxLanes> cap{};      ///< cap_v
  std::int64_t shared = 0;                         ///< S
};

class CreditSender {
 public:
  /// Cells of lane `v` that are in flight, in the receiver's buffer, or freed and not yet reported.
  int used(int v) const { return static_cast<std::uint16_t>(lanes_[v].sent - lanes_[v].returned); }

  /// Cells of all lanes beyond their reserves.
  int excess() const { return excess_; }

  /// Whether a packet of `mtu_cells` cells may be granted on lane `v`.
  bool LaneOk(int v, const CreditTable& table, int mtu_cells) const {
    const int used_v = used(v);
    if (used_v + mtu_cells > table.cap[v]) return false;
    return excess_ - Over(used_v, v, table) + Over(used_v + mtu_cells, v, table) <= table.shared;
  }

  /// A packet of `cells` cells was granted on lane `v`.
  void Grant(int v, int cells, const CreditTable& table) {
    const int before = used(v);
    lanes_[v].sent = static_cast<std::uint16_t>(lanes_[v].sent + cells);
    excess_ += Over(used(v), v, table) - Over(before, v, table);
  }

  /// A credit return with the cumulative count `cells` arrived on lane `v`. Returns false when the count makes no
  /// sense; the return is then ignored. It is judged on the state before a grant of the same cycle: `granted_now` are
  /// the cells that `Grant` has already added for this grant.
  bool Return(int v, std::uint16_t cells, const CreditTable& table, int granted_now = 0) {
    const int before = used(v);
    const int judged = static_cast<std::uint16_t>(lanes_[v].sent - granted_now - cells);
    if (judged > static_cast<std::uint16_t>(before - granted_now)) return false;
    lanes_[v].returned = cells;
    excess_ += Over(used(v), v, table) - Over(before, v, table);
    return true;
  }

  /// At a retry port: `cells` cells of lane `v` were granted and will not be sent.
  void Discard(int v, int cells, const CreditTable& table) { Set(v, lanes_[v].sent - cells, lanes_[v].returned, table); }
  /// At a retry port: the link is down, and of lane `v` only `inside` cells are granted and not taken.
  void Restart(int v, int inside, const CreditTable& table) { Set(v, inside, 0, table); }
  /// At a retry port: the receiver says for the first time what it holds, by the cumulative count `cells`.
  void FirstReturn(int v, std::uint16_t cells, const CreditTable& table) { Set(v, lanes_[v].sent, cells, table); }

  /// The CREDIT registers changed to `table`.
  void Rebase(const CreditTable& table) {
    excess_ = 0;
    for (int v = 0; v < kMaxLanes; ++v) excess_ += Over(used(v), v, table);
    within_ = Within(table);
  }

  bool AllHome() const {
    return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.sent == lane.returned; });
  }

  /// Checks CRED-2 of `port`, whose CREDIT registers are `table`.
  void Check(int port, const CreditTable& table, Audit* audit) const {
    CheckSum(port, table, audit);
    audit->Require("CRED-2", !within_ || Within(table), port, excess_);
  }
  /// Checks CRED-2 of a retry port, where a replay may charge cells beyond the limits. `granted` is the lane of a grant
  /// in the cycle before, in which no replay started and no CREDIT register changed; -1: there was none.
  void CheckGranted(int port, int granted, const CreditTable& table, Audit* audit) const {
    CheckSum(port, table, audit);
    if (granted < 0) return;
    audit->Require("CRED-2", used(granted) <= table.cap[granted], port, used(granted));
    audit->Require("CRED-2", excess_ <= table.shared, port, excess_);
  }

 private:
  /// Cells since reset, modulo 65536.
  struct Lane {
    std::uint16_t sent = 0;
    std::uint16_t returned = 0;
  };

  void Set(int v, int sent, int returned, const CreditTable& table) {
    excess_ -= Over(used(v), v, table);
    lanes_[v] = {static_cast<std::uint16_t>(sent), static_cast<std::uint16_t>(returned)};
    excess_ += Over(used(v), v, table);
  }
  void CheckSum(int port, const CreditTable& table, Audit* audit) const {
    std::int32_t excess = 0;
    for (int v = 0; v < kMaxLanes; ++v) excess += Over(used(v), v, table);
    audit->Require("CRED-2", excess == excess_, port, excess_);
  }
  static int Over(int used, int v, const CreditTable& table) {
    return used > table.reserve[v] ? used - table.reserve[v] : 0;
  }
  /// Whether no lane is above its cap, nor all of them above the shared part.
  bool Within(const CreditTable& table) const {
    for (int v = 0; v < kMaxLanes; ++v) {
      if (used(v) > table.cap[v]) return false;
    }
    return excess_ <= table.shared;
  }

  std::int32_t excess_ = 0;  ///< sum over the lanes of max(0, used_v - D_v)
  bool within_ = true;       ///< the limits held when the registers were last written: they hold from there on
  std::array<Lane, kMaxLanes> lanes_{};
};

}  // namespace tilefly::golden
