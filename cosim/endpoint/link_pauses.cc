// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/link_pauses.h"

#include <fmt/format.h>

#include "cosim/errors.h"
#include "support/random.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t kObeys = 16;  // number of the draw: SwitchSetup::SetFlows has those before
constexpr Cycle kPeriodCycles = 64;   // of a pause's period

}  // namespace

LinkPauses::LinkPauses(const SwitchSetup& setup, int port, std::uint64_t seed)
    : setup_(setup),
      port_(port),
      on_(setup.mode(port).flows),
      obeys_(Below(Draw(seed, static_cast<std::uint32_t>(port), kObeys, Purpose::kFlowPort), 2) != 0) {}

void LinkPauses::Receive(Cycle now, const Ctrl& ctrl) {
  ++received_;
  const auto fail = [&](const char* why) {
    throw CheckFailure(now, port_, 0,
                       fmt::format("a pause of class {}, destination {:#x}, period {}, credit {} makes no sense: {}",
                                   ctrl.pause_tc, ctrl.pause_dst, ctrl.pause_period, ctrl.pause_credit, why));
  };
  if (!on_ || !setup_.mode(port_).credits) fail("the port has no flow channels that tell a NIC");
  const auto flow = flows_.find(SwitchSetup::ChannelOf(ctrl.pause_tc, ctrl.pause_dst));
  if (flow == flows_.end()) fail("no packet of this flow went in");
  const tilefly::FlowChannel& registers = setup_.flow_channel(port_);
  if (ctrl.pause_period == 0 && ctrl.pause_credit != 0 && registers.period != 0) fail("the end of a pause has no credit");
  if (ctrl.pause_period != 0 && ctrl.pause_period != registers.period) fail("the port's register names another period");
  if (ctrl.pause_credit > registers.hold) fail("the credit is above the register's hold");
  if (!obeys_) return;
  flow->second.until = ctrl.pause_period == 0 ? 0 : now + 1 + kPeriodCycles * ctrl.pause_period;
  flow->second.credit = ctrl.pause_credit;
}

bool LinkPauses::Holds(Cycle now, const Frame& frame) const {
  if (flows_.empty()) return false;
  const auto flow = flows_.find(setup_.ChannelOf(frame));
  return flow != flows_.end() && flow->second.until > now && flow->second.credit <= 0;
}

void LinkPauses::Started(Cycle now, const Frame& frame) {
  if (!on_) return;
  const std::uint32_t channel = setup_.ChannelOf(frame);
  if (channel == 0) return;
  Flow& flow = flows_[channel];
  if (flow.until <= now) return;
  flow.credit -= frame.cells();
  ++started_in_pause_;
}

}  // namespace tilefly::cosim
