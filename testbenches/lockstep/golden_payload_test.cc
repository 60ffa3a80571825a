// SPDX-License-Identifier: Apache-2.0
// A packet's payload is optional in the golden model: a switch that hears of headers, lengths and ends only does the
// same in every cycle as the one inside the golden device, whose packets carry bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "cosim/golden_device.h"
#include "runs/switch/switch_run.h"
#include "testbenches/bench/settings.h"

namespace tilefly::cosim {
namespace {

/// What a network run knows of a packet that arrives.
struct Descriptor {
  bool enh = false;
  golden::BareFields fields{};
  int length = 0;  ///< of a bare frame
};

/// The golden device, and beside it a switch without payloads that must do the same. Made for good frames.
class WithAndWithoutPayload final : public Device {
 public:
  /// `wrong_class`: the twin is told another class for every packet with header.
  WithAndWithoutPayload(const Profile& profile, bool wrong_class)
      : wrong_class_(wrong_class), device_(profile), twin_(profile), packets_(static_cast<std::size_t>(profile.ports)) {
    twin_.Observe(&observed_);
  }

  const char* Name() const override { return "golden"; }
  int radix() const override { return device_.radix(); }
  const std::vector<Link>& Outputs() override { return device_.Outputs(); }
  const Observation& Observe() override { return device_.Observe(); }
  Cycle cycle() const override { return device_.cycle(); }
  /// Throws DeviceError when the two differ.
  std::uint64_t Counter(int port, int index) override {
    const std::uint64_t with = device_.Counter(port, index);
    Demand(with == twin_.ReadCounter(port, index), "counter", port);
    return with;
  }
  /// Throws DeviceError when the two differ.
  void Step(const Inputs& inputs) override {
    const Cycle now = cycle();
    for (int port = 0; port < radix(); ++port) Tell(port, now, inputs.links[static_cast<std::size_t>(port)]);
    twin_.Write(now, inputs.cfg);
    twin_.Step(now);
    device_.Step(inputs);
    CompareRecords();
    CompareOutput(device_.golden_switch().output(), twin_.output());
  }
  std::int64_t departures() const { return departures_; }

 private:
  void Demand(bool equal, const char* what, int port) const {
    if (!equal) throw DeviceError(fmt::format("with and without payload differ: {}, port {}", what, port));
  }

  void Tell(int port, Cycle now, const Link& link) {
    if (link.ctrl.credit_valid) twin_.Credit(port, now, link.ctrl.credit_vl, link.ctrl.credit_cells);
    const Word& word = link.word;
    if (!word.valid) return;
    Descriptor& packet = packets_[static_cast<std::size_t>(port)];
    if (word.sop) {
      packet = {word.enh, {}, 0};
      golden::Arrival arrival{word.enh, {}, 0};
      if (word.enh) {
        arrival.header = golden::HeaderBits(word.data.data());
        if (wrong_class_) arrival.header.set_tc(arrival.header.tc() ^ 1);
      } else {
        packet.fields = golden::BareFields::Parse(word.data.data());
      }
      twin_.Arrive(port, now, arrival);
    }
    packet.length += word.last + 1;
    if (word.eop) twin_.Finish(port, now, {Drop::kNone, packet.enh ? 0 : packet.length, packet.fields});
  }

  void CompareRecords() {
    const Observation& with = device_.Observe();
    for (std::size_t port = 0; port < with.ports.size(); ++port)
      Demand(with.ports[port] == observed_.ports[port], "observation record", static_cast<int>(port));
    for (std::size_t tile = 0; tile < with.turns.size(); ++tile)
      Demand(with.turns[tile] == observed_.turns[tile], "turn tile's record", static_cast<int>(2 * tile));
  }

  void CompareOutput(const golden::StepOutput& with, const golden::StepOutput& without) {
    Demand(with.links.packets.size() == without.links.packets.size(), "departures", -1);
    for (std::size_t i = 0; i < with.links.packets.size(); ++i) {
      const golden::Departure& a = with.links.packets[i];
      const golden::Departure& b = without.links.packets[i];
      Demand(a.port == b.port && a.take == b.take && a.length == b.length && a.serdes_lanes == b.serdes_lanes && a.eth == b.eth &&
                 a.format.words == b.format.words && a.format.conversion == b.format.conversion &&
                 a.last_copy == b.last_copy && a.cut_through == b.cut_through && a.header.Unpack() == b.header.Unpack(),
             "departure", a.port);
      ++departures_;
    }
    Demand(with.links.pauses.size() == without.links.pauses.size(), "PAUSE frames", -1);
    for (std::size_t i = 0; i < with.links.pauses.size(); ++i) {
      const golden::PauseFrame& a = with.links.pauses[i];
      const golden::PauseFrame& b = without.links.pauses[i];
      Demand(a.port == b.port && a.take == b.take && a.quanta == b.quanta, "PAUSE frame", a.port);
    }
    Demand(with.credits.size() == without.credits.size(), "credits", -1);
    for (std::size_t i = 0; i < with.credits.size(); ++i) {
      const golden::CreditReturn& a = with.credits[i];
      const golden::CreditReturn& b = without.credits[i];
      Demand(a.port == b.port && a.wire == b.wire && a.vl == b.vl && a.cells == b.cells, "credit", a.port);
    }
    Demand(with.drops.size() == without.drops.size(), "drops", -1);
    for (std::size_t i = 0; i < with.drops.size(); ++i)
      Demand(with.drops[i].port == without.drops[i].port && with.drops[i].reason == without.drops[i].reason, "drop",
             with.drops[i].port);
  }

  const bool wrong_class_;
  GoldenDevice device_;
  golden::Switch twin_;
  golden::SwitchObservation observed_;
  std::vector<Descriptor> packets_;  ///< by port, the one that arrives
  std::int64_t departures_ = 0;
};

runs::RunOptions OptionsFor(const Profile& profile, const std::string& ports) {
  runs::RunOptions options;
  options.profile = &profile;
  options.kinds = runs::ParsePortKinds(ports, profile.ports);
  options.generator.load = 0.8;
  options.generator.size = "64,300,1500,4224";
  options.generator.replicated = 0.05;
  options.stalls.share = 0.2;
  options.stalls.pause = false;  // a PAUSE frame's bytes are the MAC's to read
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  options.max_cycles = 6000;
  return options;
}

class Payload : public ::testing::TestWithParam<std::string> {};

TEST_P(Payload, ChangesNothingButTheBytes) {
  for (const Profile& profile : {kTile8, kRosetta64}) {
    SCOPED_TRACE(profile.name);
    auto device = std::make_unique<WithAndWithoutPayload>(profile, false);
    const WithAndWithoutPayload& both = *device;
    runs::SwitchRun run(OptionsFor(profile, GetParam()), std::move(device), nullptr);
    const runs::Outcome outcome = run.Run({});
    EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
    EXPECT_EQ(both.departures(), run.scoreboard().books().copies);
    EXPECT_GT(both.departures(), 50 * profile.ports);
    for (int port = 0; port < profile.ports; ++port) {
      for (const Drop reason : kDropValues) run.lockstep().a().Counter(port, static_cast<int>(reason));
      for (const Counter counter : kCounterValues) run.lockstep().a().Counter(port, static_cast<int>(counter));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ports, Payload, ::testing::Values("fabric", "enhanced", "standard", "mixed"),
                         [](const auto& info) { return info.param; });

TEST(PayloadTwin, ADifferenceBetweenTheTwoIsNoticed) {
  runs::SwitchRun run(OptionsFor(kTile8, "enhanced"), std::make_unique<WithAndWithoutPayload>(kTile8, true), nullptr);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kFail);
  EXPECT_NE(outcome.message.find("with and without payload differ"), std::string::npos) << outcome.message;
}

}  // namespace
}  // namespace tilefly::cosim
