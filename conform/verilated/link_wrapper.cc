// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/link_wrapper.h"

#include <fmt/format.h>
#include <tilefly_device.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/stage_times.h"

namespace tilefly::conform {
namespace {

/// `to`, elements of whole bytes, from elements of `bits` bits of `from`, which begin at bit `first`, or the reverse.
std::string Widen(const std::string& to, const std::string& from, int count, int bits, int bytes, int first) {
  const int padding = 8 * bytes - bits;
  const std::string zeros = padding == 0 ? "" : fmt::format("{}'d0, ", padding);
  return fmt::format("  for (genvar i = 0; i < {}; i++) begin : g_{}\n    assign {}[i*{} +: {}] = {{{}{}[{} + i*{} +: {}]}};\n  end\n",
                     count, to, to, 8 * bytes, 8 * bytes, zeros, from, first, bits, bits);
}
std::string Narrow(const std::string& to, const std::string& from, int count, int bits, int bytes) {
  return fmt::format("  for (genvar i = 0; i < {}; i++) begin : g_{}\n    assign {}[i*{} +: {}] = {}[i*{} +: {}];\n  end\n", count,
                     to, to, bits, bits, from, 8 * bytes, bits);
}

int Number(std::size_t value) { return static_cast<int>(value); }

std::string RecordText(const Capability& it) {
  const Profile& profile = *it.profile;
  const int port = Number(it.wire->record_bits), port_bytes = Number(it.wire->record_bytes);
  const int turns = profile.ports * port;
  const int reds = turns + profile.tiles * TFD_TURN_RECORD_BITS;
  const int cfu = reds + profile.ports * TFD_RED_RECORD_BITS;
  if (it.link.record.empty()) return "  assign {record_ports, record_turns, record_reds, record_cfu} = '0;\n";
  return fmt::format("  wire [{}:0] record;\n", RecordBits(profile, *it.wire) - 1) +
         Widen("record_ports", "record", profile.ports, port, port_bytes, 0) +
         Widen("record_turns", "record", profile.tiles, TFD_TURN_RECORD_BITS, TFD_TURN_RECORD_BYTES, turns) +
         Widen("record_reds", "record", profile.ports, TFD_RED_RECORD_BITS, TFD_RED_RECORD_BYTES, reds) +
         Widen("record_cfu", "record", 1, TFD_CFU_RECORD_BITS, TFD_CFU_RECORD_BYTES, cfu);
}

template <typename Group>
int BitOf(std::string_view name) {
  const auto field = std::find_if(std::begin(Group::kFields), std::end(Group::kFields),
                                  [&](const FieldInfo& one) { return one.name == name; });
  return field->lsb;
}

}  // namespace

int RecordBits(const Profile& profile, const cosim::WireVersion& wire) {
  return profile.ports * (Number(wire.record_bits) + TFD_RED_RECORD_BITS) + profile.tiles * TFD_TURN_RECORD_BITS +
         TFD_CFU_RECORD_BITS;
}

std::vector<NeededPort> NeededLinkPorts(const Capability& it) {
  const LinkSignals& link = it.link;
  std::vector<NeededPort> needed = {
      {it.clock, "clock", true, 1, 0},
      {it.reset, "reset.name", true, 1, 0},
      {link.link_in, "ports.link_in", true, it.ports * Number(it.wire->link_bits), 0},
      {link.link_out, "ports.link_out", false, it.ports * Number(it.wire->link_bits), 0},
  };
  const auto add = [&](const std::string& name, const char* key, bool input, int bits) {
    if (!name.empty()) needed.push_back({name, key, input, bits, 0});
  };
  add(link.link_up, "ports.link_up", true, it.ports);
  add(link.cfg, "ports.cfg", true, TFD_CFG_BITS);
  add(link.cycle, "ports.cycle", true, 48);
  add(link.rdata, "ports.rdata", false, ReadAnswer::kWidth);
  add(link.record, "ports.record", false, RecordBits(*it.profile, *it.wire));
  add(link.quiescent, "ports.quiescent", false, 1);
  for (const auto& [name, value] : it.ties) needed.push_back({name, "ties", true, 0, 0});
  return needed;
}

std::string LinkWrapperText(const Capability& it) {
  const LinkSignals& link = it.link;
  const Profile& profile = *it.profile;
  std::vector<std::string> connections = {
      fmt::format(".{}(clk)", it.clock), fmt::format(".{}({}rst)", it.reset, it.reset_high ? "" : "!"),
      fmt::format(".{}(packed_in)", link.link_in), fmt::format(".{}(packed_out)", link.link_out)};
  const auto connect = [&](const std::string& name, const std::string& to) {
    if (!name.empty()) connections.push_back(fmt::format(".{}({})", name, to));
  };
  connect(link.link_up, fmt::format("link_up[{}:0]", it.ports - 1));
  connect(link.cfg, "cfg");
  connect(link.cycle, "cycle");
  connect(link.rdata, "rdata");
  connect(link.record, "record");
  connect(link.quiescent, "quiescent");
  for (const auto& [signal, value] : it.ties) connect(signal, value);
  std::vector<std::string> parameters;
  for (const auto& [name, value] : it.parameters) parameters.push_back(fmt::format(".{}({})", name, value));
  const auto high = [](int count, int bytes) { return 8 * count * bytes - 1; };
  const int link_bits = Number(it.wire->link_bits), link_bytes = Number(it.wire->link_bytes);
  std::string body = fmt::format("  wire [{0}:0] packed_in, packed_out;\n", it.ports * link_bits - 1);
  body += Narrow("packed_in", "link_in", it.ports, link_bits, link_bytes);
  body += Widen("link_out", "packed_out", it.ports, link_bits, link_bytes, 0);
  body += RecordText(it);
  if (link.rdata.empty()) body += "  assign rdata = '0;\n";
  if (link.quiescent.empty()) body += "  assign quiescent = 1'b0;\n";
  return fmt::format(
      R"(// Made by `tilefly conform` from {file}; do not edit.
/* verilator lint_off WIDTH */
module {wrapper} (
  input  logic clk,
  input  logic rst,
  input  logic [47:0] cycle,
  input  logic [{cfg}:0] cfg,
  input  logic [{links}:0] link_in,
  input  logic [63:0] link_up,
  output logic [{links}:0] link_out,
  output logic [{answer}:0] rdata,
  output logic [{ports}:0] record_ports,
  output logic [{turns}:0] record_turns,
  output logic [{reds}:0] record_reds,
  output logic [31:0] record_cfu,
  output logic quiescent
);
{body}
  {top} {parameters}device (
    {connections}
  );
endmodule
)",
      fmt::arg("file", it.file.filename().string()), fmt::arg("wrapper", kWrapper),
      fmt::arg("cfg", static_cast<int>(TFD_CFG_BITS) - 1), fmt::arg("links", high(it.ports, link_bytes)),
      fmt::arg("answer", ReadAnswer::kWidth - 1), fmt::arg("ports", high(it.ports, Number(it.wire->record_bytes))),
      fmt::arg("turns", high(profile.tiles, TFD_TURN_RECORD_BYTES)),
      fmt::arg("reds", high(it.ports, TFD_RED_RECORD_BYTES)), fmt::arg("body", body), fmt::arg("top", it.top),
      fmt::arg("parameters", parameters.empty() ? "" : fmt::format("#({}) ", fmt::join(parameters, ", "))),
      fmt::arg("connections", fmt::join(connections, ",\n    ")));
}

std::vector<std::pair<std::string, std::string>> LinkDeviceMarks(const Capability& it) {
  const auto number = [](int value) { return std::to_string(value); };
  const auto yes = [](const std::string& name) { return std::string(name.empty() ? "false" : "true"); };
  return {{"@PORTS@", number(it.ports)},
          {"@VERSION@", number(static_cast<int>(it.wire->number))},
          {"@LINK_BYTES@", number(Number(it.wire->link_bytes))},
          {"@RECORD_BYTES@", number(Number(it.wire->record_bytes))},
          {"@TILES@", number(it.profile->tiles)},
          {"@RESET_CYCLES@", number(it.reset_cycles)},
          {"@NAME@", it.top},
          {"@OBSERVES@", yes(it.link.record)},
          {"@COUNTS@", it.link.cfg.empty() ? "false" : yes(it.link.rdata)},
          {"@TELLS@", yes(it.link.quiescent)},
          {"@CFG_VALID@", number(BitOf<Cfg>("valid"))},
          {"@CFG_READ@", number(BitOf<Cfg>("read"))},
          {"@CFG_PORT@", number(BitOf<Cfg>("port"))},
          {"@CFG_SPACE@", number(BitOf<Cfg>("space"))},
          {"@CFG_INDEX@", number(BitOf<Cfg>("index"))},
          {"@COUNTERS@", number(static_cast<int>(CfgSpace::kCounter))},
          {"@ANSWER_VALID@", number(BitOf<ReadAnswer>("valid"))},
          {"@ANSWER_CYCLES@", number(static_cast<int>(golden::kAnswerLatency))}};
}

}  // namespace tilefly::conform
