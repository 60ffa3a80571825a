// SPDX-License-Identifier: Apache-2.0
// Links with retry between transaction-level switches, against golden in a system whose link has the same errors: the
// packets that golden's NICs send go into both (docs/systemc.md, Links with retry, Contract).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/errors.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/fabric/protocol_checker.h"
#include "systemc/link/retry_link.h"
#include "systemc/switch/no_partner.h"
#include "systemc/switch/switch.h"
#include "systemc/system/system_registers.h"
#include "testbenches/network/repeating_run.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/simulation.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

using ::testing::HasSubstr;

constexpr int kNics = 4;  ///< of each switch, at its first ports
constexpr int kPort = 4;  ///< of the link, at both switches

/// Two switches and one link between them.
topology::Topology Pair(const std::string& cable) {
  return topology::Build("dragonfly:p=4,a=1,h=1,global_cable=" + cable);
}

struct Errors {
  double ber;
  double load;
  const char* cable;
};

/// A packet from a NIC: its first word at the switch, and on the link to the NIC that gets it, by golden.
struct Sent {
  int node;
  int port;
  Cycle first;
  golden::HeaderBits header;
  Cycle delivered = -1;
};

/// What golden's NICs send and get.
class Trace final : public network::NodeProbe {
 public:
  explicit Trace(const network::Wiring& wiring) : wiring_(wiring) {}
  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const network::LinkCredit&) override {}
  bool NeedsSteps() const override { return false; }
  void Carries(const network::LinkEvent& event) override {
    if (event.kind != network::LinkKind::kPacket || event.port >= kNics) return;
    if (event.record.operation == network::PacketRecord::kBrokenOff) return;
    if (event.from_nic) {
      const Cycle first = event.wire + wiring_.far(event.node, event.port).delay;
      places_[{event.record.source, event.wire}] = packets.size();
      packets.push_back({event.node, event.port, first, event.header});
    } else {
      packets.at(places_.at({event.record.source, event.record.sent})).delivered = event.wire;
    }
  }

  std::vector<Sent> packets;

 private:
  const network::Wiring& wiring_;
  std::map<std::pair<int, Cycle>, std::size_t> places_;
};

network::NetworkOptions OptionsOf(const Errors& errors) {
  network::NetworkOptions options = network::Sized("uniform", errors.load, "64,512,4096", false);
  options.routing = network::RoutingOptions::Named("min");
  options.cycles = bench::TierFromEnvironment() == bench::Tier::kFull ? 200'000 : 20'000;
  options.warmup = 1000;
  options.seed = 1;
  options.retry = true;
  faults::Plan plan;
  plan.links.resize(1);
  plan.links[0].link = {faults::LinkName::End::kSwitchPort, 0, kPort};
  plan.links[0].rates.word_ber = errors.ber;
  options.fault_plan = std::make_shared<const faults::Plan>(plan);
  return options;
}

/// A NIC that sends what golden's has sent, when it did, and takes what comes as golden's does.
class TraceNic final : public TimedModule {
 public:
  TraceNic(sc_core::sc_module_name name, Cycle delay, fabric::PacketPool* pool, std::vector<Cycle>* delivered)
      : TimedModule(name), delay_(delay), pool_(pool), delivered_(delivered) {
    in.register_nb_transport_fw(this, &TraceNic::Receive);
    out.register_nb_transport_bw(this, &TraceNic::Hear);
  }

  tlm_utils::simple_initiator_socket<TraceNic, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<TraceNic, 32, fabric::Types> in{"in"};

  void Send(std::size_t place, const Sent& packet) {
    sent_.Enter(packet.first, {place, packet.header});
    Wake(packet.first);
  }
  int twice = 0;  ///< packets that came before

 private:
  struct Due {
    std::size_t place;
    golden::HeaderBits header;
  };

  void Step(Cycle now) override {
    sent_.Drain(now, [&](const Due& due) {
      fabric::Packet& packet = pool_->Make();
      packet.number = due.place;
      packet.header = due.header;
      packet.length = due.header.length();
      tlm::tlm_phase phase = fabric::BEGIN_PACKET;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      out->nb_transport_fw(packet, phase, delay);
      packet.release();
    });
  }
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
    const Cycle wire = fabric::CycleOfCall(delay);
    if (!packet.broken_off) {
      Cycle& delivered = delivered_->at(packet.number);
      twice += delivered >= 0;
      delivered = wire;
    }
    tlm::tlm_phase phase = fabric::END_PACKET;
    sc_core::sc_time back = delay + fabric::TimeOf(packet.Duration(kLanes) + 1 + 2 * delay_);
    in->nb_transport_bw(packet, phase, back);
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum Hear(fabric::Packet&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; }

  const Cycle delay_;
  fabric::PacketPool* pool_;
  std::vector<Cycle>* delivered_;
  golden::Agenda<Due> sent_;
};

/// Two switches of transaction models with the links and the NICs of the pair, a checker at both ends of each link.
class ModelPair {
 public:
  ModelPair(const topology::Topology& pair, const network::Wiring& wiring, const std::vector<Sent>& packets, double ber) {
    delivered.assign(packets.size(), -1);
    const SystemRegisters writes(pair, kTile8, wiring, network::RoutingOptions::Named("min"), 0, kLanes, 1, true);
    for (int node = 0; node < 2; ++node)
      switches.push_back(std::make_unique<Switch>(("switch" + std::to_string(node)).c_str(), kTile8));
    for (int node = 0; node < 2; ++node) {
      for (const Cfg& write : writes.Writes(node)) switches[node]->Write(write);
      for (int port = 0; port < kTile8.ports; ++port) AddPort(wiring, node, port, ber);
    }
    for (std::size_t i = 0; i < packets.size(); ++i)
      nics[static_cast<std::size_t>(packets[i].node * kNics + packets[i].port)]->Send(i, packets[i]);
  }

  fabric::PacketPool pool;
  std::vector<std::unique_ptr<Switch>> switches;
  std::vector<std::unique_ptr<TraceNic>> nics;
  std::vector<std::unique_ptr<RetryLink>> links;
  std::vector<std::unique_ptr<fabric::ProtocolChecker>> checkers;
  std::vector<std::unique_ptr<NoPartner>> no_partners;
  std::vector<Cycle> delivered;

 private:
  void AddPort(const network::Wiring& wiring, int node, int port, double ber) {
    Switch& own = *switches[static_cast<std::size_t>(node)];
    const network::FarEnd& far = wiring.far(node, port);
    const std::string name = "s" + std::to_string(node) + "p" + std::to_string(port);
    if (port < kNics) {
      nics.push_back(std::make_unique<TraceNic>((name + "_nic").c_str(), far.delay, &pool, &delivered));
      own.out(port).bind(nics.back()->in);
      nics.back()->out.bind(own.in(port));
    } else if (port == kPort) {
      RetryLinkOptions options;
      options.delay = far.delay;
      options.word_ber = ber;
      options.direction = golden::kMaxPorts * node + port;
      links.push_back(std::make_unique<RetryLink>((name + "_link").c_str(), kTile8, options));
      links.back()->set_user(own.Repeat(port, links.back().get()));
      fabric::ProtocolChecker::Options checks;
      checks.lanes = kLanes;
      checks.credit = RetryLink::AnyCredit();
      checkers.push_back(std::make_unique<fabric::ProtocolChecker>((name + "_checker").c_str(), checks));
      own.out(port).bind(checkers.back()->in);
      checkers.back()->out.bind(links.back()->in);
      checkers.push_back(std::make_unique<fabric::ProtocolChecker>((name + "_end_checker").c_str(), checks));
      links.back()->out.bind(checkers.back()->in);
      checkers.back()->out.bind(switches[static_cast<std::size_t>(far.node)]->in(far.port));
    } else {
      no_partners.push_back(std::make_unique<NoPartner>((name + "_none").c_str()));
      own.out(port).bind(no_partners.back()->in);
      no_partners.back()->out.bind(own.in(port));
    }
  }
};

struct Latencies {
  double mean;
  double p99;
};
Latencies Of(std::vector<Cycle> latencies) {
  std::sort(latencies.begin(), latencies.end());
  double sum = 0;
  for (const Cycle one : latencies) sum += static_cast<double>(one);
  return {sum / static_cast<double>(latencies.size()), static_cast<double>(latencies[latencies.size() * 99 / 100])};
}

/// Runs golden with `errors`, and the models with a bit error rate of `model_ber`. Returns the bound that is broken;
/// empty: none.
std::string BrokenBound(const Errors& errors, double model_ber) {
  const topology::Topology pair = Pair(errors.cable);
  network::Network golden(pair, OptionsOf(errors));
  Trace trace(golden.wiring());
  golden.set_probe(&trace);
  EXPECT_EQ(golden.Run(), network::Ending::kDrained);
  const network::RetryCounts& expected = golden.statistics().retry;
  EXPECT_GT(trace.packets.size(), 300u);

  ModelPair models(pair, golden.wiring(), trace.packets, model_ber);
  sc_core::sc_start();
  network::RetryCounts counts[2] = {models.links[0]->counts(), models.links[1]->counts()};
  for (const auto& nic : models.nics) EXPECT_EQ(nic->twice, 0) << nic->name();
  for (const auto& checker : models.checkers) {
    checker->Finish();
    EXPECT_TRUE(checker->violations().empty()) << checker->name();
  }
  EXPECT_EQ(models.pool.held(), 0u);
  for (const auto& one : models.switches) EXPECT_TRUE(one->Drained()) << one->name();

  std::vector<Cycle> by_golden, by_models;
  std::size_t same = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> latest;
  for (std::size_t i = 0; i < trace.packets.size(); ++i) {
    const Sent& packet = trace.packets[i];
    if (models.delivered[i] < 0 || packet.delivered < 0) return "a packet is missing";
    Cycle& before = latest[{packet.header.source(), packet.header.destination()}];
    if (models.delivered[i] <= before) return "order";
    before = models.delivered[i];
    by_golden.push_back(packet.delivered - packet.first);
    by_models.push_back(models.delivered[i] - packet.first);
    same += models.delivered[i] == packet.delivered;
  }
  const Latencies golden_latency = Of(by_golden), model_latency = Of(by_models);
  const Bounds bounds;
  const double mean = model_latency.mean / golden_latency.mean - 1, p99 = model_latency.p99 / golden_latency.p99 - 1;
  std::printf("    BER %g, load %g, %s: %zu packets, mean %.2f %.2f (%+.2f %%), p99 %.0f %.0f (%+.2f %%), same cycle %.4f; "
              "golden %lld bad words, %lld replays, %lld broken off; models %lld, %lld, %lld\n",
              errors.ber, errors.load, errors.cable, by_golden.size(), golden_latency.mean, model_latency.mean, 100 * mean,
              golden_latency.p99, model_latency.p99, 100 * p99,
              static_cast<double>(same) / static_cast<double>(by_golden.size()), static_cast<long long>(expected.bad_words),
              static_cast<long long>(expected.replays), static_cast<long long>(expected.broken_copies),
              static_cast<long long>(counts[0].bad_words + counts[1].bad_words),
              static_cast<long long>(counts[0].replays + counts[1].replays),
              static_cast<long long>(counts[0].broken_copies + counts[1].broken_copies));
  if (model_ber > 0) {
    EXPECT_GT(counts[0].replays + counts[1].replays, 0);
    const auto broken_off = static_cast<std::uint64_t>(counts[0].broken_copies + counts[1].broken_copies);
    std::uint64_t damaged = 0;
    for (const auto& one : models.switches) damaged += one->ReadCounter(kPort, static_cast<int>(Counter::kRxDamaged));
    EXPECT_EQ(damaged, broken_off);
  }
  if (std::abs(mean) > bounds.mean) return "mean";
  return std::abs(p99) > bounds.p99 ? "p99" : "";
}

/// Below saturation, for the NICs send when golden's credits let them.
TEST(RetryLinks, KeepTheContractAtEveryBitErrorRate) {
  for (const Errors& errors : {Errors{1e-6, 0.3, "2.6m"}, Errors{3e-6, 0.3, "2.6m"}, Errors{1e-5, 0.1, "2.6m"},
                               Errors{1e-5, 0.12, "2.6m"}, Errors{1e-6, 0.3, "100m"}, Errors{1e-5, 0.1, "100m"}})
    InChild([&] { EXPECT_EQ(BrokenBound(errors, errors.ber), "") << errors.ber << " " << errors.load; });
}

/// The errors are what the comparison sees: without them the models are far too early.
TEST(RetryLinks, WithoutTheErrorsTheContractIsBroken) {
  InChild([] { EXPECT_EQ(BrokenBound({1e-5, 0.1, "2.6m"}, 0), "mean"); });
}

TEST(RetryLinks, RefuseWhatNoLinkHas) {
  const auto refusal = [](const RetryLinkOptions& options) -> std::string {
    try {
      RetryLink link("link", kTile8, options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  InChild([&] {
    RetryLinkOptions options;
    options.delay = 0;
    EXPECT_THAT(refusal(options), HasSubstr("delay 0: a link with retry has a cable of 1 to 626 cycles"));
    options.delay = 627;
    EXPECT_THAT(refusal(options), HasSubstr("delay 627"));
    options.delay = 626;
    options.word_ber = 1e-2;
    EXPECT_THAT(refusal(options), HasSubstr("word_ber 0.01: a bit error rate is 0, or 1e-15 to 1e-3"));
    options.word_ber = -1;
    EXPECT_THAT(refusal(options), HasSubstr("word_ber -1"));
  });
}

}  // namespace
}  // namespace tilefly::systemc
