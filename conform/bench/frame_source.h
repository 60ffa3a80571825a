// SPDX-License-Identifier: Apache-2.0
// The frames of a test: who sends which bytes to whom, and when. Every draw is a function of the seed, the port and the
// frame's number.
#pragma once

#include <cstdint>
#include <vector>

#include "conform/bench/frame.h"
#include "conform/bench/scenario.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

class FrameSource {
 public:
  /// `capability` and `scenario` must outlive it.
  FrameSource(const Capability& capability, const Scenario& scenario, std::uint64_t seed);

  /// The frame that `port` begins to send in cycle `now` or later, null: none yet. `empty`: nothing is in the device.
  FramePtr Next(int port, Cycle now, bool empty);
  /// Its last beat went in.
  void Sent(int port, Cycle now);
  /// No frame begins any more.
  void Close() { closed_ = true; }
  /// Each input has sent as many frames as the scenario asks for.
  bool Exhausted() const;
  /// The addresses of the table are exchanged: port i has that of port i + 1.
  void Rotate();
  const std::vector<Mac>& macs() const { return macs_; }
  /// The output of an incast now.
  int Focus() const;

 private:
  struct Sender {
    std::uint64_t frames = 0;
    Cycle due = 0;  ///< of the next frame
  };

  FramePtr Make(int port);
  bool Sends(int port) const;
  int Destination(int port, std::uint64_t n) const;
  int Length(int port, std::uint64_t n) const;
  int ClassOf(int port, std::uint64_t n) const;
  void Classify(Frame* frame, std::uint64_t n) const;
  Mac Unknown(int port, std::uint64_t n) const;
  void Tag(Frame* frame, std::uint64_t n) const;
  void Address(Frame* frame, std::uint64_t n) const;
  std::uint64_t Others(int port) const;

  const Capability& capability_;
  const Scenario& scenario_;
  std::uint64_t seed_;
  std::vector<Mac> macs_;
  std::vector<Sender> senders_;
  std::vector<int> lengths_;  ///< of Lengths::kEdges
  std::uint64_t number_ = 0;  ///< of the frame made last
  std::uint64_t pair_ = 0;    ///< of Pattern::kPairs in a quiet device: input * ports + output
  Cycle now_ = 0;
  bool closed_ = false;
};

}  // namespace tilefly::conform
