// SPDX-License-Identifier: Apache-2.0
// The ports of a Verilog module, as Verilator's XML lists them.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace tilefly::conform {

struct VerilogPort {
  std::string name;
  bool input = false;
  int bits = 1;      ///< of an element
  int elements = 0;  ///< of an unpacked array; 0: it is none
};

/// Reads the ports of `module` in `<verilator_xml>`. Throws UsageError when it is not in it.
std::vector<VerilogPort> ReadPortsXml(const std::filesystem::path& xml, const std::string& module);

/// Asks Verilator for the ports of `top`; the XML is written into `folder`. `parameters`: NAME=VALUE. Throws UsageError
/// with Verilator's first errors, BuildInterrupted when it was stopped.
std::vector<VerilogPort> PortsOf(const std::string& top, const std::vector<std::string>& files,
                                 const std::vector<std::string>& parameters, const std::filesystem::path& folder,
                                 const std::atomic<bool>* stop);

}  // namespace tilefly::conform
