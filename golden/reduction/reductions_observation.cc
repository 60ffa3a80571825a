// SPDX-License-Identifier: Apache-2.0
// The observation record of the reduction ring (docs/blocks/reduction.md, Ports of the tile).
#include "golden/reduction/reductions.h"

#include <algorithm>

#include "golden/common/stage_times.h"

namespace tilefly::golden {

RedCmd Reductions::TellPorts() const {
  RedCmd command;
  command.launch = launched_.valid;
  command.launch_down = launched_.valid && launched_.down;
  command.launch_slot = launched_.valid && launched_.slot != 0;
  command.clear = clear_ >= 0;
  command.clear_group = static_cast<std::uint8_t>(std::max(clear_, 0));
  const auto tell = [](const RedBind& bind, bool* valid, std::uint8_t* group, std::uint8_t* tag) {
    *valid = bind.valid;
    *group = bind.valid ? bind.group : 0;
    *tag = bind.valid ? bind.tag : 0;
  };
  tell(cfu_.binds()[0], &command.bind0_valid, &command.bind0_group, &command.bind0_tag);
  tell(cfu_.binds()[1], &command.bind1_valid, &command.bind1_group, &command.bind1_tag);
  return command;
}

void Reductions::Show(Cycle now, SwitchObservation* observation) const {
  for (const RedEvent& event : coming_) {
    RedObs& port = observation->reds[event.port];
    port.ev = static_cast<std::uint8_t>(event.ev);
    port.code = static_cast<std::uint8_t>(event.code);
  }
  for (const Flight& flight : flights_) ShowSteps(now, flight, observation);
  CfuObs& cfu = observation->cfu;
  cfu.slot0_state = static_cast<std::uint8_t>(cfu_.state_of_slot(0));
  cfu.slot1_state = static_cast<std::uint8_t>(cfu_.state_of_slot(1));
  if (visited_ != now) return;
  for (const Result& result : completed_) {
    RedObs& port = observation->reds[result.port];
    const auto lane = static_cast<std::uint8_t>(result.lane);
    if (port.done_valid && port.done_lane < lane) continue;
    port.done_valid = true;
    port.done_lane = lane;
  }
  if (!decided_) return;
  cfu.launch_valid = true;
  cfu.launch_number = static_cast<std::uint8_t>(decided_->candidate);
  cfu.launch_index = static_cast<std::uint8_t>(decided_->index());
}

/// The steps of the launch's word 0 in this cycle: at one port of each half, or where the halves meet.
void Reductions::ShowSteps(Cycle now, const Flight& flight, SwitchObservation* observation) const {
  const RedLaunch& launch = flight.launch;
  const Collected& collected = flight.collected;
  if (launch.is_notice()) return;
  const Cycle passed = now - launch.at;
  const int half = context_.profile.ports / 2;
  for (int p = 0; p < context_.profile.ports; ++p) {
    if (StepOffset(context_.profile.tiles, p) != passed) continue;
    RedObs& port = observation->reds[p];
    const PortMask before = (p < half ? Bit(p) - 1 : (Bit(p) - 1) & ~(Bit(half) - 1));
    const bool part = (launch.parts & Bit(p)) != 0;
    port.step_valid = true;
    port.step_down = launch.goes_down();
    port.step_brief = launch.is_brief();
    port.step_index = static_cast<std::uint8_t>(launch.index());
    port.step_part = part;
    const bool own = (collected.operands & Bit(p)) != 0;
    const bool came = (collected.operands & before) != 0;
    port.step_operands = static_cast<std::uint8_t>(own << 1 | static_cast<int>(came));
  }
  if (launch.goes_down() || passed != MeetOffset(context_.profile.tiles)) return;
  CfuObs& cfu = observation->cfu;
  cfu.meet_valid = true;
  cfu.meet_brief = launch.is_brief();
  cfu.meet_index = static_cast<std::uint8_t>(launch.index());
  cfu.meet_operands = static_cast<std::uint8_t>(collected.halves[1] << 1 | collected.halves[0]);
  cfu.meet_mismatch = collected.word.mismatch;
}

}  // namespace tilefly::golden
