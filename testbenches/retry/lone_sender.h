// SPDX-License-Identifier: Apache-2.0
// A golden sender of docs/blocks/retry.md without a far end: reports come at random, most of them such as a receiver
// could send, and registers, lanes and the link change as the page allows.
#pragma once

#include <algorithm>

#include "golden/retry/retry_port_checker.h"
#include "testbenches/retry/retry_mac.h"

namespace tilefly::bench {

class LoneSender {
 public:
  LoneSender(const golden::RetryOut::Parameters& parameters, const Stimulus& random)
      : numbers_(parameters.seq_bits),
        random_(random),
        sender(parameters),
        mac(MacOf(parameters, random), random),
        checker_(parameters) {
    in.enable = true;
  }

  /// One cycle. `draining`: the link is up, all is acknowledged, nothing new is taken.
  void Step(bool draining) {
    Link(draining);
    Registers(draining);
    if (sender.owed() == 0 && random_.Chance(8, "lanes change", cycle_)) {
      in.lanes = static_cast<int>(random_.Below(8, "lanes", cycle_));
    }
    mac.Hold(draining || wants_ != in.enable);
    moves = mac.Step(sender.ready(in.enable), in.lanes, in.link_up);
    in.take = moves.take;
    in.take_words = moves.take_words;
    in.word = moves.word;
    Report(draining);
    out = sender.Step(in);
    sender.Check(0, &audit);
    checker_.Step(in, out, sender.heard() != sender.top(), 0, &audit);
    ++cycle_;
  }
  bool drained() const { return mac.idle() && out.quiescent && in.link_up; }

 private:
  static RetryMac::Options MacOf(const golden::RetryOut::Parameters& parameters, const Stimulus& random) {
    RetryMac::Options options;
    options.shortest = 1;
    options.longest = parameters.max_words;
    options.latency = random.Between(1, 9, "latency at most", 0);
    options.at_once = random.Chance(128, "at once", 0);
    options.varied = true;
    return options;
  }
  void Link(bool draining) {
    const bool was_up = in.link_up;
    if (was_up && !draining && random_.Chance(4, "down", cycle_ / 16) && cycle_ % 16 == 0) {
      in.link_up = false;
      up_at_ = cycle_ + random_.Between(2, 60, "down for", cycle_);
      wants_ = random_.Chance(224, "enable", cycle_);
    } else if (!was_up && cycle_ >= up_at_ && in.enable == wants_) {
      in.link_up = true;
    }
    // A failed link goes down in the end; one that drains does, too.
    if (was_up && out.link_failed && random_.Chance(4, "give up", cycle_)) {
      in.link_up = false;
      up_at_ = cycle_ + 4;
    }
    if (!was_up && !in.link_up && in.enable != wants_ && (!wants_ || mac.idle())) in.enable = wants_;
  }
  void Registers(bool draining) {
    if (draining) {
      in.replay_ct_max = 255;
    } else if (cycle_ % 512 == 0 || random_.Chance(1, "registers", cycle_)) {
      const bool edge = random_.Chance(16, "timer edge", cycle_);
      in.replay_timer_max =
          edge ? 65535 : random_.Between(1, 1 << random_.Below(11, "timer", cycle_), "timer at most", cycle_);
      in.replay_ct_max = random_.Chance(128, "limit", cycle_) ? random_.Between(0, 9, "limit of", cycle_) : 255;
      in.retry_threshold = random_.Between(0, 5, "threshold", cycle_);
    }
  }
  /// Numbers from `heard` to `top`, or near them, or any.
  void Report(bool draining) {
    in.report = {};
    const int open = numbers_.Of(sender.top() - sender.heard());
    if (draining) {
      in.report = {true, false, static_cast<std::uint16_t>(sender.top())};
      return;
    }
    in.report.seq = static_cast<std::uint16_t>(random_.Bits("report", cycle_) & 2047);
    in.report.nack = random_.Chance(64, "nack", cycle_);
    in.report.valid = random_.Spell("reports", cycle_) &&
                      random_.Chance(random_.Chance(128, "often", cycle_ / 256) ? 128 : 8, "report now", cycle_);
    if (random_.Chance(12, "nonsense", cycle_)) return;
    const int beyond = random_.Chance(8, "beyond", cycle_) ? random_.Between(-1, 1, "by", cycle_) : 0;
    const int step = random_.Chance(64, "all", cycle_) ? open : random_.Between(0, std::min(open, 3), "of", cycle_);
    const int upper =
        random_.Chance(128, "upper bits", cycle_) ? static_cast<int>(in.report.seq) & ~numbers_.Of(-1) : 0;
    in.report.seq = static_cast<std::uint16_t>(numbers_.Of(sender.heard() + step + beyond) | upper);
  }

  golden::RetryNumbers numbers_;
  Stimulus random_;
  Cycle cycle_ = 0;
  Cycle up_at_ = 3;
  bool wants_ = true;

 public:
  golden::RetryOut sender;
  RetryMac mac;
  golden::RetryOut::Inputs in;    ///< of the last cycle
  golden::RetryOut::Outputs out;  ///< of the last cycle
  RetryMac::Moves moves;          ///< of the last cycle
  golden::Audit audit;

 private:
  golden::RetryOutChecker checker_;
};

}  // namespace tilefly::bench
