// SPDX-License-Identifier: Apache-2.0
// The manager of a system's fabric (docs/network.md, New routing tables): its tables before the run, and between two
// rounds what it learns and writes.
#include <vector>

#include "network/network.h"

namespace tilefly::network {

std::unique_ptr<StateTables> Network::MakeStateTables() const {
  if (faults_.manager() == nullptr) return nullptr;
  return std::make_unique<StateTables>(topology_, profile_, options_, routes_, Downs(), acks_, !trees_.empty());
}

/// Links that go down by options or the plan.
std::vector<LinkFault> Network::Downs() const {
  std::vector<LinkFault> downs = options_.faults;
  downs.insert(downs.end(), faults_.downs().begin(), faults_.downs().end());
  return downs;
}

/// Tells the manager which links were given up in the round that is over, here or elsewhere. Collective.
void Network::LearnNews() {
  std::vector<DownNews> news;
  for (int t = 0; t < contexts_.threads(); ++t) {
    news.insert(news.end(), contexts_[t].news.begin(), contexts_[t].news.end());
    contexts_[t].news.clear();
  }
  if (manager_ == nullptr || !faults_.any()) return;
  SavedBytes own;
  Saver save(&own);
  save(news);
  std::vector<SavedBytes> from;
  processes_.Exchange(std::vector<SavedBytes>(static_cast<std::size_t>(processes_.size()), own), &from);
  from[static_cast<std::size_t>(processes_.index())] = own;
  for (const SavedBytes& bytes : from) {
    for (const DownNews& one : Loader(bytes).Get<std::vector<DownNews>>()) manager_->Learn(one);
  }
}

/// The manager's writes that begin before cycle `end`.
void Network::WriteTables(Cycle end) {
  if (manager_ == nullptr) return;
  manager_->Act(end, [this](int node, const std::vector<Cfg>& writes, Cycle bus) {
    if (!Has(node)) return;
    nodes_[node].WriteLater(writes, bus);
    rounds_.Enter(node);
  });
}

}  // namespace tilefly::network
