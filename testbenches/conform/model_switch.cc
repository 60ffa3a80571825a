// SPDX-License-Identifier: Apache-2.0
#include "model_switch.h"

#include <algorithm>
#include <utility>

namespace tilefly::conform {
namespace {

constexpr std::size_t kInputFrames = 4;
constexpr std::size_t kOutputFrames = 2;

}  // namespace

ModelSwitch::ModelSwitch(const Capability& capability, Broken broken)
    : capability_(capability),
      broken_(broken),
      partial_(static_cast<std::size_t>(capability.ports)),
      waiting_(static_cast<std::size_t>(capability.ports)),
      outputs_(static_cast<std::size_t>(capability.ports)) {}

void ModelSwitch::Reset() {
  for (Beats& partial : partial_) partial.clear();
  for (auto& frames : waiting_) frames.clear();
  for (Output& output : outputs_) {
    const bool keeps = broken_ == Broken::kRemembers && output.frames.size() > 1;
    std::deque<Beats> kept;
    if (keeps) kept.push_back(output.frames.back());
    output = Output{};
    output.frames = kept;
  }
}

bool ModelSwitch::Room(int input) const { return waiting_[static_cast<std::size_t>(input)].size() < kInputFrames; }

void ModelSwitch::Store(int input, Beats frame) {
  const bool now_and_then = ++stored_ % 50 == 0;
  if (broken_ == Broken::kByte && now_and_then) frame[0].data[0] ^= 0x10;
  if (broken_ == Broken::kMark) frame.back().user &= ~1u;
  if (broken_ == Broken::kCut && now_and_then && frame.size() > 1) {
    frame.pop_back();
    frame.back().last = true;
  }
  if (broken_ == Broken::kLoses && now_and_then) return;
  if (broken_ == Broken::kPlace && now_and_then) {
    for (Beat& beat : frame) beat.dest = (beat.dest + 1) % static_cast<std::uint32_t>(capability_.ports);
  }
  auto& frames = waiting_[static_cast<std::size_t>(input)];
  frames.push_back(frame);
  if (broken_ == Broken::kTwice && now_and_then) frames.push_back(frame);
  if (broken_ == Broken::kOrder && stored_ % 7 == 0 && frames.size() > 1) std::swap(frames[frames.size() - 1], frames[frames.size() - 2]);
}

int ModelSwitch::ClassOf(const Beats& frame) const {
  return capability_.classes.by == ClassField::kUser ? static_cast<int>(frame[0].user >> capability_.classes.user_bit) : 0;
}

bool ModelSwitch::HasAnyBelow(int input) const {
  for (std::size_t below = 0; below < static_cast<std::size_t>(input); ++below) {
    if (!partial_[below].empty() || !waiting_[below].empty()) return true;
  }
  return false;
}

int ModelSwitch::Choose(int port) {
  const int ports = capability_.ports;
  const Classes& classes = capability_.classes;
  Output& output = outputs_[static_cast<std::size_t>(port)];
  output.had.resize(static_cast<std::size_t>(classes.count));
  int chosen = -1;
  const auto before = [&](int a, int b) {  // classes
    if (broken_ == Broken::kClassBlind) return false;
    if (broken_ == Broken::kStarves && (a == 0) != (b == 0)) return b == 0;
    if (classes.strict) return a > b;
    return output.had[static_cast<std::size_t>(a)] < output.had[static_cast<std::size_t>(b)];
  };
  for (int n = 0; n < ports; ++n) {
    const int input = broken_ == Broken::kUnfair ? n : (output.turn + n) % ports;
    const auto& frames = waiting_[static_cast<std::size_t>(input)];
    if (frames.empty() || frames.front()[0].dest != static_cast<std::uint32_t>(port)) continue;
    if (broken_ == Broken::kBehind && HasAnyBelow(input)) continue;
    if (chosen < 0 || before(ClassOf(frames.front()), ClassOf(waiting_[static_cast<std::size_t>(chosen)].front()))) chosen = input;
  }
  if (chosen >= 0 && !classes.weights.empty()) {
    const Beats& frame = waiting_[static_cast<std::size_t>(chosen)].front();
    const auto its = static_cast<std::size_t>(ClassOf(frame));
    output.had[its] += static_cast<double>(frame.size()) / classes.weights[its];
  }
  return chosen;
}

void ModelSwitch::Step(const StreamInputs& inputs, StreamOutputs* shown) {
  const int ports = capability_.ports;
  bool all_room = true;
  for (int port = 0; port < ports; ++port) {
    const auto p = static_cast<std::size_t>(port);
    Output& output = outputs_[p];
    Beat& beat = shown->out[p];
    beat = Beat{};
    const bool holds = broken_ == Broken::kHolds && port == 1 && output.sent >= 30;
    if (!output.frames.empty() && output.rest <= 0 && !holds) {
      beat = output.frames.front()[output.beat];
      if (broken_ == Broken::kWithdraws && cycle_ % 3 == 0) beat = Beat{};
      if (broken_ == Broken::kChanges && !inputs.out_ready[p]) beat.data[0] ^= 1;
      if (broken_ == Broken::kKeep && beat.last && (beat.keep & 2) != 0) beat.keep &= ~std::uint64_t{1};
    }
    shown->in_ready[p] = Room(port);
    all_room = all_room && Room(port);
  }
  if (broken_ == Broken::kAllWait && !all_room) shown->in_ready.assign(shown->in_ready.size(), false);
  for (int port = 0; port < ports; ++port) {
    const auto p = static_cast<std::size_t>(port);
    Output& output = outputs_[p];
    --output.rest;
    if (shown->out[p].valid && inputs.out_ready[p] && ++output.beat == output.frames.front().size()) {
      if (broken_ == Broken::kSlow) output.rest = static_cast<std::int64_t>(output.beat);
      output.beat = 0;
      ++output.sent;
      output.frames.pop_front();
    }
    if (const int input = output.frames.size() < kOutputFrames ? Choose(port) : -1; input >= 0) {
      auto& frames = waiting_[static_cast<std::size_t>(input)];
      output.frames.push_back(frames.front());
      frames.pop_front();
      output.turn = input + 1;
    }
    if (broken_ == Broken::kInvents && cycle_ % 500 == 499 && port == 2 && output.frames.empty()) {
      Beat beat;
      beat.valid = beat.last = true;
      beat.keep = 0xf;
      output.frames.push_back({beat});
    }
    if (shown->in_ready[p] && inputs.in[p].valid) {
      partial_[p].push_back(inputs.in[p]);
      if (inputs.in[p].last) Store(port, std::exchange(partial_[p], {}));
    }
  }
  ++cycle_;
}

}  // namespace tilefly::conform
