// SPDX-License-Identifier: Apache-2.0
// Ages of granted entries (docs/blocks/ingress.md, Grants and transfer: the oldest that may start is picked).
// tilefly_grant_list numbers grants with 13 bits and compares two of them only while copies of a packet that is cut
// through waited for its words and others did not. So copies that wait and packets that do not are granted in turn just
// before a multiple of 2^12: the numbers wrap between them. And copies that wait are granted more than 2^11 grants
// after packets of which most have not left.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "Vrtl_ingress_tile8.h"
#include "testbenches/ingress/grant_source.h"
#include "testbenches/ingress/ingress_harness.h"
#include "testbenches/ingress/table_writes.h"

namespace tilefly::bench {
namespace {

constexpr int kPort = 5, kCopies = 7;  // a broadcast's
constexpr int kStored = 10;            ///< packets of a round that need not wait
constexpr int kStoredBytes = 2100;     ///< of each: some are sent before the copies may start, some after
constexpr int kCopiesLane = 15;        ///< of the copies that wait; no other packet's
constexpr std::int64_t kWrap = 1 << 12;
/// Copies and packets that are granted before the wrap: it comes between two of which each may be the older one.
constexpr std::array kBefore = {5, 10, 2, 12, 8, 13, 9, 11, 1, 4, 6, 3};

/// Grants before the copies that wait; packets of one cell for them; and the largest broadcasts, granted first: their
/// last copies are still to be sent when the copies that wait may start.
constexpr std::int64_t kFar = 1 << 11, kFarGrants = kFar + 64, kMany = kFar + 100, kFront = 4;

/// What comes and is granted.
enum class GrantPhase {
  kCount,   ///< packets of one cell are granted at once, up to the number that is wanted
  kStore,   ///< packets come whole, and are not granted
  kFront,   ///< so do the largest broadcasts
  kMany,    ///< and packets of one cell
  kArrive,  ///< the packet comes whose copies wait
  kServe,   ///< copies and packets are granted, and all leave
};

/// The packets of a round.
class GrantArrivals {
 public:
  GrantArrivals(const Profile& profile, const Stimulus& random) : profile_(profile), random_(random) {}

  /// Begins a phase with so many queue entries: one a packet, or the copies of a broadcast.
  void Begin(GrantPhase phase, std::int64_t entries) {
    phase_ = phase;
    left_ = entries;
  }
  WirePacket Make(Cycle now) {
    const bool waits = phase_ == GrantPhase::kArrive;
    const bool store = phase_ == GrantPhase::kStore;
    const bool broadcast = !store && phase_ != GrantPhase::kMany && left_ >= kCopies;
    const bool largest = waits || phase_ == GrantPhase::kFront;
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhIp);
    header.len =
        static_cast<std::uint16_t>(largest ? profile_.mtu_bytes : store ? kStoredBytes : profile_.min_enh_bytes);
    header.vl = static_cast<std::uint8_t>(waits ? kCopiesLane : made_++ % kCopiesLane);
    header.dst = broadcast ? 0xfffff : static_cast<std::uint32_t>(random_.Below(8, "port", now));
    left_ -= broadcast ? kCopies : 1;
    return MakeWithHeader(random_, now, header);
  }
  /// All of the phase have come, or begun to.
  bool over() const { return left_ == 0; }

 private:
  const Profile& profile_;
  const Stimulus& random_;
  GrantPhase phase_ = GrantPhase::kCount;
  std::int64_t left_ = 0;
  int made_ = 0;
};

/// Requests and grants as the outputs see them; entries that wait apart from the others.
class CountedGrants {
 public:
  using Queue = GrantSource::Queue;

  void Request(Cycle leave, Queue queue) { requests_[IsCopy(queue)].push_back({leave, queue}); }
  std::size_t requests(bool copies) const { return requests_[copies].size(); }

  /// The oldest request of one kind, when its grant can be back.
  std::optional<Queue> Grant(Cycle now, bool copies) {
    auto& requests = requests_[copies];
    if (requests.empty() || requests.front().first + GrantSource::kRoundTrip > now) return std::nullopt;
    const Queue queue = requests.front().second;
    requests.pop_front();
    granted_[copies].push_back(count_++);
    return queue;
  }
  /// Number of all grants so far.
  std::int64_t count() const { return count_; }

  /// Numbers of the grant whose entry is picked, and of the oldest one of the other kind that is not, 0 without one.
  std::pair<std::int64_t, std::int64_t> Picked(bool copies) {
    const std::int64_t picked = granted_[copies].front();
    granted_[copies].pop_front();
    return {picked, granted_[!copies].empty() ? 0 : granted_[!copies].front()};
  }

  static bool IsCopy(Queue queue) { return queue.vl == kCopiesLane; }

 private:
  std::array<std::deque<std::pair<Cycle, Queue>>, 2> requests_;
  std::array<std::deque<std::int64_t>, 2> granted_;
  std::int64_t count_ = 0;
};

std::vector<Cfg> GrantModes(const Profile& profile) {
  std::vector<Cfg> writes;
  for (int p = 0; p < profile.ports; ++p) {
    PortMode mode;
    mode.enable = mode.credits = mode.cut_through = true;
    mode.lanes = 2;            // a packet arrives for long enough
    mode.pclass = p == kPort;  // a packet's lane stays
    writes.push_back(Write(CfgSpace::kPort, p, static_cast<int>(PortReg::kMode), mode.ToBits()));
  }
  writes.push_back(Write(CfgSpace::kPort, kPort, static_cast<int>(PortReg::kFloodBroadcast), ~std::uint64_t{0}));
  return writes;
}

/// The port, its words and grants, and what is picked of them.
class GrantRig {
 public:
  explicit GrantRig(Comparison* run)
      : run_(*run),
        harness_(run, kTile8, kPort),
        modes_(GrantModes(kTile8)),
        arrivals_(kTile8, run->stimulus()),
        source_(run->stimulus(), [this](Cycle now) { return arrivals_.Make(now); }, 0, 0) {
    source_.set_lanes(2);
    source_.set_level(256);
  }

  GrantArrivals& arrivals() { return arrivals_; }
  const CountedGrants& grants() const { return grants_; }
  bool idle() const { return harness_.idle_cycles() > 0; }
  /// All words of the phase have come.
  bool came() const { return arrivals_.over() && source_.idle(); }

  /// A cycle, with a grant of one kind or of none. Calls `picked(copy, numbers as CountedGrants::Picked has them)`.
  template <typename OnPick>
  void Step(std::optional<bool> copies, OnPick&& picked) {
    const Cycle now = run_.cycle();
    const Cfg cfg = written_ < modes_.size() ? modes_[written_++] : Cfg{};
    const bool quiet = run_.draining() || now < 32 || arrivals_.over();
    harness_.Step(source_.Next(now, quiet), true, cfg,
                  copies ? grants_.Grant(now, *copies) : std::optional<CountedGrants::Queue>{});
    harness_.DrainUntilEmpty();
    const golden::InputPort::Outputs& outputs = harness_.outputs();
    if (outputs.request) grants_.Request(now, {outputs.request->destination, outputs.request->request.vl});
    if (!outputs.pick) return;
    const bool copy = CountedGrants::IsCopy({outputs.pick->output, outputs.pick->vl});
    const auto [number, other] = grants_.Picked(copy);
    picked(copy, number, other);
  }

 private:
  Comparison& run_;
  IngressHarness<Vrtl_ingress_tile8> harness_;
  std::vector<Cfg> modes_;
  std::size_t written_ = 0;
  GrantArrivals arrivals_;
  WordSource source_;
  CountedGrants grants_;
};

/// Rounds up to a wrap and across it.
class GrantRounds {
 public:
  explicit GrantRounds(GrantRig* rig) : rig_(*rig) { Begin(GrantPhase::kCount); }

  /// After a cycle.
  void Step() {
    const CountedGrants& grants = rig_.grants();
    if (phase_ == GrantPhase::kCount && rig_.came() && rig_.idle()) Begin(GrantPhase::kStore);
    if (phase_ == GrantPhase::kStore && grants.requests(false) == kStored) Begin(GrantPhase::kArrive);
    if (phase_ == GrantPhase::kArrive && grants.requests(true) == kCopies) phase_ = GrantPhase::kServe;
    if (phase_ == GrantPhase::kServe && rig_.idle()) Begin(GrantPhase::kCount);
  }
  /// The kind that is granted.
  std::optional<bool> Turn() const {
    if (phase_ == GrantPhase::kStore || phase_ == GrantPhase::kArrive) return {};
    const std::size_t copies = rig_.grants().requests(true);
    return copies > 0 && copies + kStored - kCopies >= rig_.grants().requests(false);
  }
  GrantPhase phase() const { return phase_; }

 private:
  void Begin(GrantPhase phase) {
    phase_ = phase;
    const std::int64_t count = rig_.grants().count();
    if (phase == GrantPhase::kCount) {
      rig_.arrivals().Begin(phase, (count / kWrap + 1) * kWrap - kBefore[number_++ % kBefore.size()] - count);
    } else {
      rig_.arrivals().Begin(phase, phase == GrantPhase::kStore ? kStored : kCopies);
    }
  }

  GrantRig& rig_;
  GrantPhase phase_ = GrantPhase::kCount;
  std::size_t number_ = 0;
};

TEST(GrantAges, TheOldestIsPickedWhereNumbersWrap) {
  Comparison run({0.8, 25, 0, 500});
  const Bin copy_first = run.AddBin("a copy that waited is picked, older than a packet, and numbers wrap between", 1);
  const Bin packet_first = run.AddBin("a packet is picked, older than a copy that may start, and they wrap between", 1);
  GrantRig rig(&run);
  GrantRounds rounds(&rig);
  bool may_start = false;  // copies: the first was picked
  while (run.Next()) {
    rig.Step(run.draining() ? rig.grants().requests(true) > 0 : rounds.Turn(),
             [&](bool copy, std::int64_t number, std::int64_t other) {
               may_start = copy || (may_start && rounds.phase() == GrantPhase::kServe);
               run.Hit(copy ? copy_first : packet_first, may_start && other / kWrap > number / kWrap);
             });
    rounds.Step();
  }
}

TEST(GrantAges, TheOldestOfManyIsPicked) {
  Comparison run({1, 25, 18'000, 500});
  const Bin far = run.AddBin("a packet is picked, more than 2^11 grants older than a copy that may start", 10);
  GrantRig rig(&run);
  GrantPhase phase = GrantPhase::kFront;
  rig.arrivals().Begin(phase, kFront * kCopies);
  while (run.Next()) {
    const bool grants = phase == GrantPhase::kArrive || phase == GrantPhase::kServe || run.draining();
    rig.Step(grants ? std::optional<bool>(rig.grants().requests(true) > 0) : std::nullopt,
             [&](bool copy, std::int64_t number, std::int64_t other) {
               run.Hit(far, !copy && phase == GrantPhase::kArrive && rig.came() && other - number > kFar);
             });
    if (phase == GrantPhase::kFront && rig.came()) rig.arrivals().Begin(phase = GrantPhase::kMany, kMany);
    if (phase == GrantPhase::kMany && rig.came()) phase = GrantPhase::kServe;
    if (phase == GrantPhase::kServe && rig.grants().count() == kFarGrants) {
      rig.arrivals().Begin(phase = GrantPhase::kArrive, kCopies);
    }
  }
}

}  // namespace
}  // namespace tilefly::bench
