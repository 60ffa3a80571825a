// SPDX-License-Identifier: Apache-2.0
// What a run of a test says, in the fields of certificates (docs/conformance.md).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "conform/bench/link_bench.h"
#include "conform/bench/stream_bench.h"
#include "conform/bench/suite.h"

namespace tilefly::conform {

struct TestResult {
  std::string test;  ///< id
  std::uint64_t seed = 0;
  Outcome outcome;
  Judgement judgement;
  Mask mask;          ///< what was not judged
  int power_ups = 1;  ///< how often it was run, from registers with other bits
};

/// Of a device with links.
struct LinkResult {
  std::string test;
  std::uint64_t seed = 0;
  LinkOutcome outcome;
  int power_ups = 1;
};

/// "pass", "fail" or "undecided".
const char* ToString(Verdict verdict);
nlohmann::ordered_json ToJson(const TestResult& result);
nlohmann::ordered_json ToJson(const LinkResult& result);

}  // namespace tilefly::conform
