// SPDX-License-Identifier: Apache-2.0
// A system with bounded devices and the same of golden switches, held against each other by the contract
// (docs/systemc.md, Contract).
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "cosim/contract/bounded.h"
#include "network/figures.h"
#include "network/network.h"

namespace tilefly::runs {

/// What a system's NICs are brought, in order; of packets of reductions, which hosts judge, nothing.
class DeliveryLog final : public network::NodeProbe {
 public:
  explicit DeliveryLog(const network::Wiring& wiring) : wiring_(wiring) {}

  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const network::LinkCredit&) override {}
  void Carries(const network::LinkEvent& event) override;

  /// In words, what packets or order differ; empty: what came to both is the same, in the same order where the fabric keeps it.
  /// The later packets of a source may have come to one of the two only. `timed`: packets are told apart by the cycle in which
  /// they were made; else they are only counted, for it depends on those before.
  std::vector<std::string> DifferenceFrom(const DeliveryLog& other, bool timed) const;

 private:
  /// Source, destination, class, flow.
  using Flow = std::tuple<std::int32_t, std::int32_t, int, std::uint32_t>;
  struct Packets {
    std::vector<Cycle> created;
    bool in_order = true;  ///< all take the same way
  };

  const network::Wiring& wiring_;
  std::map<Flow, Packets> flows_;
};

/// Figures of a system that has run.
cosim::ContractFigures ContractFiguresOf(const network::Network& network, const network::Figures& figures);

}  // namespace tilefly::runs
