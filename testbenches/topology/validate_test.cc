// SPDX-License-Identifier: Apache-2.0
// Every builder's systems are valid; each damage is refused by name.
#include "topology/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "testbenches/topology/refusal.h"
#include "topology/builder.h"

namespace tilefly::topology {
namespace {

using ::testing::HasSubstr;
using testing::Refusal;
using ::testing::StartsWith;

/// What Validate says of a small dragonfly after `damage`.
std::string After(const std::function<void(Topology*)>& damage) {
  Topology topology = Build("dragonfly:p=2,a=4,h=2");
  damage(&topology);
  const std::string refusal = Refusal([&] { Validate(topology, "here"); });
  if (!refusal.empty()) EXPECT_THAT(refusal, StartsWith("here: "));
  return refusal;
}

TEST(Validate, AcceptsWhatIsWhole) {
  EXPECT_EQ(After([](Topology*) {}), "");
}

TEST(Validate, NamesTheProfile) {
  EXPECT_THAT(After([](Topology* t) { t->profile = "tile9"; }), HasSubstr("'tile9'"));
  EXPECT_THAT(After([](Topology* t) { t->radix = 16; }), HasSubstr("radix 16"));
  EXPECT_THAT(After([](Topology* t) { *t = {"", "graph", "tile8", 8, {}, {}, {}, {}}; }), HasSubstr("no switch"));
}

TEST(Validate, NamesTheAddress) {
  EXPECT_THAT(After([](Topology* t) { t->switches[5].group = 511; }), HasSubstr("switch 5: group 511"));
  EXPECT_THAT(After([](Topology* t) { t->switches[5].index = 32; }), HasSubstr("switch 5: index 32"));
  EXPECT_THAT(After([](Topology* t) { t->switches[5].index = 0; }),
              HasSubstr("switch 5: group 1 index 0 is switch 4's"));
}

TEST(Validate, NamesThePort) {
  EXPECT_THAT(After([](Topology* t) { t->links[3].a.at = 36; }), HasSubstr("link 3: there is no switch 36"));
  EXPECT_THAT(After([](Topology* t) { t->links[3].b.port = 8; }), HasSubstr("link 3: switch 2 has no port 8"));
  EXPECT_THAT(After([](Topology* t) { t->endpoints[1].port.port = 0; }),
              HasSubstr("endpoint 1: switch 0 port 0 is used by endpoint 0 already"));
  EXPECT_THAT(After([](Topology* t) { t->links[0].a.port = 1; }),
              HasSubstr("link 0: switch 0 port 1 is used by endpoint 1 already"));
  EXPECT_THAT(After([](Topology* t) { t->links[1].a = t->links[0].a; }),
              HasSubstr("link 1: switch 0 port 2 is used by link 0 already"));
}

TEST(Validate, NamesTheLink) {
  EXPECT_THAT(After([](Topology* t) { t->links[0].b = {0, 7}; }), HasSubstr("link 0: leads from switch 0 to itself"));
  EXPECT_THAT(After([](Topology* t) { t->links[2].kind = LinkKind::kTerminal; }), HasSubstr("link 2: kind terminal"));
  EXPECT_THAT(After([](Topology* t) { t->links[2].metres = -1; }), HasSubstr("link 2: a length of -1m"));
}

TEST(Validate, NamesTheNode) {
  EXPECT_THAT(After([](Topology* t) { t->endpoints[7].node = 72; }), HasSubstr("node 7 has no endpoint, and node 8"));
  EXPECT_THAT(After([](Topology* t) { t->endpoints[0].node = -1; }), HasSubstr("node -1"));
}

TEST(Validate, NamesWhatIsApart) {
  const auto without = [](int at) {
    return [at](Topology* t) {
      std::vector<Link> kept;
      for (const Link& link : t->links) {
        if (link.a.at != at && link.b.at != at) kept.push_back(link);
      }
      t->links = kept;
    };
  };
  EXPECT_THAT(After(without(35)), HasSubstr("switch 35 cannot be reached from switch 0"));
  const auto only_global = [](Topology* t) {
    std::vector<Link> kept;
    for (const Link& link : t->links) {
      if (link.kind == LinkKind::kGlobal || (link.a.at != 5 && link.b.at != 5)) kept.push_back(link);
    }
    t->links = kept;
  };
  EXPECT_THAT(After(only_global), HasSubstr("switch 5 cannot be reached from switch 4 without leaving their group"));
}

TEST(Validate, NamesTheCoordinates) {
  EXPECT_THAT(After([](Topology* t) { t->switches[4].place.pop_back(); }), HasSubstr("switch 4: 1 coordinates"));
  EXPECT_THAT(After([](Topology* t) { t->switches[4].place[1] = -1; }), HasSubstr("switch 4: coordinate -1"));
  EXPECT_THAT(After([](Topology* t) { t->switches[4].place = t->switches[3].place; }),
              HasSubstr("switch 4: its coordinates are those of switch 3"));
  EXPECT_THAT(After([](Topology* t) { t->family = "torus"; }), HasSubstr("dimensions: [8, 8]"));
}

}  // namespace
}  // namespace tilefly::topology
