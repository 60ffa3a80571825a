// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/guess.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <tuple>

#include "conform/capability/capability.h"
#include "support/errors.h"

namespace tilefly::conform {
namespace {

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

/// The name with {signal} for `signal`, and with {port:0N} for its last number; empty: it is not such a signal.
std::string PatternOf(const std::string& name, const std::string& signal) {
  const std::size_t at = Lower(name).find(signal);
  if (at == std::string::npos || at + signal.size() != name.size()) return "";
  return name.substr(0, at) + "{signal}";
}

std::string Numbered(const std::string& pattern, int* port) {
  const std::size_t signal = pattern.find("{signal}");
  std::size_t end = signal;
  while (end > 0 && std::isdigit(static_cast<unsigned char>(pattern[end - 1])) == 0) --end;
  std::size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(pattern[begin - 1])) != 0) --begin;
  if (begin == end) return "";
  *port = std::stoi(pattern.substr(begin, end - begin));
  const std::string mark = end - begin == 1 ? "{port}" : fmt::format("{{port:0{}}}", end - begin);
  return pattern.substr(0, begin) + mark + pattern.substr(end);
}

/// One side of the switch: the streams that come in, or that go out.
struct Side {
  std::string pattern;
  Layout layout = Layout::kFlat;
  int ports = 0;
};

class PortNames {
 public:
  explicit PortNames(const std::vector<VerilogPort>& ports) : ports_(ports) {}

  const VerilogPort* Find(const std::string& name) const {
    const auto found =
        std::find_if(ports_.begin(), ports_.end(), [&](const VerilogPort& port) { return port.name == name; });
    return found == ports_.end() ? nullptr : &*found;
  }

  std::optional<Side> SideOf(bool input) const {
    Side side;
    for (const VerilogPort& port : ports_) {
      const std::string pattern = PatternOf(port.name, "tvalid");
      if (pattern.empty() || port.input != input) continue;
      int number = 0;
      const std::string numbered = Numbered(pattern, &number);
      const bool one = port.bits == 1 && port.elements == 0;
      if (one && !numbered.empty()) {
        side = {numbered, Layout::kNumbered, std::max(side.ports, number + 1)};
      } else if (side.ports == 0) {
        side = {pattern, port.elements > 0 ? Layout::kArray : Layout::kFlat,
                port.elements > 0 ? port.elements : port.bits};
      }
    }
    if (side.ports < 2) return std::nullopt;
    return side;
  }

  /// Bits of a signal of one port, 0: there is none.
  int Bits(const Side& side, const std::string& signal) const {
    const VerilogPort* const port =
        Find(fmt::format(fmt::runtime(side.pattern), fmt::arg("signal", signal), fmt::arg("port", 0)));
    if (port == nullptr) return 0;
    return side.layout == Layout::kFlat ? port->bits / side.ports : port->bits;
  }

  /// The first one-bit input whose name has one of these words in it.
  const VerilogPort* Named(const std::vector<std::string>& words) const {
    for (const std::string& word : words) {
      for (const VerilogPort& port : ports_) {
        if (port.input && port.bits == 1 && port.elements == 0 && Lower(port.name).find(word) != std::string::npos)
          return &port;
      }
    }
    return nullptr;
  }

 private:
  const std::vector<VerilogPort>& ports_;
};

}  // namespace

std::map<std::string, std::string> GuessCapability(const std::vector<VerilogPort>& all) {
  const PortNames ports(all);
  const std::optional<Side> in = ports.SideOf(true);
  const std::optional<Side> out = ports.SideOf(false);
  if (!in || !out) {
    std::vector<std::string> names;
    for (const VerilogPort& port : all) names.push_back(port.name);
    throw UsageError(
        fmt::format("no AXI-Stream of two ports or more: inputs and outputs that end in tvalid were looked for among "
                    "{}; write the file "
                    "by hand, `tilefly conform init` without a top shows all keys",
                    fmt::join(names, ", ")));
  }
  std::map<std::string, std::string> known;
  const auto put = [&](const char* key, const std::string& value) { known[key] = value; };
  const char* const layouts[] = {"flat", "array", "numbered"};
  put("ports.count", std::to_string(std::min(in->ports, out->ports)));
  put("ports.layout", layouts[static_cast<int>(in->layout)]);
  put("ports.in", "\"" + in->pattern + "\"");
  put("ports.out", "\"" + out->pattern + "\"");
  put("ports.tdata", std::to_string(ports.Bits(*in, "tdata")));
  put("ports.tkeep", ports.Bits(*in, "tkeep") > 0 ? "yes" : "no");
  for (const auto& [key, side, signal] :
       {std::tuple{"ports.tuser", &*in, "tuser"}, std::tuple{"ports.tuser_out", &*out, "tuser"},
        std::tuple{"ports.tdest", &*in, "tdest"}, std::tuple{"ports.tdest_out", &*out, "tdest"},
        std::tuple{"ports.tid", &*in, "tid"}}) {
    if (const int bits = ports.Bits(*side, signal); bits > 0) put(key, std::to_string(bits));
  }
  if (ports.Bits(*in, "tready") == 0) put("flow.in", "none");
  if (ports.Bits(*out, "tready") == 0) put("flow.out", "none");
  if (known.count("ports.tdest") != 0) put("forwarding.by", "tdest");
  if (const VerilogPort* const clock = ports.Named({"clk", "clock"})) put("clock", clock->name);
  if (const VerilogPort* const reset = ports.Named({"rst", "reset"})) {
    put("reset.name", reset->name);
    const std::string name = Lower(reset->name);
    put("reset.active",
        name.back() == 'n' || name.find("rst_n") != std::string::npos || name.find("rstn") != std::string::npos
            ? "low"
            : "high");
  }
  return known;
}

}  // namespace tilefly::conform
