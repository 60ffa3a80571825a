// SPDX-License-Identifier: Apache-2.0
// One test with one seed, as a child process runs it and as it tells its parent.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conform/capability/capability.h"
#include "conform/device/library_stream.h"

namespace tilefly::conform {

struct OneTest {
  std::string id;
  std::uint64_t seed = 0;
  std::string library;
  WaveWindow waves;
  std::vector<int> senders;  ///< inputs that send; none: all that do in the test
  std::int64_t frames = 0;   ///< of each input at most; 0: as many as in the test
  bool remote = false;       ///< its calls are answered by another process: it is run once, and takes its time
};

/// Makes the device, and holds it against the capability file. Throws UsageError when it does not fit, or does not show
/// what the claimed level compares.
void RequireFit(const Capability& capability, const std::string& library);

/// Runs it twice, from registers with other bits, but for a long test or one that writes waves: the two must show the
/// same. The fields of the result are those of a test in `certificate.json` (docs/conformance.md).
nlohmann::ordered_json RunOneTest(const Capability& capability, const OneTest& one);

/// What a child process prints before the line with its result.
inline constexpr const char* kResultMark = "result: ";

}  // namespace tilefly::conform
