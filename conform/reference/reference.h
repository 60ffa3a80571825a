// SPDX-License-Identifier: Apache-2.0
// A test that somebody else's program drives, behind tilefly_ref.h: it holds the program to the order of the calls.
#pragma once

#include <tilefly_ref.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conform/bench/result.h"

namespace tilefly::conform {

class Reference {
 public:
  /// Throws UsageError: the capability file, a test that does not exist, or that does not apply.
  Reference(const std::string& capability, const std::string& test, std::uint64_t seed);
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  const Capability& capability() const { return capability_; }
  /// What comes next; the cycle under way is judged before. Throws UsageError when a port of it was not shown.
  Turn Next();
  /// Of the cycle under way. Throws UsageError when there is none; so do the following.
  const StreamInputs& Inputs() const;
  /// Throws UsageError when there is no such port.
  std::size_t PortOf(std::uint32_t port) const;
  void Show(std::size_t port, bool ready, const Beat& beat);
  void ShowDrops(std::uint64_t drops);
  void ShowUnknown(std::size_t port, const std::string& signal);
  bool Empty() const { return bench_.Empty(); }
  /// As it stands.
  TestResult Result() const;

 private:
  void EndCycle();

  const Capability capability_;
  const std::string test_;
  const std::uint64_t seed_;
  const Scenario scenario_;
  StreamBench bench_;
  StreamOutputs shown_;
  std::vector<bool> was_shown_;  ///< by port, in the cycle under way
  bool drops_shown_ = false;
  bool reset_ = false;        ///< the first reset was asked for
  Turn turn_ = Turn::kReset;  ///< the latest
};

}  // namespace tilefly::conform
