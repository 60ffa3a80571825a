// SPDX-License-Identifier: Apache-2.0
// Traffic that ends when it is judged to be steady, or never to become so (docs/steady-state.md).
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "golden/common/stage_times.h"
#include "network/network.h"

namespace tilefly::network {
namespace {

/// Judgements are at multiples of it, and traffic ends so long after one, so that no length of rounds shows.
constexpr Cycle kJudgementStep = 1024;

}  // namespace

void Network::EndTrafficWhen(std::function<bool(const TrafficHistory&, Cycle)> judge) {
  if (!nics_.history.kept()) throw std::logic_error("network: only the end of synthetic traffic can be judged");
  judge_ = std::move(judge);
  if (next_judgement_ != 0) return;  // it goes on from a checkpoint
  next_judgement_ = nics_.begin + NextJudgement(options_.warmup + 2 * kJudgementStep);
  const Cycle cycles = next_judgement_ - nics_.begin;
  nics_.history = HistoryCut::For(nics_.begin, std::min(options_.cycles, NextJudgement(cycles) + kJudgementStep));
  nics_.history.end = nics_.end;
}

/// Cycles of traffic, a quarter more than at the last.
Cycle Network::NextJudgement(Cycle last) const {
  const Cycle steps = (last + std::max(kJudgementStep, last / 4) + kJudgementStep - 1) / kJudgementStep;
  return steps * kJudgementStep;
}

/// Collective: all processes come to it before the same round.
void Network::JudgeWhenDue(Cycle begins) {
  if (!judge_ || begins < next_judgement_) return;
  const Cycle at = next_judgement_;
  next_judgement_ = kNever;
  if (at + kJudgementStep >= nics_.end) return;
  TrafficHistory all = context_.statistics.history;
  AddWaiting(at, &all);
  SavedBytes own;
  Saver save(&own);
  if (!processes_.first()) save(all);
  for (const SavedBytes& bytes : processes_.Gather(own)) {
    if (bytes.empty()) continue;
    Adder add(bytes);
    add(all);
  }
  const bool over = processes_.FromFirst({static_cast<char>(processes_.first() && judge_(all, at))}).front() != 0;
  if (over) {
    judged_to_ = at;
    EndTraffic(begins);
    return;
  }
  const Cycle next = NextJudgement(at - nics_.begin);
  next_judgement_ = nics_.begin + next;
  HistoryCut longer = HistoryCut::For(nics_.begin, std::min(options_.cycles, NextJudgement(next) + kJudgementStep));
  longer.end = nics_.end;
  context_.statistics.history.Fold(nics_.history, longer);
  nics_.history = longer;
}

/// What is known to come to NICs when round `begins` begins comes before it.
Cycle Network::KnownBefore(Cycle begins) const {
  Cycle longest = 0;
  for (int n = 0; n < nodes(); ++n) {
    for (int port = 0; port < profile_.ports; ++port) {
      const FarEnd& far = wiring_.far(n, port);
      if (far.endpoint >= 0) longest = std::max<Cycle>(longest, far.delay);
    }
  }
  return begins + golden::kTakeToWire + longest + SlotCyclesOf(WordsOf(profile_.mtu_bytes), 1);
}

void Network::EndTraffic(Cycle begins) {
  nics_.end = std::min(nics_.end, std::max(judged_to_ + kJudgementStep, KnownBefore(begins)));
  nics_.measured.to = nics_.end;
}

}  // namespace tilefly::network
