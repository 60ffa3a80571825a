// SPDX-License-Identifier: Apache-2.0
// What a run of a switch is made of: its ports, its source of frames, its links and when they come up.
#include <fmt/format.h>

#include <algorithm>

#include "golden/routing/down_ports.h"
#include "runs/switch/plan_check.h"
#include "runs/switch/switch_run.h"
#include "support/text.h"

namespace tilefly::runs {

std::vector<cosim::PortKind> ParsePortKinds(const std::string& text, int ports) {
  std::vector<cosim::PortKind> kinds;
  constexpr cosim::PortKind kAll[] = {cosim::PortKind::kFabric, cosim::PortKind::kEnhanced, cosim::PortKind::kStandard};
  for (int port = 0; port < ports; ++port) {
    if (text == "mixed") {
      kinds.push_back(kAll[port % 3]);
      continue;
    }
    const auto* const known =
        std::find_if(std::begin(kAll), std::end(kAll), [&](cosim::PortKind kind) { return text == ToString(kind); });
    if (known == std::end(kAll)) ThrowUnknown("--ports", text, {"fabric", "enhanced", "standard", "mixed"});
    kinds.push_back(*known);
  }
  return kinds;
}

void SwitchRun::SetRetry() {
  if (options_.retry == 0) return;
  setup_.SetRetry(options_.retry, options_.seed);
  if (options_.plan) setup_.SetRetryRegisters(options_.plan->retry, options_.plan->lanes);
  takes_back_ = setup_.retry_ports() != 0 && setup_.retry_register().down != faults::kBlock;
  for (cosim::Device* const device : {&lockstep_.a(), lockstep_.b()}) {
    if (device != nullptr && device->wire_version() < 2)
      throw UsageError(fmt::format("--retry: {} has wires of version 1, which have no tags; give another device, or leave it out",
                                   device->Name()));
  }
}

void SwitchRun::SetFlows() {
  if (options_.flow_channels == 0) return;
  setup_.SetFlows(options_.flow_channels, options_.seed);
  for (cosim::Device* const device : {&lockstep_.a(), lockstep_.b()}) {
    if (device != nullptr && device->wire_version() < 2)
      throw UsageError(fmt::format("--flow-channels: {} has wires of version 1, whose acks have no shares; give another device, or "
                                   "leave it out",
                                   device->Name()));
  }
}

void SwitchRun::MakeOutages() {
  if (setup_.retry_ports() != 0 && options_.generator.routed > 0 && takes_back_)
    throw UsageError(
        "--outages: the switch sends frames of a link with retry that goes down another way, and the books of --routed do not "
        "know which; leave one of --outages, --routed and --retry out");
  // A link with retry loses the packets in its replay buffers, which the peers of reductions do not know.
  const std::uint64_t ports = reductions_ ? reductions_->AccompaniedPorts() & ~setup_.retry_ports() : setup_.all_ports();
  if (ports == 0)
    throw UsageError(
        options_.retry > 0
            ? "--outages: each port of a reduction tree has retry, and a link with retry would lose packets of reductions; "
              "leave it out, or give a smaller --retry"
            : "--outages: each tree of this seed has a port alone; use another seed or more --reductions");
  outages_ = std::make_unique<cosim::LinkOutages>(options_.outages, ports, options_.seed);
}

/// The registers are written first. Links with retry come up behind them, and traffic waits until their ends know each
/// other's buffers and all inputs see the ports up: so many epochs of the load ring later than without retry that no
/// output sees the difference.
void SwitchRun::SetBegin() {
  std::vector<Cfg> writes = setup_.Writes();
  if (reductions_) {
    const std::vector<Cfg> trees = reductions_->Writes();
    writes.insert(writes.end(), trees.begin(), trees.end());
  }
  register_bus_.assign(writes.begin(), writes.end());
  const Profile& profile = *options_.profile;
  const Cycle up = lockstep_.cycle() + static_cast<Cycle>(writes.size()) + kRegisterLatency;
  begin_ = up;
  if (setup_.retry_ports() != 0) {
    const auto more_writes = static_cast<Cycle>(setup_.RetryWrites().size());
    const Cycle epoch = profile.load_epoch_cycles;
    const Cycle known = std::max<Cycle>(options_.link_delay + profile.vls + 11, golden::LinkUpToTrigger(epoch));
    const Cycle later = more_writes + known;
    begin_ = up - more_writes + (later + epoch - 1) / epoch * epoch;
  }
  link_ = {options_.link_delay, up, begin_, nullptr, &fault_log_};
}

void SwitchRun::MakeEndpoints() {
  if (options_.plan) {
    CheckPlan(*options_.plan, setup_, {options_.lanes, options_.outages.every > 0, reductions_ != nullptr, options_.generator.routed > 0,
                                   options_.everything, lockstep_.observed() != nullptr});
    planned_writes_ = WritesOf(*options_.plan);
    faults_ = {*options_.plan, options_.seed, &fault_log_};
    link_.faults = &faults_;
  }
  cosim::FrameSource* const source = reductions_ ? static_cast<cosim::FrameSource*>(reductions_.get()) : source_.get();
  const auto ports = static_cast<std::size_t>(options_.profile->ports);
  for (int port = 0; port < options_.profile->ports; ++port) {
    endpoints_.push_back(std::make_unique<cosim::Endpoint>(setup_, port, options_.stalls, options_.seed, source,
                                                           static_cast<FrameSink*>(this), options_.class_queues, link_));
  }
  inputs_.links.resize(ports);
  inputs_.link_up.assign(ports, true);
  for (std::size_t port = 0; port < ports; ++port) inputs_.link_up[port] = endpoints_[port]->retry() == nullptr;
}

void SwitchRun::MakeSource() {
  if (!options_.eth_header) setup_.OmitEthHeader();
  if (options_.rules_open) setup_.LeaveRulesOpen();
  if (options_.classes) setup_.SetClasses(*options_.classes);
  if (options_.acks > 0) setup_.SetAcks(options_.acks, options_.seed);
  SetFlows();
  if (!options_.capture.used()) {
    setup_.SetFloods(0, setup_.all_ports(), setup_.all_ports());
    if (options_.generator.routed > 0) {
      std::uint64_t ways = 0;
      for (int port = 0; port < options_.profile->ports; ++port) {
        if (setup_.kind(port) != cosim::PortKind::kStandard) ways |= std::uint64_t{1} << port;
      }
      if (ways == 0) throw UsageError("--routed: other switches are behind fabric or enhanced ports; give such a kind by --ports");
      setup_.SetRoutes(cosim::Routes::Example(ways, setup_.PortAddress(0) >> 6, options_.seed));
    }
    source_ = options_.source ? options_.source(setup_, options_.seed)
                              : std::make_unique<cosim::Generator>(setup_, options_.generator, options_.seed);
    if (options_.max_cycles <= 0)
      throw UsageError("--max-cycles: synthetic traffic never ends, give the cycles it is to last");
    return;
  }
  if (std::any_of(options_.kinds.begin(), options_.kinds.end(),
                  [](cosim::PortKind kind) { return kind != cosim::PortKind::kStandard; })) {
    throw UsageError("--ports: the frames of a capture come in by standard ports; use --ports standard");
  }
  cosim::Capture capture =
      cosim::ReadCapture(options_.capture.file, options_.profile->min_std_bytes, options_.profile->mtu_bytes);
  const cosim::PortPlacement placement = PlaceAtPorts(capture, options_.capture.ports_by, options_.profile->ports);
  ConfigureHosts(placement, &setup_);
  capture.notice = PaceNotice(capture, options_.capture, options_.profile->clock_khz);
  capture_ = capture.Summary();
  source_ = std::make_unique<cosim::CaptureSource>(setup_, std::move(capture), placement, options_.capture.pace,
                                            options_.capture.repeat);
}

/// Which frame is lost without a fault of its own, and by which port one of several equal ones came in, the observation
/// record alone tells, and of some drops of a cycle the counters.
void SwitchRun::RequireWhatTellsFrames() const {
  if (lockstep_.observed() != nullptr && lockstep_.counting() != nullptr) return;
  const std::string device = lockstep_.a().Name();
  const auto refuse = [&](const std::string& what, const char* why) {
    throw UsageError(fmt::format("{}: {}, and {} shows no observation record or no counters to tell them; give --devices "
                                 "{},golden, or leave it out",
                                 what, why, device, options_.devices.empty() ? device : options_.devices.front()));
  };
  if (lockstep_.observed() == nullptr && options_.capture.used() && options_.capture.ports_by != cosim::PortsBy::kMac)
    refuse("--ports-by", "equal frames may come in by several ports");
  if (options_.stalls.ignore_pause) refuse("--ignore-pause", "input buffers that overflow drop any frame");
  for (int tc = 0; options_.classes && tc < options_.profile->classes; ++tc) {
    if (options_.classes->Has(tc) && options_.classes->Of(tc).lossy)
      refuse(options_.classes->file(), "a lossy class may drop any frame");
  }
}

}  // namespace tilefly::runs
