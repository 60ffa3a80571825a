// SPDX-License-Identifier: Apache-2.0
// Packets that are lost with a link: which ones the scoreboard lets go, and how many (docs/cosimulation.md, Links with retry).
#include <gtest/gtest.h>

#include "cosim/common/check_failure.h"
#include "cosim/scoreboard/places.h"
#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::cosim {
namespace {

constexpr int kIn = 1, kOut = 4;

class Lost : public ::testing::Test {
 protected:
  Lost() : setup_(kTile8, std::vector<PortKind>(8, PortKind::kFabric), 4), board(setup_) {
    setup_.SetFloods(0, setup_.all_ports(), setup_.all_ports());
  }
  FramePtr Make(std::uint32_t dst) {
    auto frame = std::make_shared<Frame>();
    frame->id = ++id_;
    frame->source = kIn;
    frame->enh = true;
    frame->header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    frame->header.len = 64;
    frame->header.dst = dst;
    frame->bytes.assign(64, static_cast<std::uint8_t>(id_));
    Seal(&frame->bytes);
    return frame;
  }
  FramePtr Send(std::uint32_t dst) {
    const FramePtr frame = last_ = Make(dst);
    board.Sent(frame, 10 * frame->source + static_cast<Cycle>(id_), 20 + static_cast<Cycle>(id_));
    return frame;
  }
  const FramePtr& Last() const { return last_; }
  FramePtr Send() { return Send(setup_.PortAddress(kOut)); }
  void Receive(const FramePtr& frame, int port = kOut) {
    const SwitchSetup::Fate fate = setup_.Predict(*frame);
    const SwitchSetup::Departure out = setup_.Depart(*frame, fate, port);
    board.Received({port, 1000, 1002, true, out.header, out.is_converted ? out.converted : frame->bytes, Check::kGood});
  }
  /// The switch took the first word of an attempt at a packet for kOut, and then no more of it.
  void BreakOff() { board.BrokenOff(Make(setup_.PortAddress(kOut)), 10 + static_cast<Cycle>(id_), 20 + static_cast<Cycle>(id_), 1); }
  /// Closes the books of a switch without drops whose counters allow `least` to `most` packets at port kOut.
  void Close(std::int64_t least, std::int64_t most) {
    board.Close(5000, [](int, Drop) { return std::uint64_t{0}; },
                [&](int port) { return port == kOut ? LostBounds{least, most} : LostBounds{}; });
  }

  SwitchSetup setup_;
  Scoreboard board;
  std::uint64_t id_ = 0;
  FramePtr last_;
};

TEST_F(Lost, APacketThatWaitedForALinkThatWasDownMayBePassed) {
  Send();
  const FramePtr second = Send();
  board.MayBeLostAt(kOut);
  EXPECT_EQ(board.outstanding(), 0);
  EXPECT_EQ(board.uncertain(), 2);
  Receive(second);
  EXPECT_EQ(board.books().lost, 1);
  EXPECT_EQ(board.books().delivered, 1);
  EXPECT_EQ(board.books().in_flight(), 0);
  EXPECT_NO_THROW(Close(1, 1));
}

TEST_F(Lost, APacketBehindTheLinkDownMayNot) {
  board.MayBeLostAt(kOut);
  Send();
  const FramePtr second = Send();
  EXPECT_EQ(board.outstanding(), 2);
  EXPECT_THROW(Receive(second), CheckFailure);
}

TEST_F(Lost, APacketOfAnotherPortMayNot) {
  Send(setup_.PortAddress(3));
  board.MayBeLostAt(kOut);
  EXPECT_EQ(board.outstanding(), 1);
  EXPECT_THROW(Close(0, 5), CheckFailure);
}

TEST_F(Lost, NoPacketComesTwice) {
  const FramePtr one = Send();
  board.MayBeLostAt(kOut);
  Receive(one);
  EXPECT_THROW(Receive(one), CheckFailure);
}

TEST_F(Lost, TheCountersBoundHowManyAreLost) {
  for (int n = 0; n < 3; ++n) Send();
  board.MayBeLostAt(kOut);
  EXPECT_THROW(Scoreboard(board).Close(5000, [](int, Drop) { return std::uint64_t{0}; }, [](int) { return LostBounds{}; }),
               CheckFailure) << "nothing was to be lost";
  EXPECT_THROW({ Scoreboard copy(board); copy.Close(5000, [](int, Drop) { return std::uint64_t{0}; },
                                                    [](int port) { return port == kOut ? LostBounds{4, 6} : LostBounds{}; }); },
               CheckFailure) << "more were to be lost";
  EXPECT_NO_THROW(Close(2, 3));
  EXPECT_EQ(board.books().lost, 3);
}

TEST_F(Lost, ACopyOfAPacketForAllIsLostAlone) {
  const FramePtr frame = Send(kReplicated);
  board.MayBeLostAt(kOut);
  EXPECT_EQ(board.outstanding(), 6) << "of seven";
  for (int port = 0; port < 8; ++port) {
    if (port != kIn && port != kOut) Receive(frame, port);
  }
  EXPECT_NO_THROW(Close(1, 1));
  EXPECT_EQ(board.books().delivered, 1);
  EXPECT_EQ(board.books().copies_lost, 1);
  EXPECT_EQ(board.books().lost, 0);
}

/// A switch that keeps packets from a port whose link is down. `least`, `most`: as of Close, `no_route`: of the input.
class Kept : public Lost {
 protected:
  Books Close(std::int64_t least, std::int64_t most, std::uint64_t no_route) {
    Scoreboard copy(board);
    copy.Close(5000, [&](int port, Drop drop) { return port == kIn && drop == Drop::kNoRoute ? no_route : 0; },
               [&](int port) { return port == kOut ? LostBounds{least, most, true} : LostBounds{}; });
    return copy.books();
  }
  void Lose(int packets, std::uint32_t dst) {
    for (int n = 0; n < packets; ++n) Send(dst);
    board.MayBeLostAt(kOut);
  }
};

TEST_F(Kept, EachPacketThatIsMissingIsInACounterOfItsLinkOrInNoRouteOfItsInput) {
  Lose(5, setup_.PortAddress(kOut));
  EXPECT_NO_THROW(Close(2, 2, 3));
  EXPECT_NO_THROW(Close(0, 5, 0));
  EXPECT_NO_THROW(Close(1, 3, 2));
  EXPECT_THROW(Close(2, 2, 2), CheckFailure) << "one packet is in no counter";
  EXPECT_THROW(Close(0, 0, 0), CheckFailure) << "no packet is in a counter";
  EXPECT_THROW(Close(3, 3, 3), CheckFailure) << "one packet is counted twice";
  EXPECT_THROW(Close(0, 5, 6), CheckFailure) << "a packet is counted that never was";
}

TEST_F(Kept, TheBooksCallADropOfTheInputADrop) {
  Lose(5, setup_.PortAddress(kOut));
  const Books books = Close(2, 2, 3);
  EXPECT_EQ(books.drops[static_cast<std::size_t>(Drop::kNoRoute)], 3);
  EXPECT_EQ(books.lost, 2);
  EXPECT_EQ(books.in_flight(), 0);
  Scoreboard copy(board);
  copy.Close(5000, {}, {});
  EXPECT_EQ(copy.books().lost, 5) << "nobody has counters";
}

TEST_F(Kept, DropsOfFramesComeBeforeThoseOfAttemptsThatWereBrokenOff) {
  for (int n = 0; n < 3; ++n) BreakOff();
  Lose(2, setup_.PortAddress(kOut));
  const auto no_route = static_cast<std::size_t>(Drop::kNoRoute);
  Books books = Close(4, 4, 1);
  EXPECT_EQ(books.lost, 1);
  EXPECT_EQ(books.drops[no_route], 1);
  EXPECT_EQ(books.broken_lost, 3);
  books = Close(1, 1, 4);
  EXPECT_EQ(books.lost, 0);
  EXPECT_EQ(books.drops[no_route], 2);
  EXPECT_EQ(books.broken_lost, 1);
  EXPECT_EQ(books.broken_drops[no_route], 2);
  EXPECT_EQ(books.broken_off, 3);
  EXPECT_EQ(books.in_flight(), 0);
}

TEST_F(Kept, WhatTheRecordShowsIsInTheCounter) {
  Lose(2, setup_.PortAddress(kOut));
  board.Dropped(kIn, 100, Drop::kNoRoute);
  Scoreboard copy(board);
  copy.Close(5000, {}, {});
  EXPECT_EQ(copy.books().lost, 1) << "the record tells of the other one";
  EXPECT_THROW(Close(2, 2, 0), CheckFailure);
  EXPECT_NO_THROW(Close(1, 1, 1));
}

TEST_F(Kept, APacketOfAnInputWithoutSuchPacketsHasAWay) {
  EXPECT_THROW(board.Dropped(kIn, 100, Drop::kNoRoute), CheckFailure);
  EXPECT_THROW(Close(0, 0, 1), CheckFailure);
}

TEST_F(Kept, CopiesOfAPacketForAllMayBeInNoCounter) {
  Lose(1, kReplicated);
  for (int port = 0; port < 8; ++port) {
    if (port != kIn && port != kOut) Receive(Last(), port);
  }
  EXPECT_NO_THROW(Close(0, 0, 0));
  EXPECT_NO_THROW(Close(1, 1, 0));
  EXPECT_THROW(Close(2, 2, 0), CheckFailure);
  EXPECT_THROW(Close(0, 0, 1), CheckFailure) << "copies of the packet came out";
}

TEST_F(Lost, NoRouteOfAPortThatKeepsNoPacketsHasItsPackets) {
  Send();
  board.MayBeLostAt(kOut);
  EXPECT_THROW(board.Close(5000, [](int port, Drop drop) { return std::uint64_t{port == kIn && drop == Drop::kNoRoute}; },
                           [](int port) { return port == kOut ? LostBounds{0, 1} : LostBounds{}; }),
               CheckFailure);
}

/// Around the switch there are others, and a frame for some of them has two ways or more.
class Routed : public Lost {
 protected:
  Routed() {
    setup_.SetRoutes(Routes::Example(setup_.all_ports(), setup_.PortAddress(0) >> 6, 1));
    for (std::uint32_t group = 1; group < 16 && ways_.size() < 2; ++group) Look(group << 11);
  }
  void Look(std::uint32_t dst) {
    const SwitchSetup::Fate fate = setup_.Predict(*Make(dst));
    ways_.clear();
    for (int port = 0; fate.one_of && port < 8; ++port) {
      if ((fate.outputs >> port & 1) != 0) ways_.push_back(port);
    }
    dst_ = dst;
  }
  /// The switch took the first words of an attempt, which leave filled with zeros.
  FramePtr BreakOff(const FramePtr& frame) {
    board.BrokenOff(frame, 10 + static_cast<Cycle>(id_), 20 + static_cast<Cycle>(id_), 2);
    auto part = std::make_shared<Frame>(*frame);
    part->broken_off = part->expect_stomp = true;
    std::fill(part->bytes.begin() + 2 * kWordBytes - kHeaderBytes, part->bytes.end(), std::uint8_t{0});
    return part;
  }

  std::vector<int> ways_;
  std::uint32_t dst_ = 0;
};

TEST_F(Routed, EqualAttemptsComeOutInEachOthersPlace) {
  ASSERT_GE(ways_.size(), 2u);
  const FramePtr frame = Make(dst_);
  const FramePtr part = BreakOff(frame);
  const FramePtr between = Send(dst_);
  BreakOff(frame);
  Receive(part, ways_[1]);  // the second one, whom the books take for the first
  Receive(part, ways_[0]);  // the first one
  EXPECT_NO_THROW(Receive(between, ways_[0]));
  EXPECT_EQ(board.books().broken_out, 2);
  EXPECT_EQ(board.books().delivered, 1);
  EXPECT_NO_THROW(Close(0, 0));
}

TEST_F(Routed, AnAttemptThatIsLikeNoOtherKeepsItsPlace) {
  ASSERT_GE(ways_.size(), 2u);
  const FramePtr before = Send(dst_);
  const FramePtr part = BreakOff(Make(dst_));
  Receive(part, ways_[0]);
  EXPECT_THROW(Receive(before, ways_[0]), CheckFailure) << "it passed a frame on its way";
}

TEST(Places, AThingMovesOnForOneThatHasNoOtherPlace) {
  Places places({2, 1, 0});
  EXPECT_EQ(places.Place({0, 1}, 2), 0);
  EXPECT_EQ(places.Place({0}, 2), 1) << "one of the first kind goes to place 1";
  EXPECT_EQ(places.Place({1, 2}, 1), 1);
  EXPECT_EQ(Places({3, 4}).Place({0, 1}, 9), 2);
  EXPECT_EQ(Places({-1}).Place({0}, 1), 1);
  EXPECT_EQ(Places({5}).Place({}, 3), 3);
}

TEST_F(Lost, AFrameIsLostOnItsWayIn) {
  board.Lost(Make(setup_.PortAddress(kOut)));
  EXPECT_EQ(board.books().offered, 1);
  EXPECT_EQ(board.books().lost, 1);
  EXPECT_NO_THROW(Close(0, 0));
}

}  // namespace
}  // namespace tilefly::cosim
