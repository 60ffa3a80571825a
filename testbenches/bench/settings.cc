// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/settings.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

Tier TierFromEnvironment() {
  const char* text = std::getenv("TILEFLY_TIER");
  const std::string_view tier = text == nullptr ? "quick" : text;
  if (tier == "quick") return Tier::kQuick;
  if (tier == "ci") return Tier::kCi;
  if (tier == "full") return Tier::kFull;
  throw std::invalid_argument("TILEFLY_TIER: '" + std::string(tier) + "' is none of quick, ci, full");
}

const char* ToString(Tier tier) {
  return tier == Tier::kQuick ? "quick" : tier == Tier::kCi ? "ci" : "full";
}

golden::Cycle CyclesOf(Tier tier) {
  return tier == Tier::kQuick ? 20'000 : tier == Tier::kCi ? 100'000 : 1'000'000;
}

std::uint32_t RootSeed() {
  const char* text = std::getenv("TILEFLY_SEED");
  if (text == nullptr) return 1;
  char* end = nullptr;
  const unsigned long long seed = std::strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || seed > UINT32_MAX) {
    throw std::invalid_argument("TILEFLY_SEED: '" + std::string(text) + "' is no decimal number of 32 bits");
  }
  return static_cast<std::uint32_t>(seed);
}

std::uint32_t SeedOf(std::uint32_t root, std::string_view name) {
  return static_cast<std::uint32_t>(Mix64(KeyOf(name) + root * kOddStep));
}

std::string CurrentTest() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  return info == nullptr ? "" : std::string(info->test_suite_name()) + "." + info->name();
}

bool Failed() { return testing::Test::HasFailure(); }

std::string ReproLine(Tier tier, std::uint32_t root) {
  const std::filesystem::path program = std::filesystem::proximate(program_invocation_name);
  return "TILEFLY_TIER=" + std::string(ToString(tier)) + " TILEFLY_SEED=" + std::to_string(root) + " " +
         program.string() + " --gtest_filter=" + CurrentTest();
}

}  // namespace tilefly::bench
