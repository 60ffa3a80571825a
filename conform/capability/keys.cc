// SPDX-License-Identifier: Apache-2.0
#include "conform/capability/keys.h"

namespace tilefly::conform {
namespace {

constexpr std::int64_t kMany = 1'000'000'000;

Key Text(const char* section, const char* name, KeyFor of, const char* initial, const char* help) {
  return {section, name, KeyKind::kText, of, initial, {}, 0, 0, help};
}
Key Word(const char* section, const char* name, KeyFor of, const char* initial, std::vector<std::string> words, const char* help) {
  return {section, name, KeyKind::kWord, of, initial, std::move(words), 0, 0, help};
}
Key Number(const char* section, const char* name, KeyFor of, const char* initial, std::int64_t low, std::int64_t high,
           const char* help) {
  return {section, name, KeyKind::kNumber, of, initial, {}, low, high, help};
}
Key Share(const char* section, const char* name, KeyFor of, const char* help) {
  return {section, name, KeyKind::kShare, of, "", {}, 0, 0, help};
}
Key Texts(const char* section, const char* name, KeyFor of, const char* initial, const char* help) {
  return {section, name, KeyKind::kTexts, of, initial, {}, 0, 0, help};
}
Key Pairs(const char* section, const char* name, KeyFor of, const char* help) {
  return {section, name, KeyKind::kPairs, of, "", {}, 0, 0, help};
}

constexpr KeyFor kAll = KeyFor::kAll;
constexpr KeyFor kStream = KeyFor::kStream;

}  // namespace

const std::vector<Key>& Keys() {
  static const std::vector<Key> kKeys = {
      Text("", "device", kAll, kRequired, "name of the device in reports"),
      Text("", "library", kAll, "", "shared library that is the device (tilefly_device.h), instead of a Verilog top"),
      Text("", "top", kAll, "", "Verilog module that is the device"),
      Texts("", "files", kAll, "", "sources of the top, relative to this file; * matches names"),
      Texts("", "include", kAll, "", "folders in which `include and modules are looked for"),
      Pairs("", "defines", kAll, "text macros, NAME: VALUE"),
      Pairs("", "parameters", kAll, "parameters of the top, NAME: VALUE"),
      Texts("", "verilator", kAll, "", "further arguments of Verilator, such as -Wno-WIDTH"),
      Text("", "clock", kStream, "clk", "clock of the top; its rising edge counts"),

      Text("reset", "name", kStream, "rst", "reset of the top"),
      Word("reset", "active", kStream, "high", {"high", "low"}, "level in which it resets"),
      Number("reset", "cycles", kStream, "8", 1, 100000, "cycles for which it is held"),

      Number("ports", "count", kAll, kRequired, 2, 64, "ports, each with an input and an output"),
      Word("ports", "style", kAll, "stream", {"stream", "link"}, "AXI-Stream, or words and control slots of Tilefly's links"),
      Text("ports", "profile", KeyFor::kLink, kRequired, "profile whose switch the device is"),
      Word("ports", "layout", kStream, "flat", {"flat", "array", "numbered"},
           "how a signal of all ports is declared: [i*W +: W] of a vector, element [i] of an array, or one signal a port"),
      Text("ports", "in", kStream, "s_axis_{signal}",
           "names of the input's signals; {signal} is tdata, tkeep, tvalid, tready, tlast, tuser, tdest or tid, {port} the number of a "
           "numbered port, {port:02} with two digits"),
      Text("ports", "out", kStream, "m_axis_{signal}", "names of the output's signals"),
      Number("ports", "tdata", kStream, kRequired, 8, 512, "bits of tdata, a multiple of 8"),
      Word("ports", "tkeep", kStream, "yes", {"yes", "no"}, "the ports have tkeep; without it frames are whole beats"),
      Number("ports", "tuser", kStream, "0", 0, 32, "bits of tuser at the inputs; 0: none"),
      Number("ports", "tuser_out", kStream, "0", 0, 32, "bits of tuser at the outputs; 0: none"),
      Number("ports", "tdest", kStream, "0", 0, 16, "bits of tdest at the inputs; 0: none"),
      Number("ports", "tdest_out", kStream, "0", 0, 16, "bits of tdest at the outputs; 0: none"),
      Number("ports", "tid", kStream, "0", 0, 16, "bits of tid at inputs and outputs; 0: none"),

      Word("frames", "fcs", kStream, "no", {"yes", "no"}, "frames on the ports carry their frame check"),
      Number("frames", "shortest", kStream, "60", 1, 65536, "bytes of the shortest frame that the device takes"),
      Number("frames", "longest", kStream, "1514", 1, 65536, "bytes of the longest frame that the device takes"),
      Word("frames", "longer", kStream, "undefined", {"dropped", "undefined"}, "what becomes of a longer one"),
      Word("frames", "bad", kStream, "undefined", {"dropped", "marked", "undefined"},
           "what becomes of a frame whose last beat has the bit `bad_bit` of tuser: dropped, or passed on with the bit"),
      Number("frames", "bad_bit", kStream, "0", 0, 31, "bit of tuser that marks a bad frame"),

      Word("forwarding", "by", kStream, kRequired, {"tdest", "static", "algorithmic", "table"},
           "how an input finds the output: by tdest of the first beat; by the destination MAC, as `macs` lists it, as base + port, or "
           "as written into the table before the test"),
      Texts("forwarding", "macs", kStream, "", "of static: MAC of port 0, 1, ...; of table: the same, to be written"),
      Text("forwarding", "base", kStream, "02:00:00:00:00:00", "of algorithmic: MAC of port 0; port i has base + i * step"),
      Number("forwarding", "step", kStream, "1", 1, 65536, "of algorithmic: from one port's MAC to the next"),
      Pairs("forwarding", "write", kStream,
            "of table: inputs of the top for one write, SIGNAL: VALUE, for one cycle each entry; VALUE is mac, port, index, mask or a "
            "number; in other cycles the signals are 0"),
      Word("forwarding", "unknown", kStream, "undefined", {"dropped", "flooded", "undefined"}, "frames to a MAC that nobody has"),
      Word("forwarding", "broadcast", kStream, "undefined", {"dropped", "flooded", "undefined"}, "frames to ff:ff:ff:ff:ff:ff"),
      Word("forwarding", "own_port", kStream, "undefined", {"dropped", "returned", "undefined"},
           "frames whose output is the port they came in by"),

      Word("flow", "in", kStream, "tready", {"tready", "none"}, "how the device stops an input; none: it never does"),
      Word("flow", "out", kStream, "tready", {"tready", "none"}, "how an output is stopped; none: it cannot be"),
      Word("flow", "lossy", kStream, "no", {"yes", "no"}, "the device may drop good frames when it is full"),
      Text("flow", "drops", kStream, "", "output of the top that counts all frames dropped; absent: drops are inferred after the drain"),
      Number("flow", "drops_width", kStream, "32", 1, 64, "bits of the drop counter"),
      Word("flow", "isolates", kStream, "no", {"yes", "no"}, "a stopped output holds up no frames of other inputs to other outputs"),
      Word("flow", "cut_through", kStream, "no", {"yes", "no"}, "frames begin to leave before they are in whole"),

      Word("claims", "level", kAll, kRequired, {"books", "bounded", "cycle", "observed"}, "L0, L1, L2 or L3"),
      Number("claims", "progress", kStream, "10000", 1, kMany,
             "cycles within which a frame comes out, or a beat goes in, while any can"),
      Number("claims", "latency", kStream, "", 0, kMany,
             "L1: most cycles of a frame in a quiet device, from its last beat in (cut through: first) to its first beat out"),
      Share("claims", "throughput", kStream, "L1: least share of the beats of all outputs that permutations of the longest frames use"),
      Share("claims", "uniform", kStream, "L1: the same under uniform traffic"),
      Share("claims", "fairness", kStream,
            "L1: least share of an output's beats that an input gets, times the number of inputs that want it"),
  };
  return kKeys;
}

}  // namespace tilefly::conform
