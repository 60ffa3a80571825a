// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "conform/capability/capability.h"
#include "conform/verilated/verilog_ports.h"

namespace tilefly::conform {

/// Holds the ports of the top against the capability file: each signal that it names has its width, and each input of
/// the top is one of them or tied. Throws UsageError with the port, the key and the remedy.
void RequirePorts(const Capability& capability, const std::vector<VerilogPort>& ports);

}  // namespace tilefly::conform
