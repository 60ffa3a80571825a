// SPDX-License-Identifier: Apache-2.0
// The state of a run between two rounds, as bytes (docs/network.md, Checkpoints). What options determine is not among
// them: tables, registers, wiring. Calendars are made anew.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "network/network.h"
#include "support/errors.h"

namespace tilefly::network {

// Whoever adds a member to a class with state adds it to its Serialize, and then changes the size here.
static_assert(sizeof(golden::Switch) == 8704 && sizeof(GoldenNode) == 8936 && sizeof(Nic) == 496 &&
              sizeof(Host) == 376 && sizeof(ReductionHost) == 424 && sizeof(workload::RankRun) == 288);

template <typename Visit>
void GoldenNode::ForEachPayload(Visit&& visit) {
  for (Inbox& inbox : inboxes_) inbox.packets.ForEach([&](LinkPacket& packet) { visit(packet.payload); });
  switch_.ForEachPayload(visit);
}

/// Payloads are numbers of one process: their records go along, in the order in which they are found.
void GoldenNode::SaveState(Saver* save) {
  Node::Serialize(*save);
  (*save)(switch_);
  ForEachPayload([&](golden::Payload payload) { context_->reds.Save(payload, save); });
}

void GoldenNode::LoadState(Loader* load) {
  Node::Serialize(*load);
  (*load)(switch_);
  ForEachPayload([&](golden::Payload& payload) { payload = context_->reds.Load(load); });
}

void Network::SaveEvery(Cycle every, std::function<void()> save) {
  CheckSaves();
  save_ = std::move(save);
  save_every_ = every;
  next_save_ = kNever;
}

/// Throws UsageError when there is something whose state cannot be saved.
void Network::CheckSaves() const {
  if (journeys_) throw UsageError("--journey: packets that are followed are not in checkpoints; leave one of them out");
  for (int n = 0; n < nodes(); ++n) {
    if (Has(n) && nodes_[n]->golden() == nullptr)
      throw UsageError(fmt::format("--device: switch {} is not golden, its state is not in checkpoints", n));
  }
}

void Network::SaveWhenDue(Cycle begins) {
  if (!save_) return;
  if (next_save_ == kNever && save_every_ > 0) next_save_ = begins + save_every_;
  if (begins < next_save_ && !standing_.stop) return;
  save_();
  if (save_every_ > 0) next_save_ = begins + save_every_;
}

SavedBytes Network::SaveDomain(int domain) {
  SavedBytes bytes;
  Saver save(&bytes);
  for (const int n : domains_.members[domain]) static_cast<GoldenNode&>(*nodes_[n]).SaveState(&save);
  return bytes;
}

void Network::LoadDomain(int domain, const SavedBytes& bytes) {
  Loader load(bytes);
  for (const int n : domains_.members[domain]) static_cast<GoldenNode&>(*nodes_[n]).LoadState(&load);
  if (!load.AtEnd()) throw std::runtime_error("checkpoint: more than the state of the switches");
}

/// A piece for what is counted, then one for each domain, which its process sends to the first.
void Network::Save(const std::function<void(const SavedBytes&)>& write) {
  CheckSaves();
  SavedBytes own;
  Saver save(&own);
  save(context_.statistics);
  Statistics sum = context_.statistics;
  for (const SavedBytes& bytes : ranks_.Gather(own)) {
    if (bytes.empty()) continue;
    Adder add(bytes);
    add(sum);
  }
  own.clear();
  save(sum, standing_.last_progress, standing_.last_event, nics_.end, nics_.measured.to, nics_.history, next_judgement_,
       judged_to_);
  if (ranks_.first()) write(own);
  for (int domain = 0; domain < domains_.count(); ++domain) {
    const int rank = RankOf(domains_.members[domain].front());
    SavedBytes piece;
    if (rank == ranks_.rank()) piece = SaveDomain(domain);
    if (rank != 0) piece = std::move(ranks_.Gather(piece)[static_cast<std::size_t>(rank)]);
    if (ranks_.first()) write(piece);
  }
}

void Network::Load(const std::function<SavedBytes()>& read) {
  CheckSaves();
  const SavedBytes counted = ranks_.FromFirst(ranks_.first() ? read() : SavedBytes());
  Loader load(counted);
  Statistics sum;
  load(sum, context_.last_progress, context_.last_event, nics_.end, nics_.measured.to, nics_.history, next_judgement_,
       judged_to_);
  cycle_ = std::max(cycle_, context_.last_event);
  if (ranks_.first()) context_.statistics = std::move(sum);  // all that was counted, wherever
  for (int domain = 0; domain < domains_.count(); ++domain) {
    const int rank = RankOf(domains_.members[domain].front());
    std::vector<SavedBytes> to(static_cast<std::size_t>(ranks_.size())), from;
    SavedBytes piece;
    if (ranks_.first()) piece = read();
    if (rank != 0) {
      if (ranks_.first()) to[rank] = std::move(piece);
      ranks_.Exchange(to, &from);
      piece = std::move(from[0]);
    }
    if (rank == ranks_.rank()) LoadDomain(domain, piece);
  }
  EnterAll();
}

}  // namespace tilefly::network
