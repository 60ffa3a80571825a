// SPDX-License-Identifier: Apache-2.0
// tilefly_retry_out and tilefly_retry_in against golden's RetryOut and RetryIn (docs/blocks/retry.md): every output in
// every cycle, of both ends of a link with a channel between them, and of each end alone.
#include <gtest/gtest.h>

#include <optional>

#include "Vrtl_retry.h"
#include "Vrtl_retry_small.h"
#include "testbenches/retry/lone_receiver.h"
#include "testbenches/retry/lone_sender.h"
#include "testbenches/retry/retry_campaign.h"
#include "testbenches/retry/retry_rig.h"

namespace tilefly::bench {
namespace {

/// The parameters of a Verilated model (CMakeLists.txt).
template <typename Model>
struct Ends;
template <>
struct Ends<Vrtl_retry> {
  static constexpr golden::RetryOut::Parameters kOut{1536, 133, 11};
  static constexpr golden::RetryIn::Parameters kIn{8, 11};
  static constexpr int kLongestDelay = 600;
  static constexpr Cycle kShortest = 2000;  ///< campaign
};
/// Neither the buffer nor a packet is a power of two.
template <>
struct Ends<Vrtl_retry_small> {
  static constexpr golden::RetryOut::Parameters kOut{15, 5, 4};
  static constexpr golden::RetryIn::Parameters kIn{3, 4};
  static constexpr int kLongestDelay = 40;
  static constexpr Cycle kShortest = 500;  ///< campaign
};

/// What both sides did, counted for the bins.
class EndBins {
 public:
  /// `stale`: how many words of a link that went down are demanded.
  EndBins(Comparison* run, int stale) : run_(run) {
    const auto add = [&](const char* name, int least) { return run->AddBin(name, least); };
    replay_ = add("a replay begins", 10);
    timeout_ = add("the timer runs out", 5);
    repeated_ = add("a word is sent again", 100);
    failed_ = add("the link fails", 3);
    over_ = add("replays above the threshold", 20);
    full_ = add("no packet may be taken", 50);
    plain_ = add("a word passes without retry", 16);
    stale_ = add("a word comes of a link that went down", stale);
    accepted_ = add("a packet is accepted", 160);
    bad_ = add("an error by a bad word", 5);
    missing_ = add("an error by a word that is not the next", 10);
    duplicate_ = add("a packet comes again", 5);
    replayed_ = add("an error is repaired", 20);
  }
  void Count(const golden::RetryOut::Inputs& in, const golden::RetryOut::Outputs& out, bool stale) {
    const auto hit = [this](bool what, Bin bin) {
      if (what) run_->Hit(bin);
    };
    hit(out.replay, replay_);
    hit(out.timeout, timeout_);
    hit(out.repeated, repeated_);
    hit(out.link_failed && !was_failed_, failed_);
    hit(out.over_threshold, over_);
    hit(!out.ready && in.link_up && !out.link_failed, full_);
    hit(!in.enable && out.word.valid, plain_);
    hit(stale && in.enable, stale_);
    was_failed_ = out.link_failed;
    if (out.replay) run_->Event("replay");
    if (out.link_failed) run_->Event("link failed");
  }
  void Count(const golden::RetryIn::Outputs& out) {
    const auto hit = [this](bool what, Bin bin) {
      if (what) run_->Hit(bin);
    };
    hit(out.accepted, accepted_);
    hit(out.bad, bad_);
    hit(out.missing, missing_);
    hit(out.duplicate, duplicate_);
    hit(out.replayed, replayed_);
    if (out.accepted) run_->Event("accepted");
    if (out.bad || out.missing) run_->Event("error: bad", {out.bad});
  }

 private:
  Comparison* run_;
  bool was_failed_ = false;
  Bin replay_, timeout_, repeated_, failed_, over_, full_, plain_, stale_, accepted_, bad_, missing_, duplicate_,
      replayed_;
};

Stimulus StimulusOf(const Comparison& run, int campaign) {
  return Stimulus(run.seed() + 0x10001u * static_cast<std::uint32_t>(campaign));
}

/// The audit of golden, once it found something.
void FailWhenBroken(Comparison* run, const golden::Audit& audit) {
  if (!audit.broken().empty()) run->Fail(audit.Message());
}

/// Both ends of a link. One campaign follows the other, each behind a reset of a cycle; the last one is drained.
template <typename Model>
void CompareLinks(PowerUp power_up, double of_tier) {
  Comparison run({of_tier, 25, 0, 4000, power_up});
  RetryRig<Model> rtl(&run);
  EndBins bins(&run, 0);
  const RetryCampaign::Scope scope{Ends<Model>::kOut, Ends<Model>::kIn.ack_gap, Ends<Model>::kLongestDelay};
  int campaigns = 0;
  std::optional<RetryCampaign> campaign;
  Cycle ends = 0;
  while (run.Next()) {
    const Cycle now = run.cycle();
    if (now == ends) {
      campaign.emplace(scope, StimulusOf(run, campaigns++));
      ends = now + 1 + (Ends<Model>::kShortest << run.stimulus().Below(4, "length", now));
      if (ends + 4000 >= run.cycles()) ends = kNever;  // the last one is drained
      rtl.Reset();
      continue;
    }
    RetryLink& link = campaign->link;
    if (run.draining()) campaign->Drain();
    campaign->Step();
    rtl.Step(link.to_sender, link.from_sender, link.to_receiver, link.from_receiver);
    FailWhenBroken(&run, link.audit);
    bins.Count(link.to_sender, link.from_sender, link.moves.stale);
    bins.Count(link.from_receiver);
    if (link.drained()) link.CheckDrained();
    run.DrainUntil(link.drained());
  }
}

/// Each end alone, side by side: what the one sends has nothing to do with what the other receives.
template <typename Model>
void CompareAlone(PowerUp power_up, double of_tier) {
  Comparison run({of_tier, 25, 0, 500, power_up});
  RetryRig<Model> rtl(&run);
  EndBins bins(&run, 5);
  const Bin nonsense = run.AddBin("a report makes no sense", 30);
  const Bin wraps = run.AddBin("index wraps", 1);
  std::optional<LoneSender> sender;
  std::optional<LoneReceiver> receiver;
  int lives = 0;
  Cycle ends = 0;
  while (run.Next()) {
    const Cycle now = run.cycle();
    if (now == ends) {
      sender.emplace(Ends<Model>::kOut, StimulusOf(run, lives));
      receiver.emplace(Ends<Model>::kIn, StimulusOf(run, lives++));
      ends = now + 1 + (1000 << run.stimulus().Below(5, "length", now));
      if (ends + 500 >= run.cycles()) ends = kNever;
      rtl.Reset();
      continue;
    }
    sender->Step(run.draining());
    receiver->Step(run.draining());
    rtl.Step(sender->in, sender->out, receiver->in, receiver->out);
    FailWhenBroken(&run, sender->audit);
    FailWhenBroken(&run, receiver->audit);
    bins.Count(sender->in, sender->out, sender->moves.stale);
    bins.Count(receiver->out);
    if (sender->out.bad_report) run.Hit(nonsense);
    if (receiver->out.word.valid && receiver->in.tag.index == 255) run.Hit(wraps);
    run.DrainUntil(sender->drained() && receiver->drained());
  }
}

/// 8,000,000 cycles each in tier full, 160,000 in quick: many campaigns, one behind the other.
TEST(RetryLinks, EqualGoldenInEveryCycle) { CompareLinks<Vrtl_retry>(kZeros, 8); }
TEST(RetryLinks, EqualGoldenWithASmallBufferAndFewNumbers) { CompareLinks<Vrtl_retry_small>(kZeros, 8); }
TEST(RetryAlone, EqualsGoldenInEveryCycle) { CompareAlone<Vrtl_retry>(kZeros, 8); }
TEST(RetryAlone, EqualsGoldenWithASmallBufferAndFewNumbers) { CompareAlone<Vrtl_retry_small>(kZeros, 8); }

TEST(RetryLinks, EqualGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareLinks<Vrtl_retry>(power_up, 0.1); });
}
TEST(RetryAlone, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareAlone<Vrtl_retry_small>(power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
