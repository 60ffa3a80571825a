// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/wrapper.h"

#include <fmt/format.h>
#include <tilefly_device.h>

#include <cstddef>
#include <vector>

#include "conform/verilated/link_wrapper.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::conform {
namespace {

constexpr std::size_t kBeatBits = sizeof(tfd_beat) * 8;

/// A signal of a port, and where it lies in a beat.
struct Signal {
  const char* name;
  std::size_t bit;    ///< of the beat
  std::size_t slot;   ///< bits that the beat has for it
  std::size_t width;  ///< 0: the ports do not have it
};

#define TILEFLY_SLOT(member) offsetof(tfd_beat, member) * 8, sizeof(tfd_beat::member) * 8
std::vector<Signal> SignalsOf(const PortSignals& it, bool input) {
  const auto bytes = static_cast<std::size_t>(it.data_bytes);
  return {
      {"tdata", TILEFLY_SLOT(data), 8 * bytes},
      {"tkeep", TILEFLY_SLOT(keep), it.keep ? bytes : 0},
      {"tuser", TILEFLY_SLOT(user), static_cast<std::size_t>(input ? it.user_bits : it.user_out_bits)},
      {"tdest", TILEFLY_SLOT(dest), static_cast<std::size_t>(input ? it.dest_bits : it.dest_out_bits)},
      {"tid", TILEFLY_SLOT(id), static_cast<std::size_t>(it.id_bits)},
      {"tvalid", TILEFLY_SLOT(valid), 1},
      {"tlast", TILEFLY_SLOT(last), 1},
  };
}
#undef TILEFLY_SLOT

/// Declares the wires of the device's side, connects them to beats, and adds the connections of the instance.
class PortWires {
 public:
  explicit PortWires(const Capability& capability) : it_(capability) {}

  void Add(bool input) {
    const char* const beats = input ? "in_beats" : "out_beats";
    for (const Signal& signal : SignalsOf(it_.signals, input)) {
      if (signal.width > 0)
        Connect(signal.name, signal.width, input, !input,
                fmt::format("{}[%*{} + {} +: {}]", beats, kBeatBits, signal.bit, signal.width));
      if (!input) Fill(signal);
    }
    if (!input) body += Assign(offsetof(tfd_beat, reserved) * 8, sizeof(tfd_beat::reserved) * 8, "'0");
    if (input ? it_.flow.stops_inputs : it_.flow.outputs_stop)
      Connect("tready", 1, input, input, input ? "in_ready[%]" : "out_ready[%]");
  }

  std::string body;
  std::vector<std::string> connections;

 private:
  static std::string At(std::string place, const std::string& index) {
    place.replace(place.find('%'), 1, index);
    return place;
  }

  /// `place`: what the signal of port % is connected to; `out`: the device drives it.
  void Connect(const char* name, std::size_t width, bool input, bool out, const std::string& place) {
    const std::string& pattern = input ? it_.signals.in : it_.signals.out;
    const char side = input ? 'i' : 'o';
    const auto assign = [&](const std::string& wire, const std::string& index) {
      const std::string at = At(place, index);
      return out ? fmt::format("assign {} = {};", at, wire) : fmt::format("assign {} = {};", wire, at);
    };
    switch (it_.signals.layout) {
      case Layout::kNumbered:
        for (int port = 0; port < it_.ports; ++port) {
          const std::string wire = fmt::format("{}_{}_{}", side, name, port);
          body += fmt::format("  wire [{}:0] {};\n  {}\n", width - 1, wire, assign(wire, std::to_string(port)));
          connections.push_back(fmt::format(".{}({})", it_.signals.Name(pattern, name, port), wire));
        }
        return;
      case Layout::kFlat:
        body += fmt::format("  wire [{}:0] {}_{};\n", static_cast<std::size_t>(it_.ports) * width - 1, side, name);
        body += fmt::format("  for (genvar p = 0; p < {}; p++) begin : g_{}_{}\n    {}\n  end\n", it_.ports, side, name,
                            assign(fmt::format("{}_{}[p*{} +: {}]", side, name, width, width), "p"));
        break;
      case Layout::kArray:
        body += fmt::format("  wire [{}:0] {}_{} [0:{}];\n", width - 1, side, name, it_.ports - 1);
        body += fmt::format("  for (genvar p = 0; p < {}; p++) begin : g_{}_{}\n    {}\n  end\n", it_.ports, side, name,
                            assign(fmt::format("{}_{}[p]", side, name), "p"));
        break;
    }
    connections.push_back(fmt::format(".{}({}_{})", it_.signals.Name(pattern, name, 0), side, name));
  }

  /// Bits of an output's beat that no signal drives: 0, but bytes are kept where there is no tkeep.
  void Fill(const Signal& signal) {
    const bool kept = signal.name == std::string("tkeep") && signal.width == 0;
    const std::size_t width = kept ? static_cast<std::size_t>(it_.signals.data_bytes) : signal.width;
    if (kept) body += Assign(signal.bit, width, "'1");
    if (width < signal.slot) body += Assign(signal.bit + width, signal.slot - width, "'0");
  }

  std::string Assign(std::size_t bit, std::size_t width, const char* value) {
    return fmt::format(
        "  for (genvar p = 0; p < {}; p++) begin : g_fill_{}\n    assign out_beats[p*{} + {} +: {}] = {};\n  end\n",
        it_.ports, bit, kBeatBits, bit, width, value);
  }

  const Capability& it_;
};

std::string TableValue(const std::string& text, const std::string& origin) {
  if (text == "mac") return "write_mac";
  if (text == "port") return "write_port";
  if (text == "index") return "write_index";
  if (text == "mask") return "(64'd1 << write_port)";
  return fmt::format("64'd{}", ParseInteger(text, origin + ": mac, port, index, mask or a number were expected"));
}

/// "#(.W(64)) ", or nothing.
std::string ParametersText(const Capability& it) {
  std::vector<std::string> parameters;
  for (const auto& [name, value] : it.parameters) parameters.push_back(fmt::format(".{}({})", name, value));
  return parameters.empty() ? "" : fmt::format("#({}) ", fmt::join(parameters, ", "));
}

}  // namespace

std::vector<NeededPort> NeededPorts(const Capability& it) {
  if (it.style == PortStyle::kLink) return NeededLinkPorts(it);
  std::vector<NeededPort> needed = {{it.clock, "clock", true, 1, 0}, {it.reset, "reset.name", true, 1, 0}};
  const PortSignals& signals = it.signals;
  const auto add = [&](const char* signal, std::size_t width, bool of_input, bool driven) {
    const int bits = static_cast<int>(width);
    const std::string& pattern = of_input ? signals.in : signals.out;
    const std::string key = fmt::format("ports.{} ({})", of_input ? "in" : "out", signal);
    if (signals.layout == Layout::kNumbered) {
      for (int port = 0; port < it.ports; ++port)
        needed.push_back({signals.Name(pattern, signal, port), key, driven, bits, 0});
    } else {
      const bool flat = signals.layout == Layout::kFlat;
      needed.push_back(
          {signals.Name(pattern, signal, 0), key, driven, flat ? bits * it.ports : bits, flat ? 0 : it.ports});
    }
  };
  for (const bool input : {true, false}) {
    for (const Signal& signal : SignalsOf(signals, input)) {
      if (signal.width > 0) add(signal.name, signal.width, input, input);
    }
    if (input ? it.flow.stops_inputs : it.flow.outputs_stop) add("tready", 1, input, !input);
  }
  for (const auto& [name, value] : it.forwarding.write) needed.push_back({name, "forwarding.write", true, 0, 0});
  for (const auto& [name, value] : it.ties) needed.push_back({name, "ties", true, 0, 0});
  if (!it.flow.drops.empty()) needed.push_back({it.flow.drops, "flow.drops", false, it.flow.drops_width, 0});
  return needed;
}

std::string UnconnectedText(const Capability& it) {
  return fmt::format("module {};\n  {} {}device ();\nendmodule\n", kWrapper, it.top, ParametersText(it));
}

std::string WrapperText(const Capability& it) {
  if (it.style == PortStyle::kLink) return LinkWrapperText(it);
  PortWires ports(it);
  ports.Add(true);
  ports.Add(false);
  std::vector<std::string> connections = {fmt::format(".{}(clk)", it.clock),
                                          fmt::format(".{}({}rst)", it.reset, it.reset_high ? "" : "!")};
  connections.insert(connections.end(), ports.connections.begin(), ports.connections.end());
  for (const auto& [signal, value] : it.forwarding.write)
    connections.push_back(
        fmt::format(".{}(write_valid ? {} : '0)", signal,
                    TableValue(value, fmt::format("{}: forwarding.write: {}", it.file.string(), signal))));
  for (const auto& [signal, value] : it.ties) connections.push_back(fmt::format(".{}({})", signal, value));
  std::string drops = "  assign drops = '0;\n";
  if (!it.flow.drops.empty()) {
    drops = fmt::format("  wire [{}:0] device_drops;\n  assign drops = 64'(device_drops);\n", it.flow.drops_width - 1);
    connections.push_back(fmt::format(".{}(device_drops)", it.flow.drops));
  }
  const std::size_t bits = kBeatBits * static_cast<std::size_t>(it.ports);
  return fmt::format(
      R"(// Made by `tilefly conform` from {file}; do not edit.
/* verilator lint_off WIDTH */
module {wrapper} (
  input  logic clk,
  input  logic rst,
  input  logic [{high}:0] in_beats,
  output logic [{ports}:0] in_ready,
  output logic [{high}:0] out_beats,
  input  logic [{ports}:0] out_ready,
  input  logic write_valid,
  input  logic [47:0] write_mac,
  input  logic [31:0] write_port,
  input  logic [31:0] write_index,
  output logic [63:0] drops
);
{ready}{drops}{body}
  {top} {parameters}device (
    {connections}
  );
endmodule
)",
      fmt::arg("file", it.file.filename().string()), fmt::arg("wrapper", kWrapper), fmt::arg("high", bits - 1),
      fmt::arg("ports", it.ports - 1), fmt::arg("ready", it.flow.stops_inputs ? "" : "  assign in_ready = '1;\n"),
      fmt::arg("drops", drops), fmt::arg("body", ports.body), fmt::arg("top", it.top),
      fmt::arg("parameters", ParametersText(it)),
      fmt::arg("connections", fmt::join(connections, ",\n    ")));
}

}  // namespace tilefly::conform
