// SPDX-License-Identifier: Apache-2.0
// What a test takes from its surroundings: how long to run (TILEFLY_TIER, TILEFLY_CYCLES), from which root seed
// (TILEFLY_SEED), and whether differences count (TILEFLY_COMPARE).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "golden/common/types.h"

namespace tilefly::bench {

enum class Tier { kQuick, kCi, kFull };

/// TILEFLY_TIER: quick (also when it is not set), ci or full. Throws std::invalid_argument for anything else.
Tier TierFromEnvironment();
const char* ToString(Tier tier);

/// Cycles that a block is compared for in a tier.
Cycle CyclesOf(Tier tier);

/// TILEFLY_CYCLES: cycles that a block is compared for, whatever the tier; 0 when it is not set. Throws
/// std::invalid_argument unless it is a decimal number from 1 to 2^40.
Cycle CyclesFromEnvironment();

/// Whether differences end a run: unless TILEFLY_COMPARE is `off`, when only assertions of the RTL fail it. Throws
/// std::invalid_argument for anything else.
bool ComparesFromEnvironment();

/// TILEFLY_SEED, 1 when it is not set. Throws std::invalid_argument unless it is a decimal number of 32 bits.
std::uint32_t RootSeed();

/// Seed of the test `name`.
std::uint32_t SeedOf(std::uint32_t root, std::string_view name);

/// "Suite.Name" of the running GoogleTest; empty outside of a test.
std::string CurrentTest();

/// Whether the running test has failed.
bool Failed();

/// The command that runs the current test again, with what the environment gives now.
std::string ReproLine(Tier tier, std::uint32_t root);

/// The command that runs it again with waves (WavePlan) and opens them.
std::string WavesLine(Tier tier, std::uint32_t root);

}  // namespace tilefly::bench
