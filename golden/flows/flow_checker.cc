// SPDX-License-Identifier: Apache-2.0
#include "golden/flows/flow_checker.h"

namespace tilefly::golden {

const FlowState* FlowChecker::StateOf(int number, const Book& book) const {
  const int tc = static_cast<int>(book.key >> 20);
  if (IsClass(number)) return &channels_.ClassChannel(tc);
  const FlowState* const entry = channels_.Entry(tc, book.key & 0xf'ffff);
  return entry != nullptr && entry->number == number ? entry : nullptr;
}

/// FLOW-4, and the entry of FLOW-1.
void FlowChecker::Send(Cycle now, Book* book, int number, bool gen, int cells, Audit* audit) {
  audit->Require("FLOW-4", book->may_send(), port_, number);
  Generation& generation = book->sent[gen];
  if (generation.cells == 0) generation.oldest = now;
  generation.newest = now;
  generation.cells = std::min<std::int64_t>(generation.cells + cells, FlowState::kMostCells);
}

/// FLOW-12, of one channel: all ordered packets of a busy time take one path.
void FlowChecker::Way(Book* book, const FlowWay& way, Audit* audit) {
  if (!book->way) book->way = way;
  audit->Require("FLOW-12", *book->way == way, port_, way.port);
}

void FlowChecker::Arrived(Cycle now, const FlowArrival& arrival, const FlowVerdict& verdict,
                          const std::optional<FlowWay>& instead, Audit* audit) {
  const std::uint32_t key = FlowTable::KeyOf(arrival.tc, arrival.destination);
  Book& book = books_[verdict.channel];
  touched_.insert(verdict.channel);
  book.fresh = !book.busy();
  audit->Require("FLOW-5", verdict.by_class == IsClass(verdict.channel), port_, verdict.channel);
  if (!IsClass(verdict.channel)) {
    audit->Require("FLOW-5", !book.busy() || book.key == key, port_, verdict.channel);
    if (book.key != key) book.throttled = book.begins = false;  // the entry was free
    if (!book.busy()) book.way.reset();
    if (arrival.chooses) Way(&book, instead.value_or(arrival.routed), audit);
  }
  book.key = key;
  std::deque<Index>& waits = waits_[key];
  if (verdict.held) {
    audit->Require("FLOW-7", !book.held.empty() || !book.may_send(), port_, verdict.channel);
    book.held.push_back({arrival.packet, arrival.cells, key});
    book.held_cells += arrival.cells;
    waits.push_back(arrival.packet);
    return;
  }
  audit->Require("FLOW-2", book.held.empty(), port_, verdict.channel);
  audit->Require("FLOW-10", waits.empty(), port_, static_cast<std::int64_t>(waits.size()));
  Send(now, &book, verdict.channel, verdict.gen, arrival.cells, audit);
}

void FlowChecker::Released(Cycle now, const FlowRelease& release, Audit* audit) {
  Book& book = books_[release.channel];
  touched_.insert(release.channel);
  const bool first = !book.held.empty() && book.held.front().packet == release.packet &&
                     book.held.front().cells == release.cells;
  audit->Require("FLOW-2", first, port_, release.channel);
  if (!first) return;
  std::deque<Index>& waits = waits_[book.held.front().key];
  audit->Require("FLOW-10", !waits.empty() && waits.front() == release.packet, port_, release.channel);
  if (!waits.empty()) waits.pop_front();
  book.held.pop_front();
  book.held_cells -= release.cells;
  Send(now, &book, release.channel, release.gen, release.cells, audit);
}

void FlowChecker::Acknowledged(Cycle now, const Ack& ack, const FlowAcked& acked, Audit* audit) {
  if (acked.stray) return;
  Book& book = books_[acked.channel];
  touched_.insert(acked.channel);
  audit->Require("FLOW-1", book.in_flight() > 0, port_, acked.channel);
  if (book.in_flight() > 0) book.marked = book.marked || ack.mark;
  book.begins = false;
  std::int64_t& cells = book.sent[ack.gen].cells;
  const std::int64_t taken = std::min<std::int64_t>(cells, ack.cells);
  cells -= taken;
  const FlowState* const state = StateOf(acked.channel, book);
  if (taken > 0 && state != nullptr && ack.gen != state->gen) book.taken = now;
}

/// FLOW-8, FLOW-13, and the window of a channel as the cycle leaves it.
void FlowChecker::Follow(int number, Audit* audit) {
  Book& book = books_[number];
  const FlowState* const state = StateOf(number, book);
  const bool throttled = state != nullptr && state->throttled;
  audit->Require("FLOW-8", !throttled || book.throttled || book.marked, port_, number);
  const bool begins = state != nullptr && state->begins;
  audit->Require("FLOW-13", !begins || (!throttled && (book.begins || book.fresh)), port_, number);
  book.throttled = throttled;
  book.begins = begins;
  book.fresh = false;
  book.window = throttled || begins ? state->window : 0;
  book.marked = false;
}

void FlowChecker::EndCycle(Cycle now, const FlowEnd& end, Audit* audit) {
  const int deadline = channels_.registers().deadline();
  if (deadline != deadline_) steady_since_ = now;
  deadline_ = deadline;
  const Cycle sweeps = Cycle{deadline} << channels_.parameters().sweep_bits;
  for (int i = 0; i < end.lost; ++i) {
    const FlowLoss& loss = end.losses[static_cast<std::size_t>(i)];
    Generation& lost = books_[loss.channel].sent[loss.gen];
    touched_.insert(loss.channel);
    audit->Require("FLOW-1", lost.cells > 0, port_, loss.channel);
    if (lost.oldest >= steady_since_) {
      audit->Require("FLOW-11", now - lost.newest >= sweeps, port_, now - lost.newest);
      const Cycle since = std::max(lost.oldest, books_[loss.channel].taken);
      audit->Require("FLOW-11", now - since < 2 * sweeps, port_, now - since);
    }
    lost.cells = 0;
  }
  for (const int number : touched_) Follow(number, audit);
  touched_.clear();
}

void FlowChecker::Check(Cycle now, Audit* audit) const {
  const Cycle most = Cycle{2 * deadline_} << channels_.parameters().sweep_bits;
  std::size_t busy = 0;
  channels_.ForEach([&](const FlowState& state) {
    busy += state.busy();
    const auto found = books_.find(state.number);
    audit->Require("FLOW-1", found != books_.end(), port_, state.number);
    if (found == books_.end()) return;
    const Book& book = found->second;
    audit->Require("FLOW-1", book.sent[state.gen].cells == state.cells, port_, state.number);
    audit->Require("FLOW-1", book.sent[!state.gen].cells == state.old, port_, state.number);
    audit->Require("FLOW-2", book.held_cells == state.held, port_, state.number);
    std::int64_t held = 0;
    std::size_t place = 0;
    channels_.ForEachHeld(state, [&](Index packet, int cells) {
      held += cells;
      audit->Require("FLOW-2", place < book.held.size() && book.held[place].packet == packet, port_, state.number);
      ++place;
    });
    audit->Require("FLOW-2", held == state.held && place == book.held.size(), port_, held);
    audit->Require("FLOW-8", !state.throttled || book.throttled, port_, state.number);
  });
  for (const auto& [number, book] : books_) {
    busy -= book.busy();
    for (const Generation& sent : book.sent) {
      const bool judged = sent.cells > 0 && sent.oldest >= steady_since_;
      audit->Require("FLOW-11", !judged || now - std::max(sent.oldest, book.taken) < most, port_, number);
    }
  }
  audit->Require("FLOW-1", busy == 0, port_, static_cast<std::int64_t>(busy));
}

void FlowChecker::CheckDrained(Audit* audit) const {
  for (const auto& [number, book] : books_) {
    audit->Require("FLOW-1", book.in_flight() == 0, port_, book.in_flight());
    audit->Require("FLOW-2", book.held.empty(), port_, number);
  }
}

}  // namespace tilefly::golden
