// SPDX-License-Identifier: Apache-2.0
#include "conform/device/compared_streams.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::conform {
namespace {

constexpr Cycle kPatience = 2000;  // cycles in which the beat of the other side is looked for

/// Bytes that are kept.
bool SameBytes(const Beat& a, const Beat& b) {
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    if ((a.keep >> i & 1) != 0 && a.data[i] != b.data[i]) return false;
  }
  return true;
}

std::string FieldOf(const Beat& shown, const Beat& golden, bool marks) {
  if (shown.last != golden.last) return fmt::format("tlast is {}, golden's {}", int{shown.last}, int{golden.last});
  if (shown.keep != golden.keep) return fmt::format("tkeep is {:#x}, golden's {:#x}", shown.keep, golden.keep);
  if (!SameBytes(shown, golden)) return "tdata differs from golden's: another frame, or other bytes of it";
  if (marks && shown.last && shown.user != golden.user)
    return fmt::format("tuser is {:#x}, golden's {:#x}", shown.user, golden.user);
  return "";
}

}  // namespace

ComparedStreams::ComparedStreams(const Capability& capability, StreamDevice* device)
    : capability_(capability), device_(*device), golden_(capability) {
  const auto ports = static_cast<std::size_t>(capability.ports);
  expected_.in_ready.assign(ports, false);
  expected_.out.resize(ports);
  frames_.assign(ports, 0);
}

void ComparedStreams::Reset() {
  device_.Reset();
  golden_.Reset();
  std::fill(frames_.begin(), frames_.end(), 0);
}

void ComparedStreams::Step(const StreamInputs& inputs, StreamOutputs* outputs) {
  device_.Step(inputs, outputs);
  golden_.Step(inputs, &expected_);
  ++now_;
  for (std::size_t port = 0; port < frames_.size(); ++port) {
    ++compared_;
    busy_ += expected_.out[port].valid;
    if (const std::string what = Difference(port, *outputs); !what.empty())
      throw StreamsDiffer(static_cast<int>(port), what);
    frames_[port] += expected_.out[port].valid && expected_.out[port].last && inputs.out_ready[port];
  }
}

std::string ComparedStreams::Difference(std::size_t port, const StreamOutputs& shown) {
  const Beat& own = shown.out[port];
  const Beat& golden = expected_.out[port];
  const std::string frame = fmt::format("frame {} of the output", frames_[port] + 1);
  const Cycle cycle = now_ - 1;
  if (own.valid != golden.valid) {
    const std::string which = own.valid ? capability_.device : "golden";
    const std::string other = own.valid ? "golden" : capability_.device;
    return fmt::format("{} shows a beat of {} in cycle {}, {} {}", which, frame, cycle, other, Later(port, !own.valid));
  }
  if (own.valid) {
    const std::string field = FieldOf(own, golden, capability_.frames.bad == Fate::kMarked);
    if (!field.empty()) return fmt::format("{}: {}", frame, field);
  }
  if (capability_.flow.stops_inputs && shown.in_ready[port] != expected_.in_ready[port])
    return fmt::format("tready of the input is {}, golden's {}", int{shown.in_ready[port]},
                       int{expected_.in_ready[port]});
  return "";
}

/// When the other side shows a beat there: it goes on alone, with idle inputs.
std::string ComparedStreams::Later(std::size_t port, bool of_device) {
  StreamInputs idle;
  idle.in.resize(frames_.size());
  idle.out_ready.assign(frames_.size(), true);
  StreamOutputs shown = expected_;
  StreamDevice& side = of_device ? device_ : static_cast<StreamDevice&>(golden_);
  for (Cycle n = 0; n < kPatience; ++n) {
    side.Step(idle, &shown);
    if (shown.out[port].valid) return fmt::format("in cycle {} (with what went in up to then)", now_ + n);
  }
  return fmt::format("none in the next {} cycles (with what went in up to then)", kPatience);
}

}  // namespace tilefly::conform
