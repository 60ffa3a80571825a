// SPDX-License-Identifier: Apache-2.0
// A switch with random words and control on its ports never hangs: RTL and golden stay equal, everything drains, every
// packet that began was delivered or counted as dropped, and afterwards good packets pass between every two ports.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "cosim/golden_device.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/verilated/verilated_array.h"
#include "runs/switch/run_options.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/random_words.h"

namespace tilefly::cosim {
namespace {

using Pair = std::pair<int, int>;

/// Both devices, what is put on their links, and the frames that come out.
class Abused {
 public:
  Abused(const Profile& profile, unsigned seed)
      : setup_(profile, runs::ParsePortKinds("mixed", profile.ports), 4),
        words_(setup_, seed),
        open_(static_cast<std::size_t>(profile.ports)) {
    auto golden = std::make_unique<GoldenDevice>(profile);
    inside_ = &golden->golden_switch();
    lockstep_ = std::make_unique<Lockstep>(std::make_unique<VerilatedArray>(profile, DeviceOptions{}), std::move(golden));
    inputs_.links.resize(static_cast<std::size_t>(profile.ports));
    inputs_.link_up.assign(static_cast<std::size_t>(profile.ports), true);
    for (const Cfg& write : setup_.Writes()) Step(false, write);
    Run(16, false);
  }

  void Run(Cycle cycles, bool wild) {
    for (Cycle i = 0; i < cycles; ++i) Step(wild, {});
  }
  /// Until nothing is inside; false when that does not happen.
  bool Drain() {
    for (const Cycle end = lockstep_->cycle() + 300000; lockstep_->cycle() < end;) {
      Run(200, false);  // a frame may just be coming, a credit be on its way
      if (!words_.Sending() && inside_->packets() == 0) return true;
    }
    return false;
  }
  /// Counters of both devices are read over the register bus and compared.
  void CompareCounters() {
    for (const Cfg& read : lockstep_->CounterReads()) Step(false, read);
    Run(16, false);
    lockstep_->CompareCounters();
  }
  std::uint64_t Count(int port, int index) const { return inside_->ReadCounter(port, index); }
  std::uint64_t Count(Counter counter) const {
    std::uint64_t sum = 0;
    for (int port = 0; port < setup_.profile().ports; ++port) sum += Count(port, static_cast<int>(counter));
    return sum;
  }
  std::uint64_t Count(Drop reason) const {
    std::uint64_t sum = 0;
    for (int port = 0; port < setup_.profile().ports; ++port) sum += Count(port, static_cast<int>(reason));
    return sum;
  }
  std::uint64_t begun(int port) const { return words_.begun(port); }

  /// One good packet from each port of a round to the port `distance` further; the pairs that came out.
  void Probe(int distance) {
    const int ports = setup_.profile().ports;
    for (int from = 0; from < ports; ++from) {
      const int to = (from + distance) % ports;
      words_.Send(from, words_.MakeGood(from, to, 100, kProbe | static_cast<std::uint64_t>(from) << 8 | static_cast<unsigned>(to)));
    }
    Run(20, false);
  }
  const std::set<Pair>& passed() const { return passed_; }
  std::int64_t compared_busy() const { return lockstep_->compared_busy(); }

 private:
  static constexpr std::uint64_t kProbe = 0x5AFE'0000'0000'0000u;

  void Step(bool wild, const Cfg& cfg) {
    lockstep_->Compare();
    const std::vector<Link>& outputs = lockstep_->Outputs();
    for (std::size_t port = 0; port < outputs.size(); ++port) Collect(static_cast<int>(port), outputs[port].word);
    inputs_.links = words_.Next(outputs, wild);
    inputs_.cfg = cfg;
    lockstep_->Step(inputs_);
  }

  /// Puts frames together and notes the probes.
  void Collect(int port, const Word& word) {
    if (!word.valid) return;
    Bytes& bytes = open_[static_cast<std::size_t>(port)];
    if (word.sop) bytes.clear();
    bytes.insert(bytes.end(), word.data.begin() + (word.sop && word.enh ? 16 : 0), word.data.begin() + word.last + 1);
    if (!word.eop || bytes.size() != 100 || CheckOf(bytes) != Check::kGood) return;
    std::uint64_t id;
    std::memcpy(&id, bytes.data() + RandomWords::kIdAt, sizeof id);
    if ((id & kProbe) == kProbe && static_cast<int>(id & 255) == port) {
      EXPECT_TRUE(passed_.emplace(static_cast<int>(id >> 8 & 255), port).second) << "twice at port " << port;
    }
  }

  SwitchSetup setup_;
  RandomWords words_;
  std::unique_ptr<Lockstep> lockstep_;
  const golden::Switch* inside_ = nullptr;
  Device::Inputs inputs_;
  std::vector<Bytes> open_;
  std::set<Pair> passed_;
};

void ExpectSurvives(const Profile& profile, Cycle cycles, int probe_step) {
  const auto seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  SCOPED_TRACE("seed " + std::to_string(seed));
  Abused abused(profile, seed);
  try {
    abused.Run(cycles, true);
    ASSERT_TRUE(abused.Drain()) << "packets are stuck";
    abused.CompareCounters();
    for (int port = 0; port < profile.ports; ++port) {
      std::uint64_t accounted = abused.Count(port, static_cast<int>(Counter::kRxPackets));
      for (const Drop reason : kDropValues) {
        if (reason != Drop::kNoEthHeader) accounted += abused.Count(port, static_cast<int>(reason));  // that is an output's
      }
      EXPECT_EQ(accounted, abused.begun(port)) << "packets that began at port " << port;
    }
    EXPECT_EQ(abused.Count(Counter::kTxPackets) + abused.Count(Drop::kNoEthHeader), abused.Count(Counter::kRxPackets));
    // A bare frame with a good check does not come about by chance, so nothing is looked up in vain.
    for (const Drop reason : {Drop::kFcs, Drop::kShort, Drop::kHeader, Drop::kBroken, Drop::kHopLimit}) {
      EXPECT_GT(abused.Count(reason), 0u) << ToString(reason);
    }
    EXPECT_GT(abused.Count(Counter::kRxStray), 0u);
    EXPECT_GT(abused.Count(Counter::kBadCredit), 0u);
    std::size_t pairs = 0;
    for (int distance = 0; distance < profile.ports; distance += probe_step, pairs += static_cast<std::size_t>(profile.ports)) {
      abused.Probe(distance);
    }
    ASSERT_TRUE(abused.Drain()) << "good packets are stuck";
    abused.CompareCounters();
    EXPECT_EQ(abused.passed().size(), pairs);
  } catch (const DivergenceError& error) {
    std::string history;
    for (const std::string& line : error.divergence().history) history += "\n  " + line;
    FAIL() << error.what() << history;
  }
  EXPECT_GT(abused.compared_busy(), cycles / 4);
}

TEST(RandomWordsOn8Ports, NeverHangTheSwitch) {
  const bench::Tier tier = bench::TierFromEnvironment();
  ExpectSurvives(kTile8, tier == bench::Tier::kFull ? 1000000 : tier == bench::Tier::kCi ? 20000 : 10000, 1);
}

TEST(RandomWordsOn64Ports, NeverHangTheSwitch) {
  const bench::Tier tier = bench::TierFromEnvironment();
  const bool full = tier == bench::Tier::kFull;
  ExpectSurvives(kRosetta64, full ? 1000000 : tier == bench::Tier::kCi ? 4000 : 1500, full ? 1 : 13);
}

}  // namespace
}  // namespace tilefly::cosim
