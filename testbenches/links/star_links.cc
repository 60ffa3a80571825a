// SPDX-License-Identifier: Apache-2.0
#include "testbenches/links/star_links.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "cosim/errors.h"
#include "testbenches/bench/settings.h"

namespace tilefly::bench {
namespace {

PortMode ModeOf(const PortSetup& setup) {
  PortMode mode;
  mode.enable = mode.credits = true;
  mode.cut_through = setup.cut_through;
  mode.std_format = false;
  mode.retry = setup.retry;
  mode.pclass = 1;
  mode.lanes = static_cast<std::uint8_t>(setup.lanes);
  return mode;
}

Cfg WritePort(int port, PortReg reg, std::uint64_t data) {
  return golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(reg), data);
}

/// All registers have been written, and links have come up.
constexpr Cycle kHostsBegin = 700;

/// The timer of `setup`, or else a little more than a round trip with an MTU in each direction.
int TimerOf(const PortSetup& setup) {
  if (setup.timer > 0) return setup.timer;
  return 2 * setup.delay + 2 * golden::WordOffset(setup.profile.mtu_words_enh, setup.lanes) + 40;
}

template <typename Work>
void FailByDifference(const Cycle& cycle, Work&& work) {
  try {
    work();
  } catch (const cosim::DivergenceError& error) {
    std::string history;
    for (const std::string& line : error.divergence().history) history += "\n  " + line;
    FAIL() << "DIVERGENCE in cycle " << cycle << ": " << error.what() << history;
  } catch (const cosim::DeviceError& error) {
    FAIL() << "DIVERGENCE in cycle " << cycle << ": an assertion of the RTL failed, or golden's check: " << error.what();
  }
}

}  // namespace

StarLinks::StarLinks(const std::vector<PortSetup>& setups, const Stimulus& random, std::unique_ptr<cosim::Device> beside,
                     golden::PortMask apart)
    : profile_(setups.front().profile), apart_(apart), compares_(beside != nullptr && ComparesFromEnvironment()), ends_(setups.size()) {
  for (std::size_t at = 0; at < switches_.size(); ++at) {
    auto golden = std::make_unique<cosim::GoldenDevice>(profile_);
    golden_[at] = golden.get();
    switches_[at] = std::make_unique<cosim::Lockstep>(std::move(golden), at == kMiddle ? std::move(beside) : nullptr);
    inputs_[at].links.resize(static_cast<std::size_t>(profile_.ports));
    inputs_[at].link_up.assign(static_cast<std::size_t>(profile_.ports), true);
  }
  links_.reserve(setups.size());
  for (const PortSetup& setup : setups) links_.emplace_back(setup, random, static_cast<std::uint32_t>(links_.size()));
  hosts_.reserve(setups.size());
  for (int number = 0; number < profile_.ports; ++number) {
    HostSetup host{profile_};
    host.address = AddressOfHost(number);
    for (int peer = 0; peer < profile_.ports; ++peer) {
      if (OuterOf(peer) != OuterOf(number)) host.peers.push_back(AddressOfHost(peer));
    }
    host.longest = setups.front().longest;
    host.classes = setups.front().classes;
    hosts_.emplace_back(host, random, static_cast<std::uint32_t>(number), &books);
  }
  SetUp();
}

std::uint32_t StarLinks::AddressOfHost(int number) const { return Address(OuterOf(number), half() + PortThere(number)); }

void StarLinks::SetUp() {
  PortMode host = ModeOf(links_.front().setup());
  host.retry = false;
  host.pclass = 0;
  host.lanes = 4;
  host.acks = host.cut_through = true;
  for (int port = 0; port < profile_.ports; ++port) SetUpLink(port);
  std::array<golden::PortMask, 2> outer{};  // ports of the middle that lead to each outer switch
  for (int port = 0; port < profile_.ports; ++port) {
    if (!Apart(port)) outer[OuterOf(port)] |= golden::Bit(port);
  }
  for (std::size_t at = 0; at < switches_.size(); ++at) {
    std::deque<Cfg>& writes = writes_[at];
    const auto route = [&](std::size_t to, golden::PortMask ports) {
      writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kRouteSwitch, static_cast<int>(to), ports));
    };
    writes.push_back(
        golden::WriteRegister(golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), at));
    if (at == kMiddle) {
      for (std::size_t to = 0; to < 2; ++to) route(to, outer[to]);
      continue;
    }
    const golden::PortMask inner = at == 0 ? outer[0] : outer[1] >> half();
    route(1 - at, inner);
    route(kMiddle, inner);
    for (int port = half(); port < profile_.ports; ++port) writes.push_back(WritePort(port, PortReg::kMode, host.ToBits()));
  }
}

void StarLinks::SetUpLink(int port) {
  const PortSetup& setup = links_[static_cast<std::size_t>(port)].setup();
  PortRetry retry;
  retry.timer = static_cast<std::uint16_t>(TimerOf(setup));
  retry.limit = static_cast<std::uint8_t>(setup.limit);
  retry.down = static_cast<std::uint8_t>(setup.down);
  retry.watchdog = static_cast<std::uint16_t>(setup.watchdog);
  const auto write = [&](std::size_t at, int there) {
    writes_[at].push_back(WritePort(there, PortReg::kMode, ModeOf(setup).ToBits()));
    writes_[at].push_back(WritePort(there, PortReg::kRetry, retry.ToBits()));
    writes_[at].push_back(WritePort(there, PortReg::kLanes, setup.serdes.ToBits()));
  };
  write(kMiddle, port);
  if (!Apart(port)) write(OuterOf(port), PortThere(port));
}

void StarLinks::Raise() {
  for (FailingLink& link : links_) link.decides.Raise();
}

void StarLinks::Stop() {
  for (PacketHost& host : hosts_) host.Stop();
}

void StarLinks::WriteMode(int port) {
  const Cfg there = WritePort(PortThere(port), PortReg::kMode, ModeOf(link(port).setup()).ToBits());
  Cfg here = there;
  here.port = static_cast<std::uint8_t>(port);
  writes_[kMiddle].push_back(here);
  if (!Apart(port)) writes_[OuterOf(port)].push_back(there);
}

FailingLink::Shown StarLinks::ShownBy(std::size_t at, int port) {
  const auto place = static_cast<std::size_t>(port);
  return {switches_[at]->Outputs()[place], seen_[at]->ports[place].pace,
          (switches_[at]->LinkFails() >> port & 1) != 0};
}

void StarLinks::StepLink(int port) {
  const auto here = static_cast<std::size_t>(port);
  cosim::Device::Inputs& inputs = inputs_[kMiddle];
  FailingLink& link = links_[here];
  if (FarEnd* const end = ends_[here]) {
    inputs.link_up[here] = link.decides.up(0, cycle);
    const FailingLink::Shown shown = ShownBy(kMiddle, port);
    if (shown.fails) link.decides.Fails(0, cycle);
    end->Step(cycle, inputs.link_up[here], shown.link, &inputs.links[here]);
    return;
  }
  const std::size_t outer = OuterOf(port);
  const auto there = static_cast<std::size_t>(PortThere(port));
  const std::array<bool, 2> up = link.Step(cycle, {ShownBy(kMiddle, port), ShownBy(outer, PortThere(port))},
                                           {&inputs.links[here], &inputs_[outer].links[there]});
  inputs.link_up[here] = up[0];
  inputs_[outer].link_up[there] = up[1];
}

void StarLinks::StepSwitch(std::size_t at) {
  inputs_[at].cfg = Cfg();
  if (!writes_[at].empty()) {
    const Cfg& next = writes_[at].front();
    const bool mode = next.space == static_cast<std::uint8_t>(CfgSpace::kPort) && next.index == static_cast<int>(PortReg::kMode);
    if (mode && cycle > kHostsBegin && inputs_[at].link_up[next.port]) throw std::logic_error("MODE is written while a link is up");
    inputs_[at].cfg = next;
    writes_[at].pop_front();
  }
  switches_[at]->Step(inputs_[at]);
}

void StarLinks::Step() {
  if (compares_) device().Compare();
  for (std::size_t at = 0; at < switches_.size(); ++at) seen_[at] = &switches_[at]->Observe();
  for (int port = 0; port < profile_.ports; ++port) StepLink(port);
  for (int number = 0; number < hosts() && cycle >= kHostsBegin; ++number) {
    const std::size_t outer = OuterOf(number);
    const auto at = static_cast<std::size_t>(half() + PortThere(number));
    host(number).Step(cycle, switches_[outer]->Outputs()[at], &inputs_[outer].links[at]);
  }
  for (std::size_t at = 0; at < switches_.size(); ++at) StepSwitch(at);
  ++cycle;
}

void StarLinks::StepOrFail() {
  ASSERT_NO_FATAL_FAILURE(FailByDifference(cycle, [&] { Step(); }));
  ASSERT_EQ(books.wrong(), "");
}

void StarLinks::CompareCounters() {
  if (!compares_) return;
  FailByDifference(cycle, [&] {
    for (const Cfg& read : device().CounterReads()) writes_[kMiddle].push_back(read);
    while (!writes_[kMiddle].empty()) Step();
    for (int t = 0; t < golden::kAnswerLatency + 2; ++t) Step();
    device().CompareCounters();
  });
}

bool StarLinks::AllHome() const {
  for (std::size_t at = 0; at < switches_.size(); ++at) {
    const golden::Switch& inside = golden_[at]->golden_switch();
    if (inside.packets() != 0) return false;
    for (int port = 0; port < profile_.ports; ++port) {
      if (!inside.credits(port).AllHome()) return false;
    }
  }
  return true;
}

void StarLinks::CheckDrained() {
  for (const auto& one : switches_) one->CheckDrained();
}

}  // namespace tilefly::bench
