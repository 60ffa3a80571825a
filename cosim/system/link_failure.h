// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tilefly::cosim {

/// A switch of a system did something wrong on a link, or inside. It counts as a failed check, exit code 1.
class LinkFailure : public std::runtime_error {
 public:
  /// `port` -1: no port in particular.
  LinkFailure(std::int64_t cycle, int node, int port, const std::string& what)
      : std::runtime_error(port < 0 ? fmt::format("cycle {}, switch {}: {}", cycle, node, what)
                                    : fmt::format("cycle {}, switch {}, port {}: {}", cycle, node, port, what)),
        cycle_(cycle),
        node_(node),
        port_(port) {}

  std::int64_t cycle() const { return cycle_; }
  int node() const { return node_; }
  int port() const { return port_; }

 private:
  std::int64_t cycle_;
  int node_;
  int port_;
};

}  // namespace tilefly::cosim
