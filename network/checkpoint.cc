// SPDX-License-Identifier: Apache-2.0
#include "network/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "golden/common/stage_times.h"
#include "network/golden_node.h"
#include "network/halves_node.h"
#include "support/errors.h"

namespace tilefly::network {

// Whoever adds a member to a class with state adds it to its Serialize, and then changes the size here.
static_assert(sizeof(golden::Switch) == 9368 && sizeof(GoldenNode) == 9712 && sizeof(Nic) == 984 &&
              sizeof(Host) == 520 && sizeof(ReductionHost) == 416 && sizeof(workload::RankRun) == 344);
// The same of links that repeat.
static_assert(sizeof(RetrySender) == 1056 && sizeof(RetryReceiver) == 784 && sizeof(SlotWire) == 752 &&
              sizeof(NicRepeats) == 2320 && sizeof(RepeatingPorts::Port) == 2208 && sizeof(RepeatingPorts) == 64 &&
              sizeof(DeadLanes) == 248 && sizeof(golden::RetryOut) == 504 && sizeof(golden::SerdesLanes) == 72);
// The same of switches that run as halves.
static_assert(sizeof(golden::HalfSwitch) == 1616 && sizeof(HalvesNode) == 2128 && sizeof(golden::InputHalf) == 256 &&
              sizeof(golden::OutputHalf) == 704 && sizeof(golden::AckHalf) == 256 && sizeof(golden::LoadHistory) == 32);

template <typename Visit>
void GoldenNode::ForEachPayload(Visit&& visit) {
  for (Inbox& inbox : inboxes_) inbox.packets.ForEach([&](LinkPacket& packet) { visit(packet.payload); });
  switch_.ForEachPayload(visit);
  if (repeats_ != nullptr) repeats_->ForEachPayload(visit);
}

/// The links that repeat.
template <typename Archive>
void GoldenNode::SerializeLinks(Archive& archive) {
  if (repeats_ == nullptr) return;
  SerializeRepeats(archive);
  archive(*repeats_);
}

/// Payloads are numbers of one process: their records go along, in the order in which they are found.
void GoldenNode::SaveState(Saver* save) {
  Node::Serialize(*save);
  (*save)(switch_);
  SerializeLinks(*save);
  ForEachPayload([&](golden::Payload payload) { context_->reds.Save(payload, save); });
}

void GoldenNode::LoadState(Loader* load) {
  Node::Serialize(*load);
  (*load)(switch_);
  for (const LateWrite& late : late_writes()) {
    if (late.bus + golden::kWriteLatency <= switch_.now()) switch_.RestoreRegister(late.write);
  }
  SerializeLinks(*load);
  ForEachPayload([&](golden::Payload& payload) { payload = context_->reds.Load(load); });
}

void Checkpoint::CheckPossible() const {
  if (contexts_.first().journeys != nullptr)
    throw UsageError("--journey: packets that are followed are not in checkpoints; leave one of them out");
  for (int n = 0; n < nodes_.count(); ++n) {
    if (nodes_.Has(n) && !nodes_[n].is_golden())
      throw UsageError(fmt::format("--device: switch {} is not golden, its state is not in checkpoints", n));
  }
}

SavedBytes Checkpoint::SaveDomain(int domain) {
  SavedBytes bytes;
  Saver save(&bytes);
  for (const int n : domains_.members[domain]) {
    save(nodes_[n].runs_as_halves());
    nodes_[n].SaveState(&save);
  }
  return bytes;
}

void Checkpoint::LoadDomain(int domain, const SavedBytes& bytes) {
  Loader load(bytes);
  for (const int n : domains_.members[domain]) {
    if (load.Get<bool>() != nodes_[n].runs_as_halves())
      throw std::runtime_error(fmt::format("checkpoint: switch {} was saved by another engine: {} as halves here", n,
                                           nodes_[n].runs_as_halves() ? "it runs" : "it does not run"));
    nodes_[n].LoadState(&load);
  }
  if (!load.AtEnd()) throw std::runtime_error("checkpoint: more than the state of the switches");
}

/// A piece for what is counted, then one for each domain, which its process sends to the first.
void Checkpoint::Save(const Standing& standing, const std::function<void(const SavedBytes&)>& write) {
  CheckPossible();
  SavedBytes own;
  Saver save(&own);
  save(contexts_.first().statistics);
  Statistics sum = contexts_.first().statistics;
  for (const SavedBytes& bytes : processes_.Gather(own)) {
    if (bytes.empty()) continue;
    Adder add(bytes);
    add(sum);
  }
  own.clear();
  save(sum, standing.last_progress, standing.jobs_progress, standing.last_event, nics_.end, nics_.measured.to,
       nics_.history, traffic_end_);
  if (manager_ != nullptr) save(*manager_);
  if (processes_.first()) write(own);
  for (int domain = 0; domain < domains_.count(); ++domain) {
    const int process = nodes_.ProcessOfDomain(domain);
    SavedBytes piece;
    if (process == processes_.index()) piece = SaveDomain(domain);
    if (process != 0) piece = std::move(processes_.Gather(piece)[static_cast<std::size_t>(process)]);
    if (processes_.first()) write(piece);
  }
}

void Checkpoint::Load(const std::function<SavedBytes()>& read) {
  CheckPossible();
  const SavedBytes counted = processes_.FromFirst(processes_.first() ? read() : SavedBytes());
  Loader load(counted);
  Statistics sum;
  NodeContext& first = contexts_.first();
  load(sum, first.last_progress, first.jobs_progress, first.last_event, nics_.end, nics_.measured.to,
       nics_.history, traffic_end_);
  if (manager_ != nullptr) {
    load(*manager_);
    manager_->Resume();
  }
  if (processes_.first()) first.statistics = std::move(sum);  // all that was counted, wherever
  for (int domain = 0; domain < domains_.count(); ++domain) {
    const int process = nodes_.ProcessOfDomain(domain);
    std::vector<SavedBytes> to(static_cast<std::size_t>(processes_.size())), from;
    SavedBytes piece;
    if (processes_.first()) piece = read();
    if (process != 0) {
      if (processes_.first()) to[process] = std::move(piece);
      processes_.Exchange(to, &from);
      piece = std::move(from[0]);
    }
    if (process == processes_.index()) LoadDomain(domain, piece);
  }
}

}  // namespace tilefly::network
