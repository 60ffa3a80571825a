// SPDX-License-Identifier: Apache-2.0
// tilefly_rr_arbiter against golden's RoundRobin and PointerAfter (docs/blocks/arbiter.md: ARB-1, ARB-2, ARB-3).
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "Vrtl_rr_arbiters.h"
#include "golden/arbiter/choice_checker.h"
#include "golden/arbiter/round_robin.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr std::array<int, 6> kSizes = {1, 2, 3, 4, 8, 16};

/// What golden chooses.
struct Choice {
  std::uint64_t grant = 0;
  int index = 0;
  int next = 0;
};
Choice Golden(std::uint64_t requests, int pointer, int size) {
  if (requests == 0) return {};
  const int winner = golden::RoundRobin(requests, pointer);
  return {golden::Bit(winner), winner, golden::PointerAfter(winner, size)};
}

/// Compares arbiter `a` with golden; the outputs are those of the current cycle.
Choice CompareChoice(Comparison* run, Dut<Vrtl_rr_arbiters>* dut, int a, int pointer) {
  const std::uint64_t requests = Get((*dut)->req_i, 16 * a, 16);
  const Choice golden = Golden(requests, pointer, kSizes[static_cast<std::size_t>(a)]);
  run->Compare("grant", Get((*dut)->grant_o, 16 * a, 16), golden.grant);
  run->Compare("index", Get((*dut)->index_o, 4 * a, 4), static_cast<std::uint64_t>(golden.index));
  run->Compare("next", Get((*dut)->next_o, 4 * a, 4), static_cast<std::uint64_t>(golden.next));
  if (requests != 0) run->Busy();
  return golden;
}

TEST(RrArbiter, EqualsGoldenInEveryCycle) {
  Comparison run;
  Dut<Vrtl_rr_arbiters> dut(&run);
  const Bin all_request = run.AddBin("all 16 request", 500);
  const Bin wraps = run.AddBin("the pointer of 16 wraps", 500);
  const Bin unused = run.AddBin("a choice that is not used", 500);

  std::vector<golden::ChoiceChecker> books(kSizes.begin(), kSizes.end());  // of the RTL's choices
  std::array<int, kSizes.size()> pointers{};
  const Stimulus& random = run.stimulus();
  while (run.Next()) {
    for (int a = 0; a < static_cast<int>(kSizes.size()); ++a) {
      const int size = kSizes[static_cast<std::size_t>(a)];
      const int level = random.Level("level", run.cycle(), static_cast<std::uint32_t>(a));
      std::uint64_t requests = 0;
      for (int i = 0; i < size; ++i) {
        const auto index = static_cast<std::uint32_t>(16 * a + i);
        if (random.Chance(level, "request", run.cycle(), index)) requests |= golden::Bit(i);
      }
      Put(&dut->req_i, 16 * a, 16, requests);
      Put(&dut->pointer_i, 4 * a, 4, static_cast<std::uint64_t>(pointers[static_cast<std::size_t>(a)]));
    }
    dut.Settle();
    for (int a = 0; a < static_cast<int>(kSizes.size()); ++a) {
      int& pointer = pointers[static_cast<std::size_t>(a)];
      const int size = kSizes[static_cast<std::size_t>(a)];
      const Choice choice = CompareChoice(&run, &dut, a, pointer);
      const std::uint64_t requests = Get(dut->req_i, 16 * a, 16);
      const bool used = choice.grant != 0 && random.Chance(192, "used", run.cycle(), static_cast<std::uint32_t>(a));
      if (size == 16 && requests == 0xffff) run.Hit(all_request);
      if (size == 16 && used && choice.next < pointer) run.Hit(wraps);
      if (choice.grant != 0 && !used) run.Hit(unused);
      golden::Audit audit;
      books[static_cast<std::size_t>(a)].Choose(requests, Get(dut->grant_o, 16 * a, 16), used, &audit);
      run.Check(audit);
      if (used) {
        run.Event("used: size, winner", {size, choice.index});
        pointer = choice.next;
      }
    }
    dut.Edge();
  }
}

TEST(RrArbiter, EqualsGoldenForEveryRequestAndPointer) {
  Comparison run({1, 0, 256 * 8});  // all of the arbiters up to 8 requesters; 16 as far as it goes
  Dut<Vrtl_rr_arbiters> dut(&run);
  const Bin nobody = run.AddBin("nobody requests", 8);
  while (run.Next()) {
    const auto requests = static_cast<std::uint64_t>(run.cycle() >> 3);
    const int pointer = static_cast<int>(run.cycle() & 7);
    for (int a = 0; a < static_cast<int>(kSizes.size()); ++a) {
      const int size = kSizes[static_cast<std::size_t>(a)];
      const std::uint64_t mask = golden::Bit(size) - 1;
      Put(&dut->req_i, 16 * a, 16, (size == 16 ? requests * 0x101 : requests) & mask);
      Put(&dut->pointer_i, 4 * a, 4, static_cast<std::uint64_t>(pointer % size));
    }
    dut.Settle();
    if (requests == 0) run.Hit(nobody);
    for (int a = 0; a < static_cast<int>(kSizes.size()); ++a) {
      CompareChoice(&run, &dut, a, pointer % kSizes[static_cast<std::size_t>(a)]);
    }
  }
}

}  // namespace
}  // namespace tilefly::bench
