// SPDX-License-Identifier: Apache-2.0
#include "testbenches/lockstep/isolation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "qos/wait.h"
#include "runs/switch/switch_run.h"
#include "support/random.h"
#include "testbenches/bench/settings.h"

namespace tilefly::cosim {
namespace {

constexpr int kInputs = 8;  ///< that send to a hot output

/// What an input sends; cells are even, so that a cell is a word and a half.
struct Flow {
  const qos::TrafficClass* sends = nullptr;
  int output = 0;
  std::vector<int> cells;
  double load = 0;  ///< share of the link
};

/// Packets of one size or another, each as long after the one before as makes the load; each input to one output.
class Flows final : public TrafficSource {
 public:
  Flows(const SwitchSetup& setup, std::vector<Flow> flows, std::uint32_t seed)
      : setup_(setup), flows_(std::move(flows)), arrivals_(flows_.size()), seed_(seed) {}

  void Begin(Cycle now) override {
    for (std::size_t port = 0; port < flows_.size(); ++port) Advance(port, static_cast<double>(now));
  }

  FramePtr NextFrame(int port, Cycle now, LaneMask held) override {
    Arrivals& arrivals = arrivals_[static_cast<std::size_t>(port)];
    const Flow& flow = flows_[static_cast<std::size_t>(port)];
    if (closed() || held != 0 || flow.sends == nullptr || arrivals.at > static_cast<double>(now)) return nullptr;
    FramePtr frame = Make(port, flow, arrivals.number);
    arrivals.slots += frame->slots();
    Advance(static_cast<std::size_t>(port), arrivals.at + frame->slots());
    return frame;
  }

  ClassSlots Offered(int port, Cycle) override {
    return {static_cast<std::int64_t>(arrivals_[static_cast<std::size_t>(port)].slots)};
  }
  bool Exhausted() const override { return false; }

 private:
  struct Arrivals {
    std::uint64_t number = 0;
    double at = 0;
    double slots = 0;
  };

  int CellsOf(const Flow& flow, int port, std::uint64_t number) const {
    return flow.cells[Below(Draw(seed_, static_cast<std::uint32_t>(port), number, Purpose::kSize), flow.cells.size())];
  }

  /// The next arrival after a packet that ends in `from`; the first one of an input comes at a time of its own.
  void Advance(std::size_t port, double from) {
    const Flow& flow = flows_[port];
    if (flow.sends == nullptr) return;
    Arrivals& arrivals = arrivals_[port];
    double words = 0;
    for (const int cells : flow.cells) words += 1.5 * cells / static_cast<double>(flow.cells.size());
    if (arrivals.number++ == 0)
      from += words / flow.load * Unit(Draw(seed_, static_cast<std::uint32_t>(port), 0, Purpose::kPhase));
    arrivals.at = from + words * (1 / flow.load - 1);
  }

  FramePtr Make(int port, const Flow& flow, std::uint64_t number) const {
    auto frame = std::make_shared<Frame>();
    frame->id = number * static_cast<std::uint64_t>(setup_.profile().ports) + static_cast<std::uint64_t>(port) + 1;
    frame->source = port;
    frame->enh = true;
    frame->bytes.resize(static_cast<std::size_t>(LargestFrame(CellsOf(flow, port, number))));
    Stream(seed_, static_cast<std::uint32_t>(port), number, Purpose::kPayload)
        .Fill(frame->bytes.data(), frame->bytes.size());
    Seal(&frame->bytes);
    Header& header = frame->header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(frame->bytes.size());
    header.tc = static_cast<std::uint8_t>(flow.sends->level);
    header.vl = static_cast<std::uint8_t>(flow.sends->lanes.front());
    header.src = setup_.PortAddress(port);
    header.dst = setup_.PortAddress(flow.output);
    return frame;
  }

  const SwitchSetup& setup_;
  std::vector<Flow> flows_;
  std::vector<Arrivals> arrivals_;
  std::uint32_t seed_;
};

/// The largest even number of cells that a class may send, and the smallest.
std::vector<int> Sizes(const qos::TrafficClass& one) { return {one.mtu & ~1, 2}; }

std::vector<Flow> FlowsOf(const Isolation& isolation, const qos::Table& table, bool with_others) {
  const int ports = isolation.profile->ports;
  const int hot_outputs = ports / kInputs;
  const double share = static_cast<double>(qos::Holdings(table)[static_cast<std::size_t>(isolation.victim)].weight) /
                       qos::TotalWeight(table);
  const auto hot = [&](int n) { return (9 * n + 2) % ports; };  // each in a column of its own
  std::vector<Flow> flows(static_cast<std::size_t>(ports));
  std::vector<const qos::TrafficClass*> others;
  for (const qos::TrafficClass& one : table.classes) {
    if (&one != &table.classes[static_cast<std::size_t>(isolation.victim)]) others.push_back(&one);
  }
  for (int port = 0; port < ports; ++port) {
    const int n = isolation.one_row ? port / kInputs : port % hot_outputs;
    const int place = ((isolation.one_row ? port % kInputs : port / hot_outputs) + kInputs - n) % kInputs;
    Flow& flow = flows[static_cast<std::size_t>(port)];
    if (place == 0) {
      const qos::TrafficClass& one = table.classes[static_cast<std::size_t>(isolation.victim)];
      flow = {&one, hot(n), {one.mtu & ~1}, isolation.load * share};
    } else if (with_others) {
      const qos::TrafficClass& one = *others[static_cast<std::size_t>(place) % others.size()];
      flow = {&one, hot(n), Sizes(one), 1};
    }
  }
  return flows;
}

/// docs/blocks/scheduler.md, Isolation.
void Bounds(const qos::Table& table, const Isolation& isolation, Isolated* found) {
  constexpr int kChannel = 25;  // cycles in which a channel that changes its owner brings nothing
  const Profile& profile = *isolation.profile;
  int largest = 0;
  for (const qos::TrafficClass& one : table.classes) largest = std::max(largest, one.mtu);
  const std::int64_t wait = qos::WaitCredits(table, isolation.victim).value();
  found->bound = (3 * (wait + profile.obuf_cells - profile.mtu_cells + largest) + 1) / 2;
  const int between = qos::Holdings(table)[static_cast<std::size_t>(isolation.victim)].gap - 1;
  found->idle = std::int64_t{between} * (kChannel + profile.class_hold) + wait;
}

}  // namespace

Isolated Isolate(const Isolation& isolation, const std::vector<std::string>& devices, Cycle cycles,
                 golden::SchedulerKind scheduler) {
  runs::RunOptions options;
  options.profile = isolation.profile;
  options.devices = devices;
  options.device.scheduler.kind = scheduler;
  options.kinds = runs::ParsePortKinds("fabric", isolation.profile->ports);
  options.classes.emplace(isolation.plan, *isolation.profile, options.lanes);
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  options.max_cycles = cycles;
  const qos::Table& table = options.classes->table();
  Isolated found;
  Bounds(table, isolation, &found);
  for (const bool with_others : {false, true}) {
    options.source = [&](const SwitchSetup& setup, std::uint32_t seed) {
      return std::make_unique<Flows>(setup, FlowsOf(isolation, table, with_others), seed);
    };
    runs::SwitchRun run(options);
    const runs::Outcome outcome = run.Run({});
    if (outcome.verdict != runs::Verdict::kPass) found.failure += outcome.message;
    const int level = table.classes[static_cast<std::size_t>(isolation.victim)].level;
    const LatencyHistogram& latency = run.scoreboard().class_statistics()[static_cast<std::size_t>(level)].latency;
    found.added = latency.Quantile(0.999) - found.added;
    found.victims = latency.count();
    found.full = run.accepted_load() * kInputs;
  }
  return found;
}

}  // namespace tilefly::cosim
