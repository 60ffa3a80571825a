// SPDX-License-Identifier: Apache-2.0
#include "conform/capability/keys.h"

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
            "sources of the top, and C or C++ of what it imports by DPI, relative to this file; * matches names"),
      Texts("", "include", "", "folders in which `include and modules are looked for; * matches names"),
      Pairs("", "defines", "text macros, NAME: VALUE"),
      Pairs("", "parameters", "parameters of the top, or of the library, NAME: VALUE"),
      Pairs(
          "", "ties",
          "inputs of the top that have a constant value, NAME: VALUE; every other one has to be known by another key"),
      Texts("", "verilator", "", "further arguments of Verilator, such as -Wno-WIDTH"),
      Word("", "optimize", "size", {"none", "size", "speed"},
           "what the C++ compiler makes of the device: -O0, which builds a large one soonest and runs slowest, -Os, or -O2 for this machine"),
      Text("", "clock", "clk", "clock of the top; its rising edge counts"),

      Text("reset", "name", "rst", "reset of the top"),
      Word("reset", "active", "high", {"high", "low"}, "level in which it resets"),
      Number("reset", "cycles", "8", 1, 100000, "cycles for which it is held"),

      Word("ports", "style", "stream", {"stream", "link"},
           "what the ports speak: AXI-Stream Ethernet, or the words and control slots of Tilefly's links"),
      Text("ports", "profile", "",
           "profile whose golden switch the device is compared with: of links always, of streams at claims.level cycle"),
  };
}

std::vector<Key> LinkKeys() {
  return {
      Text("ports", "link_in", "link_i", "input with the links of all ports, 370 bits each, port 0 lowest"),
      Text("ports", "link_out", "link_o", "output with the links of all ports"),
      Text("ports", "link_up", "link_up_i", "input with a bit for each port whose link works; none: there is no such port"),
      Text("ports", "cfg", "cfg_i", "register bus, 88 bits; none: there is no such port"),
      Text("ports", "cycle", "cycle_i", "input with the number of the cycle, 48 bits; none: there is no such port"),
      Text("ports", "rdata", "rdata_o",
           "answers to register reads, 65 bits, of which counters are compared; none: there is no such port"),
      Text("ports", "record", "obs_o",
           "observation record, as rtl/switch packs it, which level observed compares; none: there is no such port"),
      Text("ports", "quiescent", "quiescent_o",
           "output that says that nothing changes with idle inputs; none: there is no such port"),
  };
}

std::vector<Key> StreamKeys() {
  return {
      Number("ports", "count", kRequired, 2, 64, "ports, each with an input and an output"),
      Word("ports", "layout", "flat", {"flat", "array", "numbered"},
           "how a signal of all ports is declared: [i*W +: W] of a vector, element [i] of an array, or one signal a "
           "port"),
      Text("ports", "in", "s_axis_{signal}",
           "names of the input's signals; {signal} is tdata, tkeep, tvalid, tready, tlast, tuser, tdest or tid, {port} "
           "the number of a "
           "numbered port, {port:02} with two digits"),
      Text("ports", "out", "m_axis_{signal}", "names of the output's signals"),
      Number("ports", "tdata", kRequired, 8, 512, "bits of tdata, a multiple of 8"),
      Word("ports", "tkeep", "yes", {"yes", "no"}, "the ports have tkeep; without it frames are whole beats"),
      Number("ports", "tuser", "0", 0, 32, "bits of tuser at the inputs; 0: none"),
      Number("ports", "tuser_out", "0", 0, 32, "bits of tuser at the outputs; 0: none"),
      Number("ports", "tdest", "0", 0, 16, "bits of tdest at the inputs; 0: none"),
      Number("ports", "tdest_out", "0", 0, 16, "bits of tdest at the outputs; 0: none"),
      Number("ports", "tid", "0", 0, 16, "bits of tid at inputs and outputs; 0: none"),
      Word("ports", "tid_out", "passed", {"passed", "undefined"},
           "the tid of a frame comes out as it went in, or is not looked at"),

      Word("frames", "fcs", "no", {"yes", "no"}, "frames on the ports carry their frame check"),
      Number("frames", "shortest", "60", 1, 65536, "bytes of the shortest frame that the device takes"),
      Number("frames", "longest", "1514", 1, 65536, "bytes of the longest frame that the device takes"),
      Word("frames", "longer", "undefined", {"dropped", "undefined"}, "what becomes of a longer one"),
      Word(
          "frames", "bad", "undefined", {"dropped", "marked", "undefined"},
          "what becomes of a frame whose last beat has the bit `bad_bit` of tuser: dropped, or passed on with the bit; in "
          "beats before the last the bit says nothing"),
      Number("frames", "bad_bit", "0", 0, 31, "bit of tuser that marks a bad frame"),

      Word("forwarding", "by", kRequired, {"tdest", "static", "algorithmic", "table"},
           "how an input finds the output: by tdest of the first beat; by the destination MAC, as `macs` lists it, as "
           "base + port, or "
           "as written into the table before the test"),
      Texts("forwarding", "tdests", "", "of tdest: the values of tdest for port 0, 1, ...; absent: the port's number"),
      Texts("forwarding", "macs", "", "of static: MAC of port 0, 1, ...; of table: the same, to be written"),
      Text("forwarding", "base", "02:00:00:00:00:00", "of algorithmic: MAC of port 0; port i has base + i * step"),
      Number("forwarding", "step", "1", 1, 65536, "of algorithmic: from one port's MAC to the next"),
      Pairs("forwarding", "write",
            "of table: inputs of the top for one write, SIGNAL: VALUE, for one cycle each entry; VALUE is mac, port, "
            "index, mask or a "
            "number; in other cycles the signals are 0"),
      Word("forwarding", "unknown", "undefined", {"dropped", "flooded", "undefined"},
           "frames to a MAC that nobody has"),
      Word("forwarding", "broadcast", "undefined", {"dropped", "flooded", "undefined"}, "frames to ff:ff:ff:ff:ff:ff"),
      Word("forwarding", "group", "undefined", {"dropped", "flooded", "undefined"},
           "frames to any other group address (bit 0 of the first byte is 1)"),
      Word("forwarding", "own_port", "undefined", {"dropped", "returned", "undefined"},
           "frames whose output is the port they came in by"),

      Word("flow", "in", "tready", {"tready", "none"}, "how the device stops an input; none: it never does"),
      Word("flow", "out", "tready", {"tready", "none"}, "how an output is stopped; none: it cannot be"),
      Word("flow", "lossy", "no", {"yes", "no"}, "the device may drop good frames when it is full"),
      Text("flow", "drops", "",
           "output of the top that counts all frames dropped; absent: drops are inferred after the drain"),
      Number("flow", "drops_width", "32", 1, 64, "bits of the drop counter"),
      Word("flow", "isolates", "no", {"yes", "no"},
           "a stopped output holds up no frames of other inputs to other outputs"),
      Word("flow", "cut_through", "no", {"yes", "no"}, "frames begin to leave before they are in whole"),

      Word("classes", "by", "none", {"none", "pcp", "dscp", "tuser"},
           "where a frame says its class: priority of a VLAN tag, DSCP of an IPv4 header, or bits of tuser in all beats"),
      Number("classes", "count", "", 2, 64, "classes; frames of one may pass those of another"),
      Texts("classes", "values", "", "value of the field for class 0, 1, ...; absent: the class's number"),
      Number("classes", "user_bit", "0", 0, 31, "of tuser: the lowest bit of the class"),
      Word("classes", "order", "weighted", {"weighted", "strict"},
           "how classes share an output that all want: by `weights`, or the highest goes first"),
      Texts("classes", "weights", "", "of weighted: weight of class 0, 1, ..."),
      Word("classes", "unit", "bytes", {"bytes", "frames"}, "of weighted: what weights count"),
  };
}

std::vector<Key> ClaimKeys() {
  return {
      Number("claims", "progress", "10000", 1, kMany,
             "cycles within which a frame comes out, or a beat goes in, while any can"),
      Number("claims", "latency", "", 0, kMany,
             "L1: most cycles of a frame in a quiet device, from its last beat in (cut through: first) to its first "
             "beat out"),
      Share("claims", "throughput",
            "L1: least share of the beats of all outputs that permutations of the longest frames use"),
      Share("claims", "uniform", "L1: the same under uniform traffic"),
      Share("claims", "fairness",
            "L1: least share of an output's beats that an input gets, times the number of inputs that want it"),
      Share("claims", "classes",
            "L1, 0.8 at least: the smallest part of its share by `classes.weights` that a class gets of an output that "
            "all want; strict: the share of the highest class"),
  };
}

}  // namespace

const std::vector<Key>& Keys() {
  static const std::vector<Key> kKeys = [] {
    std::vector<Key> keys = DeviceKeys();
    const auto add = [&](const std::vector<Key>& more) { keys.insert(keys.end(), more.begin(), more.end()); };
    add(Of(KeyStyle::kLink, LinkKeys()));
    add(Of(KeyStyle::kStream, StreamKeys()));
    keys.push_back(
        Word("claims", "level", kRequired, {"books", "bounded", "cycle", "observed"},
             "L0 to L3; bounded is of streams, observed of links"));
    add(Of(KeyStyle::kStream, ClaimKeys()));
    return keys;
  }();
  return kKeys;
}

}  // namespace tilefly::conform
