// SPDX-License-Identifier: Apache-2.0
// The examples of docs/blocks/retry.md, "Picture and timing", cycle by cycle.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/retry/retry_link.h"

namespace tilefly::bench {
namespace {

/// What stands in a row of a picture, by cycle of the page.
using Row = std::map<Cycle, std::string>;

Row Picture(const std::vector<std::pair<Cycle, std::string>>& pieces) {
  Row row;
  for (const auto& [first, text] : pieces) {
    std::istringstream cells(text);
    Cycle cycle = first;
    for (std::string cell; cells >> cell; ++cycle) row[cycle] = cell;
  }
  return row;
}

std::string Name(const RetryTag& tag) { return std::to_string(tag.seq) + "." + std::to_string(tag.index); }
std::string Name(const golden::RetryReport& report) { return (report.nack ? "n" : "a") + std::to_string(report.seq); }

struct Rows {
  Row link_o, link_i, passed, back, heard, events;
};

/// A link of the page's examples: D = 2, m = 4, packets of three words, the first of which the MAC gives in cycle -2.
class Example {
 public:
  Example(int packets, int timer_max, int limit) : packets_(packets), link_(Setup(), Stimulus(1)) {
    link_.to_sender.replay_timer_max = timer_max;
    link_.to_sender.replay_ct_max = limit;
  }
  RetryLink& link() { return link_; }
  /// All slots that come out in `from` .. `to` are lost.
  void LoseSlots(Cycle from, Cycle to) {
    lost_from_ = from;
    lost_to_ = to;
  }
  Rows RunTo(Cycle last) {
    Rows rows;
    for (Cycle page = kBefore; page <= last; ++page) {
      if (page == lost_from_) link_.slots.Set({1, 0, 0, 0, 1});
      if (page == lost_to_ + 1) link_.slots.Set({});
      link_.mac.Hold(link_.mac.taken() == packets_);
      const int heard = link_.sender.heard();
      link_.Step();
      Note(page, heard, &rows);
    }
    EXPECT_EQ(link_.audit.Message(), "");
    return rows;
  }

 private:
  static constexpr Cycle kBefore = -4;  // the link comes up, the take, the first word

  static RetrySetup Setup() { return {}; }
  void Note(Cycle page, int heard, Rows* rows) {
    if (link_.from_sender.word.valid) rows->link_o[page] = Name(link_.from_sender.tag);
    const Word& in = link_.to_receiver.word;
    if (in.valid) rows->link_i[page] = in.err ? "!" : Name(link_.to_receiver.tag);
    if (link_.from_receiver.word.valid) rows->passed[page] = Name(link_.to_receiver.tag);
    if (link_.link_slot.report.valid) rows->back[page] = Name(link_.link_slot.report);
    if (link_.sender.heard() != heard) rows->heard[page] = std::to_string(link_.sender.heard());
    if (link_.from_sender.timeout) rows->events[page] += "timeout";
    if (link_.from_sender.replay) rows->events[page] += "replay";
    if (link_.from_sender.link_failed && !failed_) rows->events[page] += "failed";
    failed_ = link_.from_sender.link_failed;
  }

  int packets_;
  RetryLink link_;
  Cycle lost_from_ = kNever, lost_to_ = kNever - 1;
  bool failed_ = false;
};

TEST(RetryExamples, NoError) {
  Example example(3, 4096, 32);
  const Rows rows = example.RunTo(60);
  EXPECT_EQ(rows.link_o, Picture({{0, "0.0 0.1 0.2 1.0 1.1 1.2 2.0 2.1 2.2"}}));
  EXPECT_EQ(rows.link_i, Picture({{2, "0.0 0.1 0.2 1.0 1.1 1.2 2.0 2.1 2.2"}}));
  EXPECT_EQ(rows.passed, rows.link_i);
  EXPECT_EQ(rows.back, Picture({{7, "a1"}, {15, "a3"}}));
  EXPECT_EQ(rows.heard, Picture({{9, "1"}, {17, "3"}}));
  EXPECT_EQ(rows.events, Row());
  EXPECT_TRUE(example.link().drained());
}

TEST(RetryExamples, OneBadWordAmidAPacket) {
  Example example(3, 4096, 32);
  example.link().words.BadAfter(1);
  const Rows rows = example.RunTo(60);
  EXPECT_EQ(rows.link_o,
            Picture({{0, "0.0 0.1 0.2 1.0 1.1 1.2 2.0 2.1 2.2"}, {12, "0.0 0.1 0.2 1.0 1.1 1.2 2.0 2.1 2.2"}}));
  EXPECT_EQ(rows.link_i,
            Picture({{2, "0.0 ! 0.2 1.0 1.1 1.2 2.0 2.1 2.2"}, {14, "0.0 0.1 0.2 1.0 1.1 1.2 2.0 2.1 2.2"}}));
  EXPECT_EQ(rows.passed, Picture({{2, "0.0"}, {14, "0.0 0.1 0.2 1.0 1.1 1.2 2.0 2.1 2.2"}}));
  EXPECT_EQ(rows.back, Picture({{6, "n0"}, {19, "a1"}, {27, "a3"}}));
  EXPECT_EQ(rows.events, Picture({{9, "replay"}}));
  EXPECT_TRUE(example.link().drained());
}

TEST(RetryExamples, ALostNackIsRepairedByTheTimer) {
  Example example(2, 24, 32);
  example.link().words.BadAfter(1);
  example.LoseSlots(8, 8);
  const Rows rows = example.RunTo(60);
  EXPECT_EQ(rows.link_o, Picture({{0, "0.0 0.1 0.2 1.0 1.1 1.2"}, {29, "0.0 0.1 0.2 1.0 1.1 1.2"}}));
  EXPECT_EQ(rows.passed, Picture({{2, "0.0"}, {31, "0.0 0.1 0.2 1.0 1.1 1.2"}}));
  EXPECT_EQ(rows.back, Picture({{6, "n0"}, {36, "a1"}, {44, "a2"}}));
  EXPECT_EQ(rows.heard, Picture({{38, "1"}, {46, "2"}}));
  EXPECT_EQ(rows.events, Picture({{25, "timeout replay"}}));
  EXPECT_TRUE(example.link().drained());
}

TEST(RetryExamples, ALostAckIsRepairedByADuplicate) {
  Example example(1, 20, 32);
  example.LoseSlots(9, 9);
  const Rows rows = example.RunTo(60);
  EXPECT_EQ(rows.link_o, Picture({{0, "0.0 0.1 0.2"}, {25, "0.0 0.1 0.2"}}));
  EXPECT_EQ(rows.link_i, Picture({{2, "0.0 0.1 0.2"}, {27, "0.0 0.1 0.2"}}));
  EXPECT_EQ(rows.passed, Picture({{2, "0.0 0.1 0.2"}}));
  EXPECT_EQ(rows.back, Picture({{7, "a1"}, {30, "a1"}}));
  EXPECT_EQ(rows.heard, Picture({{32, "1"}}));
  EXPECT_EQ(rows.events, Picture({{21, "timeout replay"}}));
  EXPECT_TRUE(example.link().drained());
}

TEST(RetryExamples, TheFourthReplayFailsTheLinkWhenTheLimitIsThree) {
  Example example(1, 20, 3);
  example.LoseSlots(0, 1000);
  const Rows rows = example.RunTo(200);
  EXPECT_EQ(rows.link_o, Picture({{0, "0.0 0.1 0.2"}, {25, "0.0 0.1 0.2"}, {47, "0.0 0.1 0.2"}, {69, "0.0 0.1 0.2"}}));
  EXPECT_EQ(
      rows.events,
      Picture(
          {{21, "timeout replay"}, {43, "timeout replay"}, {65, "timeout replay"}, {87, "timeout"}, {89, "failed"}}));
  EXPECT_FALSE(example.link().from_sender.ready);
  EXPECT_FALSE(example.link().from_sender.quiescent);
}

/// Decision 1: a number that the sender holds is never both old and new.
TEST(RetryExamples, ADuplicateIsTakenForOneUpToHalfOfTheNumbersBehind) {
  golden::RetryIn receiver({8, 4});
  golden::RetryIn::Inputs in;
  in.enable = in.link_up = true;
  in.word.valid = in.word.sop = in.word.eop = true;
  for (int seq = 0; seq < 3; ++seq) {
    in.tag.seq = static_cast<std::uint16_t>(seq);
    EXPECT_TRUE(receiver.Step(in).accepted);
  }
  for (int seq = 0; seq < 16; ++seq) {  // 3 is expected: 3 - 8 .. 2 are old
    golden::RetryIn copy = receiver;
    in.tag.seq = static_cast<std::uint16_t>(seq);
    const auto out = copy.Step(in);
    EXPECT_EQ(out.duplicate, seq < 3 || seq >= 11) << seq;
    EXPECT_EQ(out.missing, seq > 3 && seq < 11) << seq;
    EXPECT_EQ(out.accepted, seq == 3) << seq;
  }
}

TEST(RetryExamples, WithoutEnableWordsPassInTwoCyclesAndTheGateIsOpen) {
  golden::RetryOut sender({});
  golden::RetryIn receiver({});
  golden::RetryOut::Inputs in;
  golden::RetryIn::Inputs at_gate;
  at_gate.link_up = true;
  std::vector<Word> given;
  for (int cycle = 0; cycle < 50; ++cycle) {
    in.word.valid = cycle % 3 != 0;
    in.word.err = cycle % 2 == 0;
    in.word.data[0] = static_cast<std::uint8_t>(cycle);
    in.link_up = cycle % 7 < 3;
    in.take = cycle % 5 == 0;
    in.take_words = 3;
    const auto out = sender.Step(in);
    EXPECT_TRUE(out.ready);
    EXPECT_EQ(out.tag, RetryTag());
    given.push_back(in.word);
    given.back().err = false;
    if (cycle >= 2) EXPECT_EQ(out.word, given[static_cast<std::size_t>(cycle - 2)]) << cycle;
    at_gate.word = in.word;
    EXPECT_EQ(receiver.Step(at_gate).word, in.word) << "as it came, err too";
  }
  EXPECT_EQ(sender.owed(), 0);
}

}  // namespace
}  // namespace tilefly::bench
