// SPDX-License-Identifier: Apache-2.0
// The credit halves of a retry port under any inputs that keep the rules of docs/blocks/link_retry.md, and some that do not:
// so the counts reach their edges.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "testbenches/bench/comparison.h"
#include "testbenches/credit/healing_rig.h"

namespace tilefly::bench {

inline const Profile& kHealed = kTile8;

/// Times in which the link stays up, and most cells are of one lane, so that its counts wrap.
inline bool Long(Cycle now) { return now % 8192 >= 4096; }
/// Whether the link is up: for a stretch of cycles not.
inline bool LinkUp(const Stimulus& random, Cycle now) { return Long(now) || !random.Chance(96, "down", now / 128); }

inline constexpr std::size_t kWide = 3;  ///< this lane

/// Times in which nothing is granted or starts, so that all credits come home.
inline bool Quiet(const Stimulus& random, Cycle now) { return !Long(now) && random.Chance(128, "quiet", now / 128); }

using LaneCells = std::array<int, golden::kMaxLanes>;

/// A lane of few, or any of which there is something in `some`; -1: none.
inline int LaneWith(const Stimulus& random, Purpose purpose, Cycle now, const LaneCells& some) {
  const auto first = static_cast<int>(random.Below(random.Chance(128, purpose, now / 512, 1) ? 2 : 16, purpose, now));
  for (int i = 0; i < golden::kMaxLanes; ++i) {
    const int v = (first + i) % golden::kMaxLanes;
    if (some[static_cast<std::size_t>(v)] > 0) return v;
  }
  return -1;
}

/// Sender's side under any grants, takes, starts and returns that keep the rules, and returns that do not.
class AnySender {
 public:
  explicit AnySender(Comparison* run)
      : run_(run),
        random_(run->stimulus()),
        table_(kHealed),
        stamps_(run->AddBin("a stamp", 50)),
        over_(run->AddBin("more cells are out than ever may be", 5)),
        wraps_(run->AddBin("cells put on the wire wrap", 1)),
        discards_(run->AddBin("a take discards", 5)),
        firsts_(run->AddBin("a lane is known", 100)),
        bad_(run->AddBin("a return makes no sense", 20)),
        home_(run->AddBin("all credits are home behind a take that discards in the cycle of link up", 1)),
        same_(run->AddBin("two of grant, take, repeated start and return are of one lane", 20)),
        toggles_(run->AddBin("retry is turned on or off", 2)),
        rig_(run) {}

  void Step() {
    const Cycle now = run_->cycle();
    moves_ = {};
    moves_.link_up = LinkUp(random_, now);
    if (!moves_.link_up && !up_) MayToggle(now);
    const bool over = retry_ && healing_.over(credits_);
    const bool home = credits_.AllHome() && healing_.all_known();
    run_->Hit(over_, over);
    run_->Hit(home_, home && late_);
    late_ = late_ && !home;
    Draw(now);
    if (retry_) moves_.stamp = healing_.Stamp(now, up_, credits_);
    run_->Hit(stamps_, moves_.stamp.has_value());
    Tell();
    Account();
    rig_.Step(now, retry_, moves_, over, home);
    up_ = moves_.link_up;
  }

 private:
  /// Retry is turned on or off. What was out without retry is forgotten with the link.
  void MayToggle(Cycle now) {
    const bool empty = std::all_of(inside_.begin(), inside_.end(), [](int cells) { return cells == 0; });
    if (retry_ && (!empty || now % 8192 >= 2048)) return;
    if (!random_.Chance(retry_ ? 4 : 8, "retry", now)) return;
    retry_ = !retry_;
    healing_ = golden::SenderHealing(kHealed.vls);
    waiting_ = {};
    run_->Hit(toggles_);
  }
  void Draw(Cycle now) {
    moves_.want = up_ ? static_cast<std::uint16_t>(random_.Bits("want", now)) : std::uint16_t{0};
    for (int v = 0; v < kHealed.vls; ++v) {
      const bool ok = (!retry_ || healing_.all_known()) && credits_.LaneOk(v, table_, kHealed.mtu_cells);
      moves_.lane_ok = static_cast<std::uint16_t>(moves_.lane_ok | (ok && (moves_.want >> v & 1)) << v);
    }
    const int vl = random_.Between(0, kHealed.vls - 1, "grant lane", now);
    aim_ = random_.Chance(64, "one lane", now) ? vl : -1;
    const int cells = random_.Between(1, kHealed.mtu_cells, "grant cells", now);
    const bool room = std::accumulate(inside_.begin(), inside_.end(), cells) <= kHealed.obuf_cells;
    const bool may = room && !Quiet(random_, now);
    moves_.grant = {(moves_.lane_ok >> vl & 1) != 0 && may && random_.Spell("grant", now), vl, cells};
    DrawTake(now);
    DrawStart(now);
    DrawReturn(now);
    run_->Hit(same_, ChargesOf(aim_) >= 2);
  }
  /// Events of this cycle that change the cells in use of lane `v`.
  int ChargesOf(int v) const {
    const auto& [grant, take, start] = std::tie(moves_.grant, moves_.take, moves_.start);
    return (grant.valid && grant.vl == v) + (take.valid && moves_.discard && take.vl == v) +
           (start.valid && moves_.again && start.vl == v) + (moves_.credit && moves_.credit->vl == v);
  }
  /// The lane of the grant, for a share of the cycles, if something of it is in `some`; else any lane of which there is.
  int AimedLane(Purpose purpose, Cycle now, const LaneCells& some) const {
    if (aim_ >= 0 && some[static_cast<std::size_t>(aim_)] > 0) return aim_;
    return LaneWith(random_, purpose, now, some);
  }
  void DrawTake(Cycle now) {
    const int vl = AimedLane("take lane", now, inside_);
    // Some links that are down keep their packets up to the first cycle of link up: a take in it discards.
    const bool rises = moves_.link_up && !up_;
    if (vl < 0 || (!up_ && !rises && random_.Chance(160, "keep", now / 128))) return;
    if (!rises && !random_.Spell("take", now)) return;
    const int most = std::min(inside_[static_cast<std::size_t>(vl)], kHealed.mtu_cells);
    moves_.take = {true, vl, random_.Between(1, most, "take cells", now)};
    // The port discards while the link is down alone; the block is told, so some takes discard in any cycle.
    moves_.discard = !up_ || (credits_.used(vl) >= moves_.take.cells && random_.Chance(32, "discard", now));
    run_->Hit(discards_, moves_.discard && !up_);
    late_ = late_ || (retry_ && rises);
  }
  void DrawStart(Cycle now) {
    if (!up_ || Quiet(random_, now) || !(Long(now) || random_.Spell("start", now))) return;
    const bool wide = Long(now) && random_.Chance(224, "wide", now);
    moves_.again = wide || random_.Chance(160, "again", now);
    LaneCells any;
    for (std::size_t v = 0; v < any.size(); ++v) any[v] = credits_.used(static_cast<int>(v)) < 60'000;
    const int vl = wide && any[kWide] ? static_cast<int>(kWide)
                                      : AimedLane("start lane", now, moves_.again ? any : waiting_);
    if (vl < 0) {
      moves_.again = false;
      return;
    }
    const int most = moves_.again ? kHealed.mtu_cells : std::min(waiting_[static_cast<std::size_t>(vl)], kHealed.mtu_cells);
    const int cells = random_.Between(moves_.again && !random_.Chance(32, "bare", now) ? 1 : 0, most, "start cells", now);
    const int less = cells == 0 ? 0 : static_cast<int>(random_.Below(32, "start length", now));
    moves_.start_len = cells == 0 ? 0 : std::min(48 * cells - 16 - less, kHealed.mtu_bytes);
    moves_.start = {true, vl, golden::SenderHealing::CellsOfStart(moves_.start_len)};
  }
  void DrawReturn(Cycle now) {
    if (Quiet(random_, now)) {
      const auto vl = static_cast<std::uint8_t>(now % kHealed.vls);
      const int all = returned_[vl] + credits_.used(vl);
      moves_.credit = golden::CreditReturner::Message{vl, static_cast<std::uint16_t>(all)};
      return;
    }
    if (!random_.Spell("return", now)) return;
    const bool wide = Long(now) && now % 8192 >= 6144 && random_.Chance(32, "wide return", now);
    const int vl = wide        ? static_cast<int>(kWide)
                   : aim_ >= 0 ? aim_
                               : random_.Between(0, kHealed.vls - 1, "return lane", now);
    const auto lane = static_cast<std::size_t>(vl);
    if (Long(now) && now % 8192 < 6144 && lane == kWide && credits_.used(vl) < 52'000) return;
    const bool discards = up_ && moves_.discard && moves_.take.vl == vl;  // of cells that are still charged
    const int most = credits_.used(vl) - (discards ? moves_.take.cells : 0);
    int count = returned_[lane] + random_.Between(0, most, "return cells", now);
    if (retry_ && !healing_.known(vl)) count = -random_.Between(0, 300, "resident", now);
    if (!discards && random_.Chance(8, "nonsense", now))
      count = static_cast<int>(random_.Bits("nonsense count", now) & 65535);
    moves_.credit = golden::CreditReturner::Message{static_cast<std::uint8_t>(vl), static_cast<std::uint16_t>(count)};
  }
  /// For the message of a difference.
  void Tell() {
    const auto& [grant, take, start] = std::tie(moves_.grant, moves_.take, moves_.start);
    if (!moves_.link_up && up_) run_->Event("link down: retry", {retry_});
    if (moves_.credit) run_->Event("return: lane, count", {moves_.credit->vl, moves_.credit->cells});
    if (grant.valid) run_->Event("grant: lane, cells, used before", {grant.vl, grant.cells, credits_.used(grant.vl)});
    if (take.valid) run_->Event("take: lane, cells, discards", {take.vl, take.cells, moves_.discard});
    if (start.valid) run_->Event("start: lane, cells, again", {start.vl, start.cells, moves_.again});
  }
  /// The page's events of t, in its order.
  void Account() {
    if (moves_.credit) {
      const auto& [vl, count] = *moves_.credit;
      run_->Hit(firsts_, retry_ && !healing_.known(vl) && moves_.link_up);
      const int before = credits_.used(vl);
      const bool good =
          retry_ ? healing_.Return(&credits_, vl, count, table_) : credits_.Return(vl, count, table_);
      moves_.bad_return = !good;
      moves_.returned = retry_ && credits_.used(vl) != before;
      if (good) returned_[vl] = count;
      run_->Hit(bad_, !good);
    }
    const auto& [grant, take, start] = std::tie(moves_.grant, moves_.take, moves_.start);
    if (grant.valid) credits_.Grant(grant.vl, grant.cells, table_);
    if (!retry_) return;
    if (grant.valid) healing_.Granted(grant.vl, grant.cells);
    if (grant.valid) inside_[static_cast<std::size_t>(grant.vl)] += grant.cells;
    if (take.valid) {
      inside_[static_cast<std::size_t>(take.vl)] -= take.cells;
      if (moves_.discard) healing_.Discarded(&credits_, take.vl, take.cells, table_);
      else healing_.Taken(take.vl, take.cells);
      if (!moves_.discard) waiting_[static_cast<std::size_t>(take.vl)] += take.cells;
    }
    if (start.valid) {
      const auto lane = static_cast<std::size_t>(start.vl);
      if (!moves_.again) waiting_[lane] -= start.cells;
      const int before = healing_.wired(start.vl);
      healing_.Started(&credits_, start.vl, start.cells, moves_.again, table_);
      run_->Hit(wraps_, healing_.wired(start.vl) < before);
    }
    if (moves_.link_up) return;
    healing_.LinkDown(&credits_, table_);
    waiting_ = {};
    returned_ = {};
  }

  Comparison* run_;
  Stimulus random_;
  golden::CreditTable table_;
  Bin stamps_, over_, wraps_, discards_, firsts_, bad_, home_, same_, toggles_;
  HealingSenderRig rig_;
  golden::CreditSender credits_;
  golden::SenderHealing healing_{kHealed.vls};
  SenderMoves moves_;
  bool retry_ = false, up_ = true;
  int aim_ = -1;       ///< lane of this cycle's grant that others aim at; -1: none
  bool late_ = false;  ///< a take discarded in the cycle of link up, and not all credits have been home since
  LaneCells inside_{}, waiting_{};  ///< granted and not taken; taken and not started
  std::array<std::uint16_t, golden::kMaxLanes> returned_{};
};

/// Receiver's side under any packets, frees and stamps that keep the rules, and stamps that do not.
class AnyReceiver {
 public:
  explicit AnyReceiver(Comparison* run)
      : run_(run),
        random_(run->stimulus()),
        old_(run->AddBin("a stamp is old", 50)),
        edges_(run->AddBin("a stamp is 1023 or 1024 cells behind", 20)),
        asks_(run->AddBin("a return was only asked for", 50)),
        wraps_(run->AddBin("cells taken wrap", 1)),
        toggles_(run->AddBin("retry is turned on or off", 2)),
        rig_(run) {}

  void Step() {
    const Cycle now = run_->cycle();
    moves_ = {};
    moves_.link_up = LinkUp(random_, now);
    if (up_ && !moves_.link_up) down_from_ = now;
    const bool may = !moves_.link_up && !up_ && LaneWith(random_, "toggle", now, resident_) < 0;
    const bool toggles = may && (MayTurnOff(now) || !retry_) && random_.Chance(16, "toggle", now);
    if (toggles) {
      retry_ = !retry_;
      healing_ = golden::ReceiverHealing(kHealed.vls);
      run_->Hit(toggles_);
    }
    Draw(now);
    const bool waiting = returner_.pending() || (retry_ && (healing_.asked() || !up_));
    Account(toggles && retry_);
    rig_.Step(retry_, moves_, waiting);
    up_ = moves_.link_up;
  }

 private:
  static constexpr Cycle kWay = 4;  ///< from `link_i` to admission: what came before the link went down

  static bool MayTurnOff(Cycle now) { return now % 8192 < 1024; }
  void Draw(Cycle now) {
    constexpr std::array<Purpose, 3> kLanes = {"free lane", "other free lane", "third free lane"};
    // A buffer is emptied while its link is down, as when retry is to be turned off, or keeps all, or goes on as while it is up.
    const std::uint64_t kept = moves_.link_up ? 2 : MayTurnOff(now) ? 0 : random_.Below(3, "kept", now / 1024);
    LaneCells left = resident_;
    for (std::size_t i = 0; i < moves_.freed.size(); ++i) {
      const auto source = static_cast<std::uint32_t>(i);
      const bool wide = i == 0 && left[kWide] > 1000;
      const int vl = wide ? static_cast<int>(kWide) : LaneWith(random_, kLanes[i], now, left);
      if (vl < 0 || kept == 1 || (kept == 2 && !wide && !random_.Spell("free", now, source))) continue;
      int& held = left[static_cast<std::size_t>(vl)];
      moves_.freed[i] = {true, vl, random_.Between(1, std::min(held, 127), "freed", now, source)};
      held -= moves_.freed[i].cells;
    }
    const bool wide = Long(now) && random_.Chance(224, "wide", now);
    const int vl = wide ? static_cast<int>(kWide) : random_.Between(0, 15, "taken lane", now);
    const bool comes = moves_.link_up || now < down_from_ + kWay;
    if ((wide || random_.Spell("taken", now)) && comes && resident_[static_cast<std::size_t>(vl)] < 3000)
      moves_.taken = {true, vl, random_.Between(1, kHealed.mtu_cells, "taken", now)};
    if (random_.Spell("stamp", now)) DrawStamp(now);
  }
  void DrawStamp(Cycle now) {
    constexpr std::array kAhead = {0, 0, 0, 1, 90, 2000, -1, -89, -1022, -1023, -1024, -1025, 32768};
    const int vl = random_.Chance(128, "stamp lane", now) ? 3 : random_.Between(0, 15, "stamp lane", now, 1);
    const int ahead = kAhead[random_.Below(random_.Chance(200, "ahead", now) ? 6 : kAhead.size(), "ahead", now, 1)];
    moves_.stamp = golden::CreditStamp{static_cast<std::uint8_t>(vl),
                                       static_cast<std::uint16_t>(healing_.taken(vl) + ahead)};
    run_->Hit(edges_, ahead == -1023 || ahead == -1024);
  }
  void Account(bool begins) {
    run_->Hit(asks_, retry_ && !returner_.pending() && healing_.asked());
    if (retry_) moves_.credit = healing_.Decide(&returner_);
    else if (returner_.pending()) moves_.credit = returner_.Decide(kHealed.vls);
    if (retry_ && moves_.stamp) moves_.judgement = healing_.Stamp(&returner_, *moves_.stamp);
    run_->Hit(old_, moves_.judgement.old);
    if (moves_.taken.valid) {
      const int before = healing_.taken(moves_.taken.vl);
      if (retry_) healing_.Taken(moves_.taken.vl, moves_.taken.cells);
      run_->Hit(wraps_, healing_.taken(moves_.taken.vl) < before);
      resident_[static_cast<std::size_t>(moves_.taken.vl)] += moves_.taken.cells;
    }
    for (const auto& freed : moves_.freed) {
      if (!freed.valid) continue;
      returner_.Free(freed.vl, freed.cells);
      resident_[static_cast<std::size_t>(freed.vl)] -= freed.cells;
    }
    if (!retry_) return;
    if (!moves_.link_up) healing_.LinkDown(&returner_);
    else if (!up_) healing_.LinkRises(&returner_);
    if (begins) returner_.Forget();
  }

  Comparison* run_;
  Stimulus random_;
  Bin old_, edges_, asks_, wraps_, toggles_;
  HealingReturnRig rig_;
  golden::CreditReturner returner_;
  golden::ReceiverHealing healing_{kHealed.vls};
  ReceiverMoves moves_;
  bool retry_ = false, up_ = true;
  Cycle down_from_ = -kWay;  ///< of the latest time without link
  LaneCells resident_{};
};

}  // namespace tilefly::bench
