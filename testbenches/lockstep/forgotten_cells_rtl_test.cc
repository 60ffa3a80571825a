// SPDX-License-Identifier: Apache-2.0
// A switch of 8 ports that loses acks, with small deadlines of its flow accounts (docs/blocks/link_retry.md, "Deadline of the
// account"): RTL beside golden in every cycle, and the ways of ordered packets. Tiles sleep between packets.
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "cosim/lockstep/lockstep.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/lockstep/ack_script.h"

namespace tilefly::cosim {
namespace {

constexpr int kEdges = 3, kPorts = 8;  ///< ports 0 to 2 have MODE.acks; packets leave at the others
constexpr int kFarGroup = 7;
constexpr std::array kUsed = {0, 511, 1023};
constexpr Cycle kSweep = 1024;

class LosesAcks {
 public:
  LosesAcks(const DeviceOptions& options, const char* name)
      : random_(bench::SeedOf(bench::RootSeed(), name)),
        first_(options.first_cycle),
        lockstep_(MakeDevice("rtl", kTile8, options), MakeDevice("golden", kTile8, options)) {
    inputs_.links.resize(kPorts);
    inputs_.link_up.assign(kPorts, true);
    for (int port = 0; port < kPorts; ++port) {
      PortMode mode;
      mode.std_format = false;
      mode.enable = mode.cut_through = mode.credits = true;
      mode.acks = port < kEdges;
      Write(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    }
    LeadTo(3);
  }

  void Run(Cycle cycles) {
    for (const Cycle end = lockstep_.cycle() + cycles; lockstep_.cycle() < end;) {
      const Cycle now = lockstep_.cycle();
      if (now >= next_) Begin(now);
      if (writes_.empty() && Below(5000, "write", now) == 0) WriteDeadline(now);
      Step();
      if (HasFatalFailure()) return;
    }
  }
  /// All that is inside comes out.
  void Finish() {
    next_ = kNever;
    for (int i = 0; i < 3000 && !HasFatalFailure(); ++i) Step();
    for (const Cfg& read : lockstep_.CounterReads()) Write(read);
    while (!writes_.empty() && !HasFatalFailure()) Step();
    for (int i = 0; i < 16 && !HasFatalFailure(); ++i) Step();
    EXPECT_NO_THROW(lockstep_.CompareCounters());
  }

  /// Packets by their way: that of the tables; another one, that of packets in flight; that of the tables although acks of
  /// the flow are missing.
  std::int64_t fresh = 0, kept = 0, forgotten = 0;
  std::int64_t compared() const { return lockstep_.compared_busy(); }

 private:
  struct Sent {
    int lead;           ///< port that the tables led to
    bool acks_missing;  ///< of the flow's packets
  };
  using Flow = std::pair<int, int>;  ///< port, flow

  static bool HasFatalFailure() { return ::testing::Test::HasFatalFailure(); }
  std::uint64_t Below(std::uint64_t n, const char* what, Cycle now) const { return random_.Below(n, what, now); }

  void Write(const Cfg& write) { writes_.push_back(write); }
  void LeadTo(int port) {
    lead_ = port;
    Write(golden::WriteRegister(golden::kAllPorts, CfgSpace::kRouteGroup, kFarGroup, golden::Bit(port)));
  }
  void WriteDeadline(Cycle now) {
    const int port = Below(2, "all", now) == 0 ? golden::kAllPorts : static_cast<int>(Below(kEdges, "port", now));
    constexpr std::array<std::uint64_t, 6> kSweeps = {0, 1, 1, 2, 3, 255};
    Write(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kAckDeadline),
                                PortAckDeadline::Of(kSweeps[Below(kSweeps.size(), "sweeps", now)]).ToBits()));
  }

  /// A packet some cycles from now, in half of the cases with its event a + 18 near the look at its flow.
  void Begin(Cycle now) {
    constexpr Cycle kWritten = 10, kLookedUp = 20, kBeside = 2;
    const int port = static_cast<int>(Below(kEdges, "from", now));
    const int flow = kUsed[Below(kUsed.size(), "flow", now)];
    // The tables have changed before, and the packet before has passed.
    const Cycle to_look = (flow + 2 * kSweep - (now + first_ + kWritten + 18 + kBeside) % kSweep) % kSweep;
    const Cycle wait = Below(4, "near", now) == 0 ? to_look + static_cast<Cycle>(Below(2 * kBeside + 1, "beside", now))
                                                  : static_cast<Cycle>(Below(200, "gap", now));
    const Cycle start = now + kWritten + wait;
    next_ = start + kLookedUp;
    if (writes_.empty()) LeadTo(kEdges + static_cast<int>((static_cast<std::uint64_t>(lead_ - kEdges + 1) + Below(4, "lead", now)) % (kPorts - kEdges)));
    Frame frame = PacketFrom(port, 0, 0, 60 + static_cast<int>(Below(60, "length", now)));
    frame.header.src = static_cast<std::uint32_t>(port);
    frame.header.dst = Address(kFarGroup, 1, 1);
    frame.header.flow = static_cast<std::uint16_t>(flow);
    frame.header.ordered = Below(12, "ordered", now) != 0;
    frame.header.path = 0;
    for (int k = 0; k < frame.words(); ++k) words_[start + k] = {port, MakeWord(frame, k)};
    on_their_way_[{port, flow}].push_back({lead_, missing_[{port, flow}]});
  }

  void Step() {
    const Cycle now = lockstep_.cycle();
    ASSERT_NO_THROW(lockstep_.Compare()) << "cycle " << now;
    Device::Inputs inputs = inputs_;
    const std::vector<Link>& links = lockstep_.Outputs();
    for (int port = kEdges; port < kPorts; ++port) {
      const auto p = static_cast<std::size_t>(port);
      if (links[p].word.valid && links[p].word.sop) Take(port, Header::UnpackBytes(links[p].word.data.data()), now);
    }
    for (auto& [port, lane] : returns_) {
      Ctrl& ctrl = inputs.links[static_cast<std::size_t>(port)].ctrl;
      ctrl.credit_valid = true;
      ctrl.credit_vl = static_cast<std::uint8_t>(lane);
      ctrl.credit_cells = sunk_[static_cast<std::size_t>(port)][static_cast<std::size_t>(lane)];
    }
    returns_.clear();
    if (const auto found = acks_.find(now); found != acks_.end()) {
      Ctrl& ctrl = inputs.links[static_cast<std::size_t>(found->second.first)].ctrl;
      ctrl.ack_valid = true;
      ctrl.ack_flow = found->second.second.flow;
      ctrl.ack_cells = static_cast<std::uint8_t>(golden::CellsOf(found->second.second.len));
      ctrl.ack_port = static_cast<std::uint8_t>(found->second.second.src);
      acks_.erase(found);
    }
    if (const auto found = words_.find(now); found != words_.end()) {
      inputs.links[static_cast<std::size_t>(found->second.first)].word = found->second.second;
      words_.erase(found);
    }
    if (!writes_.empty()) {
      inputs.cfg = writes_.front();
      writes_.pop_front();
    }
    lockstep_.Step(inputs);
  }

  /// A packet has left the switch. Its ack is lost, or it comes.
  void Take(int port, const Header& header, Cycle now) {
    std::uint16_t& sunk = sunk_[static_cast<std::size_t>(port)][header.vl];
    sunk = static_cast<std::uint16_t>(sunk + golden::CellsOf(header.len));
    returns_.push_back({port, header.vl});
    const Flow flow{static_cast<int>(header.src), static_cast<int>(header.flow)};
    std::deque<Sent>& sent = on_their_way_[flow];
    ASSERT_FALSE(sent.empty());
    if (header.ordered) {
      const bool by_tables = sent.front().lead == port;
      ++(by_tables ? fresh : kept);
      const bool forgets = by_tables && sent.front().acks_missing && missing_[flow];
      forgotten += forgets;
      if (forgets) missing_[flow] = false;
    }
    sent.pop_front();
    if (Below(3, "lost", now) == 0) {
      missing_[flow] = true;
    } else {
      acks_[now + 20 + static_cast<Cycle>(Below(2 * kSweep, "round trip", now))] = {port, header};
    }
  }

  const bench::Stimulus random_;
  const Cycle first_;
  Lockstep lockstep_;
  Device::Inputs inputs_;
  std::deque<Cfg> writes_;
  int lead_ = 3;
  Cycle next_ = 60;  ///< of the next packet
  std::map<Cycle, std::pair<int, Word>> words_;
  std::map<Cycle, std::pair<int, Header>> acks_;  ///< by cycle: port, and the packet
  std::map<Flow, std::deque<Sent>> on_their_way_;
  std::map<Flow, bool> missing_;
  std::vector<std::pair<int, int>> returns_;
  std::array<std::array<std::uint16_t, 16>, kPorts> sunk_{};
};

Cycle CyclesOfTier() { return bench::CyclesOf(bench::TierFromEnvironment()); }

void ExpectEqual(const DeviceOptions& options, const char* name, Cycle cycles) {
  LosesAcks run(options, name);
  run.Run(cycles);
  run.Finish();
  std::printf("  packets on the way of the tables: %lld, of packets in flight: %lld; a new way although acks are missing: %lld\n",
              static_cast<long long>(run.fresh), static_cast<long long>(run.kept), static_cast<long long>(run.forgotten));
  EXPECT_GT(run.kept, cycles / 1500);
  EXPECT_GT(run.forgotten, cycles / 4000);
  EXPECT_GT(run.compared(), cycles / 200);
}

TEST(ForgottenCells, RtlEqualsGoldenInEveryCycle) { ExpectEqual({}, "forgotten cells", 3 * CyclesOfTier()); }

TEST(ForgottenCells, TilesThatNeverSleepForgetInTheSameCycles) {
  DeviceOptions options;
  options.evaluate_all = true;
  ExpectEqual(options, "forgotten cells", CyclesOfTier());
}

TEST(ForgottenCells, RtlEqualsGoldenBehindCycle2To40) {
  DeviceOptions options;
  options.first_cycle = (Cycle{1} << 40) - 64 * kTile8.load_epoch_cycles;
  ExpectEqual(options, "forgotten cells behind 2^40", CyclesOfTier());
}

}  // namespace
}  // namespace tilefly::cosim
