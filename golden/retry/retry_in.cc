// SPDX-License-Identifier: Apache-2.0
#include "golden/retry/retry_in.h"

#include <algorithm>

namespace tilefly::golden {

RetryIn::Outputs RetryIn::Step(const Inputs& in) {
  Outputs out;
  out.report = now_.report;
  out.quiescent = !now_.open && !now_.due && !now_.nack_due && now_.gap == 0 && !now_.report.valid;
  if (in.enable && in.link_up) {
    Report();
    Judge(in, &out);
  } else {
    if (in.link_up) out.word = in.word;
    now_ = {};
  }
  ++cycle_;
  return out;
}

/// The report is decided on the committed state. So it comes before the word, which may set `due` and `nack_due` again.
void RetryIn::Report() {
  if (now_.nack_due || (now_.due && now_.gap == 0)) {
    now_.report = {true, now_.nack_due, static_cast<std::uint16_t>(now_.expected)};
    now_.due = now_.nack_due = false;
    now_.gap = parameters_.ack_gap - 1;
  } else {
    now_.report = {};
    now_.gap = std::max(0, now_.gap - 1);
  }
}

/// The page's "Word of cycle t".
void RetryIn::Judge(const Inputs& in, Outputs* out) {
  const bool good = in.word.valid && !in.word.err;
  const int ahead = numbers_.Of(in.tag.seq - now_.expected);
  if (now_.open) {
    if (cycle_ != now_.first + WordOffset(now_.index, now_.lanes)) return;
    const bool next = good && !in.word.sop && ahead == 0 && in.tag.index == (now_.index & 255);
    if (next) {
      Accept(in.word, out);
    } else {
      Error(in.word, out);
    }
    return;
  }
  if (!in.word.valid) return;
  if (good && in.word.sop && in.tag.index == 0 && ahead == 0) {
    now_.open = true;
    now_.index = 0;
    now_.lanes = RetryLanes(in.lanes);
    now_.first = cycle_;
    out->replayed = now_.nacked;
    now_.nacked = false;
    Accept(in.word, out);
  } else if (good && ahead >= numbers_.half()) {
    if (!in.word.sop) return;
    now_.due = true;
    out->duplicate = true;
  } else {
    Error(in.word, out);
  }
}

void RetryIn::Accept(const Word& word, Outputs* out) {
  out->word = word;
  ++now_.index;
  if (!word.eop) return;
  now_.open = false;
  now_.expected = numbers_.Of(now_.expected + 1);
  now_.due = true;
  out->accepted = true;
}

void RetryIn::Error(const Word& word, Outputs* out) {
  now_.open = false;
  if (now_.nacked) return;
  now_.nacked = now_.nack_due = true;
  const bool bad = word.valid && word.err;
  out->bad = bad;
  out->missing = !bad;
}

void RetryIn::Check(int port, Audit* audit) const {
  audit->Require("RETRY-7", !now_.nack_due || now_.nacked, port, now_.expected);
}

}  // namespace tilefly::golden
