// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cosim/setup/class_setup.h"

namespace tilefly::cosim {

/// What each traffic class sends.
struct ClassPart {
  int tc = 0;
  double share = 1;  ///< of the load: of the word slots that a port offers
  int largest = 0;   ///< frame that the class may send, bytes
};

/// A mix of traffic classes, written as `0,3*0.5` or by the names of a table, `NC*0.1,BE`: weights are shares of the
/// load, default 1. `table`: every class of the table, as much as its entries weigh. Throws UsageError.
std::vector<ClassPart> ParseClasses(const std::string& text, const std::optional<ClassSetup>& classes,
                                    const Profile& profile, const std::string& option = "--classes");

/// How a standard frame says its class: by a VLAN tag, or where no PCP value chooses the class by the DSCP of IPv4.
struct ClassMark {
  int pcp = 0;
  int dscp = -1;  ///< -1: the tag says it
};

/// Throws UsageError when no mark chooses the class.
ClassMark MarkOf(int tc, const std::optional<ClassSetup>& classes);

}  // namespace tilefly::cosim
