// SPDX-License-Identifier: Apache-2.0
// The judge of what a switch puts on a link with retry: a right switch passes, and each wrong one is named.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "cosim/common/check_failure.h"
#include "cosim/endpoint/attempt_laws.h"
#include "cosim/setup/frame.h"

namespace tilefly::cosim {
namespace {

constexpr int kWords = 3;

/// Word `k` of the packet of three words with number `seq`, of lane 5.
Link WordOf(int seq, int k) {
  Frame frame;
  frame.enh = true;
  frame.header.len = 64;
  frame.header.vl = 5;
  frame.bytes.assign(64, static_cast<std::uint8_t>(seq));
  Link link;
  link.word = MakeWord(frame, k);
  link.tag.seq = static_cast<std::uint16_t>(seq);
  link.tag.index = static_cast<std::uint8_t>(k);
  link.tag.pace = 3;
  return link;
}

/// Packets 0 and 1, packet 0 again, and the stamp of lane 5 behind them; `change` makes of cycle t's link another one.
/// Returns what the judge says; empty: nothing is wrong.
std::string Judged(const std::function<void(int, Link*)>& change) {
  AttemptLaws laws(kTile8, 0, 4, 958);
  constexpr int kNumbers[] = {0, 1, 0};
  try {
    for (int t = 0; t < 12; ++t) {
      Link link;
      if (t < 3 * kWords) link = WordOf(kNumbers[t / kWords], t % kWords);
      if (t == 10) {
        link.ctrl.wired_valid = true;
        link.ctrl.wired_vl = 5;
        link.ctrl.wired_cells = 3 * 2;
      }
      change(t, &link);
      laws.See(t, link);
    }
  } catch (const CheckFailure& failure) {
    return failure.what();
  }
  return "";
}

TEST(AttemptLaws, ARightSwitchPasses) {
  EXPECT_EQ(Judged([](int, Link*) {}), "");
}

TEST(AttemptLaws, EachWrongSwitchIsNamed) {
  const auto named = [](const char* what, const std::function<void(int, Link*)>& change) {
    const std::string said = Judged(change);
    EXPECT_NE(said.find(what), std::string::npos) << "wanted: " << what << "; said: " << said;
  };
  named("is missing", [](int t, Link* link) { if (t == 4) *link = {}; });
  named("a tag without a word", [](int t, Link* link) { if (t == 11) link->tag.seq = 7; });
  named("begins, the next is 1", [](int t, Link* link) { if (t / kWords == 1) link->tag.seq = 2; });
  named("was another one in the first attempt", [](int t, Link* link) { if (t == 8) link->word.data[3] ^= 1; });
  named("has the tag 1.0", [](int t, Link* link) { if (t == 4) link->tag.index = 0; });
  named("ends at word 2", [](int t, Link* link) { if (t == 1) link->word.eop = true; });
  named("an attempt on 2 SerDes lanes, the far end wants 4", [](int t, Link* link) { if (t == 0) link->tag.pace = 1; });
  named("the stamp of lane 5 counts 5 cells, 6 were", [](int t, Link* link) { if (t == 10) link->ctrl.wired_cells = 5; });
  named("a tag of pace 1 in an attempt on 4 lanes", [](int t, Link* link) { if (t == 1) link->tag.pace = 1; });
  named("without the first word", [](int t, Link* link) { if (t == 0) *link = WordOf(0, 1); });
}

/// What the far end has accepted is not sent again, and what it has not is.
TEST(AttemptLaws, AcceptedPacketsAreNotSentAgain) {
  AttemptLaws laws(kTile8, 0, 4, 958);
  for (int t = 0; t < kWords; ++t) laws.See(t, WordOf(0, t));
  laws.Told(10, 1);
  for (int t = kWords; t < 13; ++t) laws.See(t, {});
  EXPECT_EQ(laws.next(), 1);
  EXPECT_THROW(laws.See(13, WordOf(0, 0)), CheckFailure);
}

/// A switch that was told to leave a SerDes lane out uses three when what it had taken is over, and again four behind a link
/// down.
TEST(AttemptLaws, ASwitchUsesTheLanesThatItIsToldTo) {
  constexpr Cycle kSettled = 4 * 133 + 20;
  const auto three = [](int seq, int k) {
    Link link = WordOf(seq, k);
    link.tag.pace = 2;
    return link;
  };
  AttemptLaws laws(kTile8, 0, 4, 958);
  laws.Masked(0, 0b0010);
  EXPECT_NO_THROW(for (int k = 0; k < kWords; ++k) laws.See(kSettled - 3 + k, WordOf(0, k))) << "it began in time";
  for (int k = 0; k < kWords; ++k) EXPECT_NO_THROW(laws.See(kSettled + 1 + 4 * k / 3, three(1, k)));
  EXPECT_THROW(laws.See(kSettled + 10, WordOf(2, 0)), CheckFailure);
  laws.LinkDown(false);
  EXPECT_NO_THROW(laws.See(2000, WordOf(0, 0)));
}

/// Behind a link down all begins anew: numbers, stamps and credits, and what the far end still holds counts.
TEST(AttemptLaws, NumbersAndCreditsBeginAnewBehindALinkDown) {
  AttemptLaws laws(kTile8, 0, 4, 958);
  for (int t = 0; t < 2 * kWords; ++t) laws.See(t, WordOf(t / kWords, t % kWords));
  laws.LinkDown(false);
  EXPECT_FALSE(laws.all_known());
  for (int vl = 0; vl < 16; ++vl) laws.Returned(vl, static_cast<std::uint16_t>(vl == 5 ? -900 : 0));
  EXPECT_TRUE(laws.all_known());
  EXPECT_EQ(laws.wired(5), 0);
  int sent = 0;
  try {
    for (; sent < 100; ++sent) {
      for (int k = 0; k < kWords; ++k) laws.See(1000 + sent * kWords + k, WordOf(sent, k));
    }
  } catch (const CheckFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("overran its credits"), std::string::npos) << failure.what();
  }
  EXPECT_EQ(sent, 15) << "900 of 930 cells are in the far end's buffer";
}

/// A link without retry has no tags.
TEST(AttemptLaws, ALinkThatGoesOnWithoutRetryHasNoTags) {
  AttemptLaws laws(kTile8, 0, 4, 958);
  laws.LinkDown(true);
  for (int t = 0; t < 2 * kWords; ++t) {
    Link link = WordOf(t / kWords, t % kWords);
    link.tag = {};
    EXPECT_NO_THROW(laws.See(t, link));
  }
  EXPECT_EQ(laws.wired(5), 4);
  EXPECT_THROW(laws.See(2 * kWords, WordOf(2, 0)), CheckFailure);
}

/// A lane holds 930 cells at most while nothing was sent again.
TEST(AttemptLaws, ASwitchThatOverrunsItsCreditsIsNamed) {
  AttemptLaws laws(kTile8, 0, 4, 958);
  int sent = 0;
  try {
    for (; sent < 600; ++sent) {
      for (int k = 0; k < kWords; ++k) laws.See(sent * kWords + k, WordOf(sent, k));
    }
  } catch (const CheckFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("overran its credits"), std::string::npos) << failure.what();
  }
  EXPECT_EQ(sent, 930 / 2);
}

}  // namespace
}  // namespace tilefly::cosim
