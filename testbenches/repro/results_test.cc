// SPDX-License-Identifier: Apache-2.0
// Tables and pictures of planted figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "runs/repro/repro_results.h"

namespace tilefly::runs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Figure> Figures() {
  return {{"rate", "a rate", "bytes", "Gb/s", true, false, {{"sharp", {{4096, 1.5}, {65536, 0.7}}}, {"ring", {}}}}};
}

JudgedClaim Missed() {
  Claim claim;
  claim.figure = "rate";
  claim.curve = "sharp";
  claim.name = "at 64 KiB, of all";
  claim.take = Take::kAt;
  claim.x = 65536;
  claim.low = 0.75;
  claim.published = "about \"80 %\"";
  claim.mark = CurvePoint{65536, 0.8};
  claim.source = "A paper";
  return Judge({claim}, Figures()).at(0);
}

TEST(ReproResults, TablesHaveEveryPointAndEveryMiss) {
  EXPECT_EQ(PointsCsv(Figures()), "figure,curve,x,value,unit\nrate,sharp,4096,1.5,Gb/s\nrate,sharp,65536,0.7,Gb/s\n");
  EXPECT_EQ(ClaimsCsv({Missed()}),
            "figure,curve,claim,value,low,high,published,verdict,source\n"
            "rate,sharp,\"at 64 KiB, of all\",0.7,0.75,,\"about \"\"80 %\"\"\",miss,A paper\n");
  const std::vector<std::string> lines = ClaimLines({Missed()});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[1], AllOf(HasSubstr("rate sharp: at 64 KiB"), HasSubstr("0.7 "), HasSubstr("at least 0.75"),
                              HasSubstr("about \"80 %\""), HasSubstr("miss")));
  JudgedClaim fixed = Missed();
  fixed.claim.fixed = true;
  EXPECT_THAT(ClaimLines({fixed})[1], AllOf(HasSubstr("a constant is fixed by it"), Not(HasSubstr("miss"))));
  EXPECT_EQ(CountOf({Missed(), fixed, Missed()}, "miss"), 2);
  EXPECT_EQ(CountOf({Missed(), fixed}, "hit"), 0);
  const auto json = ClaimsJson({Missed()});
  EXPECT_EQ(json[0]["verdict"], "miss");
  EXPECT_EQ(json[0]["high"], nullptr);
  EXPECT_EQ(json[0]["mark"][1], 0.8);
}

TEST(ReproResults, APictureHasCurvesAndCrosses) {
  const std::string svg = FigureSvg(Figures()[0], MarksOf({Missed()}, "rate"));
  EXPECT_THAT(svg, AllOf(HasSubstr("a rate, Gb/s"), HasSubstr("64 KiB"), HasSubstr("crosses: published"),
                         HasSubstr(">sharp<")));
  const auto lines = [](const std::string& text) {
    int count = 0;
    for (std::size_t at = text.find("<path"); at != std::string::npos; at = text.find("<path", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(lines(svg), lines(FigureSvg(Figures()[0], {})) + 2) << "a cross is two lines";
  EXPECT_TRUE(MarksOf({Missed()}, "other").empty());
  Figure empty = Figures()[0];
  empty.curves.erase(empty.curves.begin());
  EXPECT_THAT(FigureSvg(empty, {}), HasSubstr("a rate: nothing was measured."));
}

TEST(ReproResults, SizesAreWrittenAsPeopleDo) {
  const Figure bytes = Figures()[0];
  EXPECT_EQ(XText(bytes, 512), "512");
  EXPECT_EQ(XText(bytes, 4096), "4 KiB");
  EXPECT_EQ(XText(bytes, 1 << 26), "64 MiB");
  Figure hosts = bytes;
  hosts.x = "hosts";
  EXPECT_EQ(XText(hosts, 4096), "4096");
}

TEST(ReproResults, TheReportHasFiguresClaimsAndTheCommand) {
  nlohmann::ordered_json results{{"verdict", "pass"},
                                 {"study", "sharp-latency"},
                                 {"quick", true},
                                 {"claims_hit", 3},
                                 {"claims_missed", 1},
                                 {"constants", ConstantsJson({290, 290, 246}, 1200)},
                                 {"options", nlohmann::ordered_json::object()},
                                 {"system", nullptr},
                                 {"figures", FiguresJson(Figures())},
                                 {"claims", ClaimsJson({Missed()})}};
  const ReportParts report = ReproReport(results);
  EXPECT_EQ(report.detail["figures"][0]["curves"][0]["points"][1][1], 0.7);
  EXPECT_EQ(report.detail["claims"].size(), 1u);
  EXPECT_EQ(report.detail["command"], "tilefly repro sharp-latency --quick --ping-pong-ns 1200.0");
  EXPECT_EQ(report.results["host_reduce_ns_per_kib"], 246);
  EXPECT_FALSE(report.results.contains("figures"));
  EXPECT_EQ(report.results["level"], "repro sharp-latency: 3 of 4 judged claims hit, 1 missed") << "in its banner";
  results["study"] = "link-efficiency";
  results["constants"] = nlohmann::ordered_json::object();
  EXPECT_EQ(ReproReport(results).detail["command"], "tilefly repro link-efficiency --quick") << "no hosts, no constants";
  results["study"] = "gpcnet";
  results["options"] = {{"topology", "preset:malbec"}, {"nodes", 32}};
  const ReportParts own = ReproReport(results, {"impact.csv"});
  EXPECT_EQ(own.detail["command"], "tilefly repro gpcnet --quick --topology preset:malbec --nodes 32");
  EXPECT_EQ(own.results["nodes"], 32);
  EXPECT_FALSE(own.results.contains("system"));
  EXPECT_EQ(own.detail["files"].back(), "impact.csv");
}

TEST(ReproResults, SmallXKeepTheirValue) {
  const std::vector<Figure> figures = {{"f", "", "bit error rate", "", true, false, {{"c, formula", {{3e-8, 0.5}}}}}};
  EXPECT_EQ(PointsCsv(figures), "figure,curve,x,value,unit\nf,\"c, formula\",3e-08,0.5,\n");
  EXPECT_THAT(FigureSvg(figures[0], {}), AllOf(HasSubstr(">bit error rate<"), HasSubstr(">3e-08<")));
}

}  // namespace
}  // namespace tilefly::runs
