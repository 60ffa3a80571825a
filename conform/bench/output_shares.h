// SPDX-License-Identifier: Apache-2.0
// Who got how much of an output that all want: by input, and by class.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conform/bench/frame.h"
#include "conform/bench/scenario.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

class OutputShares {
 public:
  /// Both must outlive it.
  OutputShares(const Capability& capability, const Scenario& scenario);

  /// `frame` came out of `output` while shares are counted.
  void Add(int output, const Frame& frame);
  /// The smallest share that an input has of an output's beats, times the inputs that want it; none: nothing came out.
  std::optional<double> Fairness() const;
  /// By weights: the smallest share that a class has of the output, by the share that its weight gives it. Strict: the
  /// share of the highest class that wants it.
  std::optional<double> Classes() const;

 private:
  const Capability& capability_;
  const Scenario& scenario_;
  std::vector<std::int64_t> inputs_;   ///< beats, by output and input
  std::vector<std::int64_t> classes_;  ///< beats or frames, of the output that all want
};

}  // namespace tilefly::conform
