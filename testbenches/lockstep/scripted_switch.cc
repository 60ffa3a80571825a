// SPDX-License-Identifier: Apache-2.0
#include "testbenches/lockstep/scripted_switch.h"

#include <algorithm>
#include <cstring>

#include "cosim/device_factory.h"
#include "cosim/errors.h"
#include "support/random.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kTablesStand = 16;  // cycles after the last write
constexpr std::size_t kIdAt = 14;   // where a frame carries its number, so that no two are equal
constexpr std::uint64_t kSeed = 1;

}  // namespace

ScriptedSwitch::ScriptedSwitch(const Profile& profile, std::unique_ptr<Device> a, std::unique_ptr<Device> b)
    : setup_(profile, std::vector<PortKind>(static_cast<std::size_t>(profile.ports), PortKind::kFabric), 4),
      scoreboard_(setup_),
      lockstep_(std::move(a), std::move(b)) {
  const auto ports = static_cast<std::size_t>(profile.ports);
  inputs_.links.resize(ports);
  inputs_.link_up.assign(ports, true);
  waiting_.resize(ports);
  flows_.resize(ports);
  under_way_.resize(ports);
  last_.resize(ports);
  for (int port = 0; port < profile.ports; ++port) {
    endpoints_.push_back(std::make_unique<Endpoint>(setup_, port, StallOptions{}, kSeed, static_cast<FrameSource*>(this),
                                                    static_cast<FrameSink*>(this)));
  }
  for (const Cfg& write : setup_.Writes()) {
    inputs_.cfg = write;
    Step();
  }
  inputs_.cfg = Cfg{};
  Run(kTablesStand);
}

FramePtr ScriptedSwitch::Make(int input, int output, int length) {
  auto frame = std::make_shared<Frame>();
  sent_at_.push_back(-1);
  frame->id = sent_at_.size();
  frame->source = input;
  frame->enh = true;
  frame->header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  frame->header.len = static_cast<std::uint16_t>(length);
  frame->header.src = setup_.PortAddress(input);
  frame->header.dst = setup_.PortAddress(output);
  frame->bytes.resize(static_cast<std::size_t>(length));
  Stream(kSeed, static_cast<std::uint32_t>(input), frame->id, Purpose::kPayload).Fill(frame->bytes.data(), frame->bytes.size());
  std::memcpy(frame->bytes.data() + kIdAt, &frame->id, sizeof frame->id);
  Seal(&frame->bytes);
  ++under_way_[static_cast<std::size_t>(input)];
  return frame;
}

void ScriptedSwitch::Send(int input, int output, int length) {
  waiting_[static_cast<std::size_t>(input)].push_back(Make(input, output, length));
}

void ScriptedSwitch::Saturate(int input, int output, int length) { flows_[static_cast<std::size_t>(input)] = {output, length}; }

/// All frames are of lane 0.
FramePtr ScriptedSwitch::NextFrame(int port, Cycle, LaneMask held) {
  if (held != 0) return nullptr;
  auto& waiting = waiting_[static_cast<std::size_t>(port)];
  if (waiting.empty()) {
    const Flow& flow = flows_[static_cast<std::size_t>(port)];
    return flow.length > 0 ? Make(port, flow.output, flow.length) : nullptr;
  }
  FramePtr frame = std::move(waiting.front());
  waiting.pop_front();
  return frame;
}

void ScriptedSwitch::Sent(const FramePtr& frame, Cycle first, Cycle last) {
  sent_at_[frame->id - 1] = first;
  scoreboard_.Sent(frame, first, last);
}

void ScriptedSwitch::Received(const Reception& reception) {
  std::uint64_t id;
  std::memcpy(&id, reception.bytes.data() + kIdAt, sizeof id);
  scoreboard_.Received(reception);  // throws when it is none of ours
  const auto input = static_cast<std::size_t>(reception.header.src & 63);
  --under_way_[input];
  last_[input] = {reception.port, sent_at_[id - 1], reception.first};
}

void ScriptedSwitch::Step() {
  const Cycle now = lockstep_.cycle();
  lockstep_.Compare();
  const std::vector<Link>& outputs = lockstep_.Outputs();
  const Observation& observation = lockstep_.Observe();
  for (std::size_t port = 0; port < endpoints_.size(); ++port) {
    endpoints_[port]->Drive(now, &inputs_.links[port]);
    endpoints_[port]->Receive(now, outputs[port]);
    const Portobs& obs = observation.ports[port];
    if (obs.drop_valid) scoreboard_.Dropped(static_cast<int>(port), now - 1, static_cast<Drop>(obs.drop_reason));
  }
  if (watch_) watch_(now - 1, observation);
  lockstep_.Step(inputs_);
}

void ScriptedSwitch::Run(Cycle cycles) {
  for (Cycle end = cycle() + cycles; cycle() < end;) Step();
}

void ScriptedSwitch::Drain(Cycle limit) {
  std::fill(flows_.begin(), flows_.end(), Flow{});
  const Cycle end = cycle() + limit;
  const auto quiet = [&] {
    return std::all_of(endpoints_.begin(), endpoints_.end(), [&](const auto& endpoint) { return endpoint->Quiet(cycle()); }) &&
           std::all_of(under_way_.begin(), under_way_.end(), [](int packets) { return packets == 0; });
  };
  while (!quiet()) {
    if (cycle() >= end) throw CheckFailure(cycle(), -1, 0, "packets do not come out");
    Step();
  }
  Run(kTablesStand);
}

std::unique_ptr<ScriptedSwitch> MakeScripted(const Profile& profile, const std::string& a, const std::string& b) {
  return std::make_unique<ScriptedSwitch>(profile, MakeDevice(a, profile), b.empty() ? nullptr : MakeDevice(b, profile));
}

}  // namespace tilefly::cosim
