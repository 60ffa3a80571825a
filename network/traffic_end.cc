// SPDX-License-Identifier: Apache-2.0
#include "network/traffic_end.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "golden/common/stage_times.h"
#include "network/left_behind.h"

namespace tilefly::network {
namespace {

/// Judgements are at multiples of it, and traffic ends so long after one, so that no length of rounds shows.
constexpr Cycle kJudgementStep = 1024;

}  // namespace

Cycle KnownBefore(const Wiring& wiring, const Profile& profile, Cycle begins) {
  Cycle longest = 0;
  for (int n = 0; n < wiring.nodes(); ++n) {
    for (int port = 0; port < profile.ports; ++port) {
      const FarEnd& far = wiring.far(n, port);
      if (far.endpoint >= 0) longest = std::max<Cycle>(longest, far.delay);
    }
  }
  return begins + golden::kTakeToWire + longest + SlotCyclesOf(WordsOf(profile.mtu_bytes), 1);
}

void TrafficEnd::Set(Judge judge) {
  if (!nics_.history.kept()) throw std::logic_error("network: only the end of synthetic traffic can be judged");
  judge_ = std::move(judge);
  if (next_judgement_ != 0) return;  // it goes on from a checkpoint
  next_judgement_ = nics_.begin + NextJudgement(warmup_ + 2 * kJudgementStep);
  nics_.history = CutTo(NextJudgement(next_judgement_ - nics_.begin));
}

/// Cycles of traffic, a quarter more than at the last.
Cycle TrafficEnd::NextJudgement(Cycle last) {
  const Cycle steps = (last + std::max(kJudgementStep, last / 4) + kJudgementStep - 1) / kJudgementStep;
  return steps * kJudgementStep;
}

/// The history that a judgement after so many cycles needs.
HistoryCut TrafficEnd::CutTo(Cycle judgement) const {
  HistoryCut cut = HistoryCut::For(nics_.begin, std::min(cycles_, judgement + kJudgementStep));
  cut.end = nics_.end;
  return cut;
}

void TrafficEnd::JudgeWhenDue(Cycle begins) {
  if (!judge_ || begins < next_judgement_) return;
  const Cycle at = next_judgement_;
  next_judgement_ = kNever;
  if (at + kJudgementStep >= nics_.end) return;
  contexts_.Fold();
  TrafficHistory& own_history = contexts_.first().statistics.history;
  TrafficHistory all = own_history;
  AddWaiting(nodes_, at, &all);
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
    nics_.end = std::min(nics_.end, std::max(at + kJudgementStep, KnownBefore(*contexts_.first().wiring, profile_, begins)));
    nics_.measured.to = nics_.end;
    return;
  }
  const Cycle next = NextJudgement(at - nics_.begin);
  next_judgement_ = nics_.begin + next;
  const HistoryCut longer = CutTo(NextJudgement(next));
  own_history.Fold(nics_.history, longer);
  nics_.history = longer;
}

}  // namespace tilefly::network
