// SPDX-License-Identifier: Apache-2.0
#include "conform/capability/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilefly::conform {
namespace {

constexpr std::int64_t kMany = 1'000'000'000;

Key Text(const char* section, const char* name, const char* initial, const char* help) {
  return {section, name, KeyKind::kText, initial, {}, 0, 0, help};
}
Key Word(const char* section, const char* name, const char* initial, std::vector<std::string> words, const char* help) {
  return {section, name, KeyKind::kWord, initial, std::move(words), 0, 0, help};
}
Key Number(const char* section, const char* name, const char* initial, std::int64_t low, std::int64_t high,
           const char* help) {
  return {section, name, KeyKind::kNumber, initial, {}, low, high, help};
}
Key Share(const char* section, const char* name, const char* help) {
  return {section, name, KeyKind::kShare, "", {}, 0, 0, help};
}
Key Texts(const char* section, const char* name, const char* initial, const char* help) {
  return {section, name, KeyKind::kTexts, initial, {}, 0, 0, help};
}
/// A list of some of `words`.
Key Some(const char* section, const char* name, std::vector<std::string> words, const char* help) {
  return {section, name, KeyKind::kTexts, "", std::move(words), 0, 0, help};
}
Key Pairs(const char* section, const char* name, const char* help) {
  return {section, name, KeyKind::kPairs, "", {}, 0, 0, help};
}

/// Keys that say nothing of ports of the other style.
std::vector<Key> Of(KeyStyle style, std::vector<Key> keys) {
  for (Key& key : keys) key.style = style;
  return keys;
}

std::vector<Key> DeviceKeys() {
  return {
      Text("", "device", kRequired, "name of the device in reports"),
      Text("", "library", "", "shared library that is the device (tilefly_device.h), instead of a Verilog top"),
      Text("", "top", "", "Verilog module that is the device"),
      Texts("", "files", "",
            "sources of the top, and C or C++ sources of its DPI imports, relative to this file; * matches names"),
      Texts("", "include", "", "folders in which modules and included files are searched; * matches names"),
      Pairs("", "defines", "text macros, NAME: VALUE"),
      Pairs("", "parameters", "parameters of the top, or of the library, NAME: VALUE"),
      Pairs("", "ties",
            "inputs of the top that get a constant value, NAME: VALUE; every other input must be named by another key"),
      Texts("", "verilator", "", "further arguments of Verilator, such as -Wno-WIDTH"),
      Word("", "optimize", "size", {"none", "size", "speed"},
           "how the C++ compiler optimises the device: none is -O0, the fastest to build and the slowest to run; size "
           "is "
           "-Os; speed is -O2 for this machine"),
      Text("", "clock", "clk", "clock of the top; the device changes at its rising edge"),

      Text("reset", "name", "rst", "reset of the top"),
      Word("reset", "active", "high", {"high", "low"}, "level of the reset at which the device resets"),
      Number("reset", "cycles", "8", 1, 100000, "cycles for which the reset is held"),

      Word("ports", "style", "stream", {"stream", "link"},
           "kind of ports: stream is Ethernet on AXI-Stream, link is words and control slots of Tilefly's links"),
      Text("ports", "profile", "",
           "profile whose golden switch the device is compared with; links always need it, streams at claims.level "
           "cycle"),
  };
}

std::vector<Key> LinkKeys() {
  return {
      Some("ports", "lacks", {"enhanced", "standard", "lanes", "faults", "replication", "routing", "acks", "reductions"},
           "parts of our switch that the device does not have; tests that need them do not apply: ports of other kinds than "
           "fabric, links of fewer than four lanes, dropping of damaged frames, frames for several ports, ways to other "
           "switches, end-to-end acks, reduction trees"),
      Word("ports", "wire", "2", {"1", "2"},
           "version of the wire formats: with 2 a link has 503 bits and the record of a port 189, with 1 a link has 370 "
           "bits and the record of a port 145, the lower bits of version 2"),
      Text("ports", "link_in", "link_i", "input with the links of all ports, port 0 lowest"),
      Text("ports", "link_out", "link_o", "output with the links of all ports"),
      Text("ports", "link_up", "link_up_i",
           "input with a bit for each port whose link works; none: there is no such port"),
      Text("ports", "cfg", "cfg_i", "register bus, 88 bits; none: there is no such port"),
      Text("ports", "cycle", "cycle_i", "input with the number of the cycle, 48 bits; none: there is no such port"),
      Text("ports", "rdata", "rdata_o",
           "answers to register reads, 65 bits; the counters among them are compared; none: there is no such port"),
      Text("ports", "record", "obs_o",
           "observation record, packed as in rtl/switch; level observed compares it; none: there is no such port"),
      Text(
          "ports", "quiescent", "quiescent_o",
          "output that is 1 when nothing in the device changes while its inputs are idle; none: there is no such port"),
  };
}

std::vector<Key> StreamKeys() {
  return {
      Number("ports", "count", kRequired, 2, 64, "ports, each with an input and an output"),
      Word(
          "ports", "layout", "flat", {"flat", "array", "numbered"},
          "how a signal of all ports is declared: flat is a vector, in which port i has [i*W +: W]; array is an array, "
          "in which port i has element [i]; numbered is one signal for each port"),
      Text(
          "ports", "in", "s_axis_{signal}",
          "names of the input's signals; {signal} stands for tdata, tkeep, tvalid, tready, tlast, tuser, tdest or tid, "
          "{port} for the number of a numbered port, {port:02} for the same with two digits"),
      Text("ports", "out", "m_axis_{signal}", "names of the output's signals"),
      Number("ports", "tdata", kRequired, 8, 512, "bits of tdata, a multiple of 8"),
      Word("ports", "tkeep", "yes", {"yes", "no"}, "the ports have tkeep; without tkeep a frame fills its last beat"),
      Number("ports", "tuser", "0", 0, 32, "bits of tuser at the inputs; 0: none"),
      Number("ports", "tuser_out", "0", 0, 32, "bits of tuser at the outputs; 0: none"),
      Number("ports", "tdest", "0", 0, 16, "bits of tdest at the inputs; 0: none"),
      Number("ports", "tdest_out", "0", 0, 16, "bits of tdest at the outputs; 0: none"),
      Number("ports", "tid", "0", 0, 16, "bits of tid at inputs and outputs; 0: none"),
      Word("ports", "tid_out", "passed", {"passed", "undefined"},
           "passed: a frame leaves with the tid that it came with; undefined: the tid is not compared"),

      Word("frames", "fcs", "no", {"yes", "no"},
           "frames on the ports have their frame check sequence (4 bytes at the end)"),
      Number("frames", "shortest", "60", 1, 65536, "bytes of the shortest frame that the device takes"),
      Number("frames", "longest", "1514", 1, 65536, "bytes of the longest frame that the device takes"),
      Word("frames", "longer", "undefined", {"dropped", "undefined"}, "what happens to a longer frame"),
      Word("frames", "bad", "undefined", {"dropped", "marked", "undefined"},
           "what happens to a bad frame, whose last beat has bit `bad_bit` of tuser; marked: it passes, with the bit; in "
           "beats before the last the bit says nothing"),
      Number("frames", "bad_bit", "0", 0, 31, "bit of tuser that marks a bad frame"),

      Word(
          "forwarding", "by", kRequired, {"tdest", "static", "algorithmic", "table"},
          "what tells the output of a frame: tdest of the first beat, or the destination MAC; static: `macs` lists the "
          "MAC of each port; algorithmic: it is base + port * step; table: it is written into the device before the "
          "test"),
      Texts("forwarding", "tdests", "",
            "with by: tdest, the value of tdest for port 0, 1, ...; absent: the port's number"),
      Texts("forwarding", "macs", "", "with by: static, the MAC of port 0, 1, ...; with by: table, the MACs to write"),
      Text("forwarding", "base", "02:00:00:00:00:00",
           "with by: algorithmic, the MAC of port 0; port i has base + i * step"),
      Number("forwarding", "step", "1", 1, 65536,
             "with by: algorithmic, the difference between the MACs of neighbouring ports"),
      Pairs(
          "forwarding", "write",
          "with by: table, the inputs of the top that write one entry in one cycle, SIGNAL: VALUE; VALUE is mac, port, "
          "index, mask or a number; in other cycles the signals are 0"),
      Word("forwarding", "unknown", "undefined", {"dropped", "flooded", "undefined"},
           "what happens to frames to a MAC that no port has"),
      Word("forwarding", "broadcast", "undefined", {"dropped", "flooded", "undefined"},
           "what happens to frames to ff:ff:ff:ff:ff:ff"),
      Word("forwarding", "group", "undefined", {"dropped", "flooded", "undefined"},
           "what happens to frames to any other group address (bit 0 of the first byte is 1)"),
      Word("forwarding", "own_port", "undefined", {"dropped", "returned", "undefined"},
           "what happens to frames whose output is the port by which they came in"),

      Word("flow", "in", "tready", {"tready", "none"},
           "signal by which the device stops an input; none: the device never stops one"),
      Word("flow", "out", "tready", {"tready", "none"},
           "signal that stops an output of the device; none: an output cannot be stopped"),
      Word("flow", "lossy", "no", {"yes", "no"}, "the device may drop good frames when it is full"),
      Text("flow", "drops", "",
           "output of the top that counts all dropped frames; absent: the drops are inferred after the drain"),
      Number("flow", "drops_width", "32", 1, 64, "bits of the drop counter"),
      Word("flow", "isolates", "no", {"yes", "no"},
           "a stopped output does not hold up frames from other inputs to other outputs"),
      Word("flow", "cut_through", "no", {"yes", "no"}, "a frame may begin to leave before its last beat has come"),

      Word(
          "classes", "by", "none", {"none", "pcp", "dscp", "tuser"},
          "field that has the class of a frame: pcp is the priority of a VLAN tag, dscp is of an IPv4 header, tuser is "
          "bits of tuser in all beats"),
      Number("classes", "count", "", 2, 64, "number of classes; frames of one class may overtake frames of another"),
      Texts("classes", "values", "", "value of the field for class 0, 1, ...; absent: the class's number"),
      Number("classes", "user_bit", "0", 0, 31, "with by: tuser, the lowest bit of the class"),
      Word("classes", "order", "weighted", {"weighted", "strict"},
           "how classes share an output that all want; weighted: by `weights`; strict: the highest class goes first"),
      Texts("classes", "weights", "", "with order: weighted, the weight of class 0, 1, ..."),
      Word("classes", "unit", "bytes", {"bytes", "frames"}, "with order: weighted, what the weights count"),
  };
}

std::vector<Key> ClaimKeys() {
  return {
      Number("claims", "progress", "10000", 1, kMany,
             "most cycles in which no frame comes out and no beat goes in, although one could"),
      Number(
          "claims", "latency", "", 0, kMany,
          "L1: most cycles that a frame alone in the device takes, from its last beat in (cut through: from its first) "
          "to its first beat out"),
      Share("claims", "throughput",
            "L1: least share of the outputs' beats in use, when permutations send the longest frames"),
      Share("claims", "uniform", "L1: least share of the outputs' beats in use, under uniform traffic"),
      Share("claims", "fairness",
            "L1: least share of an output's beats that an input gets, times the number of inputs that want the output"),
      Share(
          "claims", "classes",
          "L1, at least 0.8, of an output that all classes want; weighted: the least that a class gets, over its share "
          "by `classes.weights`; strict: the share of the highest class"),
  };
}

}  // namespace

std::string Choices(const Key& key) {
  std::string text = fmt::format("{}", fmt::join(key.words, ", "));
  if (key.kind == KeyKind::kNumber) text = fmt::format("{} to {}", key.low, key.high);
  if (key.kind == KeyKind::kShare) text = "above 0, at most 1";
  return text.empty() ? "" : fmt::format(" ({})", text);
}

const std::vector<Key>& Keys() {
  static const std::vector<Key> kKeys = [] {
    std::vector<Key> keys = DeviceKeys();
    const auto add = [&](const std::vector<Key>& more) { keys.insert(keys.end(), more.begin(), more.end()); };
    add(Of(KeyStyle::kLink, LinkKeys()));
    add(Of(KeyStyle::kStream, StreamKeys()));
    keys.push_back(
        Word("claims", "level", kRequired, {"books", "bounded", "cycle", "observed"},
             "claimed level: books (L0), bounded (L1, streams only), cycle (L2) or observed (L3, links only)"));
    add(Of(KeyStyle::kStream, ClaimKeys()));
    return keys;
  }();
  return kKeys;
}

}  // namespace tilefly::conform
