// SPDX-License-Identifier: Apache-2.0
#include "systemc/rtl/rtl_switch.h"

#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"

namespace tilefly::systemc {

RtlSwitch::RtlSwitch(sc_core::sc_module_name name, const Profile& profile, const cosim::DeviceOptions& options)
    : sc_module(name),
      word_i("word_i", profile.ports),
      ctrl_i("ctrl_i", profile.ports),
      word_o("word_o", profile.ports),
      ctrl_o("ctrl_o", profile.ports),
      link_up_i("link_up_i", profile.ports),
      device_(cosim::MakeDevice("rtl", profile, options)) {
  idle_.links.resize(static_cast<std::size_t>(profile.ports));
  idle_.link_up.assign(static_cast<std::size_t>(profile.ports), true);
  inputs_ = idle_;
  shown_.resize(static_cast<std::size_t>(profile.ports));
  sc_core::sc_spawn_options spawn;
  spawn.spawn_method();
  spawn.dont_initialize();
  spawn.set_sensitivity(&clk_i.pos());
  sc_core::sc_spawn([this] { Edge(); }, sc_core::sc_gen_unique_name("edge"), &spawn);
}

void RtlSwitch::Configure(const Cfg& write) {
  inputs_.cfg = write;
  device_->Step(inputs_);
  inputs_.cfg = Cfg{};
  ++before_;
}

Cycle RtlSwitch::Next() const {
  const Cycle next = device_->NextChange();
  return next == kNever ? kNever : next - before_;
}

void RtlSwitch::Edge() {
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
  if (now + before_ <= device_->cycle()) return;
  Idle(now + before_ - 1);
  TakePins();
  device_->Step(inputs_);
  Show();
  Answer(now);
}

/// Nothing was on the pins up to cycle `to` of the device; link states are the latest.
void RtlSwitch::Idle(Cycle to) {
  idle_.link_up = inputs_.link_up;
  while (device_->cycle() < to) {
    device_->SkipIdle(to);
    if (device_->cycle() < to) device_->Step(idle_);
  }
}

void RtlSwitch::TakePins() {
  for (std::size_t p = 0; p < inputs_.links.size(); ++p) {
    inputs_.links[p].word = FromPins<Word>(word_i[p].read());
    inputs_.links[p].ctrl = FromPins<Ctrl>(ctrl_i[p].read());
    inputs_.link_up[p] = link_up_i[p].read();
  }
  inputs_.cfg = FromPins<Cfg>(cfg_i.read());
  if (!inputs_.cfg.valid || !inputs_.cfg.read) return;
  if (inputs_.cfg.space != static_cast<int>(CfgSpace::kCounter)) return;
  reads_.push_back({device_->cycle() - before_ + golden::kAnswerLatency, inputs_.cfg.port, inputs_.cfg.index});
}

void RtlSwitch::Show() {
  const std::vector<Link>& outputs = device_->Outputs();
  for (std::size_t p = 0; p < outputs.size(); ++p) {
    if (outputs[p].word != shown_[p].word) word_o[p].write(ToPins(outputs[p].word));
    if (outputs[p].ctrl != shown_[p].ctrl) ctrl_o[p].write(ToPins(outputs[p].ctrl));
    shown_[p] = outputs[p];
  }
}

void RtlSwitch::Answer(Cycle now) {
  const bool due = !reads_.empty() && reads_.front().due <= now;
  if (!due && !answered_) return;
  answered_ = due;
  ReadAnswer answer;
  if (due) {
    answer.valid = true;
    answer.data = device_->Counter(reads_.front().port, reads_.front().index);
    reads_.pop_front();
  }
  rdata_o.write(ToPins(answer));
}

}  // namespace tilefly::systemc
