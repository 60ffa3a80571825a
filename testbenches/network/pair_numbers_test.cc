// SPDX-License-Identifier: Apache-2.0
// Numbers of a pair of NICs, and channels with turns (docs/blocks/link_retry.md, NIC), against the simplest models: a set of
// all numbers that ever came, and lists of what is out.
#include "network/pair_numbers.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>

#include "golden/common/archive.h"
#include "network/channels.h"
#include "support/random.h"
#include "testbenches/bench/settings.h"

namespace tilefly::network {
namespace {

TEST(PairNumbers, WrapAt24Bits) {
  EXPECT_EQ(AheadOf(5, 5), 0);
  EXPECT_EQ(AheadOf(0xff'ffff, 0), 1);
  EXPECT_EQ(AheadOf(0, 0xff'ffff), -1);
  EXPECT_EQ(AheadOf(0x80'0000, 0xff'ffff), (1 << 23) - 1);
  EXPECT_EQ(AheadOf(0, 0x80'0000), -(1 << 23));
  EXPECT_EQ(AheadOf(0x100'0005, 0x7), 2) << "only 24 bits count";
}

/// A sender and a receiver with any wire between them: copies come late, in any order, or never. The receiver must say
/// "new" exactly for what never came before and is not behind all that the sender has said to be over.
class Pair {
 public:
  Pair(int window, std::uint32_t first, std::uint64_t seed)
      : window_(window), first_(first), random_(seed, 0, 0, Purpose::kOrder), sent_({window, first}), arrived_({window, first}) {}

  void Step() {
    const std::int64_t oldest = out_.empty() ? next_ : *out_.begin();
    ASSERT_EQ(sent_.oldest() - first_, static_cast<std::uint32_t>(oldest));
    const bool may = next_ - oldest < window_;
    ASSERT_EQ(sent_.MaySend(), may);
    waited += !may;
    if (may && random_.Below(3) != 0) {
      ASSERT_EQ(sent_.Take() - first_, static_cast<std::uint32_t>(next_));
      out_.insert(next_);
      Put(next_++);
    }
    if (!out_.empty() && random_.Below(4) == 0) Put(Any(out_));
    // Mostly the oldest ends, so that numbers move on; sometimes one waits for long.
    if (!out_.empty() && random_.Below(5) < 2) {
      const std::int64_t number = random_.Below(3) == 0 ? Any(out_) : *out_.begin();
      if (number != held_ || random_.Below(400) == 0) {
        sent_.End(first_ + static_cast<std::uint32_t>(number));
        out_.erase(number);
      }
    }
    if (held_ < oldest && random_.Below(500) == 0) held_ = next_;
    for (int i = static_cast<int>(random_.Below(3)); i > 0 && !wire_.empty(); --i) {
      auto copy = wire_.begin();
      if (random_.Below(8) == 0) std::advance(copy, random_.Below(wire_.size()));
      if (random_.Below(6) != 0) Come(copy->second);
      if (random_.Below(10) != 0) wire_.erase(copy);
    }
  }

  std::int64_t next() const { return next_; }
  int news = 0, late = 0, doubles = 0, waited = 0;

 private:
  struct Copy {
    std::int64_t number, oldest;
  };
  std::int64_t Any(const std::set<std::int64_t>& numbers) {
    return *std::next(numbers.begin(), static_cast<std::ptrdiff_t>(random_.Below(numbers.size())));
  }
  /// Some copies take very long.
  void Put(std::int64_t number) {
    const std::int64_t delay = random_.Below(6) == 0 ? static_cast<std::int64_t>(random_.Below(1500)) : 0;
    wire_.emplace(copies_++ + delay, Copy{number, *out_.begin()});
  }
  void Come(const Copy& copy) {
    over_ = std::max(over_, copy.oldest);
    const bool came = came_.count(copy.number) != 0;
    const bool is_new = !came && copy.number >= over_;
    const auto wire = [&](std::int64_t number) { return (first_ + static_cast<std::uint32_t>(number)) & 0xff'ffff; };
    ASSERT_EQ(arrived_.Take(wire(copy.number), wire(copy.oldest)), is_new) << copy.number << " of " << next_;
    if (is_new) came_.insert(copy.number);
    ++(is_new ? news : came ? doubles : late);
  }

  const int window_;
  const std::uint32_t first_;
  Stream random_;
  SentNumbers sent_;
  ArrivedNumbers arrived_;
  std::int64_t next_ = 0, held_ = 0, over_ = 0;
  std::set<std::int64_t> out_, came_;
  std::multimap<std::int64_t, Copy> wire_;
  std::int64_t copies_ = 0;
};

TEST(PairNumbers, AReceiverTakesEachNumberOnce) {
  const int steps = static_cast<int>(bench::CyclesOf(bench::TierFromEnvironment()));
  int late = 0;
  for (const int window : {64, 65, 100, 127, 1024}) {
    for (const std::uint32_t first : {0u, (1u << 23) - 300, (1u << 24) - 300}) {
      Pair pair(window, first, static_cast<std::uint64_t>(window) + first);
      for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) pair.Step();
      EXPECT_GT(pair.next(), 600) << "past the edge";
      EXPECT_GT(pair.news, 500);
      EXPECT_GT(pair.doubles, 100);
      late += pair.late;
      EXPECT_GT(pair.waited, 10) << window;
    }
  }
  EXPECT_GT(late, 100);
}

TEST(PairNumbers, ACopyIsKnownWhileItIsLessThan2To23NumbersOld) {
  constexpr std::uint32_t kHalf = 1 << 23;
  for (const std::uint32_t age : {1u, 64u, 65u, 1025u, kHalf - 1}) {
    ArrivedNumbers arrived({64, 7});
    EXPECT_TRUE(arrived.Take(7, 7));
    // The sender says how far it has come; it may say so in two steps, because one is as long as half of the numbers.
    EXPECT_TRUE(arrived.Take(7 + age / 2, 7 + age / 2) || age / 2 == 0);
    EXPECT_TRUE(arrived.Take(7 + age, 7 + age));
    EXPECT_FALSE(arrived.Take(7, 7)) << age;
  }
}

TEST(PairNumbers, ASenderThatDoesNotWaitIsFound) {
  ArrivedNumbers arrived({64, 0});
  EXPECT_TRUE(arrived.Take(63, 0));
  EXPECT_THROW(arrived.Take(64, 0), std::logic_error);
  EXPECT_TRUE(arrived.Take(0, 0));
  EXPECT_TRUE(arrived.Take(64, 0)) << "the base has moved on";
}

TEST(PairNumbers, GoOnFromASavedState) {
  MovingBits bits(100);
  for (const int ahead : {0, 5, 99}) bits.Set(ahead);
  bits.MoveOn(5);
  SavedBytes bytes;
  Saver save(&bytes);
  save(bits);
  MovingBits loaded;
  Loader load(bytes);
  load(loaded);
  for (int ahead = 0; ahead < 100; ++ahead) EXPECT_EQ(loaded.Test(ahead), ahead == 0 || ahead == 94) << ahead;
}

constexpr ChannelSetup kTurns{4, true, true, 1000, 1};

SentPacket Numbered(std::uint32_t number) {
  SentPacket packet;
  packet.record.sequence = number;
  return packet;
}

TEST(Turns, ChangeEachTimeThatTheChannelIsTaken) {
  Channels channels(kTurns);
  for (int i = 0; i < 6; ++i) {
    channels.Start(2, Numbered(static_cast<std::uint32_t>(i)), 10);
    EXPECT_EQ(channels.FlowOf(2), i % 2 == 0 ? 2 : 6);
    EXPECT_EQ(channels.Acknowledge(i % 2 == 0 ? 6 : 2, 20), nullptr) << "the other turn is late";
    EXPECT_EQ(channels.outstanding(), 1);
    const SentPacket* const packet = channels.Acknowledge(i % 2 == 0 ? 2 : 6, 20);
    ASSERT_NE(packet, nullptr);
    EXPECT_EQ(packet->record.sequence, static_cast<std::uint32_t>(i));
    EXPECT_EQ(channels.Acknowledge(i % 2 == 0 ? 2 : 6, 21), nullptr) << "a second ack";
  }
}

TEST(Turns, ACopyKeepsItsPacketsTurnAndClosesTheChannel) {
  Channels channels(kTurns);
  const auto expire = [&](Cycle now) {
    int given_up = 0;
    channels.Expire(now, [&](const SentPacket&) { ++given_up; });
    return given_up;
  };
  channels.Start(0, Numbered(0), 10);
  EXPECT_EQ(expire(1010), 0);
  ASSERT_EQ(channels.waiting().size(), 1u);
  channels.StartAgain(0, 1020, 1030, 0);
  EXPECT_EQ(channels.FlowOf(0), 0);
  EXPECT_NE(channels.Acknowledge(0, 1100), nullptr);
  EXPECT_EQ(channels.opens(), 2100) << "TIME behind the ack";
  expire(2099);
  EXPECT_EQ(channels.FreeFor(0), 1);
  expire(2100);
  EXPECT_EQ(channels.FreeFor(0), 0);
  channels.Start(0, Numbered(1), 3000);
  EXPECT_EQ(channels.FlowOf(0), 4);
  EXPECT_EQ(channels.Acknowledge(0, 3001), nullptr) << "of the packet before, or of its copy";
  expire(4000);
  channels.StartAgain(0, 4000, 4000, 0);
  EXPECT_EQ(expire(5000), 1);
  EXPECT_EQ(channels.opens(), 6000);
  EXPECT_EQ(channels.Acknowledge(4, 5500), nullptr) << "given up";
}

}  // namespace
}  // namespace tilefly::network
