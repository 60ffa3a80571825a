// SPDX-License-Identifier: Apache-2.0
// The receiving half of a link that repeats, which looks at whole attempts and skips idle cycles, against a gate and a MAC
// that see every word: whatever comes, and on wires that are much worse than a plan may have them.
#include "network/retry_receiver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/random.h"
#include "testbenches/network/naive_words.h"

namespace tilefly::network {
namespace {

constexpr Cycle kBegin = 50;

golden::HeaderBits HeaderOf(int length) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(length);
  return golden::HeaderBits(header);
}

/// A line for each thing that happens, in the order of cycles.
class Lines : public GateListener {
 public:
  void Begins(const LinkAttempt& attempt, bool broken) override {
    text += fmt::format("{} begins {} {} {}\n", attempt.wire, attempt.seq, attempt.header.length(), broken);
    --records;
  }
  void Unseen(const LinkAttempt&) override { --records; }
  golden::Payload Copy(golden::Payload payload) override {
    ++records;
    return payload;
  }
  void Ends(Cycle cycle, int expected) override { text += fmt::format("{} ends before {}\n", cycle, expected); }
  void Says(const LinkReport& said) override {
    text += fmt::format("{} reports {} {}\n", said.wire - 1, said.report.seq, said.report.nack);
  }
  std::string text;
  int records = 0;  ///< that are held and not released
};

/// The same of the words, one by one; makes the attempts as it goes, mostly that which the gate expects.
struct Naive {
  explicit Naive(const DirectionPlan& direction, std::uint64_t seed)
      : plan(direction), faults(plan.rates, plan.seed, plan.direction), random(seed, 0, 0, Purpose::kRun) {}

  void Run(Cycle cycles) {
    std::vector<std::pair<int, std::string>> ends;
    for (Cycle now = 0; now < cycles; ++now) {
      // A packet comes again behind the way of a report there, and that of the packet back.
      const bool again = !attempts.empty() && attempts.back().seq == gate.expected();
      if (now >= kBegin && now >= free + (again ? 40 : 0) && random.Below(3) == 0) Start(now);
      Link link;
      if (!sent.empty() && now == attempts.back().wire + 4 * next / attempts.back().lanes && next < static_cast<int>(sent.size()))
        link = sent[static_cast<std::size_t>(next++)];
      if (now >= kBegin) {
        for (const faults::PlannedEvent& event : plan.events) {
          if (event.at == now - kBegin) faults.Begin(event);
        }
        link = faults.Pass(link);
      }
      golden::RetryIn::Inputs in;
      in.enable = in.link_up = true;
      in.lanes = link.tag.pace + 1;
      in.word = link.word;
      in.tag = link.tag;
      const golden::RetryIn::Outputs out = gate.Step(in);
      const NaiveMacIn::Seen seen = mac.See(now, out.word, in.lanes, &numbers);
      if (seen.begins) {
        begun = text.size();
        text += fmt::format("{} begins {} {} ?\n", now, link.tag.seq, mac.packet().header.length());
        place = text.find('?', begun);
      }
      if (out.report.valid) text += fmt::format("{} reports {} {}\n", now, out.report.seq, out.report.nack);
      if (seen.ends) text.replace(place, 1, mac.packet().missing ? "true" : "false");
    }
  }
  void Start(Cycle now) {
    const int seq = random.Below(4) > 0 ? gate.expected() : static_cast<int>((gate.expected() + random.Below(5) + 2046) % 2048);
    const int lanes = static_cast<int>(random.Below(4)) + 1;
    const int length = random.Below(3) > 0 ? 32 : 32 + static_cast<int>(random.Below(300));
    LinkAttempt attempt{
        now, 7, static_cast<std::uint16_t>(seq), static_cast<std::uint8_t>(lanes), 15, HeaderOf(length)};
    attempts.push_back(attempt);
    const int words = WordsOf(length);
    sent.clear();
    for (int k = 0; k < words; ++k) {
      Link link;
      link.word.valid = link.word.enh = true;
      link.word.sop = k == 0;
      link.word.eop = k == words - 1;
      if (k == 0) attempt.header.CopyTo(link.word.data.data());
      link.tag.pace = static_cast<std::uint8_t>(lanes - 1);
      link.tag.seq = attempt.seq;
      link.tag.index = static_cast<std::uint8_t>(k);
      sent.push_back(link);
    }
    next = 0;
    free = now + (4 * words + lanes - 1) / lanes;
  }

  const DirectionPlan plan;
  faults::DirectionFaults faults;
  Stream random;
  golden::RetryIn gate{golden::RetryIn::Parameters()};
  NaiveMacIn mac;
  NaiveAttempts numbers;
  std::vector<LinkAttempt> attempts;
  std::vector<Link> sent;
  int next = 0;
  Cycle free = 0;
  std::size_t begun = 0, place = 0;
  std::string text;
};

TEST(RetryReceiver, SeesWhatAGateAndAMacSeeWordByWord) {
  std::size_t lines = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Stream random(seed, 1, 0, Purpose::kRun);
    DirectionPlan plan;
    plan.seed = seed;
    plan.direction = 3;
    plan.rates.word_ber = seed % 2 == 0 ? 1e-4 : 0;
    plan.rates.burst = 1 + static_cast<int>(seed % 3);
    plan.rates.word = {seed % 4 == 0 ? 0.01 : 0, seed % 3 == 0 ? 0.3 : 0.02, seed % 5 == 0 ? 0.02 : 0};
    for (int e = 0; e < 6; ++e) {
      faults::PlannedEvent event;
      event.at = static_cast<std::int64_t>(500 * e + random.Below(400));
      event.kind = static_cast<faults::EventKind>(random.Below(4));
      event.count = 1 + static_cast<int>(random.Below(6));
      event.value = 1e-4;
      plan.events.push_back(event);
    }
    Naive naive(plan, seed);
    naive.Run(4000);
    Lines fast;
    RetryCounts counts;
    const LinkDowns downs;  // the link stays up
    RetryReceiver receiver(plan, downs, 0, kBegin, 0);
    std::size_t next = 0;
    Cycle now = 0;
    while (now < 4000) {
      now += 1 + static_cast<Cycle>(random.Below(seed % 2 == 0 ? 3 : 80));
      for (; next < naive.attempts.size() && naive.attempts[next].wire < now; ++next, ++fast.records) {
        receiver.Take(naive.attempts[next]);
        EXPECT_LE(receiver.due(), naive.attempts[next].wire);
      }
      receiver.Run(std::min<Cycle>(now, 4000), &counts, &fast);
    }
    const std::size_t open = naive.text.find('?');  // an attempt that has not come to its end
    const std::size_t whole = open == std::string::npos ? naive.text.size() : naive.text.rfind('\n', open);
    EXPECT_EQ(fast.text.substr(0, whole), naive.text.substr(0, whole)) << seed;
    EXPECT_LT(fast.text.size(), whole + 300);
    EXPECT_LE(fast.records, 2);
    lines += whole / 15;
  }
  EXPECT_GT(lines, 5000u);
}

}  // namespace
}  // namespace tilefly::network
