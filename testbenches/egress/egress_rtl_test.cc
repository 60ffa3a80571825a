// SPDX-License-Identifier: Apache-2.0
// tilefly_egress_port against golden's OutputPort (docs/blocks/egress.md, scheduler.md, credit.md and link.md: EGR-1 to
// EGR-6, LINK-2, LINK-3).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "Vrtl_egress_rosetta64.h"
#include "Vrtl_egress_tile8.h"
#include "Vrtl_egress_tile8___024root.h"
#include "golden/common/register_write.h"
#include "testbenches/egress/egress_harness.h"

namespace tilefly::bench {
namespace {

using Message = golden::CreditReturner::Message;

/// The receiver at the other end of the link: holds the cells of what it got for a while, then gives them back.
class Receiver {
 public:
  /// A packet of `cells` on lane `vl` was granted; later it will be there.
  void Granted(int vl, int cells) { held_[static_cast<std::size_t>(vl)] += cells; }
  /// The message of cycle `now`. With `all` everything comes home, and then there is none.
  std::optional<Message> Next(const Stimulus& random, Cycle now, bool all) {
    auto v = static_cast<std::size_t>(random.Below(golden::kMaxLanes, "receiver: lane", now));
    if (all) v = static_cast<std::size_t>(now % golden::kMaxLanes);
    if (all || random.Spell("receiver: frees", now)) {
      const int freed = all ? held_[v] : random.Between(0, std::min(held_[v], 120), "receiver: cells", now);
      held_[v] -= freed;
      freed_[v] = static_cast<std::uint16_t>(freed_[v] + freed);
    }
    const bool again = (again_ >> v & 1) != 0;
    if (all ? told_[v] == freed_[v] && !again : !random.Spell("receiver: returns", now)) return std::nullopt;
    again_ &= ~(1u << v);
    const bool nonsense = !all && random.Chance(4, "receiver: nonsense", now);
    told_[v] = nonsense ? static_cast<std::uint16_t>(random.Bits("nonsense", now)) : freed_[v];
    return Message{static_cast<std::uint8_t>(v), told_[v]};
  }

  /// What was told may have been lost while the link was down, and nothing will come that repairs it: all is told again.
  void TellAgain() { again_ = (1u << golden::kMaxLanes) - 1; }

 private:
  std::array<int, golden::kMaxLanes> held_{};
  std::array<std::uint16_t, golden::kMaxLanes> freed_{}, told_{};
  unsigned again_ = 0;  ///< lanes that are told again, a bit each
};

/// Writes that change how the port works while packets are under way.
Cfg RandomWrite(const Profile& profile, const Stimulus& random, int port, Cycle now) {
  const std::uint64_t data = random.Bits("write: data", now);
  switch (random.Below(4, "write", now)) {
    case 0:
      return golden::WriteRegister(127, CfgSpace::kVlClass,
                                   static_cast<int>(random.Below(golden::kMaxLanes, "write: lane", now)),
                                   TableClass::FromBits(data).ToBits());
    case 1: {
      const std::uint64_t xon = 1 + data % 2000, xoff = xon + (data >> 16) % 600;
      return golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kPause),
                     PortPause::Of(xoff, xon, random.Chance(192, "write: sends PAUSE", now)).ToBits());
    }
    case 2: {
      const int lane = static_cast<int>(random.Below(golden::kMaxLanes + 1, "write: credits", now));
      const auto least = static_cast<std::uint64_t>(profile.mtu_cells);  // so that a drained lane may always send
      if (lane == golden::kMaxLanes) {
        return golden::WriteRegister(port, CfgSpace::kCredit, golden::IndexOf(TableReg::kCreditShared),
                                     least + data % 1200);
      }
      return golden::WriteRegister(random.Chance(128, "write: one port", now) ? port : golden::kAllPorts,
                                   CfgSpace::kCredit, lane,
                                   CreditLane::Of(data % 128, least + (data >> 8) % 900).ToBits());
    }
    default: return golden::ReadRegister(port, CfgSpace::kCounter, static_cast<int>(data % 26));
  }
}

/// Writes to the scheduler: entries, changes of place, groups and maxima. Entry c always serves class c, and a maximum
/// is not far below the link's rate, so that no request waits for ever.
Cfg SchedulerWrite(const Profile& profile, const Stimulus& random, int port, Cycle now) {
  const std::uint64_t data = random.Bits("scheduler: data", now);
  const int to = (data >> 60) == 0 ? 127 : port;
  const int c = static_cast<int>(data & 7);
  const std::uint64_t kind = random.Below(64, "scheduler: kind", now);
  if (kind == 0) return golden::WriteRegister(to, CfgSpace::kDtable, golden::kSwapIndex, data);
  if (kind == 1)
    return golden::WriteRegister(to, CfgSpace::kClass, golden::IndexOf(c, ClassReg::kGroup),
                                 ClassGroup::Of(data >> 8).ToBits());
  if (kind < 4) {
    const std::uint64_t cost = (data >> 8 & 1) != 0 ? 0 : 1 + (data >> 16) % 500;
    return golden::WriteRegister(to, CfgSpace::kClass, golden::IndexOf(c, ClassReg::kMaximum),
                                 ClassMaximum::Of(cost, (data >> 32) % (1 << 18)).ToBits());
  }
  const int entry = static_cast<int>((data >> 8) % static_cast<std::uint64_t>(profile.dtable_entries));
  const std::uint64_t weight = (data >> 40 & 7) == 0 ? data >> 48 : (data >> 48) % 40;
  return golden::WriteRegister(to, CfgSpace::kDtable, entry,
                               entry < golden::kMaxClasses
                                   ? DtableEntry::Of(weight | 1, static_cast<std::uint64_t>(entry)).ToBits()
                                   : DtableEntry::Of(weight, static_cast<std::uint64_t>(c)).ToBits());
}

/// What may be written only while the port is idle (docs/blocks/switch.md), MODE apart: write `number` of kIdleWrites.
constexpr int kIdleWrites = 3;
Cfg IdleWrite(const Stimulus& random, int port, Cycle now, int number) {
  const std::uint64_t data = random.Bits("idle write", now);
  if (number == 0) return golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kEthLo), data);
  if (number == 1) return golden::WriteRegister(127, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress),
                                               OwnAddress::FromBits(data).ToBits());
  PortEthHi eth_hi = PortEthHi::FromBits(data);
  eth_hi.valid = random.Chance(128, "idle write: valid", now);
  return golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kEthHi), eth_hi.ToBits());
}

/// Occupancy of the input buffer: a walk across the PAUSE limits.
int UsedOf(const Stimulus& random, Cycle now) {
  const Cycle stretch = now / 700;
  const int from = random.Between(0, 2560, "used", stretch), to = random.Between(0, 2560, "used", stretch + 1);
  return from + static_cast<int>((to - from) * (now % 700) / 700);
}

golden::PauseRequest RandomPause(const Stimulus& random, Cycle now) {
  golden::PauseRequest pause;
  pause.obeyed = true;
  pause.classes = random.Chance(128, "pause: all", now) ? 255 : static_cast<unsigned>(random.Bits("pause: classes", now) & 255);
  for (std::size_t c = 0; c < golden::kMaxClasses; ++c) {
    const auto index = static_cast<std::uint32_t>(c);
    pause.quanta[c] = static_cast<std::uint16_t>(random.Below(random.Chance(96, "pause: end", now, index) ? 1 : 200, "pause: quanta", now, index));
  }
  return pause;
}

struct Bins {
  explicit Bins(Comparison* run)
      : no_room(run->AddBin("a request waits for room in the output buffer", 100)),
        saturated(run->AddBin("load is saturated", 1)),
        owner_stays(run->AddBin("an owner gets a further grant", 100)),
        tie(run->AddBin("two rows' first cells arrive together", 20)),
        stomped(run->AddBin("a packet leaves stomped", 1)),
        pauses(run->AddBin("a PAUSE frame is sent", 1)),
        no_header(run->AddBin("NO_ETH_HEADER", 1)),
        bad_credit(run->AddBin("BAD_CREDIT", 1)),
        no_credit(run->AddBin("a lane with a request has no credit", 100)),
        swaps(run->AddBin("the banks of the Deficit Table change places with requests stored", 5)),
        other_class(run->AddBin("a grant is of another class than the one before", 100)),
        red(run->AddBin("row R is granted", 30)),
        red_stays(run->AddBin("the owner of row R's channel gets a further grant", 2)),
        red_passes(run->AddBin("row R's channel passes to another input", 10)),
        red_tie(run->AddBin("first cells of row R and of another row arrive together", 1)),
        deep(run->AddBin("a fifo of requests is deep", 100)),
        deep_ends(run->AddBin("a lane is not deep any more", 2)),
        deep_stays(run->AddBin("a lane with a deep fifo is granted, and stays deep", 10)),
        empty(run->AddBin("the port runs empty (EGR-1)", 1)) {}
  Bin no_room, saturated, owner_stays, tie, stomped, pauses, no_header, bad_credit, no_credit, swaps, other_class, red,
      red_stays, red_passes, red_tie, deep, deep_ends, deep_stays, empty;
};

PortMode ModeOf(const Stimulus& random, int segment, Cycle now) {
  PortMode mode = PortMode::FromBits(random.Bits("mode", now));
  mode.enable = true;
  mode.retry = false;  // taken_back_rtl_test.cc, and whole ports in the suite lockstep
  if (random.Chance(160, "four lanes", now)) mode.lanes = 4;
  if (segment % 4 == 0) {
    mode.credits = true;
    mode.std_format = false;
  } else if (segment % 4 == 1) {
    mode.credits = false;
    mode.std_format = true;
  }
  return mode;
}

int ClassOf(const golden::Registers& registers, int vl) {
  int c = 0;
  while (((registers.tables().class_lanes[static_cast<std::size_t>(c)] >> vl) & 1) == 0) ++c;
  return c;
}

template <typename Model>
void BeginCounts(EgressHarness<Model>*) {}
/// In the runs from edges.
void BeginCounts(EgressHarness<Vrtl_egress_tile8>* harness) {
  auto& all = *harness->dut().rootp;
  harness->BeginCounts({&all.tilefly_egress_port__DOT__u_counters__DOT__tx_packets_q,
                        &all.tilefly_egress_port__DOT__u_counters__DOT__tx_stomped_q,
                        &all.tilefly_egress_port__DOT__u_counters__DOT__tx_pause_q,
                        &all.tilefly_egress_port__DOT__u_counters__DOT__no_eth_header_q,
                        &all.tilefly_egress_port__DOT__u_counters__DOT__bad_credit_q});
}

template <typename Model>
void ComparePort(const Profile& profile, int port, PowerUp power_up, double of_tier) {
  constexpr Cycle kDrain = 500;  // at least
  Comparison run({of_tier, 25, 0, kDrain, power_up});
  EgressHarness<Model> harness(&run, profile, port);
  if (power_up.edge > 0) BeginCounts(&harness);
  const Bins bins(&run);
  const Stimulus& random = run.stimulus();
  Receiver receiver;
  Cycle segment_end = 0;
  int segment = 0;
  bool starting = false;
  bool was_quiet = true;
  Cycle quiet_from = -2 * golden::kMaxLanes;
  int idle_writes = 0;
  std::array<int, golden::kMaxOutRows> last_input{};
  int last_class = 0;
  golden::OutputPort& golden = harness.golden();
  const auto count = [&](Counter counter) { return golden.Counter(static_cast<int>(counter)); };
  while (run.Next()) {
    const Cycle now = run.cycle();
    const bool quiet = now >= segment_end || run.draining();
    typename EgressHarness<Model>::Stimuli stimuli;
    // How much is waiting differs from segment to segment; one in eight fills the stores.
    constexpr std::array<int, 8> kMostLoad = {300, 100, 1200, 300, 4500, 30, 600, 100};
    const int most_load = now < run.cycles() / 2 ? kMostLoad[static_cast<std::size_t>(segment) % kMostLoad.size()] : kMostLoad[0];
    stimuli.requests = !quiet && golden.load() < most_load;
    stimuli.slow = random.Chance(128, "slow", now / 2000);
    const PortMode mode = golden.registers().port(port).mode;
    if (quiet && !starting && harness.idle_cycles() > 80 && !run.draining()) {
      if (segment > 0) run.Hit(bins.empty);
      run.Compare("EGR-1: room when empty", static_cast<std::uint64_t>(golden.room()), static_cast<std::uint64_t>(profile.obuf_cells));
      stimuli.cfg = golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), ModeOf(random, segment++, now).ToBits());
      starting = true;
      idle_writes = 0;
    } else if (starting && idle_writes < kIdleWrites) {
      stimuli.cfg = IdleWrite(random, port, now, idle_writes++);
    } else if (starting && harness.idle_cycles() > 10) {
      starting = false;
      segment_end = now + 1500;
    } else if (!quiet && random.Chance(6, "write", now)) {
      stimuli.cfg = RandomWrite(profile, random, port, now);
    } else if (!quiet && power_up.edge > 0 && random.Chance(64, "read", now)) {
      const auto counter = static_cast<int>(random.Below(26, "read: counter", now));
      stimuli.cfg = golden::ReadRegister(port, CfgSpace::kCounter, counter);
    } else if (!quiet && random.Chance(64, "scheduler write", now)) {
      stimuli.cfg = SchedulerWrite(profile, random, port, now);
    }
    if (quiet && !was_quiet) {
      quiet_from = now;
      receiver.TellAgain();
    }
    was_quiet = quiet;
    const bool telling = quiet && now < quiet_from + 2 * golden::kMaxLanes;
    // Nothing more is said, so that the port becomes idle.
    const bool closing = quiet && harness.idle_cycles() > 40 && !telling;
    stimuli.used = quiet ? 0 : UsedOf(random, now);
    stimuli.link_up = quiet || !random.Chance(24, "down", now / 64);
    if (!closing) stimuli.credit = receiver.Next(random, now, quiet);
    if (!quiet && mode.credits && random.Spell("return", now)) {
      stimuli.credit_to_return = Message{static_cast<std::uint8_t>(random.Below(16, "return: lane", now)),
                                         static_cast<std::uint16_t>(random.Bits("return: cells", now))};
    }
    if (!quiet && !mode.credits && random.Chance(3, "pause", now)) stimuli.pause = RandomPause(random, now);

    const std::uint64_t stomped = count(Counter::kTxStomped), pauses = count(Counter::kTxPause), bad = count(Counter::kBadCredit);
    const std::uint64_t no_header = golden.Counter(static_cast<int>(Drop::kNoEthHeader));
    const int room = golden.room(), load = golden.load();
    const bool red_owned = (golden.owner_valid() >> profile.rows & 1) != 0;
    const unsigned deep = harness.deep_lanes();
    harness.Step(stimuli);
    harness.DrainUntilEmpty();
    const auto& grant = harness.outputs().grant;
    run.Hit(bins.deep, deep != 0);
    run.Hit(bins.deep_ends, (deep & ~unsigned{harness.deep_lanes()}) != 0);
    if (grant) {
      run.Hit(bins.deep_stays, (deep & harness.deep_lanes() & 1u << grant->grant.vl) != 0);
      if (mode.credits) receiver.Granted(grant->grant.vl, grant->cells);
      int& last = last_input[static_cast<std::size_t>(grant->input / profile.row_in)];
      const bool red = grant->input >= profile.ports;
      run.Hit(bins.owner_stays, !red && last == grant->input);
      run.Hit(bins.red, red);
      run.Hit(bins.red_passes, red && last != grant->input);
      run.Hit(bins.red_stays, red && red_owned);
      last = grant->input;
      const int c = ClassOf(golden.registers(), grant->grant.vl);
      run.Hit(bins.other_class, c != last_class);
      last_class = c;
    }
    run.Hit(bins.swaps, load > 0 && stimuli.cfg.valid && stimuli.cfg.space == static_cast<int>(CfgSpace::kDtable) &&
                            stimuli.cfg.index == golden::kSwapIndex);
    run.Hit(bins.no_room, load > 0 && room < profile.mtu_cells);
    run.Hit(bins.saturated, load > 4095);
    run.Hit(bins.no_credit, mode.credits && load > 0 && room >= profile.mtu_cells && !grant && stimuli.link_up);
    const unsigned first_rows = harness.first_rows();
    const unsigned red_first = first_rows >> profile.rows & 1;
    run.Hit(bins.tie, __builtin_popcount(first_rows) > 1);
    run.Hit(bins.red_tie, red_first != 0 && (first_rows & (first_rows - 1)) != 0);
    run.Hit(bins.stomped, count(Counter::kTxStomped) != stomped);
    run.Hit(bins.pauses, count(Counter::kTxPause) != pauses);
    run.Hit(bins.bad_credit, count(Counter::kBadCredit) != bad);
    run.Hit(bins.no_header, golden.Counter(static_cast<int>(Drop::kNoEthHeader)) != no_header);
  }
}

TEST(EgressPort, EqualsGoldenInEveryCycleWith8Ports) { ComparePort<Vrtl_egress_tile8>(kTile8, 6, kZeros, 3); }

TEST(EgressPort, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { ComparePort<Vrtl_egress_tile8>(kTile8, 3, power_up, 0.1); });
}

TEST(EgressPort, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { ComparePort<Vrtl_egress_tile8>(kTile8, 6, power_up, 0.25); });
}

TEST(EgressPort, EqualsGoldenInEveryCycleWith64Ports) {
  ComparePort<Vrtl_egress_rosetta64>(kRosetta64, 50, kZeros, 3);
}

/// The receiver gives no credit until every queue is full; then all goes on, and nothing follows. Lanes reach their caps.
TEST(EgressPort, CountsEveryCellThatCanWait) {
  constexpr int kPort = 1;
  constexpr Cycle kFilled = 2000;
  Comparison run({1, 0, 7 * kFilled});
  EgressHarness<Vrtl_egress_tile8> harness(&run, kTile8, kPort);
  constexpr int kCap = 5 * kTile8.mtu_cells / 2;
  constexpr int kMost = kTile8.ports * golden::kMaxLanes * kTile8.request_credits * kTile8.mtu_cells;
  const Bin full = run.AddBin("load has all its bits", 1000);
  const Bin falls = run.AddBin("load has fallen below its highest bit", 100);
  Receiver receiver;
  PortMode mode;
  mode.enable = mode.credits = true;
  mode.lanes = 4;
  while (run.Next()) {
    EgressHarness<Vrtl_egress_tile8>::Stimuli stimuli;
    const bool fills = run.cycle() < kFilled;
    stimuli.requests = fills && run.cycle() > 20;
    stimuli.most = kTile8.mtu_cells;
    if (run.cycle() == 0)
      stimuli.cfg = golden::WriteRegister(kPort, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    if (const Cycle lane = run.cycle() - 1; lane >= 0 && lane < kTile8.vls)
      stimuli.cfg = golden::WriteRegister(golden::kAllPorts, CfgSpace::kCredit, static_cast<int>(lane), CreditLane::Of(0, kCap).ToBits());
    if (run.cycle() == kTile8.vls + 1)  // as much as all lanes may have
      stimuli.cfg = golden::WriteRegister(golden::kAllPorts, CfgSpace::kCredit, golden::IndexOf(TableReg::kCreditShared), kTile8.vls * kCap);
    if (!fills) stimuli.credit = receiver.Next(run.stimulus(), run.cycle(), true);
    harness.Step(stimuli);
    const auto& grant = harness.outputs().grant;
    if (grant) receiver.Granted(grant->grant.vl, grant->cells);
    const int load = harness.golden().load();
    run.Hit(full, (load >> 17 & 1) != 0 && load <= kMost);
    run.Hit(falls, !fills && (load >> 17 & 1) == 0);
  }
}

/// Nothing of what is granted comes until packets of one cell have left too little room in the output buffer for one more.
TEST(EgressPort, CountsGrantsUntilTheBufferIsFull) {
  constexpr int kPort = 1;
  constexpr Cycle kFilled = 4000;
  Comparison run({1, 0, 2 * kFilled});
  EgressHarness<Vrtl_egress_tile8> harness(&run, kTile8, kPort);
  const Bin full = run.AddBin("no room is left, and nothing has come", 1000);
  const Bin empty = run.AddBin("all has come and gone", 100);
  PortMode mode;
  mode.enable = true;
  mode.lanes = 4;
  while (run.Next()) {
    EgressHarness<Vrtl_egress_tile8>::Stimuli stimuli;
    const bool fills = run.cycle() < kFilled;
    stimuli.requests = fills && run.cycle() > 20;
    stimuli.cells = !fills;
    stimuli.most = 1;
    stimuli.one_row = true;
    if (run.cycle() == 0)
      stimuli.cfg = golden::WriteRegister(kPort, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    harness.Step(stimuli);
    const int room = harness.golden().room();
    run.Hit(full, fills && room < kTile8.mtu_cells);
    run.Hit(empty, !fills && room == kTile8.obuf_cells);
  }
}

/// An XOFF is repeated after 65536 cycles.
void RepeatXoff(PowerUp power_up, Cycle cycles) {
  constexpr int kPort = 1;
  Comparison run({1, 0, cycles, 0, power_up});
  EgressHarness<Vrtl_egress_tile8> harness(&run, kTile8, kPort);
  const Bin sent = run.AddBin("XOFF", 3);
  PortMode mode;
  mode.enable = true;
  while (run.Next()) {
    EgressHarness<Vrtl_egress_tile8>::Stimuli stimuli;
    stimuli.requests = run.cycle() % 1024 > 1000;
    stimuli.used = 1500;
    // From edges in three cycles that are a third of each power of two apart: each of the lower bits is set and is not.
    const Cycle now = run.cycle() - 341 * (power_up.edge % 3);
    if (now == 0) stimuli.cfg = golden::WriteRegister(kPort, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    if (now == 1) {
      stimuli.cfg = golden::WriteRegister(kPort, CfgSpace::kPort, static_cast<int>(PortReg::kPause),
                                          PortPause::Of(1280, 1024, true).ToBits());
    }
    const std::uint64_t before = harness.golden().Counter(static_cast<int>(Counter::kTxPause));
    harness.Step(stimuli);
    run.Hit(sent, harness.golden().Counter(static_cast<int>(Counter::kTxPause)) != before);
  }
}

TEST(EgressPort, RepeatsXoffWhileTheBufferStaysFull) { RepeatXoff(kZeros, 140'000); }

TEST(EgressPort, RepeatsXoffFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { RepeatXoff(power_up, 70'000); });
}

}  // namespace
}  // namespace tilefly::bench
