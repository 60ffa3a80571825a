// SPDX-License-Identifier: Apache-2.0
// The links of a system by name, and when they were down (docs/network.md, Links with faults).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "network/figures.h"
#include "network/network.h"

namespace tilefly::runs {

/// One name for each link: that by which the plan, or --fail-link, first names it; of other links the endpoint's, or that of
/// the end that comes first.
class LinkNames {
 public:
  explicit LinkNames(const network::Network& network);

  /// An end of a link, as its name has it.
  struct End {
    std::string link;  ///< "s3.17" or "e12"
    bool named;        ///< whether the name is that of this end
    const char* in() const { return named ? "in" : "out"; }
    const char* out() const { return named ? "out" : "in"; }
  };
  /// The end at a port, or that of the NIC behind the port.
  End Of(int node, int port, bool nic = false) const;
  /// The end that a plan names. The plan has been checked.
  End Of(const faults::LinkName& link) const;

 private:
  using Place = std::pair<int, int>;  ///< node and port; of a link, its end that comes first
  Place LinkOf(int node, int port) const;
  void Add(int node, int port, bool nic);

  const network::Network& network_;
  struct Named {
    Place at;
    bool nic;
  };
  std::map<Place, Named> named_;
};

/// A time in which a link was down at both ends; cycles of traffic.
struct LinkDown {
  Cycle from;
  Cycle till;          ///< kNever: for ever
  Cycle asked;         ///< for when `till` was asked; kNever: for no other cycle
  std::string link;    ///< name
  std::string cause;   ///< "plan", "option" (--fail-link) or "port": an end gave the link up
  std::string origin;  ///< of a plan: "FILE:LINE: kind"; else empty
  std::string chose_till{};  ///< cause of the time that lasts until `till`; another one when times of a link meet
  /// Who took the link down, in words.
  std::string By() const { return cause == "option" ? "--fail-link" : cause == "port" ? "an end gave it up" : origin; }
};

/// The times in which links were down, begun by the end of the run, in the order of their cycles. Times of a link that meet
/// are one.
std::vector<LinkDown> DownsOf(const network::Network& network, const network::Figures& figures, const LinkNames& names);

/// A warning for each link that was down at the end of the run, up to a limit.
std::vector<std::string> StillDown(const network::Network& network, const network::Figures& figures);

}  // namespace tilefly::runs
