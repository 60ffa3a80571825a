// SPDX-License-Identifier: Apache-2.0
// Level L0: what went in comes out once at each output that it is for, byte for byte, in order within input, output and
// class, or was dropped where that is allowed; nothing else comes out.
#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "conform/bench/frame.h"
#include "conform/bench/scenario.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

/// A device broke a rule. The message is in terms of frames and ports.
class Breach : public std::runtime_error {
 public:
  Breach(std::string rule, Cycle cycle, int port, const std::string& what);
  const std::string& rule() const { return rule_; }
  Cycle cycle() const { return cycle_; }
  int port() const { return port_; }

 private:
  std::string rule_;
  Cycle cycle_;
  int port_;
};

/// A frame that is in the device, or was.
struct Passage {
  FramePtr frame;
  Cycle offered = -1;  ///< its first beat was driven
  Cycle first_in = -1;
  Cycle last_in = -1;         ///< -1: not yet in whole
  std::uint64_t missing = 0;  ///< outputs at which it has to come out still
};

class Books {
 public:
  struct Counts {
    std::int64_t offered = 0;    ///< frames that went in
    std::int64_t delivered = 0;  ///< copies that came out
    std::int64_t dropped = 0;    ///< frames that had to be dropped, and were as far as is known
    std::int64_t lost = 0;       ///< good frames that a lossy device dropped
    std::int64_t unjudged = 0;   ///< frames of which the capability file says nothing
  };

  /// A frame that went in, or came out, at a port.
  struct Seen {
    FramePtr frame;   ///< null: none yet
    Cycle first = 0;  ///< its first beat was taken, or shown
    Cycle last = 0;   ///< -1: it is under way
  };
  /// Of a port, since the latest reset: what counters of the device have to say.
  struct PortCounts {
    std::int64_t frames_in = 0;  ///< in whole
    std::int64_t bytes_in = 0;
    std::int64_t dropped = 0;  ///< of those that came in here, that must be dropped
    std::int64_t lost = 0;     ///< of those that came in here, that a lossy device dropped, as far as is known
    std::int64_t frames_out = 0;
    std::int64_t bytes_out = 0;
    Seen in;
    Seen out;
  };

  /// Both must outlive it. Of a lossy device good frames may be dropped, but not when nothing else is inside.
  Books(const Capability& capability, const Scenario& scenario);

  /// Its first beat went in, which was driven since `offered`.
  void Begin(const FramePtr& frame, Cycle offered, Cycle now);
  void End(const FramePtr& frame, Cycle now);
  /// A frame came out whole; `marked`: with the bad bit. Returns its passage, as it was. Throws Breach.
  Passage CameOut(int port, const std::vector<std::uint8_t>& bytes, bool marked, std::uint32_t id, Cycle first,
                  Cycle now);
  /// A frame is never longer than this, in bytes: an output that goes on is broken.
  std::size_t longest() const { return longest_; }
  /// The frame that has to come out at an output before all others of its class that came in at `input`; of several
  /// classes, the one that came in first. Null: none.
  FramePtr Due(int input, int output) const;
  /// Copies that are still to come out at an output.
  std::int64_t Due(int output) const;
  const PortCounts& at(int port) const { return at_[static_cast<std::size_t>(port)]; }
  /// What a lossy device has not let out by now was dropped.
  void GiveUp();
  /// What is inside is forgotten: the device was reset.
  void Forget();
  /// The oldest frame in whole that is due at an output, null: none.
  const Passage* Oldest(int output) const;
  /// Inputs of which frames are due at an output.
  int Wanting(int output) const { return wanting_[static_cast<std::size_t>(output)]; }
  /// Copies that are still to come out.
  std::int64_t outstanding() const { return outstanding_; }
  /// After the drain: throws Breach when something is missing that the device must not drop, or its drop counter
  /// differs.
  void Close(Cycle now, bool counted, std::uint64_t counter);
  const Counts& counts() const { return counts_; }

 private:
  using Flow = std::deque<std::shared_ptr<Passage>>;
  Flow& FlowOf(int input, int output, int traffic_class) {
    return flows_[static_cast<std::size_t>((input * ports_ + output) * classes_ + traffic_class)];
  }
  const Flow& FlowOf(int input, int output, int traffic_class) const {
    return flows_[static_cast<std::size_t>((input * ports_ + output) * classes_ + traffic_class)];
  }
  void CountDue(int input, int output, std::int64_t more);
  void Remember(const FramePtr& frame);
  [[noreturn]] void Unexpected(int port, const std::vector<std::uint8_t>& bytes, Cycle now) const;

  const Capability& capability_;
  const Mask& mask_;
  bool lossy_;
  int ports_;
  int classes_;
  std::size_t longest_ = 0;
  std::vector<Flow> flows_;                     ///< by input, output and class, in the order in which they went in
  std::vector<std::int64_t> due_;               ///< by input and output: frames
  std::vector<int> wanting_;                    ///< by output: inputs of which frames are due
  std::deque<FramePtr> lately_;                 ///< that came out, or had to be dropped: to name what comes out wrongly
  std::vector<std::deque<FramePtr>> unjudged_;  ///< by input
  std::int64_t outstanding_ = 0;
  std::vector<PortCounts> at_;     ///< by port
  std::int64_t before_reset_ = 0;  ///< frames dropped or lost then: the device's counter begins anew
  Counts counts_;
};

}  // namespace tilefly::conform
