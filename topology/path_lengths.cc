// SPDX-License-Identifier: Apache-2.0
#include "topology/path_lengths.h"

#include <algorithm>

namespace tilefly::topology {

int PathLengths::LongestInside(int domain) {
  int longest = 0;
  std::vector<int> arcs, here, next;
  for (const int to : routes_.Members(domain)) {
    if (!routes_.HasEndpoints(to)) continue;
    for (const int from : routes_.Members(domain)) {
      here.assign(from == to ? 0 : 1, from);
      int hops = 0;
      for (; !here.empty() && hops < routes_.wiring().switches(); ++hops, here.swap(next)) {
        next.clear();
        arcs.clear();
        for (const int at : here) hops_.Inside(at, to, &arcs);
        for (const int arc : arcs) {
          const int head = routes_.wiring().Head(arc);
          if (head != to && std::find(next.begin(), next.end(), head) == next.end()) next.push_back(head);
        }
      }
      longest = std::max(longest, hops);
    }
  }
  return longest;
}

/// Links of the longest way from a switch to the domain.
int PathLengths::Entry(int at, int domain, const std::vector<std::vector<int>>& next) {
  if (routes_.DomainOf(at) == domain) return 0;
  int& length = length_[at];
  if (length >= 0) return length;
  length = 0;
  int longest = 0;
  for (const int arc : next[at]) longest = std::max(longest, 1 + Entry(routes_.wiring().Head(arc), domain, next));
  return length_[at] = longest;
}

void PathLengths::Add(int domain, const std::vector<std::vector<int>>& next) {
  const std::vector<int>& members = routes_.Members(domain);
  if (std::none_of(members.begin(), members.end(), [&](int at) { return routes_.HasEndpoints(at); })) return;
  const int inside = LongestInside(domain);
  inside_ = std::max(inside_, inside);
  to_switch_ = std::max(to_switch_, inside);
  length_.assign(next.size(), -1);
  for (int at = 0; at < static_cast<int>(next.size()); ++at) {
    const int entry = Entry(at, domain, next);
    from_anywhere_ = std::max(from_anywhere_, entry + inside);
    if (!routes_.HasEndpoints(at)) continue;
    to_domain_ = std::max(to_domain_, entry);
    to_switch_ = std::max(to_switch_, entry + inside);
  }
}

}  // namespace tilefly::topology
