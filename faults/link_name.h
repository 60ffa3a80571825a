// SPDX-License-Identifier: Apache-2.0
// How a fault plan names a link: by either of its ends.
#pragma once

#include <string>

namespace tilefly::faults {

/// "s3.17": port 17 of switch 3; "e12": the link of endpoint 12; "p5": port 5 of the switch of `tilefly cosim`.
struct LinkName {
  enum class End { kSwitchPort, kEndpoint, kPort };

  End end = End::kPort;
  int node = 0;  ///< switch or endpoint; 0 for kPort
  int port = 0;  ///< of a switch; 0 for kEndpoint

  std::string Text() const;
  friend bool operator==(const LinkName& a, const LinkName& b) {
    return a.end == b.end && a.node == b.node && a.port == b.port;
  }
};

/// Reads a name. Throws UsageError that begins with `origin`.
LinkName ParseLinkName(const std::string& text, const std::string& origin);

}  // namespace tilefly::faults
