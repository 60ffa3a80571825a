// SPDX-License-Identifier: Apache-2.0
// What a scheduler and its grant unit tell each other (docs/blocks/scheduler.md).
#pragma once

#include <cstdint>

namespace tilefly::golden {

/// The head request of a class's candidate.
struct Head {
  int cells = 0;      ///< 0: the class has no candidate, its channels are busy
  bool more = false;  ///< the queue held packets without a request when the request was made
};

/// What the decision of a cycle came to.
enum class Outcome : std::uint8_t {
  kNothing,  ///< no class is active
  kWaits,    ///< the class to be served has no candidate
  kExpects,  ///< the class being served has requests on their way only: the next cycle goes on
  kMoved,    ///< a rotation, and its head does not fit either: the next cycle goes on
  kGranted,
};

struct Decision {
  Outcome outcome = Outcome::kNothing;
  std::uint8_t tc = 0;  ///< granted, or waited for
};

}  // namespace tilefly::golden
