// SPDX-License-Identifier: Apache-2.0
// The statements of docs/blocks/link.md, of golden's MACs: what leaves comes in again, and every way in which it can be spoilt.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "golden/link/check.h"
#include "golden/link/mac_in.h"
#include "golden/link/mac_out.h"

namespace tilefly::golden {
namespace {

std::vector<std::uint8_t> SealedFrame(int length) {
  std::mt19937 random(static_cast<unsigned>(length));
  std::vector<std::uint8_t> bytes(length);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  const std::uint32_t crc = Crc32(0, bytes.data(), bytes.size() - kFcsBytes);
  for (int i = 0; i < kFcsBytes; ++i) bytes[length - kFcsBytes + i] = static_cast<std::uint8_t>(crc >> 8 * i);
  return bytes;
}

HeaderBits HeaderOf(Kind kind, int length) {
  Header header;
  header.kind = static_cast<std::uint8_t>(kind);
  header.len = static_cast<std::uint16_t>(length);
  return HeaderBits(header);
}

/// The words of a frame, as a MAC sends it.
std::vector<Word> WordsOf(bool standard, Kind kind, const std::vector<std::uint8_t>& bytes, bool bad = false) {
  FrameStore frames;
  const Index id = frames.Allocate();
  frames[id].bytes = bytes;
  frames[id].bad = bad;
  Departure departure{};
  departure.header = HeaderOf(kind, static_cast<int>(bytes.size()));
  departure.format = FrameFormat::Of(standard, kind, static_cast<int>(bytes.size()));
  departure.length = static_cast<std::uint16_t>(bytes.size());
  const Framer framer(departure, {});
  std::vector<Word> words;
  for (int k = 0; k < departure.format.words; ++k) words.push_back(framer.MakeWord(k, frames[id]));
  return words;
}

class Receiver {
 public:
  explicit Receiver(bool cut_through) : mode_{cut_through, true, 4} {}

  /// Gives the MAC a word in the next cycle.
  MacIn::Events Take(const Word& word, bool heard = true) { return mac_.Step(now_++, word, heard, mode_); }
  /// Gives the MAC all words, and silence until the packet ends.
  MacIn::Events TakeAll(const std::vector<Word>& words) {
    MacIn::Events last;
    for (const Word& word : words) last = Take(word);
    for (int i = 0; i < 200 && !last.ended && !mac_.idle(); ++i) last = Take(Word{});
    return last;
  }
  const Frame& frame(const MacIn::Events& events) const { return frames_[events.payload]; }
  bool idle() const { return mac_.idle(); }

 private:
  MacIn::Mode mode_;
  FrameStore frames_;
  MacIn mac_{kTile8, frames_};
  Cycle now_ = 0;
};

TEST(Mac, TakesInWhatItSends) {
  for (int length = 32; length <= 4224; length += length < 300 ? 1 : 97) {
    const auto bytes = SealedFrame(length);
    for (const bool cut_through : {false, true}) {
      Receiver receiver(cut_through);
      const auto events = receiver.TakeAll(WordsOf(false, Kind::kEnhEth, bytes));
      ASSERT_TRUE(events.ended);
      ASSERT_EQ(events.end.status, Drop::kNone) << length;
      ASSERT_EQ(receiver.frame(events).bytes, bytes);
    }
    if (length < 64) continue;
    Receiver receiver(false);
    const auto events = receiver.TakeAll(WordsOf(true, Kind::kStd, bytes));
    ASSERT_EQ(events.end.status, Drop::kNone);
    ASSERT_EQ(events.end.length, length);
    ASSERT_EQ(receiver.frame(events).bytes, bytes);
  }
}

TEST(Mac, KnowsAStompedFrame) {
  for (const int length : {64, 65, 80, 81, 82, 83, 84, 1000}) {
    Receiver receiver(true);
    const auto events = receiver.TakeAll(WordsOf(false, Kind::kEnhEth, SealedFrame(length), true));
    EXPECT_EQ(events.end.status, Drop::kStomped);
    EXPECT_TRUE(receiver.frame(events).bad);
  }
}

TEST(Mac, FindsEveryWayOfBreakingAPacketWithHeader) {
  const auto good = WordsOf(false, Kind::kEnhEth, SealedFrame(200));  // 7 words, the last with 24 bytes
  const auto status = [&](auto&& spoil) {
    auto words = good;
    spoil(words);
    Receiver receiver(false);
    const auto events = receiver.TakeAll(words);
    EXPECT_TRUE(receiver.idle());
    return events.end.status;
  };
  EXPECT_EQ(status([](auto&) {}), Drop::kNone);
  EXPECT_EQ(status([](auto& words) { words[3].valid = false; }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words[3].sop = true; }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words[3].eop = true; }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words[0].eop = true; }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words[0].err = true; }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words[6].err = true; }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words[6].eop = false; }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words[6].last = 22; }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words.resize(4); }), Drop::kBroken);
  EXPECT_EQ(status([](auto& words) { words[3].data[5] ^= 1; }), Drop::kFcs);
  EXPECT_EQ(status([](auto& words) { words[3].last = 7; }), Drop::kNone) << "`last` counts with eop only";
}

TEST(Mac, EndsABareFrameWhereItsWordsEnd) {
  const auto good = WordsOf(true, Kind::kStd, SealedFrame(200));
  Receiver receiver(false);
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(receiver.Take(good[k]).ended);
  const auto missing = receiver.Take(Word{});
  EXPECT_TRUE(missing.ended);
  EXPECT_EQ(missing.end.status, Drop::kBroken);
  EXPECT_EQ(missing.end.length, 96);
  for (int k = 4; k < 7; ++k) EXPECT_TRUE(receiver.Take(good[k]).stray);

  // Another packet's first word ends it too, and is lost.
  receiver.Take(good[0]);
  EXPECT_EQ(receiver.Take(good[0]).end.status, Drop::kBroken);
  EXPECT_TRUE(receiver.Take(good[1]).stray);

  // A link that goes down is a missing word.
  receiver.Take(good[0]);
  EXPECT_EQ(receiver.Take(good[1], false).end.status, Drop::kBroken);
}

TEST(Mac, EndsABareFrameThatIsTooLongAtTheMtu) {
  auto words = WordsOf(true, Kind::kStd, SealedFrame(5000));
  Receiver receiver(false);
  for (int k = 0; k < kTile8.mtu_words_std - 1; ++k) ASSERT_FALSE(receiver.Take(words[k]).ended);
  const auto events = receiver.Take(words[kTile8.mtu_words_std - 1]);
  EXPECT_EQ(events.end.status, Drop::kLong);
  EXPECT_EQ(events.end.length, kTile8.mtu_bytes);
  EXPECT_TRUE(receiver.Take(words[kTile8.mtu_words_std]).stray);
}

TEST(Mac, RefusesHeadersOutOfRange) {
  const auto refused = [](Kind kind, int length) {
    Word word;
    word.valid = word.sop = word.enh = true;
    HeaderOf(kind, length).CopyTo(word.data.data());
    Receiver receiver(true);
    const auto events = receiver.Take(word);
    EXPECT_NE(events.refused, events.started);
    return events.refused;
  };
  EXPECT_FALSE(refused(Kind::kEnhEth, 32));
  EXPECT_TRUE(refused(Kind::kEnhEth, 31));
  EXPECT_FALSE(refused(Kind::kStd, 64));
  EXPECT_TRUE(refused(Kind::kStd, 63));
  EXPECT_FALSE(refused(Kind::kEnhIp, 4224));
  EXPECT_TRUE(refused(Kind::kEnhIp, 4225));
  EXPECT_TRUE(refused(Kind::kAck, 64));
  EXPECT_FALSE(refused(Kind::kRed, 32));
  EXPECT_TRUE(refused(Kind::kRed, 31));
  EXPECT_TRUE(refused(static_cast<Kind>(7), 64));
}

TEST(Mac, ReadsThePauseFramesThatItSends) {
  const auto pause = MakePause(0x12345, 777);
  std::vector<Word> words = {WordOf(pause.data(), kMinStdBytes, 0), WordOf(pause.data(), kMinStdBytes, 1)};
  Receiver receiver(false);
  const auto events = receiver.TakeAll(words);
  EXPECT_EQ(events.end.status, Drop::kControl);
  ASSERT_TRUE(events.pause.obeyed);
  EXPECT_EQ(events.pause.classes, 0xFFu);
  for (const auto quanta : events.pause.quanta) EXPECT_EQ(quanta, 777);
}

TEST(FrameFormat, CountsWordsAndSlotsAsTheTableOfThePage) {
  const auto is = [](FrameFormat format, int bytes, int words, int slots) {
    return format.bytes == bytes && format.words == words && format.slots == slots;
  };
  EXPECT_TRUE(is(FrameFormat::Of(false, Kind::kEnhEth, 64), 80, 3, 3));
  EXPECT_TRUE(is(FrameFormat::Of(true, Kind::kStd, 64), 64, 2, 3));
  EXPECT_TRUE(is(FrameFormat::Of(true, Kind::kEnhEth, 32), 64, 2, 3));
  EXPECT_TRUE(is(FrameFormat::Of(true, Kind::kEnhEth, 65), 65, 3, 3));
  EXPECT_TRUE(is(FrameFormat::Of(true, Kind::kEnhIp, 32), 64, 2, 3));
  EXPECT_TRUE(is(FrameFormat::Of(true, Kind::kEnhIp, 51), 65, 3, 3));
  EXPECT_TRUE(is(FrameFormat::Of(true, Kind::kEnhIp, 4224), 4238, 133, 134));
}

TEST(MacOut, PutsWordsOnTheLinkAtItsRate) {
  for (int lanes = 1; lanes <= 4; ++lanes) {
    FrameStore frames;
    const Index id = frames.Allocate();
    frames[id].bytes = SealedFrame(300);
    Departure departure{};
    departure.take = 10;
    departure.header = HeaderOf(Kind::kEnhEth, 300);
    departure.payload = id;
    departure.format = FrameFormat::Of(false, Kind::kEnhEth, 300);
    departure.length = 300;
    departure.eth = -1;
    departure.serdes_lanes = static_cast<std::uint8_t>(lanes);
    MacOut mac(frames);
    mac.Queue(departure, {});
    int k = 0;
    for (Cycle now = 11; now < 80; ++now) {
      const Word word = mac.Output(now).word;
      const bool due = k < departure.format.words && now == 10 + 8 + 4 * k / lanes;
      ASSERT_EQ(word.valid, due) << "cycle " << now;
      if (!due) continue;
      EXPECT_EQ(word.sop, k == 0);
      EXPECT_EQ(word.eop, k == departure.format.words - 1);
      ++k;
    }
    EXPECT_EQ(k, departure.format.words);
  }
}

}  // namespace
}  // namespace tilefly::golden
