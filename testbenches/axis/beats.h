// SPDX-License-Identifier: Apache-2.0
// Beats of AXI-Streams of all widths, as they stand at the ports of the wrappers to_links.sv, to_axes.sv and axis_checks.sv,
// and a source of them that keeps the rules of docs/blocks/axis.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "conform/axis/stream_frame.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// Cycles without a stimulus at the end of a run.
inline constexpr Cycle kDrain = 400;
/// Streams side by side; stream n has 8 << n bits, in slots of 512.
inline constexpr int kStreams = 7;
constexpr int BeatBytes(int stream) { return 1 << stream; }

using conform::StreamFrame;
using Beat = conform::StreamBeat;

/// Puts a beat, or none, at the inputs of stream `n` of a wrapper, but for tuser.
template <typename Model>
void PutBeat(Model* dut, int n, const Beat* beat) {
  Put(&dut->tvalid_i, n, 1, beat != nullptr);
  if (beat == nullptr) return;
  for (int i = 0; i < BeatBytes(n); ++i) {
    const bool used = i < static_cast<int>(beat->bytes.size());
    Put(&dut->tdata_i, 8 * (64 * n + i), 8, used ? beat->bytes[static_cast<std::size_t>(i)] : 0xa5);
    Put(&dut->tkeep_i, 64 * n + i, 1, used);
  }
  Put(&dut->tlast_i, n, 1, beat->last);
}

/// A transmitter that keeps the rules: frames in beats, with pauses in and between them. A beat that is shown stays until it is taken.
class StreamSource {
 public:
  using Maker = std::function<StreamFrame(Cycle)>;

  StreamSource(const Stimulus& random, int index, int beat_bytes, Maker make)
      : random_(random), index_(static_cast<std::uint32_t>(index)), beat_bytes_(static_cast<std::size_t>(beat_bytes)), make_(std::move(make)) {}

  /// The beat of cycle `now`, null for none. No frame is begun when `quiet`, nor in cycle 0, the first after the reset.
  const Beat* Show(Cycle now, bool quiet) {
    if (shown_) return &beat_;
    if (idle()) {
      if (quiet || now == 0 || !random_.Spell("source: frame", now, index_)) return nullptr;
      frame_ = make_(now);
      at_ = 0;
    } else if (!random_.Spell("source: beat", now, index_)) {
      return nullptr;
    }
    const std::size_t size = std::min(beat_bytes_, frame_.bytes.size() - at_);
    const auto from = frame_.bytes.begin() + static_cast<std::ptrdiff_t>(at_);
    beat_.bytes.assign(from, from + static_cast<std::ptrdiff_t>(size));
    beat_.last = at_ + size == frame_.bytes.size();
    beat_.bad = beat_.last ? frame_.bad : random_.Chance(16, "source: tuser without tlast", now, index_);
    shown_ = true;
    return &beat_;
  }
  /// The beat was taken.
  void Take() {
    at_ += beat_.bytes.size();
    shown_ = false;
  }
  /// Between frames.
  bool idle() const { return at_ == frame_.bytes.size(); }

 private:
  const Stimulus& random_;
  std::uint32_t index_;
  std::size_t beat_bytes_;
  Maker make_;
  StreamFrame frame_;
  Beat beat_;
  std::size_t at_ = 0;  ///< bytes of the frame that were taken
  bool shown_ = false;
};

}  // namespace tilefly::bench
