// SPDX-License-Identifier: Apache-2.0
// Which packets credit returns end: those whose cells they are, in whatever order a receiver frees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "systemc/fabric/hop_ledger.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/fabric/time.h"
#include "testbenches/systemc/simulation.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A ledger of packets numbered from 1.
struct Rig {
  fabric::PacketPool pool;
  std::vector<int> ended;
  fabric::HopLedger hops{[this](fabric::Packet& packet, const tlm::tlm_phase& phase) {
    if (phase == fabric::END_PACKET) ended.push_back(static_cast<int>(packet.number));
  }};

  /// Of a packet whose words are sent.
  void Begin(int cells, int vl = 0, Cycle last = -1) {
    fabric::Packet& packet = pool.Make();
    packet.enh = false;  // for which no ack is waited
    packet.length = 48 * (cells - 1) + 1;
    EXPECT_EQ(packet.cells(), cells);
    Header header;
    header.vl = static_cast<std::uint8_t>(vl);
    packet.header = golden::HeaderBits(header);
    hops.Begin(packet, last, 0, 0, true);
    packet.release();
  }
  /// What a return ends.
  std::vector<int> Ended(std::uint16_t freed, int vl = 0) {
    ended.clear();
    hops.Return(vl, freed);
    return ended;
  }
};

TEST(HopLedger, EndsThePacketThatIsFreedBeforeOlderOnes) {
  InChild([] {
    Rig rig;
    for (const int cells : {86, 2, 11, 2}) rig.Begin(cells);
    rig.Begin(2, 1);
    EXPECT_THAT(rig.Ended(11), ElementsAre(3));
    EXPECT_THAT(rig.Ended(13), ElementsAre(2));
    EXPECT_THAT(rig.Ended(2, 1), ElementsAre(5));
    EXPECT_THAT(rig.Ended(99), ElementsAre(1));
    EXPECT_THAT(rig.Ended(101), ElementsAre(4));
    EXPECT_EQ(rig.hops.open(), 0u);
    EXPECT_EQ(rig.pool.held(), 0u);
  });
}

/// Freed together, or a return was lost.
TEST(HopLedger, EndsTheOldestPacketsThatAReturnIsTheSumOf) {
  InChild([] {
    Rig rig;
    for (const int cells : {86, 2, 11, 2, 13}) rig.Begin(cells);
    EXPECT_THAT(rig.Ended(13), ElementsAre(5)) << "one packet before several";
    EXPECT_THAT(rig.Ended(26), ElementsAre(2, 3));
    EXPECT_THAT(rig.Ended(114), ElementsAre(1, 4));
  });
}

/// When cells were thought another packet's, the next returns make it good.
TEST(HopLedger, EndsWhatComesNearestToAReturn) {
  InChild([] {
    Rig rig;
    for (const int cells : {6, 2, 5, 3}) rig.Begin(cells);
    EXPECT_THAT(rig.Ended(8), ElementsAre(1, 2)) << "perhaps 3 and 4";
    EXPECT_THAT(rig.Ended(14), ElementsAre(3));
    EXPECT_THAT(rig.Ended(16), ElementsAre(4));
  });
}

/// 2 and 3 cells were freed together; the packet of 5 is under way.
TEST(HopLedger, EndsNoPacketWhoseWordsAreBeingSent) {
  InChild([] {
    Rig rig;
    rig.Begin(2);
    rig.Begin(3);
    rig.Begin(5, 0, 10);
    EXPECT_THAT(rig.Ended(5), ElementsAre(1, 2));
    EXPECT_THAT(rig.Ended(10), IsEmpty());
    sc_core::sc_start(fabric::TimeOf(11));
    EXPECT_THAT(rig.Ended(10), ElementsAre(3));
    EXPECT_EQ(rig.pool.held(), 0u);
  });
}

TEST(HopLedger, DoesNotBelieveMoreCellsThanAreOpen) {
  InChild([] {
    Rig rig;
    rig.Begin(2);
    EXPECT_THAT(rig.Ended(3), IsEmpty());
    EXPECT_THAT(rig.Ended(2), ElementsAre(1));
    EXPECT_THAT(rig.Ended(2), IsEmpty()) << "the same again";
    rig.Begin(11);
    EXPECT_THAT(rig.Ended(1), IsEmpty()) << "from before";
    EXPECT_THAT(rig.Ended(13), ElementsAre(2));
  });
}

TEST(HopLedger, CountsFreedCellsWithoutEnd) {
  InChild([] {
    Rig rig;
    std::uint16_t freed = 0;
    for (int i = 1; i <= 2000; ++i) {
      rig.Begin(86);
      freed = static_cast<std::uint16_t>(freed + 86);
      EXPECT_THAT(rig.Ended(freed), ElementsAre(i));
    }
  });
}

}  // namespace
}  // namespace tilefly::systemc
