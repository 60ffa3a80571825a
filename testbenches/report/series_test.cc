// SPDX-License-Identifier: Apache-2.0
// What files and report have of time series: every row, what is not known, and what is too much for a picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/report/series_sample.h"

namespace tilefly::testing {
namespace {

TEST(Series, AreALineForEachSeriesAndInterval) {
  const runs::SampleTable table = MadeUpSeries();
  const std::string csv = SamplesCsv(table);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 5 * 76);
  EXPECT_THAT(csv, ::testing::StartsWith("begin_cycle,begin_ns,cycles,scope,name,offered_words,sent_packets,sent_words,"
                                         "received_packets,received_words,offered_load,accepted_load,utilisation,"
                                         "throughput_gbps,latency_mean_ns,latency_p99_ns,latency_max_ns,source_words,"
                                         "network_words,load_cells,buffer_cells\n"
                                         "0,0.00,100,system,all,,,,,,0.500000,0.500000,,,,,,0,2000,,0\n"));
  EXPECT_THAT(csv, ::testing::HasSubstr("\n400,512.00,50,class,0,,,,,,0.300000,0.150000,,,503.000,903.000,,4000,2000,,\n"));
  const auto json = SamplesJson(table);
  EXPECT_EQ(json["series"].dump(), R"({"system":1,"class":2,"group":3,"link":70})");
}

TEST(Series, OfTheReportAreTheBusiestAndTheFirstIterations) {
  const nlohmann::json report = SamplesReport(MadeUpSeries());
  ASSERT_EQ(report["lines"].size(), 3u);
  EXPECT_EQ(report["lines"][1]["mean"].dump(), "[null,503.0,503.0,503.0,503.0]");
  EXPECT_FALSE(report["lines"][1].contains("buffers")) << "not known of a class";
  ASSERT_EQ(report["maps"].size(), 2u);
  const nlohmann::json& links = report["maps"][1];
  EXPECT_EQ(links["of"], 70);
  ASSERT_EQ(links["names"].size(), 64u);
  EXPECT_EQ(links["names"][0], "s0.1->s69.2");
  EXPECT_EQ(links["names"][63], "s0.1->s6.2");
  ASSERT_EQ(links["figures"].size(), 2u);
  EXPECT_EQ(links["figures"][0]["name"], "utilisation");
  EXPECT_EQ(links["figures"][1]["rows"][0].dump(), "[null,null,null,null,null]");
  EXPECT_EQ(links["figures"][1]["rows"][1].dump(), "[0.0,10.0,20.0,30.0,40.0]");
  EXPECT_EQ(report["phases"][0]["iterations"].dump(), "[[0,120],[120,300]]");
  EXPECT_EQ(report["phases"][1]["iterations"].size(), 200u);
  EXPECT_EQ(report["phases"][1]["iterations_done"], 250);
  EXPECT_TRUE(report["phases"][1]["end"].is_null());
}

TEST(Series, SayWhatTheyAreOtherwiseThanAsked) {
  runs::SampleTable table = MadeUpSeries();
  EXPECT_THAT(SampleLines(table, "128ns"),
              ::testing::ElementsAre("samples: 5 intervals of 100 cycles (128.0 ns); series: system 1, class 2, group 3, link 70"));
  table.asked = 25;
  EXPECT_THAT(SampleLines(table, "32ns"),
              ::testing::Contains("samples: intervals of 25 cycles were joined to 100: at most 256 are kept"));
  table.width = table.asked = 1000;
  table.intervals = 1;
  EXPECT_THAT(SampleLines(table, "1280ns"),
              ::testing::Contains(::testing::HasSubstr("warning: --sample 1280ns shows no course")));
}

}  // namespace
}  // namespace tilefly::testing
