// SPDX-License-Identifier: Apache-2.0
// Devices of words that are nodes of reduction trees, over links that damage words and slots: every result is right,
// and the systems equal golden ones.
#include <gtest/gtest.h>

#include "testbenches/system/repeating_devices.h"

namespace tilefly::cosim {
namespace {

network::NetworkOptions Reduces(const std::string& jobs, bool bench_timing) {
  network::NetworkOptions options = Jobs(jobs, TierNow() == bench::Tier::kFull ? 72 : 12);
  options.bench_timing = bench_timing;
  return options;
}

TEST(ReducingLinksOfDevices, EqualGoldenOnes) {
  const char* const jobs = "allreduce:sharp,bytes=9000,iterations=2,lock=each,check=yes,ranks=7+allreduce:sharp-low,"
                           "bytes=2000,iterations=2,ranks=5";
  for (const bool bench_timing : {false, true}) {
    ExpectGolden(Some(), network::Repeating(Reduces(jobs, bench_timing), 3e-5), 20);
    ExpectGolden(Some(), network::With(Reduces(jobs, bench_timing), network::Mixed()), 20);
  }
}

TEST(ReducingLinksOfDevices, EqualGoldenOnesThatBroadcastBesideMessages) {
  const char* const jobs = "broadcast:sharp,bytes=5000,root=2,check=yes,ranks=6+alltoall:bytes=500,ranks=6";
  ExpectGolden(Some(), network::With(Reduces(jobs, false), network::Mixed()), 20);
}

/// The ranks give up before they are answered.
TEST(ReducingLinksOfDevices, EqualGoldenOnesThatTearTheirTreesDown) {
  ExpectGolden(Some(), network::With(Reduces("allreduce:sharp,timeout=1us,ranks=12", false), network::Mixed()), 0);
}

}  // namespace
}  // namespace tilefly::cosim
