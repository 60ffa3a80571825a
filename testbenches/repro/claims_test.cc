// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runs/repro/link_efficiency.h"
#include "runs/repro/study.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kHead = "sources: {paper: A paper}\nclaims:\n";

Claim Read(const std::string& keys) {
  const std::string text =
      std::string(kHead) + "- {study: s, figure: f, curve: c, name: n, published: p, source: paper, ";
  return ReadClaims(text + keys + "}\n", "planted.yaml").at(0);
}

std::string RefusalOf(const std::string& text) {
  try {
    ReadClaims(text, "planted.yaml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::vector<Figure> Curve(const std::vector<CurvePoint>& points) {
  return {{"f", "", "bytes", "", true, false, {{"c", points}}}};
}

TEST(Claims, TakeTheValueThatTheyAreAbout) {
  const std::vector<Figure> figures = Curve({{1024, 0.5}, {2048, 0.8}, {4096, 1.25}, {8192, 0.9}});
  EXPECT_EQ(ValueOf(Read("take: at, x: 2048"), figures), 0.8);
  EXPECT_EQ(ValueOf(Read("take: at, x: 2000"), figures), std::nullopt) << "no point is near enough but the one itself";
  EXPECT_EQ(ValueOf(Read("take: last"), figures), 0.9);
  EXPECT_EQ(ValueOf(Read("take: most"), figures), 1.25);
  EXPECT_EQ(ValueOf(Read("take: most, from: 8192"), figures), 0.9);
  EXPECT_EQ(ValueOf(Read("take: least"), figures), 0.5);
  EXPECT_EQ(ValueOf(Read("take: least, from: 2048"), figures), 0.8);
  EXPECT_EQ(ValueOf(Read("take: farthest, from: 2048"), figures), 1.25) << "above 1 as well as below";
  EXPECT_EQ(ValueOf(Read("take: farthest"), figures), 0.5);
  EXPECT_EQ(ValueOf(Read("take: least, from: 10000"), figures), std::nullopt);
}

TEST(Claims, ACrossingLiesBetweenTwoPoints) {
  // Half of the way down, and half of an octave on.
  EXPECT_DOUBLE_EQ(ValueOf(Read("take: crossing"), Curve({{1024, 3}, {4096, 1.5}, {8192, 0.5}})).value(),
                   4096 * std::sqrt(2));
  EXPECT_DOUBLE_EQ(ValueOf(Read("take: crossing"), Curve({{4096, 1.5}, {8192, 1}})).value(), 8192);
  EXPECT_EQ(ValueOf(Read("take: crossing"), Curve({{4096, 0.9}, {8192, 0.5}})), std::nullopt) << "below from the start";
  EXPECT_EQ(ValueOf(Read("take: crossing"), Curve({{4096, 1.9}, {8192, 1.1}})), std::nullopt) << "never below";
}

TEST(Claims, AreMissedOutsideOfTheirBounds) {
  const Claim both = Read("take: last, low: 0.75, high: 0.85");
  for (const double hit : {0.75, 0.8, 0.85}) EXPECT_EQ(VerdictOf(both, hit), "hit") << hit;
  for (const double miss : {0.7499, 0.8501, -1.0}) EXPECT_EQ(VerdictOf(both, miss), "miss") << miss;
  EXPECT_EQ(VerdictOf(both, std::nullopt), "not measured");
  const Claim least = Read("take: last, low: 2");
  EXPECT_EQ(VerdictOf(least, 1.99), "miss");
  EXPECT_EQ(VerdictOf(least, 2000), "hit");
  EXPECT_EQ(VerdictOf(Read("take: last"), 5), "not judged");
  EXPECT_EQ(VerdictOf(Read("take: last, low: 4, fixed: yes"), 5), "not judged") << "a constant makes it so";
}

TEST(Claims, AreReadStrictly) {
  const Claim claim = Read("take: at, x: 4096, mark: [4096, 0.5]");
  EXPECT_EQ(claim.source, "A paper");
  ASSERT_TRUE(claim.mark.has_value());
  EXPECT_EQ(claim.mark->x, 4096);
  EXPECT_EQ(claim.mark->y, 0.5);
  const std::string most = "- {study: s, figure: f, curve: c, name: n, published: p";
  EXPECT_THAT(RefusalOf(kHead + most + ", source: paper, take: mean}"),
              AllOf(HasSubstr("planted.yaml:3"), HasSubstr("'mean'")));
  EXPECT_THAT(RefusalOf(kHead + most + ", source: other, take: most}"), HasSubstr("'other' is not in sources"));
  EXPECT_THAT(RefusalOf(kHead + most + ", source: paper, take: at}"), HasSubstr("'x' is missing"));
  EXPECT_THAT(RefusalOf(kHead + most + ", source: paper, take: most, hgih: 3}"), HasSubstr("hgih"));
  EXPECT_THAT(RefusalOf(kHead + most + ", source: paper, take: most, mark: [3]}"), HasSubstr("[x, y]"));
}

/// Each claim of the program is about a curve that its study draws, at an x that it runs.
TEST(Claims, OfTheProgramAreMeasured) {
  for (const Study& study : Studies()) {
    for (const bool quick : {false, true}) {
      StudyValues times;
      for (const StudyRun& run : study.runs({quick})) {
        times.Set(run, 1000 + run.x);
        for (const char* of : {" samples", " mean", " p99"}) times.Set(run.curve + of, run.x, 1000);  // of gpcnet
        for (const char* of : {" queue", " busy", " victim", " outside"}) {  // of incast
          for (const double time : {0, 10}) times.Set(run.curve + of, time, 1);
        }
        times.Set(ByErrors(run.curve), run.x, 1000);
      }
      const std::vector<Figure> figures = study.figures({quick}, times);
      const std::vector<Claim> claims = ClaimsOf(study.name);
      EXPECT_GE(claims.size(), 3u);
      for (const Claim& claim : claims) {
        const FigureCurve* const curve = FindCurve(figures, claim.figure, claim.curve);
        ASSERT_NE(curve, nullptr) << claim.figure << " " << claim.curve;
        EXPECT_FALSE(curve->points.empty()) << claim.name;
        if (claim.take != Take::kCrossing) EXPECT_TRUE(ValueOf(claim, figures).has_value()) << claim.name;
      }
    }
  }
}

}  // namespace
}  // namespace tilefly::runs
