// SPDX-License-Identifier: Apache-2.0
#include "runs/system/down_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "network/planned_links.h"

namespace tilefly::runs {

using network::Network;

LinkNames::LinkNames(const Network& network) : network_(network) {
  const network::NetworkOptions& options = network.options();
  for (const network::LinkFault& fault : options.faults) Add(fault.node, fault.port, false);
  if (options.fault_plan == nullptr) return;
  const auto add = [&](const faults::LinkName& link) {
    const topology::Port at = network::FindLink(link, "", network.topology(), network.wiring());
    Add(at.at, at.port, link.end == faults::LinkName::End::kEndpoint);
  };
  for (const faults::PlannedLink& one : options.fault_plan->links) add(one.link);
  for (const faults::PlannedEvent& event : options.fault_plan->events) {
    if (event.kind != faults::EventKind::kTable) add(event.link);
  }
}

LinkNames::Place LinkNames::LinkOf(int node, int port) const {
  const network::FarEnd& far = network_.wiring().far(node, port);
  const Place near(node, port);
  return far.node < 0 ? near : std::min(near, Place(far.node, far.port));
}

void LinkNames::Add(int node, int port, bool nic) { named_.emplace(LinkOf(node, port), Named{{node, port}, nic}); }

LinkNames::End LinkNames::Of(int node, int port, bool nic) const {
  const Place link = LinkOf(node, port);
  const int endpoint = network_.wiring().far(node, port).endpoint;
  const auto found = named_.find(link);
  const Named named = found != named_.end() ? found->second : Named{link, endpoint >= 0};
  return {named.nic ? fmt::format("e{}", endpoint) : fmt::format("s{}.{}", named.at.first, named.at.second),
          named.at == Place(node, port) && named.nic == nic};
}

LinkNames::End LinkNames::Of(const faults::LinkName& link) const {
  const topology::Port at = network::FindLink(link, "", network_.topology(), network_.wiring());
  return Of(at.at, at.port, link.end == faults::LinkName::End::kEndpoint);
}

std::vector<LinkDown> DownsOf(const Network& network, const network::Figures& figures, const LinkNames& names) {
  const Cycle begin = network.nics().begin, end = network.cycle() - begin;
  std::vector<LinkDown> all;
  for (const std::vector<network::LinkFault>* faults : {&network.options().faults, &network.faults().downs()}) {
    for (const network::LinkFault& fault : *faults)
      all.push_back({fault.at, fault.till, fault.asked == fault.till ? kNever : fault.asked,
                     names.Of(fault.node, fault.port).link, fault.origin.empty() ? "option" : "plan", fault.origin});
  }
  for (std::size_t n = 0; n < figures.nodes.size(); ++n) {
    for (const network::GivenUp& one : figures.nodes[n].given_up)
      all.push_back({one.from - begin, one.till - begin, kNever, names.Of(static_cast<int>(n), one.port).link, "port", ""});
  }
  all.erase(std::remove_if(all.begin(), all.end(), [&](const LinkDown& down) { return down.from > end; }), all.end());
  std::stable_sort(all.begin(), all.end(), [](const LinkDown& a, const LinkDown& b) { return a.from < b.from; });
  std::map<std::string, std::size_t> latest;  // by link
  std::vector<LinkDown> downs;
  for (const LinkDown& down : all) {
    const auto [before, is_first] = latest.emplace(down.link, downs.size());
    if (is_first || down.from > downs[before->second].till) {
      before->second = downs.size();
      downs.push_back(down);
      downs.back().chose_till = down.cause;
    } else if (LinkDown& longer = downs[before->second]; down.till > longer.till) {
      std::tie(longer.till, longer.asked, longer.chose_till) = std::tie(down.till, down.asked, down.cause);
    }
  }
  return downs;
}

std::vector<std::string> StillDown(const Network& network, const network::Figures& figures) {
  constexpr std::size_t kMost = 10;
  const Cycle end = network.cycle() - network.nics().begin;
  std::vector<std::string> warnings;
  std::size_t more = 0;
  for (const LinkDown& down : DownsOf(network, figures, LinkNames(network))) {
    if (down.till <= end) continue;
    if (warnings.size() == kMost) {
      ++more;
      continue;
    }
    const std::string till = down.till == kNever ? "ever" : fmt::format("{}", down.till - down.from);
    warnings.push_back(fmt::format("warning: the link {} was down at the end of the run: since cycle {}, for {} ({})", down.link,
                                   down.from, till, down.By()));
  }
  if (more > 0) warnings.push_back(fmt::format("warning: {} more links were down at the end of the run", more));
  return warnings;
}

}  // namespace tilefly::runs
