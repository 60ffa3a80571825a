// SPDX-License-Identifier: Apache-2.0
// The rules of the fabric protocol (docs/systemc.md): right peers break none, and for every rule a wrong one breaks it.
#include <gtest/gtest.h>

#include "testbenches/systemc/peers.h"
#include "testbenches/systemc/simulation.h"

namespace tilefly::systemc {
namespace {

using fabric::ACK;
using fabric::DROPPED;
using fabric::FLOW_PAUSE;
using fabric::END_PACKET;
using fabric::Packet;

/// A reserve of 4 cells on lanes 0 and 1, a cap of 8, 6 shared ones.
fabric::ProtocolChecker::Options FewCredits() {
  fabric::ProtocolChecker::Options options;
  options.credit.reserve[0] = options.credit.reserve[1] = 4;
  options.credit.cap[0] = options.credit.cap[1] = 8;
  options.credit.shared = 6;
  return options;
}
fabric::ProtocolChecker::Options NoCredits() {
  fabric::ProtocolChecker::Options options;
  options.credits = false;
  return options;
}

TEST(ProtocolChecker, RightPeersBreakNoRule) {
  InChild([] {
    CheckedLink link(FewCredits());
    Packet& one = link.Make(64);  // 3 words, 2 cells
    Packet& two = link.Make(64, 1);
    Packet& lost = link.Make(64);
    link.Pass(10, one);
    link.Back(20, ACK, one, 30);
    link.Begin(11, two, 2);  // in cycle 13, right behind
    link.Back(15, ACK, two);
    link.Back(17, END_PACKET, two, fabric::ProtocolChecker::kMostAhead);
    link.Begin(30, lost);
    lost.drop = Drop::kNoRoute;
    link.Back(35, DROPPED, lost);
    EXPECT_EQ(link.Run(), "");
    EXPECT_EQ(link.checker().checked(), 8u);
  });
}

TEST(ProtocolChecker, AnOpenPacketEndsOrIsDroppedBefore) {
  InChild([] {
    CheckedLink link(NoCredits());
    Packet& one = link.Make(64);
    Packet& lost = link.Make(64);
    link.Open(10, one);
    link.Close(11, one);
    link.Back(20, END_PACKET, one);
    lost.drop = Drop::kBufferFull;
    link.Open(30, lost);
    link.Back(34, DROPPED, lost);
    link.Close(40, lost);
    EXPECT_EQ(link.Run(), "");
  });
}

TEST(ProtocolChecker, APacketMayCrossTheLinkAgain) {
  InChild([] {
    CheckedLink link(FewCredits());
    Packet& packet = link.Make(64);
    link.Pass(10, packet);
    link.Pass(40, packet);
    EXPECT_EQ(link.Run(), "");
  });
}

/// Runs `play` on a link and expects the rules.
void ExpectBroken(const char* rules, const std::function<void(CheckedLink&)>& play,
                  const fabric::ProtocolChecker::Options& options = NoCredits()) {
  InChild([&] {
    CheckedLink link(options);
    play(link);
    EXPECT_EQ(link.Run(), rules);
  });
}

/// A pause of a flow is a transaction of its own.
TEST(ProtocolChecker, APauseMayComeAnyTime) {
  InChild([] {
    CheckedLink link(FewCredits());
    Packet& packet = link.Make(64);
    Packet& pause = link.Make(64);
    link.Back(5, FLOW_PAUSE, pause);
    link.Begin(10, packet);
    link.Back(12, FLOW_PAUSE, pause);
    link.Back(20, END_PACKET, packet);
    link.Back(30, FLOW_PAUSE, pause, 4);
    EXPECT_EQ(link.Run(), "");
  });
}

TEST(ProtocolChecker, APauseByAPacketOnItsWayBreaksFab1) {
  ExpectBroken("FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Begin(10, packet);
    link.Back(12, FLOW_PAUSE, packet);
    link.Back(20, END_PACKET, packet);
  });
}

TEST(ProtocolChecker, ASecondEndBreaksFab1) {
  ExpectBroken("FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Pass(10, packet);
    link.Back(20, END_PACKET, packet);
  });
}

TEST(ProtocolChecker, AnEndBeforeTheBeginBreaksFab1) {
  ExpectBroken("FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Back(5, END_PACKET, packet);
    link.Pass(10, packet);
  });
}

TEST(ProtocolChecker, AnEndBeforeTheTimeOfTheFirstWordBreaksFab1) {
  ExpectBroken("FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Begin(10, packet, 8);
    link.Back(12, END_PACKET, packet, 5);
  });
}

TEST(ProtocolChecker, ASecondBeginBreaksFab1) {
  ExpectBroken("FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Begin(5, packet);
    link.Pass(10, packet);
  });
}

TEST(ProtocolChecker, ALastWordOfNothingOneTooManyAndAnEndBeforeItBreakFab1) {
  ExpectBroken("FAB-1 FAB-1 FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    Packet& open = link.Make(64);
    link.Pass(10, packet);
    link.Close(16, packet);
    link.Open(20, open);
    link.Back(24, END_PACKET, open);
    link.Close(30, open);
    link.Close(32, open);
  });
}

TEST(ProtocolChecker, AnOpenPacketThatStaysSoBreaksFab8) {
  ExpectBroken("FAB-8", [](CheckedLink& link) {
    Packet& lost = link.Make(64);
    lost.drop = Drop::kBufferFull;
    link.Open(10, lost);
    link.Back(14, DROPPED, lost);
  });
}

TEST(ProtocolChecker, APacketAmongTheWordsOfAnOpenOneBreaksFab3) {
  ExpectBroken("FAB-3", [](CheckedLink& link) {
    Packet& open = link.Make(64);
    link.Open(10, open);
    link.Pass(12, link.Make(64));
    link.Close(20, open);
    link.Back(24, END_PACKET, open);
  });
}

TEST(ProtocolChecker, AnAckOfNothingASecondAckAndOneAfterADropBreakFab1) {
  ExpectBroken("FAB-1 FAB-1 FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    Packet& lost = link.Make(64);
    link.Back(5, ACK, packet);
    link.Pass(10, packet);
    link.Back(20, ACK, packet);
    link.Back(21, ACK, packet);
    lost.drop = Drop::kNoRoute;
    link.Begin(30, lost);
    link.Back(34, DROPPED, lost);
    link.Back(35, ACK, lost);
  });
}

TEST(ProtocolChecker, ADropAfterAnAckAndADropWithoutAReasonBreakFab1) {
  ExpectBroken("FAB-1 FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    Packet& lost = link.Make(64);
    packet.drop = Drop::kNoRoute;
    link.Begin(10, packet);
    link.Back(11, ACK, packet);
    link.Back(12, DROPPED, packet);
    link.Begin(30, lost);
    link.Back(34, DROPPED, lost);
  });
}

TEST(ProtocolChecker, APhaseOfTheBaseProtocolBreaksFab1) {
  ExpectBroken("FAB-1", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Pass(10, packet);
    link.Back(20, tlm::END_REQ, packet);
  });
}

TEST(ProtocolChecker, AReceiverThatUpdatesBreaksFab2) {
  ExpectBroken("FAB-2", [](CheckedLink& link) {
    link.set_receiver({tlm::TLM_UPDATED});
    link.Pass(10, link.Make(64));
  });
}

TEST(ProtocolChecker, AReceiverThatMovesTheTimeBreaksFab2) {
  ExpectBroken("FAB-2", [](CheckedLink& link) {
    link.set_receiver({tlm::TLM_ACCEPTED, 1});
    link.Pass(10, link.Make(64));
  });
}

TEST(ProtocolChecker, ASenderThatCompletesOrChangesThePhaseBreaksFab2) {
  ExpectBroken("FAB-2", [](CheckedLink& link) {
    link.set_sender({tlm::TLM_COMPLETED});
    link.Pass(10, link.Make(64));
  });
  ExpectBroken("FAB-2", [](CheckedLink& link) {
    link.set_sender({tlm::TLM_ACCEPTED, 0, true});
    link.Pass(10, link.Make(64));
  });
}

TEST(ProtocolChecker, APacketAmongTheWordsOfAnotherBreaksFab3) {
  ExpectBroken("FAB-3", [](CheckedLink& link) {
    link.Pass(10, link.Make(64));
    link.Pass(12, link.Make(64));
  });
}

TEST(ProtocolChecker, OnFewerLanesThereAreFewerWords) {
  fabric::ProtocolChecker::Options options = NoCredits();
  options.lanes = 2;
  ExpectBroken("FAB-3", [](CheckedLink& link) {
    link.Pass(10, link.Make(64));
    link.Pass(15, link.Make(64));
    link.Pass(21, link.Make(64));
  }, options);
}

TEST(ProtocolChecker, APacketThatOvertakesBreaksFab3) {
  ExpectBroken("FAB-3 FAB-3", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Begin(10, packet, 20);
    link.Back(40, END_PACKET, packet);
    link.Pass(12, link.Make(64));  // earlier, and so among the words
  });
}

TEST(ProtocolChecker, MoreCellsThanTheCapBreakFab4) {
  ExpectBroken("FAB-4", [](CheckedLink& link) {
    Packet& early = link.Make(272);  // 6 cells
    link.Begin(10, early);
    link.Back(30, END_PACKET, early, 100);
    link.Pass(50, link.Make(120));  // 3 cells: 9 while the return is on its way
    link.Pass(130, link.Make(120));
  }, FewCredits());
}

TEST(ProtocolChecker, MoreCellsThanTheSharedPartBreakFab4) {
  ExpectBroken("FAB-4", [](CheckedLink& link) {
    Packet& one = link.Make(368);  // 8 cells: 4 beyond the reserve
    Packet& two = link.Make(320, 1);  // 7: 3 beyond, 7 in all
    link.Begin(10, one);
    link.Begin(40, two);
    link.Back(60, END_PACKET, one);
    link.Back(60, END_PACKET, two);
  }, FewCredits());
}

TEST(ProtocolChecker, APacketThatNobodyHoldsBreaksFab5) {
  ExpectBroken("FAB-5", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Begin(10, packet);
    link.At(11, [&packet] {
      const golden::HeaderBits header = packet.header;
      packet.release();
      packet.header = header;
      packet.length = 64;
    });
    link.Back(14, END_PACKET, packet);
  });
}

TEST(ProtocolChecker, AHeaderThatChangesUnderWayBreaksFab6) {
  ExpectBroken("FAB-6", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Begin(10, packet);
    link.At(11, [&packet] { packet.header.set_destination(7); });
    link.Back(14, END_PACKET, packet);
  });
}

TEST(ProtocolChecker, AFrameThatChangesUnderWayBreaksFab6) {
  ExpectBroken("FAB-6", [](CheckedLink& link) {
    Packet& packet = link.Make(64);
    link.Begin(10, packet);
    link.At(11, [&packet] { packet.frame = std::make_shared<const fabric::Frame>(64); });
    link.Back(14, END_PACKET, packet);
  });
}

TEST(ProtocolChecker, ANegativeTimeOneTooFarAndOneInsideACycleBreakFab7) {
  ExpectBroken("FAB-7 FAB-7 FAB-7", [](CheckedLink& link) {
    Packet& negative = link.Make(64);
    Packet& far = link.Make(64);
    Packet& between = link.Make(64);
    link.Begin(10, negative);
    link.BackAt(14, END_PACKET, negative, sc_core::SC_ZERO_TIME - fabric::TimeOf(1));
    link.Begin(20, far);
    link.Back(24, END_PACKET, far, fabric::ProtocolChecker::kMostAhead + 1);
    link.Begin(30, between);
    link.BackAt(34, END_PACKET, between, sc_core::sc_time(10, sc_core::SC_PS));
  });
}

TEST(ProtocolChecker, APacketThatDoesNotEndBreaksFab8) {
  ExpectBroken("FAB-8", [](CheckedLink& link) {
    link.Pass(10, link.Make(64));
    link.Begin(20, link.Make(64));
  });
}

TEST(ProtocolChecker, BothTransportsOnOneLinkBreakFab9) {
  ExpectBroken("FAB-9", [](CheckedLink& link) {
    link.Pass(10, link.Make(64));
    link.Block(40, link.Make(64));
  });
}

TEST(PacketPool, TakesBackWhatNobodyHolds) {
  InChild([] {
    fabric::PacketPool pool;
    Packet& packet = pool.Make();
    packet.length = 64;
    packet.frame = std::make_shared<const fabric::Frame>(64);
    Packet& copy = packet.Copy();
    EXPECT_EQ(pool.held(), 2u);
    EXPECT_EQ(copy.frame, packet.frame);
    copy.acquire();
    copy.release();
    EXPECT_EQ(pool.held(), 2u);
    copy.release();
    packet.release();
    EXPECT_EQ(pool.held(), 0u);
    Packet& again = pool.Make();
    EXPECT_EQ(again.frame, nullptr);
    again.release();
  });
}

}  // namespace
}  // namespace tilefly::systemc
