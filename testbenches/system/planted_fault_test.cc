// SPDX-License-Identifier: Apache-2.0
// A switch of a system that does something wrong is named, with port and cycle.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cosim/golden_device.h"
#include "cosim/system/device_node.h"
#include "golden/reduction/red_part.h"
#include "network/reduction_check.h"
#include "testbenches/system/faulty_device.h"
#include "testbenches/system/system_rig.h"

namespace tilefly::cosim {
namespace {

using ::testing::HasSubstr;

constexpr int kNode = 14;
/// Cycles in which the system is full of packets.
constexpr Cycle kFrom = 1200;

/// Where the fault was planted.
struct Planted {
  Cycle cycle = -1;
  int port = -1;

  bool done() const { return cycle >= 0; }
  void At(Cycle now, int p) {
    cycle = now;
    port = p;
  }
};

bool IsRed(const Word& first) { return first.sop && golden::HeaderBits(first.data.data()).is_red(); }

/// The first word of a full segment, or of its result.
bool IsSegment(const Word& first) {
  return IsRed(first) &&
         golden::HeaderBits(first.data.data()).length() == golden::RedFrame::LengthOf(kTile8, kTile8.red_bytes);
}

class PlantedFaults : public ::testing::Test {
 protected:
  PairRun Run(const FaultyDevice::Tamper& tamper) { return Run(tamper, Traffic("uniform", 0.7, "64,512", 2000)); }
  /// All ranks reduce: every switch is a node of the tree.
  PairRun RunTree(const FaultyDevice::Tamper& tamper) {
    return Run(tamper, Jobs("allreduce:sharp,bytes=9000,check=yes"));
  }
  PairRun Run(const FaultyDevice::Tamper& tamper, network::NetworkOptions options) {
    const auto topology = topology::Build(kDragonfly);
    options.make_node = [&](int node, const Profile& profile, network::NodeContext* context) {
      return node != kNode
                 ? nullptr
                 : std::make_unique<DeviceNode>(
                       profile, node, context, 3,
                       std::make_unique<FaultyDevice>(std::make_unique<GoldenDevice>(profile), tamper), nullptr);
    };
    return RunPair(topology, options);
  }
  void ExpectFound(const PairRun& run, const std::string& what) {
    ASSERT_TRUE(planted_.done());
    EXPECT_THAT(run.failure, HasSubstr(what));
    EXPECT_EQ(run.node, kNode);
    EXPECT_EQ(run.port, planted_.port);
    EXPECT_EQ(run.cycle, planted_.cycle);
    EXPECT_THAT(run.failure,
                HasSubstr(fmt::format("cycle {}, switch {}, port {}: ", planted_.cycle, kNode, planted_.port)));
  }

  Planted planted_;
};

TEST_F(PlantedFaults, ACreditACycleLate) {
  Ctrl late;
  ExpectFound(Run([&](Cycle now, int port, Link* link) {
                if (late.credit_valid && port == planted_.port && !link->ctrl.credit_valid) {
                  link->ctrl = late;
                  late = Ctrl{};
                } else if (!planted_.done() && now > kFrom && link->ctrl.credit_valid) {
                  planted_.At(now, port);
                  std::swap(late, link->ctrl);
                }
              }),
              "nothing, expected a credit return");
}

TEST_F(PlantedFaults, ACreditOfACellMore) {
  const PairRun run = Run([&](Cycle now, int port, Link* link) {
    if (planted_.done() || now <= kFrom || !link->ctrl.credit_valid) return;
    planted_.At(now, port);
    link->ctrl.credit_cells = static_cast<std::uint16_t>(link->ctrl.credit_cells - 1);
  });
  ExpectFound(run, "a credit return of lane");
}

TEST_F(PlantedFaults, ABitOfAPayload) {
  ExpectFound(Run([&](Cycle now, int port, Link* link) {
                if (planted_.done() || now <= kFrom || !link->word.valid || link->word.sop) return;
                planted_.At(now, port);
                link->word.data[13] ^= 4;
              }),
              "data is [13]=");
}

TEST_F(PlantedFaults, ABitOfAHeader) {
  const int bit = golden::HeaderField("flow").lsb;
  ExpectFound(Run([&](Cycle now, int port, Link* link) {
                if (planted_.done() || now <= kFrom || !link->word.sop) return;
                planted_.At(now, port);
                link->word.data[static_cast<std::size_t>(bit / 8)] ^= static_cast<std::uint8_t>(1 << bit % 8);
              }),
              "data is [");
}

TEST_F(PlantedFaults, AMissingWord) {
  ExpectFound(Run([&](Cycle now, int port, Link* link) {
                if (planted_.done() || now <= kFrom || !link->word.eop) return;
                planted_.At(now, port);
                link->word = Word{};
              }),
              "is missing, its first was there in cycle");
}

TEST_F(PlantedFaults, AnotherLane) {
  const int bit = golden::HeaderField("vl").lsb;
  ExpectFound(Run([&](Cycle now, int port, Link* link) {
                if (planted_.done() || now <= kFrom || !link->word.sop) return;
                planted_.At(now, port);
                link->word.data[static_cast<std::size_t>(bit / 8)] ^= static_cast<std::uint8_t>(1 << bit % 8);
              }),
              "header vl=");
}

/// All words of a port come a cycle later from a packet on: nothing is wrong with them but the cycle.
TEST_F(PlantedFaults, APacketACycleLate) {
  Word late;
  ExpectFound(Run([&](Cycle now, int port, Link* link) {
                if (!planted_.done() && now > kFrom && link->word.sop) planted_.At(now, port);
                if (planted_.done() && port == planted_.port) std::swap(late, link->word);
              }),
              "nothing, expected the packet that endpoint");
}

TEST_F(PlantedFaults, APacketThatIsNotInside) {
  ExpectFound(Run([&](Cycle now, int port, Link* link) {
                if (planted_.done() || now <= kFrom || !link->word.sop) return;
                planted_.At(now, port);
                link->word.data[kHeaderBytes + 1] ^= 1;
              }),
              "a packet leaves that is not inside");
}

TEST_F(PlantedFaults, ACreditThatNeverComes) {
  const PairRun run = Run([&](Cycle now, int port, Link* link) {
    if (planted_.done() || now <= kFrom || !link->ctrl.credit_valid) return;
    planted_.At(now, port);
    link->ctrl = Ctrl{};
  });
  ExpectFound(run, "nothing, expected a credit return");
}

TEST_F(PlantedFaults, ABitOfAReductionHeader) {
  ExpectFound(RunTree([&](Cycle now, int port, Link* link) {
                if (planted_.done() || !IsRed(link->word)) return;
                planted_.At(now, port);
                link->word.data[8] ^= 1;
              }),
              "word 0 of a reduction packet of a switch: data is [8]=");
}

TEST_F(PlantedFaults, AReductionPacketOfNoGroup) {
  ExpectFound(RunTree([&](Cycle now, int port, Link* link) {
                if (planted_.done() || !IsRed(link->word)) return;
                planted_.At(now, port);
                Red red = Red::UnpackBytes(link->word.data.data() + kHeaderBytes);
                red.group = 5;
                red.PackBytes(link->word.data.data() + kHeaderBytes);
              }),
              "a reduction packet of group 5 leaves, but the group has no member behind this port");
}

/// The check at its end does not hold for what the data were.
TEST_F(PlantedFaults, ABitOfReducedData) {
  int of_port = -1;
  const PairRun run = RunTree([&](Cycle now, int port, Link* link) {
    if (of_port < 0 && IsSegment(link->word)) of_port = port;
    if (planted_.done() || port != of_port || !link->word.valid || link->word.sop) return;
    planted_.At(now, port);
    link->word.data[7] ^= 2;
  });
  ASSERT_TRUE(planted_.done());
  EXPECT_EQ(run.node, kNode);
  EXPECT_EQ(run.port, planted_.port);
  EXPECT_THAT(run.failure, HasSubstr("word 129 of a reduction packet of a switch: data is ["));
}

/// `change` is made to a word of a result for a host, and the check is right: only the host can know.
class ForgedResults : public PlantedFaults {
 protected:
  void ExpectFoundByHost(int at, const std::function<void(Word*)>& change, const std::string& what) {
    std::shared_ptr<Frame> frame;
    Red red;
    int words = 0;
    const auto tamper = [&](Cycle now, int port, Link* link) {
      constexpr int kHosts = 2;  // ports of a switch that have one
      Word& word = link->word;
      if (!planted_.done() && port < kHosts && IsSegment(word)) planted_.At(now, port);
      if (port != planted_.port || !word.valid || (frame != nullptr && words == frame->words())) return;
      if (words == at) change(&word);
      if (words == 0) {
        red = Red::UnpackBytes(word.data.data() + kHeaderBytes);
        frame = MakeRedFrame(red, golden::HeaderBits(word.data.data()));
      }
      PutData(words, DataIn(words, red), word.data.data(), frame.get());
      word.data = MakeWord(*frame, words++).data;
    };
    try {
      RunTree(tamper);
      ADD_FAILURE() << "nobody noticed";
    } catch (const network::WrongResult& error) {
      EXPECT_THAT(error.what(), HasSubstr(what));
    }
  }
  static void ChangeHeader(Word* word, const std::function<void(Red*)>& change) {
    Red red = Red::UnpackBytes(word->data.data() + kHeaderBytes);
    change(&red);
    red.PackBytes(word->data.data() + kHeaderBytes);
  }
};

TEST_F(ForgedResults, OtherData) {
  ExpectFoundByHost(
      1, [](Word* word) { word->data[7] ^= 2; }, "of the result is");
}

TEST_F(ForgedResults, AnotherNumber) {
  ExpectFoundByHost(
      0, [](Word* word) { ChangeHeader(word, [](Red* red) { ++red->seq; }); }, "gets result 1 out of order");
}

TEST_F(ForgedResults, AnotherKind) {
  const auto what = static_cast<std::uint8_t>(RedWhat::kSegment);
  ExpectFoundByHost(
      0, [&](Word* word) { ChangeHeader(word, [&](Red* red) { red->what = what; }); }, "gets a SEGMENT");
}

TEST_F(PlantedFaults, NoneIsNone) {
  const PairRun run = Run([](Cycle, int, Link*) {});
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.ending, network::Ending::kDrained);
}

}  // namespace
}  // namespace tilefly::cosim
