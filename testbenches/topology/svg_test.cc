// SPDX-License-Identifier: Apache-2.0
// Pictures: every switch and every edge are there, or it is said what is not.
#include "topology/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "topology/builder.h"

namespace tilefly::topology {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Draw(const std::string& text) {
  const Topology topology = Build(text);
  return DrawSvg(topology, Describe(topology));
}

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Svg, ShowsEverySwitchAndEdgeUpToShandy) {
  const std::string small = Draw("dragonfly:p=2,a=4,h=2");
  EXPECT_EQ(Count(small, "<circle"), 36);
  EXPECT_EQ(Count(small, "<path"), 54 + 36 + 2) << "links and two lines of the legend";
  const std::string shandy = Draw("preset:shandy");
  EXPECT_EQ(Count(shandy, "<circle"), 128);
  EXPECT_EQ(Count(shandy, "<path"), 960 + 224 + 2);
  EXPECT_THAT(shandy, HasSubstr("2048 endpoints of 1024 nodes"));
}

TEST(Svg, ParallelLinksAreOneLine) {
  const std::string torus = Draw("preset:torus-8x8");
  EXPECT_EQ(Count(torus, "<circle"), 64);
  EXPECT_EQ(Count(torus, "<path"), 2 * 64 + 2);
  EXPECT_THAT(torus, HasSubstr("1120 local links"));
}

TEST(Svg, SaysWhatIsLeftOut) {
  const std::string largest = Draw("preset:slingshot-max");
  EXPECT_EQ(Count(largest, "<circle"), 511 + 32);
  EXPECT_EQ(Count(largest, "<path"), 510 + 32 * 31 / 2 + 2);
  EXPECT_THAT(largest, HasSubstr("1 link for each pair of groups; drawn: those of group 0"));
  EXPECT_LT(largest.size(), 500'000u);
  const std::string crystal = Draw("preset:crystal");
  EXPECT_EQ(Count(crystal, "<circle"), 2 + 96);
  EXPECT_EQ(Count(crystal, "<path"), 1 + 6 * 120 + 16 * 15 + 3);
  EXPECT_THAT(crystal, HasSubstr("960 links for each pair of groups"));
  EXPECT_THAT(Draw("preset:torus-8x8x8"), HasSubstr("Links between planes are drawn for the last row"));
}

TEST(Svg, TreesShowTheirEndpoints) {
  const std::string tree = Draw("preset:tree-4x3");
  EXPECT_EQ(Count(tree, "<circle"), 48);
  EXPECT_EQ(Count(tree, "<path"), 128 + 64 + 1);
  EXPECT_THAT(tree, HasSubstr("level 2"));
  const std::string fat = Draw("fattree");
  EXPECT_EQ(Count(fat, "<circle"), 5);
  EXPECT_THAT(fat, HasSubstr("level 1"));
}

TEST(Svg, SmallestSystemsHaveAPicture) {
  EXPECT_EQ(Count(Draw("dragonfly:p=8,a=1,h=0"), "<circle"), 1);
  EXPECT_EQ(Count(Draw("torus:size=12"), "<circle"), 12);
  EXPECT_EQ(Count(Draw("torus:size=3x3x3x3"), "<circle"), 81);
  EXPECT_EQ(Count(Draw("aries:g=1"), "<circle"), 1 + 96);
  EXPECT_EQ(Count(Draw("dragonfly:p=2,a=4,h=0"), "<circle"), 4);
}

TEST(Svg, ANameIsEscaped) {
  Topology topology = Build("dragonfly:p=8,a=1,h=0");
  topology.name = "a<b>&c.yaml";
  const std::string svg = DrawSvg(topology, Describe(topology));
  EXPECT_THAT(svg, HasSubstr("a&lt;b&gt;&amp;c.yaml"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace tilefly::topology
