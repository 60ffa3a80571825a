// SPDX-License-Identifier: Apache-2.0
// A small switch with AXI-Stream ports, written for the tests of the bench: store and forward, queues at the outputs,
// round robin among inputs; with classes in tuser the class that has had least for its weight goes first, or the highest. It can be broken in one way at a time.
#pragma once

#include <deque>
#include <vector>

#include "conform/bench/stream_device.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

enum class Broken {
  kNo,
  kByte,         ///< a byte of a frame in 50 is wrong
  kLoses,        ///< a frame in 50 is lost
  kTwice,        ///< a frame in 50 leaves twice
  kPlace,        ///< a frame in 50 leaves at another output
  kOrder,        ///< two frames of a queue change places now and then
  kCut,          ///< a frame in 50 lacks its last beat
  kHolds,        ///< output 1 sends nothing from its 30th frame on
  kWithdraws,    ///< tvalid falls while the beat is not taken
  kChanges,      ///< data changes while the beat is not taken
  kKeep,         ///< tkeep of a last beat has a hole
  kRemembers,    ///< a reset leaves a frame in its queues
  kUnfair,       ///< input 0 goes before the others
  kBehind,       ///< an input waits while one with a lower number has anything
  kSlow,         ///< an output rests for as many cycles as it sent
  kInvents,      ///< sends a frame of its own now and then
  kMark,         ///< forgets the bad bit
  kClassBlind,   ///< shares outputs as if there were no classes
  kStarves,      ///< class 0 waits while another class does
  kAllWait,      ///< while one input has no room, no input takes a frame
};

class ModelSwitch final : public StreamDevice {
 public:
  ModelSwitch(const Capability& capability, Broken broken);
  void Step(const StreamInputs& inputs, StreamOutputs* outputs) override;
  void Reset() override;

 private:
  using Beats = std::vector<Beat>;
  struct Output {
    std::deque<Beats> frames;
    std::size_t beat = 0;
    std::int64_t sent = 0;
    std::int64_t rest = 0;
    int turn = 0;
    std::vector<double> had;  ///< beats for its weight, by class
  };

  bool Room(int input) const;
  int ClassOf(const Beats& frame) const;
  bool HasAnyBelow(int input) const;
  /// The input whose first frame goes to an output next; -1: none has one for it.
  int Choose(int output);
  void Store(int input, Beats frame);
  void Forward(int output, Beats frame);

  const Capability& capability_;
  Broken broken_;
  std::vector<Beats> partial_;             ///< by input
  std::vector<std::deque<Beats>> waiting_;  ///< frames of an input that no output has taken yet
  std::vector<Output> outputs_;
  std::int64_t stored_ = 0;
  std::int64_t cycle_ = 0;
};

}  // namespace tilefly::conform
