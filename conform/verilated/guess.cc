// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/guess.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tilefly_device.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <tuple>

#include "conform/capability/capability.h"
#include "conform/capability/keys.h"
#include "conform/verilated/link_wrapper.h"
#include "generated/wire.h"
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

namespace {

/// Clock and reset, the same for all styles.
void PutClock(const PortNames& ports, std::map<std::string, std::string>* known) {
  if (const VerilogPort* const clock = ports.Named({"clk", "clock"})) (*known)["clock"] = clock->name;
  if (const VerilogPort* const reset = ports.Named({"rst", "reset"})) {
    (*known)["reset.name"] = reset->name;
    const std::string name = Lower(reset->name);
    (*known)["reset.active"] =
        name.back() == 'n' || name.find("rst_n") != std::string::npos || name.find("rstn") != std::string::npos
            ? "low"
            : "high";
  }
}

/// Profiles and versions of the wire formats, the latest version first.
std::vector<std::pair<const Profile*, const cosim::WireVersion*>> LinkCandidates() {
  std::vector<std::pair<const Profile*, const cosim::WireVersion*>> all;
  for (auto wire = std::rbegin(cosim::kWireVersions); wire != std::rend(cosim::kWireVersions); ++wire) {
    for (const Profile& profile : kProfiles) all.emplace_back(&profile, &*wire);
  }
  return all;
}

/// Of a top with Tilefly's links, by the widths of its ports; empty: it has none.
std::map<std::string, std::string> GuessLinks(const std::vector<VerilogPort>& all) {
  const auto find = [&](bool input, int bits, const char* word) -> const VerilogPort* {
    const auto found = std::find_if(all.begin(), all.end(), [&](const VerilogPort& port) {
      return port.input == input && port.bits == bits && port.elements == 0 &&
             Lower(port.name).find(word) != std::string::npos;
    });
    return found == all.end() ? nullptr : &*found;
  };
  std::map<std::string, std::string> known;
  for (const auto& [profile, wire] : LinkCandidates()) {
    const int bits = profile->ports * static_cast<int>(wire->link_bits);
    const VerilogPort* const in = find(true, bits, "");
    const VerilogPort* const out = find(false, bits, "");
    if (in == nullptr || out == nullptr) continue;
    known = {{"ports.style", "link"}, {"ports.profile", profile->name}, {"ports.wire", std::to_string(wire->number)}};
    known["ports.link_in"] = in->name;
    known["ports.link_out"] = out->name;
    const auto put = [&](const char* key, const VerilogPort* port) { known[key] = port != nullptr ? port->name : kNoPort; };
    put("ports.link_up", find(true, profile->ports, "up"));
    put("ports.cfg", find(true, TFD_CFG_BITS, ""));
    put("ports.cycle", find(true, 48, ""));
    put("ports.rdata", find(false, ReadAnswer::kWidth, ""));
    put("ports.record", find(false, RecordBits(*profile, *wire), ""));
    put("ports.quiescent", find(false, 1, "quiesc"));
    PutClock(PortNames(all), &known);
    break;
  }
  return known;
}

}  // namespace

std::map<std::string, std::string> GuessCapability(const std::vector<VerilogPort>& all) {
  if (std::map<std::string, std::string> links = GuessLinks(all); !links.empty()) return links;
  const PortNames ports(all);
  const std::optional<Side> in = ports.SideOf(true);
  const std::optional<Side> out = ports.SideOf(false);
  if (!in || !out) {
    std::vector<std::string> names;
    for (const VerilogPort& port : all) names.push_back(port.name);
    throw UsageError(
        fmt::format("no AXI-Stream of two ports or more, and no links of a profile: inputs and outputs that end in tvalid, "
                    "or have 503 or 370 bits a port, were looked for among {}; write the file "
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
  PutClock(ports, &known);
  return known;
}

}  // namespace tilefly::conform
