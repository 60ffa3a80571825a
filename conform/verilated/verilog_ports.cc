// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/verilog_ports.h"

#include <fmt/format.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fstream>
#include <map>

#include "conform/verilated/steps.h"
#include "support/errors.h"

namespace tilefly::conform {
namespace {

namespace fs = std::filesystem;
using boost::property_tree::ptree;

/// A type of Verilator's table: bits of an element, elements of an unpacked array.
struct Type {
  int bits = 1;
  int elements = 0;
};

/// "32'h1f", "32'sh3".
int ValueOf(const std::string& text) {
  const std::size_t at = text.find('h');
  return at == std::string::npos ? 0 : static_cast<int>(std::stoll(text.substr(at + 1), nullptr, 16));
}

/// Elements of the range below a type.
int RangeOf(const ptree& type) {
  std::vector<int> ends;
  for (const auto& [name, node] : type.get_child("range", ptree())) {
    if (name == "const") ends.push_back(ValueOf(node.get<std::string>("<xmlattr>.name")));
  }
  return ends.size() == 2 ? std::abs(ends[0] - ends[1]) + 1 : 1;
}

class TypeTable {
 public:
  explicit TypeTable(const ptree& table) {
    for (const auto& [kind, node] : table) {
      if (const auto id = node.get_optional<std::string>("<xmlattr>.id"))
        nodes_.emplace(*id, std::make_pair(kind, &node));
    }
  }

  Type Of(const std::string& id) const {
    const auto found = nodes_.find(id);
    if (found == nodes_.end()) return {};
    const auto& [kind, node] = found->second;
    if (const auto left = node->get_optional<int>("<xmlattr>.left"))
      return {std::abs(*left - node->get<int>("<xmlattr>.right")) + 1, 0};
    const auto below = node->get_optional<std::string>("<xmlattr>.sub_dtype_id");
    if (!below) return {};
    Type type = Of(*below);
    if (kind == "packarraydtype") type.bits *= RangeOf(*node);
    if (kind == "unpackarraydtype") type.elements = std::max(type.elements, 1) * RangeOf(*node);
    return type;
  }

 private:
  std::map<std::string, std::pair<std::string, const ptree*>> nodes_;
};

}  // namespace

std::vector<VerilogPort> ReadPortsXml(const fs::path& xml, const std::string& top) {
  ptree root;
  try {
    boost::property_tree::read_xml(xml.string(), root);
  } catch (const boost::property_tree::xml_parser_error& error) {
    throw UsageError(fmt::format("{}: {}", xml.string(), error.message()));
  }
  const ptree netlist = root.get_child("verilator_xml.netlist", ptree());
  const TypeTable types(netlist.get_child("typetable", ptree()));
  std::vector<VerilogPort> ports;
  for (const auto& [name, module] : netlist) {
    if (name != "module" || module.get<std::string>("<xmlattr>.origName", "") != top) continue;
    for (const auto& [kind, node] : module) {
      const auto direction = node.get_optional<std::string>("<xmlattr>.dir");
      if (kind != "var" || !direction) continue;
      const Type type = types.Of(node.get<std::string>("<xmlattr>.dtype_id", ""));
      ports.push_back({node.get<std::string>("<xmlattr>.origName"), *direction == "input", type.bits, type.elements});
    }
    return ports;
  }
  throw UsageError(fmt::format("{}: module {} is not in it", xml.string(), top));
}

std::vector<VerilogPort> PortsOf(const std::string& top, const std::vector<std::string>& files,
                                 const std::vector<std::string>& parameters, const fs::path& folder,
                                 const std::atomic<bool>* stop) {
  const fs::path xml = folder / "ports.xml";
  const fs::path log_file = folder / "init.log";
  std::ofstream log(log_file);
  std::vector<std::string> command = {
      FindProgram("verilator"), "--xml-only", "--xml-output", xml.string(), "-Wno-fatal", "-Wno-lint", "--no-timing",
      "--top-module",           top};
  for (const std::string& parameter : parameters) command.push_back("-G" + parameter);
  command.insert(command.end(), files.begin(), files.end());
  RunStep(command, &log, log_file, stop, fmt::format("the ports of {} cannot be read", top));
  return ReadPortsXml(xml, top);
}

}  // namespace tilefly::conform
