// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "conform/verilated/verilog_ports.h"

namespace tilefly::conform {

/// What the ports of a top say of a capability file, by key ("ports.tdata"): clock, reset, names, layout, widths,
/// number of ports. Throws UsageError when there is no AXI-Stream in them.
std::map<std::string, std::string> GuessCapability(const std::vector<VerilogPort>& ports);

}  // namespace tilefly::conform
