// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/port_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "conform/verilated/wrapper.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::conform {
namespace {

std::string Size(int bits, int elements) {
  return elements > 0 ? fmt::format("{} elements of {} bits", elements, bits) : fmt::format("{} bits", bits);
}

}  // namespace

void RequirePorts(const Capability& it, const std::vector<VerilogPort>& ports) {
  std::vector<std::string> names;
  for (const VerilogPort& port : ports) names.push_back(port.name);
  const std::vector<NeededPort> needed = NeededPorts(it);
  for (const NeededPort& need : needed) {
    const auto refuse = [&](const std::string& why) {
      throw UsageError(fmt::format("{}: {}: {} {}", it.file.string(), need.key, it.top, why));
    };
    const auto found =
        std::find_if(ports.begin(), ports.end(), [&](const VerilogPort& port) { return port.name == need.name; });
    if (found == ports.end())
      refuse(fmt::format("has no port {}; the nearest is {}", need.name, Nearest(need.name, names)));
    if (found->input != need.input)
      refuse(fmt::format("has {} as an {}", need.name, found->input ? "input" : "output"));
    if (need.bits == 0) continue;
    if (found->bits != need.bits || found->elements != need.elements)
      refuse(fmt::format("has {} with {}; the file says {}", need.name, Size(found->bits, found->elements),
                         Size(need.bits, need.elements)));
  }
  for (const VerilogPort& port : ports) {
    const bool known =
        std::any_of(needed.begin(), needed.end(), [&](const NeededPort& need) { return need.name == port.name; });
    if (port.input && !known)
      throw UsageError(fmt::format(
          "{}: input {} of {} is driven by nothing: name it by the key that it belongs to, or give it a value, "
          "ties: {{{}: 0}}",
          it.file.string(), port.name, it.top, port.name));
  }
}

}  // namespace tilefly::conform
