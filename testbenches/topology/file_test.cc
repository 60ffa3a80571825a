// SPDX-License-Identifier: Apache-2.0
// Systems through files and back, and what a file is refused for.
#include "topology/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "testbenches/bench/process_folder.h"
#include "testbenches/topology/refusal.h"
#include "topology/builder.h"

namespace tilefly::topology {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Refusal;

/// A file in the folder of temporary files; removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(bench::ProcessFolder() / (std::string("topology-") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void ExpectSame(const Topology& x, const Topology& y) {
  EXPECT_EQ(x.family, y.family);
  EXPECT_EQ(x.profile, y.profile);
  EXPECT_EQ(x.radix, y.radix);
  EXPECT_EQ(x.dimensions, y.dimensions);
  EXPECT_TRUE(x.switches == y.switches);
  EXPECT_TRUE(x.links == y.links);
  EXPECT_TRUE(x.endpoints == y.endpoints);
}

TEST(File, EverySystemComesBackEqual) {
  const char* const tier = std::getenv("TILEFLY_TIER");
  for (const Preset& preset : Presets()) {
    if (preset.name == "slingshot-max" && (tier == nullptr || std::string(tier) != "full")) continue;
    const Topology built = Build("preset:" + preset.name);
    const TemporaryFile file(TopologyYaml(built));
    const Topology read = Build(file.path());
    EXPECT_EQ(read.name, file.path());
    ExpectSame(built, read);
  }
  for (const std::string text :
       {"dragonfly:p=1,a=2,h=4,g=3,links=4,local=3,global_cable=33.3m", "dragonfly:p=8,a=1,h=0"}) {
    const Topology built = Build(text);
    const TemporaryFile file(TopologyYaml(built));
    ExpectSame(built, Build(file.path()));
  }
}

constexpr char kRing[] = R"(switches: 3
links:
- {a: [0, 1], b: [1, 2]}
- {a: [1, 1], b: [2, 2], kind: global}
- {a: [2, 1], b: [0, 2], length: 7.5m}
endpoints:
- {at: [0, 0]}
- {at: [2, 0], node: 0, length: 1m}
)";

TEST(File, ShortFormsHaveTheDefaultsOfThePage) {
  const TemporaryFile file(kRing);
  const Topology ring = Build(file.path());
  EXPECT_EQ(ring.family, "graph");
  EXPECT_EQ(ring.profile, "tile8");
  ASSERT_EQ(ring.switches.size(), 3u);
  EXPECT_EQ(ring.switches[2].group, 2);
  EXPECT_EQ(ring.switches[2].index, 0);
  ASSERT_EQ(ring.links.size(), 3u);
  EXPECT_EQ(ring.links[0].kind, LinkKind::kLocal);
  EXPECT_EQ(ring.links[0].metres, 2.6);
  EXPECT_EQ(ring.links[1].metres, 100);
  EXPECT_EQ(ring.links[2].metres, 7.5);
  EXPECT_EQ(ring.endpoints[1].node, 0);
  EXPECT_EQ(ring.endpoints[1].port.at, 2);
}

/// What is said of the ring after its first `from` was replaced.
std::string With(const std::string& from, const std::string& to) {
  std::string text = kRing;
  text.replace(text.find(from), from.size(), to);
  const TemporaryFile file(text);
  return Refusal([&] { Build(file.path()); });
}

TEST(File, RefusesWithLineAndKey) {
  EXPECT_THAT(With("length", "lenght"), AllOf(HasSubstr(".yaml:5"), HasSubstr("did you mean 'length'?")));
  EXPECT_THAT(With("switches: 3", "switches: three"), AllOf(HasSubstr(".yaml:1"), HasSubstr("'three'")));
  EXPECT_THAT(With("switches: 3", "switches: 512"), AllOf(HasSubstr("512 switches"), HasSubstr("list them")));
  EXPECT_THAT(With("switches: 3", "family: dragonfy\nswitches: 3"), HasSubstr("did you mean 'dragonfly'?"));
  EXPECT_THAT(With("switches: 3", "family: dragonfly\nswitches: 3"), HasSubstr("switch 0: 0 coordinates"));
  EXPECT_THAT(With("switches: 3", "profile: tile9\nswitches: 3"), HasSubstr("did you mean 'tile8'?"));
  EXPECT_THAT(With("kind: global", "kind: terminal"), HasSubstr("unknown kind"));
  EXPECT_THAT(With("a: [2, 1]", "a: [2]"), AllOf(HasSubstr(".yaml:5: link 2: a"), HasSubstr("[switch, port]")));
  EXPECT_THAT(With("a: [2, 1]", "a: [2, -1]"), HasSubstr("-1 is out of range"));
  EXPECT_THAT(With("a: [2, 1], ", ""), HasSubstr("link 2: a: write the end"));
  EXPECT_THAT(With("7.5m", "7.5"), HasSubstr("write it as 2.6m"));
  EXPECT_THAT(With("a: [2, 1]", "a: [2, 2]"), HasSubstr("link 2: switch 2 port 2 is used by link 1 already"));
  EXPECT_THAT(With("a: [2, 1]", "a: [3, 1]"), HasSubstr("there is no switch 3"));
  EXPECT_THAT(With("a: [2, 1]", "a: [2, 64]"), HasSubstr("needs 65 ports"));
  EXPECT_THAT(Refusal([] { Build("nowhere.yaml"); }), HasSubstr("nowhere.yaml: cannot be read"));
}

}  // namespace
}  // namespace tilefly::topology
