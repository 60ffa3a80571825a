// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/systemc/red_hosts.h"

namespace tilefly::systemc {

/// A child of the switch in a tree: a host, or a node with more behind it.
class RedChild final : public RedPeer {
 public:
  RedChild(const Profile& profile, const RedTreePlan& plan, int port, std::uint64_t seed, Cycle late)
      : RedPeer(profile, plan, port, seed, late) {
    Begin(kFirst);
  }
  Cycle Receive(Cycle cycle, const Red& red, const fabric::Frame& frame) override;
  bool done() const override { return step_ == plan_.steps.size(); }

 private:
  static constexpr Cycle kFirst = 200;      ///< the registers are written
  static constexpr Cycle kSettled = 20000;  ///< after a failure: nothing of the group is under way
  static constexpr std::uint64_t kBackOff = 2000;
  static constexpr int kMostTries = 300;  ///< then nobody gives the slot back any more
  static constexpr int kNumbers = 64;     ///< of short operations of a step

  enum class Phase : std::uint8_t { kLocking, kStreaming, kUnlocking, kShort };

  const RedStep& step() const { return plan_.steps[step_]; }
  bool is_node() const { return (plan_.nodes & golden::Bit(port_)) != 0; }
  bool misbehaves(int segment) const {
    return step().mishap != Mishap::kNone && step().culprit == port_ && step().at == segment;
  }
  int segments() const { return step().operations * step().segments; }

  void Begin(Cycle now);
  void Next(Cycle now);
  void PostLock(Cycle now, RedAction action);
  void SendSegments(Cycle now);
  void SendShorts(Cycle now);
  /// True: the segment itself is not sent.
  bool Misbehave(Cycle now, Red red, const Bytes& data);
  Bytes Operands(int part, int bytes) const;
  Cycle Answered(Cycle now, const Red& red);
  Cycle TakeShort(Cycle now, int number);
  Cycle TakeResult(Cycle now, const Red& red);

  std::size_t step_ = 0;
  Phase phase_ = Phase::kLocking;
  Cycle waits_until_ = 0;  ///< after a failure
  bool silent_ = false;
  int sent_ = 0;  ///< segments, or short operations
  int results_ = 0;
  int tries_ = 0;               ///< of the lock or unlock
  int finals_ = 0;              ///< operations whose last result has come
  std::map<int, Cycle> ready_;  ///< segments or short operations without result: when they were ready
};

}  // namespace tilefly::systemc
