// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cosim/setup/class_setup.h"

namespace tilefly::cosim {

/// What a traffic class sends.
struct ClassPart {
  int tc = 0;
  double share = 1;  ///< share of the load: of the word slots that a port offers
  int largest = 0;   ///< largest frame that the class may send, bytes
};

/// Reads a mix of traffic classes, written as `0,3*0.5` or by the names of a table, `NC*0.1,BE`. Weights are shares of
/// the load, 1 by default. `table` stands for every class of the table, each with the weight of its entries. Throws
/// UsageError.
std::vector<ClassPart> ParseClasses(const std::string& text, const std::optional<ClassSetup>& classes,
                                    const Profile& profile, const std::string& option = "--classes");

/// How a standard frame names its class: by a VLAN tag, or, where no PCP value chooses the class, by the DSCP of IPv4.
struct ClassMark {
  int pcp = 0;
  int dscp = -1;  ///< -1: the tag says it
};

/// The mark of class `tc`. Throws UsageError when no mark chooses the class.
ClassMark MarkOf(int tc, const std::optional<ClassSetup>& classes);

}  // namespace tilefly::cosim
