// SPDX-License-Identifier: Apache-2.0
// Captures of real frames through the device of transaction models, held against golden (docs/systemc.md, As a device).
// What is in the files: testbenches/lockstep/capture_rtl_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "testbenches/systemc/device_session.h"

namespace tilefly::systemc {
namespace {

struct Case {
  const char* name;
  const char* file;  ///< in $TILEFLY_DATA/pcap, or of this tree
  int frames;
  const char* pace;  ///< about 100,000 cycles
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

/// Every frame is delivered and none dropped, within the bounds, as fast as the links take them and at the capture's
/// pace.
void ExpectBoundedAtEachPace(const Case& one, const std::string& file, const std::string& profile) {
  for (const char* const pace : {"back-to-back", one.pace}) {
    SCOPED_TRACE(profile + " " + pace);
    runs::Session session =
        Make(std::string("capture_") + one.name,
             {{"profile", profile}, {"capture.file", file}, {"capture.pace", pace}, {"max_cycles", "0"}});
    EXPECT_EQ(session.Run(), kPassed) << LogOf(session);
    const auto& results = session.results();
    EXPECT_EQ(results["contract"], "bounded");
    ASSERT_FALSE(results["measured"].is_null());
    EXPECT_TRUE(results["measured"]["broken"].empty()) << results["measured"];
    EXPECT_EQ(results["books"]["offered"], one.frames);
    EXPECT_EQ(results["books"]["delivered"], one.frames);
    EXPECT_TRUE(results["books"]["drops"].empty()) << results["books"];
    std::printf("measured: %-6s %-10s %-12s %s\n", one.name, profile.c_str(), pace, results["measured"].dump().c_str());
  }
}

TEST(CaptureContract, HoldsOfALanOn64Ports) {
  ExpectBoundedAtEachPace({"lan24", nullptr, 3980, "x0.00002"}, "captures/lan24.pcapng", "rosetta64");
}

class CaptureContractOfData : public ::testing::TestWithParam<Case> {};

TEST_P(CaptureContractOfData, HoldsOn8And64Ports) {
  const char* const data = std::getenv("TILEFLY_DATA");
  if (data == nullptr) GTEST_SKIP() << "set TILEFLY_DATA to the folder of data that has pcap/" << GetParam().file;
  const std::string file = std::string(data) + "/pcap/" + GetParam().file;
  for (const char* const profile : {"tile8", "rosetta64"}) ExpectBoundedAtEachPace(GetParam(), file, profile);
}

INSTANTIATE_TEST_SUITE_P(Files, CaptureContractOfData,
                         ::testing::Values(Case{"AoE", "AoE_Linux.pcap", 186, "x0.0000005"},
                                           Case{"mptcp", "mptcp-v0.pcap", 264, "x0.00001"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tilefly::systemc
