// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilefly::cosim {

/// Interface of every packet of a pcapng file, in order: libpcap reads the packets but does not tell this. Empty for a
/// file of another format. Stops quietly at damage, which the reader of the packets reports.
std::vector<int> PcapngInterfaces(const std::string& file);

}  // namespace tilefly::cosim
