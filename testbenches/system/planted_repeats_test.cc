// SPDX-License-Identifier: Apache-2.0
// A device that does something wrong on a link that repeats is named, with port and cycle.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "testbenches/network/repeating_run.h"
#include "testbenches/system/faulty_device.h"
#include "testbenches/system/system_rig.h"
#include "testbenches/system/word_devices.h"

namespace tilefly::cosim {
namespace {

using ::testing::HasSubstr;

constexpr int kRepeatingNode = 2;
/// Cycles in which the system is full of packets.
constexpr Cycle kTrafficFrom = 1200;

class PlantedRepeats : public ::testing::Test {
 protected:
  /// `plant` changes what the port shows and returns true; or it returns false. It is called until it has done so.
  void ExpectFound(const std::function<bool(int port, Link* link)>& plant, const std::string& what) {
    Cycle cycle = -1;
    int at = -1;
    const FaultyDevice::Tamper tamper = [&](Cycle now, int port, Link* link) {
      if (cycle >= 0 || now < kTrafficFrom || !plant(port, link)) return;
      cycle = now;
      at = port;
    };
    network::NetworkOptions options = network::Sized("uniform", 0.5, "64,512", false);
    options.cycles = 3000;
    options = network::With(options, network::Mixed());
    options.make_node = [&](int node, const Profile& profile, network::NodeContext* context) {
      if (node != kRepeatingNode) return std::unique_ptr<DeviceNode>();
      auto faulty = std::make_unique<FaultyDevice>(std::make_unique<GoldenDevice>(profile), tamper);
      return std::make_unique<DeviceNode>(profile, node, context, 3, std::move(faulty), nullptr);
    };
    const PairRun run = RunPair(topology::Build("dragonfly:p=2,a=2,h=1"), options);
    ASSERT_GE(cycle, 0) << "nothing was planted";
    EXPECT_THAT(run.failure, HasSubstr(what));
    EXPECT_THAT(run.failure, HasSubstr(fmt::format("cycle {}, switch {}, port {}: ", cycle, kRepeatingNode, at)));
  }
};

TEST_F(PlantedRepeats, AReportOfAnotherNumber) {
  ExpectFound(
      [](int, Link* link) {
        if (!link->ctrl.retry_valid) return false;
        link->ctrl.retry_seq = static_cast<std::uint16_t>(link->ctrl.retry_seq + 1);
        return true;
      },
      "the control slot has the report");
}

TEST_F(PlantedRepeats, AReportThatIsMissing) {
  ExpectFound(
      [](int, Link* link) {
        if (!link->ctrl.retry_valid) return false;
        link->ctrl.retry_valid = link->ctrl.retry_nack = link->ctrl.lanes_valid = false;
        link->ctrl.retry_seq = 0;
        return true;
      },
      "the control slot has no report, expected the report");
}

TEST_F(PlantedRepeats, ANackThatIsNone) {
  ExpectFound(
      [](int, Link* link) {
        if (!link->ctrl.retry_valid || !link->ctrl.retry_nack) return false;
        link->ctrl.retry_nack = false;
        return true;
      },
      "with a nack");
}

TEST_F(PlantedRepeats, AStampOfACellMore) {
  ExpectFound(
      [](int, Link* link) {
        if (!link->ctrl.wired_valid) return false;
        link->ctrl.wired_cells = static_cast<std::uint16_t>(link->ctrl.wired_cells + 1);
        return true;
      },
      "the stamp of lane");
}

TEST_F(PlantedRepeats, ATagOfAnotherPace) {
  ExpectFound(
      [](int, Link* link) {
        if (!link->word.valid || link->word.sop) return false;
        link->tag.pace = 1;
        return true;
      },
      "a tag of pace 1 in an attempt on 4 lanes");
}

/// The port says that it begins a later packet.
TEST_F(PlantedRepeats, ATagOfAnotherNumber) {
  ExpectFound(
      [](int, Link* link) {
        if (!link->word.sop) return false;
        link->tag.seq = static_cast<std::uint16_t>((link->tag.seq + 1) % 2048);
        return true;
      },
      "packet number");
}

/// A bit of a packet that is sent again, and not of its first attempt.
TEST_F(PlantedRepeats, ABitOfAPacketThatIsSentAgain) {
  std::set<std::pair<int, int>> seen;
  ExpectFound(
      [&](int port, Link* link) {
        if (!link->word.valid || link->word.sop) return false;
        if (seen.emplace(port, link->tag.seq * 256 + link->tag.index).second) return false;
        link->word.data[7] ^= 4;
        return true;
      },
      "was another one in the first attempt");
}

/// All cells of the account come back, one too many.
TEST_F(PlantedRepeats, ACreditReturnOfMoreThanCame) {
  ExpectFound(
      [](int, Link* link) {
        if (!link->ctrl.credit_valid) return false;
        link->ctrl.credit_cells = static_cast<std::uint16_t>(link->ctrl.credit_cells + 1000);
        return true;
      },
      "a credit return of lane");
}

}  // namespace
}  // namespace tilefly::cosim
