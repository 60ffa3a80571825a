// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/settings.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {
namespace {

/// The environment's number `name`, `initial` when it is not set.
unsigned long long NumberFromEnvironment(const char* name, unsigned long long initial, unsigned long long least,
                                         unsigned long long most, const char* wanted) {
  const char* text = std::getenv(name);
  if (text == nullptr) return initial;
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || number < least || number > most) {
    throw std::invalid_argument(std::string(name) + ": '" + text + "' is no " + wanted);
  }
  return number;
}

}  // namespace

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

Cycle CyclesOf(Tier tier) {
  return tier == Tier::kQuick ? 20'000 : tier == Tier::kCi ? 100'000 : 1'000'000;
}

Cycle CyclesFromEnvironment() {
  constexpr auto kMost = 1ull << 40;
  return static_cast<Cycle>(NumberFromEnvironment("TILEFLY_CYCLES", 0, 1, kMost, "decimal number from 1 to 2^40"));
}

bool ComparesFromEnvironment() {
  const char* text = std::getenv("TILEFLY_COMPARE");
  if (text == nullptr) return true;
  if (std::string_view(text) == "off") return false;
  throw std::invalid_argument("TILEFLY_COMPARE is '" + std::string(text) + "'; wanted: off, or unset");
}

std::uint32_t RootSeed() {
  return static_cast<std::uint32_t>(NumberFromEnvironment("TILEFLY_SEED", 1, 0, UINT32_MAX, "decimal number of 32 bits"));
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
  const Cycle cycles = CyclesFromEnvironment();
  const std::string amount = cycles == 0 ? "TILEFLY_TIER=" + std::string(ToString(tier)) : "TILEFLY_CYCLES=" + std::to_string(cycles);
  return amount + " TILEFLY_SEED=" + std::to_string(root) + " " +
         program.string() + " --gtest_filter=" + CurrentTest();
}

std::string WavesLine(Tier tier, std::uint32_t root) {
  std::string name = CurrentTest();
  std::replace(name.begin(), name.end(), '/', '-');  // of a parameterised test
  const std::string file = "out/waves/" + name;
  return "TILEFLY_WAVES=" + file + ".fst " + ReproLine(tier, root) + " --gtest_repeat=2; gtkwave " + file + ".gtkw";
}

}  // namespace tilefly::bench
