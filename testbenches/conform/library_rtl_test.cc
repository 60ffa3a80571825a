// SPDX-License-Identifier: Apache-2.0
// The RTL beside golden behind the interface of devices in libraries; waves of devices that show links only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/conform/library_run.h"

namespace tilefly::conform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(LibraryAndRtl, AreEqualAtL3) {
  const Cosim run("rtl," + Library("golden_copy"), {{"ports.kind", "mixed"}, {"traffic.load", "0.9"}});
  EXPECT_EQ(run.status, kPassed) << run.Message();
  EXPECT_EQ(run.results["observation_compared"], run.results["compared"]);
}

TEST(LibraryAndRtl, WavesShowWhatADeviceShows) {
  const Cosim run("rtl," + Library("golden_copy") + ":shows=links",
                  {{"waves.mode", "full"}, {"waves.start", "100"}, {"waves.end", "400"}});
  EXPECT_EQ(run.status, kPassed) << run.Message();
  EXPECT_GT(std::filesystem::file_size(run.folder / "waves/run.fst"), 1000u);
  EXPECT_THAT(ReadText(run.folder / "waves/run.gtkw"),
              AllOf(HasSubstr("lib_golden_copy.port_"), HasSubstr("rtl.port_"), Not(HasSubstr("{req_valid lib_golden_copy}"))));
}

}  // namespace
}  // namespace tilefly::conform
