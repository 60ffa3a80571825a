// SPDX-License-Identifier: Apache-2.0
// Systems that many tests run.
#pragma once

#include <string>

#include "network/network.h"
#include "support/errors.h"
#include "topology/builder.h"

namespace tilefly::network {

/// 72 endpoints in nine groups of four switches.
inline const topology::Topology& Dragonfly() {
  static const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  return topology;
}

/// Why a system with these options is refused; "accepted" when it is not.
inline std::string Refusal(const topology::Topology& topology, const NetworkOptions& options) {
  try {
    Network network(topology, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace tilefly::network
