// SPDX-License-Identifier: Apache-2.0
// What a direction of a link does to words and control slots (docs/blocks/link_retry.md, "Fault plan").
#include "faults/direction_faults.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilefly::faults {
namespace {

constexpr std::uint64_t kSeed = 11;

Link WordNumber(int number) {
  Link link;
  link.word.valid = true;
  link.word.last = 31;
  for (std::size_t i = 0; i < 4; ++i) link.word.data[i] = static_cast<std::uint8_t>(number >> 8 * i);
  link.tag.seq = static_cast<std::uint16_t>(number & 2047);
  return link;
}

Link SlotNumber(int number) {
  Link link;
  link.ctrl.credit_valid = link.ctrl.ack_valid = link.ctrl.retry_valid = link.ctrl.wired_valid = true;
  link.ctrl.credit_cells = static_cast<std::uint16_t>(number);
  return link;
}

PlannedEvent Event(EventKind kind, int count = 1) {
  PlannedEvent event;
  event.kind = kind;
  event.count = count;
  return event;
}

Rates WithWordBer(double ber) {
  Rates rates;
  rates.word_ber = ber;
  return rates;
}

bool Same(const WireWord& a, const WireWord& b) { return a.word == b.word && a.tag == b.tag; }
bool Same(const WireSlot& a, const WireSlot& b) { return a.ctrl == b.ctrl; }
template <typename Item>
bool IsAnything(const Item& item) {
  return !Same(item, Item{});
}

TEST(DirectionFaults, WithoutFaultsAllPassesAsItCame) {
  DirectionFaults direction({}, kSeed, 3);
  for (int n = 0; n < 1000; ++n) {
    const Link link = n % 3 == 0 ? Link{} : n % 3 == 1 ? WordNumber(n) : SlotNumber(n);
    EXPECT_EQ(direction.Pass(link), link);
  }
}

TEST(DirectionFaults, BadWordsComeAtTheRateOfTheBits) {
  constexpr int kWords = 400'000;
  constexpr double kBer = 1e-4;
  const double expected = kWords * ChanceOfBad(kBer, kBitsOfWord);
  DirectionFaults direction(WithWordBer(kBer), kSeed, 3);
  std::int64_t bad = 0;
  for (int n = 0; n < kWords; ++n) {
    const Link out = direction.Pass(WordNumber(n));
    EXPECT_TRUE(out.word.valid);
    bad += out.word.err;
    if (!out.word.err) EXPECT_EQ(out, WordNumber(n));
  }
  EXPECT_EQ(bad, direction.words().bad);
  EXPECT_NEAR(static_cast<double>(bad), expected, 5 * std::sqrt(expected));
}

TEST(DirectionFaults, KnowWhichErrorsAnEventWasToMake) {
  ItemFaults<WireWord> words(kSeed, 3);
  Chances chances;
  chances.drop = chances.repeat = 0.005;
  words.Set(0.01, 1, chances);
  int planned = 0, drawn = 0;
  for (int n = 0; n < 3000; ++n) {
    if (n == 1000) words.Drop(3);
    if (n == 1500) words.Spoil(4);
    if (n == 2000) words.Repeat(5);
    const FaultCounts before = words.counts();
    const Link link = WordNumber(n);
    words.Pass({link.word, link.tag});
    const FaultCounts& after = words.counts();
    const bool is_planned = words.planned() != OwedFaults::kNone;
    if (n < 1000 || n > 2100) EXPECT_FALSE(is_planned) << n;
    planned += is_planned;
    drawn += !is_planned && after.dropped + after.repeated + after.bad > before.dropped + before.repeated + before.bad;
  }
  EXPECT_GE(planned, 3 + 4 + 5 - 1) << "of two faults of a word one acts";
  EXPECT_LE(planned, 3 + 4 + 5);
  EXPECT_GT(drawn, 30);
  const FaultCounts& sums = words.counts();
  EXPECT_EQ(drawn + planned, sums.dropped + sums.bad + sums.repeated);
}

TEST(DirectionFaults, KnowWhichEventOwedAnError) {
  std::vector<PlannedEvent> events(4);
  for (std::size_t i = 0; i < events.size(); ++i) events[i].number = static_cast<int>(10 + i);
  events[0].kind = events[1].kind = events[3].kind = EventKind::kDropWord;
  events[2].kind = EventKind::kBadWord;
  events[0].count = 2;
  ItemFaults<WireWord> words(kSeed, 3);
  std::vector<int> drops, bad;
  for (int n = 0; n < 8; ++n) {
    if (n == 1) BeginOfWords(events[0], &words);
    if (n == 1) BeginOfWords(events[1], &words);
    if (n == 5) BeginOfWords(events[2], &words);
    const Link link = n == 2 ? Link() : WordNumber(n);  // an idle word counts for no event
    words.Pass({link.word, link.tag});
    if (const PlannedEvent* event = EventOf(events, EventKind::kDropWord, words.planned()); event != nullptr && n < 5) drops.push_back(event->number);
    if (const PlannedEvent* event = EventOf(events, EventKind::kBadWord, words.planned()); event != nullptr && n >= 5) bad.push_back(event->number);
  }
  EXPECT_EQ(drops, (std::vector<int>{10, 10, 11}));
  EXPECT_EQ(bad, (std::vector<int>{12}));
  EXPECT_EQ(EventOf(events, EventKind::kDropWord, 3), &events[3]);
  EXPECT_EQ(EventOf(events, EventKind::kDropWord, 4), nullptr);
  EXPECT_EQ(EventOf(events, EventKind::kDropWord, OwedFaults::kNone), nullptr);
}

TEST(DirectionFaults, IdleCyclesMoveNoBadWord) {
  // The n-th valid word is bad or not, whatever stands between the words: that is why devices and threads see the same.
  DirectionFaults busy(WithWordBer(1e-3), kSeed, 5), sparse(WithWordBer(1e-3), kSeed, 5);
  for (int n = 0; n < 20'000; ++n) {
    for (int idle = 0; idle < n % 4; ++idle) EXPECT_FALSE(sparse.Pass(Link{}).word.valid);
    EXPECT_EQ(busy.Pass(WordNumber(n)).word.err, sparse.Pass(WordNumber(n)).word.err) << n;
  }
  EXPECT_GT(busy.words().bad, 1000);
}

/// A lane that is dead spoils all that uses it; one that is not used is looked at in each 64th cycle.
TEST(DirectionFaults, ADeadLaneSpoilsWhatUsesIt) {
  DirectionFaults direction({}, kSeed, 3);
  PlannedEvent down = Event(EventKind::kLaneDown);
  down.lane = 2;
  direction.Begin(down);
  for (int n = 0; n < 100; ++n) {
    const Link word = direction.Pass(WordNumber(n)), idle = direction.Pass(Link{});
    EXPECT_TRUE(word.word.valid && word.word.err && word.ctrl.err && idle.ctrl.err && !idle.word.valid);
    EXPECT_EQ(word.phy.lane_err, 0b0100);
    EXPECT_EQ(idle.phy.lane_err, 0b0100);
  }
  EXPECT_EQ(direction.words_of_lanes(), 100);
  EXPECT_EQ(direction.slots_of_lanes(), 200);
  int looks = 0;
  for (int n = 0; n < 640; ++n) {
    Link out = direction.Pass(WordNumber(n), 0b1011);
    looks += out.phy.lane_err == 0b0100;
    out.phy.lane_err = 0;
    EXPECT_EQ(out, WordNumber(n));
  }
  EXPECT_EQ(looks, 10);
  direction.Begin(Event(EventKind::kLaneUp));
  EXPECT_TRUE(direction.Pass(WordNumber(1)).word.err) << "lane 0 is up, which was not down";
  direction.LaneUp(2);
  EXPECT_EQ(direction.Pass(WordNumber(1)), WordNumber(1));
}

TEST(DirectionFaults, DirectionsAndSeedsDrawApart) {
  DirectionFaults a(WithWordBer(1e-3), kSeed, 5), b(WithWordBer(1e-3), kSeed, 6), c(WithWordBer(1e-3), kSeed + 1, 5);
  int same_ab = 0, same_ac = 0, bad = 0;
  for (int n = 0; n < 20'000; ++n) {
    const bool of_a = a.Pass(WordNumber(n)).word.err, of_b = b.Pass(WordNumber(n)).word.err, of_c = c.Pass(WordNumber(n)).word.err;
    bad += of_a;
    same_ab += of_a && of_b;
    same_ac += of_a && of_c;
  }
  EXPECT_LT(same_ab, bad / 2);
  EXPECT_LT(same_ac, bad / 2);
}

TEST(DirectionFaults, BurstsAreRunsOfBadWords) {
  Rates rates = WithWordBer(1e-5);
  rates.burst = 5;
  DirectionFaults direction(rates, kSeed, 1);
  std::vector<int> runs;
  int run = 0;
  for (int n = 0; n < 100'000; ++n) {
    if (direction.Pass(WordNumber(n)).word.err) {
      ++run;
    } else if (run > 0) {
      runs.push_back(run);
      run = 0;
    }
  }
  ASSERT_GT(runs.size(), 100u);
  for (const int length : runs) EXPECT_GE(length, 5);
  EXPECT_EQ(*std::min_element(runs.begin(), runs.end()), 5);
}

TEST(DirectionFaults, ANewRateBeginsANewGap) {
  DirectionFaults direction({}, kSeed, 1);
  for (int n = 0; n < 1000; ++n) EXPECT_FALSE(direction.Pass(WordNumber(n)).word.err);
  PlannedEvent event = Event(EventKind::kBer);
  event.value = 1e-3;
  direction.Begin(event);
  for (int n = 0; n < 1000; ++n) direction.Pass(WordNumber(n));
  EXPECT_GT(direction.words().bad, 100);
  event.value = 0;
  direction.Begin(event);
  const std::int64_t bad = direction.words().bad;
  for (int n = 0; n < 1000; ++n) direction.Pass(WordNumber(n));
  EXPECT_EQ(direction.words().bad, bad);
}

TEST(DirectionFaults, PlannedDropsAndBadWordsWaitForValidWords) {
  DirectionFaults direction({}, kSeed, 1);
  direction.Begin(Event(EventKind::kDropWord, 2));
  direction.Begin(Event(EventKind::kBadWord, 3));
  EXPECT_EQ(direction.Pass(Link{}), Link{});
  for (int n = 0; n < 2; ++n) EXPECT_FALSE(direction.Pass(WordNumber(n)).word.valid) << "a dropped word is bad for nobody";
  EXPECT_EQ(direction.Pass(Link{}), Link{});
  EXPECT_TRUE(direction.Pass(WordNumber(2)).word.err);
  EXPECT_EQ(direction.Pass(WordNumber(3)), WordNumber(3));
  EXPECT_EQ(direction.words().dropped, 2);
  EXPECT_EQ(direction.words().bad, 1);
}

TEST(DirectionFaults, ARepeatedWordTakesThePlaceOfTheNext) {
  DirectionFaults direction({}, kSeed, 1);
  direction.Pass(WordNumber(1));
  direction.Begin(Event(EventKind::kRepeatWord));
  EXPECT_EQ(direction.Pass(WordNumber(2)), WordNumber(1));
  EXPECT_EQ(direction.Pass(WordNumber(3)), WordNumber(3));
  direction.Begin(Event(EventKind::kBadWord));
  const Link bad = direction.Pass(WordNumber(4));
  direction.Begin(Event(EventKind::kRepeatWord));
  EXPECT_EQ(direction.Pass(Link{}), bad) << "as it came out, also in an idle cycle";
  EXPECT_EQ(direction.words().repeated, 2);
}

TEST(DirectionFaults, SlotsAreLostSpoiltAndRepeatedApartFromWords) {
  DirectionFaults direction({}, kSeed, 1);
  for (const EventKind kind : {EventKind::kDropSlot, EventKind::kBadSlot, EventKind::kRepeatSlot}) {
    EXPECT_EQ(direction.Pass(SlotNumber(1)), SlotNumber(1));
    direction.Begin(Event(kind));
    Link link = SlotNumber(2);
    link.word = WordNumber(7).word;
    const Link out = direction.Pass(link);
    EXPECT_EQ(out.word, link.word);
    if (kind == EventKind::kDropSlot) EXPECT_EQ(out.ctrl, Ctrl{});
    if (kind == EventKind::kBadSlot) EXPECT_TRUE(out.ctrl.err);
    if (kind == EventKind::kRepeatSlot) EXPECT_EQ(out.ctrl, SlotNumber(1).ctrl);
  }
  EXPECT_EQ(direction.slots().dropped, 1);
  EXPECT_EQ(direction.slots().bad, 1);
  EXPECT_EQ(direction.slots().repeated, 1);
  EXPECT_EQ(direction.words().bad + direction.words().dropped + direction.words().repeated, 0);
}

TEST(DirectionFaults, ChancesOfACycleAreKept) {
  Rates rates;
  rates.word = {0.01, 0.02, 0.03};
  rates.slot = {0.01, 0.02, 0.03};
  DirectionFaults direction(rates, kSeed, 9);
  constexpr int kCycles = 200'000;
  for (int n = 0; n < kCycles; ++n) {
    Link link = n % 2 == 0 ? WordNumber(n) : Link{};
    if (n % 2 == 0) link.ctrl = SlotNumber(n).ctrl;
    direction.Pass(link);
  }
  for (const FaultCounts& counts : {direction.words(), direction.slots()}) {
    EXPECT_NEAR(static_cast<double>(counts.dropped), 0.01 * kCycles / 2, 200);
    // What is repeated was there, and has not been dropped: half of the cycles, nearly.
    EXPECT_NEAR(static_cast<double>(counts.repeated), 0.02 * kCycles / 2, 400);
    EXPECT_NEAR(static_cast<double>(counts.noisy), 0.03 * kCycles / 2, 400);
    EXPECT_EQ(counts.bad, 0);
  }
}

TEST(DirectionFaults, AStuckReceiverSaysNothingUntilItEnds) {
  DirectionFaults direction({}, kSeed, 1);
  PlannedEvent event = Event(EventKind::kStuck);
  direction.Begin(event);
  EXPECT_EQ(direction.Pass(SlotNumber(1)).ctrl, Ctrl{});
  EXPECT_EQ(direction.Pass(WordNumber(1)), WordNumber(1)) << "words go on";
  event.credits_alone = true;
  direction.Begin(event);
  const Ctrl ctrl = direction.Pass(SlotNumber(1)).ctrl;
  EXPECT_FALSE(ctrl.credit_valid);
  EXPECT_EQ(ctrl.credit_cells, 0);
  EXPECT_TRUE(ctrl.ack_valid && ctrl.retry_valid && ctrl.wired_valid);
  direction.Unstick();
  EXPECT_EQ(direction.Pass(SlotNumber(1)), SlotNumber(1));
}

/// Whatever is skipped, the items that are not idle fare as in a direction that is called in every cycle.
TEST(DirectionFaults, IdleCyclesMayBeSkipped) {
  Rates rates;
  rates.word_ber = rates.slot_ber = 2e-5;
  rates.burst = 3;
  rates.word = rates.slot = {0.01, 0.02, 0.005};
  Stream random(kSeed, 1, 0, Purpose::kRun);
  const auto compare = [&](auto* whole, auto* skipped, const auto& item) {
    using Item = std::decay_t<decltype(item)>;
    whole->Set(ChanceOfBad(1e-4, kBitsOfSlot), rates.burst, rates.slot);
    skipped->Set(ChanceOfBad(1e-4, kBitsOfSlot), rates.burst, rates.slot);
    std::int64_t quiet_cycles = 0;
    for (int n = 0; n < 20'000; ++n) {
      const auto idle = static_cast<std::int64_t>(random.Below(40));
      const bool looks = n % 2 == 0;
      for (std::int64_t i = 0; i < idle; ++i) {
        const auto quiet = skipped->QuietCycles();
        const Item out = whole->Pass(Item{});
        if (!looks) continue;
        if (quiet > 0) {
          EXPECT_TRUE(skipped->QuietCycles() == Gaps::kNever || skipped->QuietCycles() == quiet);
          EXPECT_FALSE(IsAnything(out));
          skipped->SkipQuiet(1);
          ++quiet_cycles;
        } else {
          EXPECT_TRUE(Same(out, skipped->Pass(Item{})));
        }
      }
      if (!looks) skipped->SkipIdle(idle);
      EXPECT_TRUE(Same(whole->Pass(item), skipped->Pass(item))) << n;
    }
    EXPECT_GT(quiet_cycles, 100'000);
  };
  ItemFaults<WireWord> words(kSeed, 5), other_words(kSeed, 5);
  compare(&words, &other_words, WireWord{WordNumber(7).word, WordNumber(7).tag});
  ItemFaults<WireSlot> slots(kSeed, 6), other_slots(kSeed, 6);
  compare(&slots, &other_slots, WireSlot{SlotNumber(7).ctrl});
}

}  // namespace
}  // namespace tilefly::faults
