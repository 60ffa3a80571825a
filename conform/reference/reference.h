// SPDX-License-Identifier: Apache-2.0
// A test that somebody else's program drives, or that program's own traffic, behind tilefly_ref.h: it holds the program
// to the order of the calls.
#pragma once

#include <tilefly_ref.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conform/bench/own_frames.h"
#include "conform/bench/result.h"

namespace tilefly::conform {

class Reference {
 public:
  /// `test` empty: the program's own traffic. Throws UsageError: a test that does not exist, or that does not apply.
  Reference(Capability capability, const std::string& test, std::uint64_t seed);
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  const Capability& capability() const { return capability_; }
  /// The frames of the program. Throws UsageError: a test has its own.
  OwnFrames& own();
  void Configure(const std::string& name, double value);
  /// Throws UsageError when a turn was taken.
  void LeaveOut(const std::string& rule, int port);
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
  /// Beat `k` of the frame that is due at `output` of those from `input`.
  std::optional<Beat> Expect(std::size_t output, std::size_t input, std::size_t k) const;
  std::int64_t Counter(std::size_t port, const std::string& name) const;
  nlohmann::ordered_json Observe(std::size_t port) const;
  /// As it stands.
  TestResult Result() const;
  /// The fields of a certificate's test; of own traffic with its settings.
  nlohmann::ordered_json ResultJson() const;

 private:
  void EndCycle();

  const Capability capability_;
  const std::string test_;
  const std::uint64_t seed_;
  Scenario scenario_;
  OwnFrames* own_ = nullptr;  ///< of the bench; null: it runs a test
  StreamBench bench_;
  StreamOutputs shown_;
  std::vector<bool> was_shown_;  ///< by port, in the cycle under way
  bool drops_shown_ = false;
  bool reset_ = false;        ///< the first reset was asked for
  Turn turn_ = Turn::kReset;  ///< the latest
};

}  // namespace tilefly::conform
