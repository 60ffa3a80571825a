// SPDX-License-Identifier: Apache-2.0
#include "conform/capability/capability.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <set>

#include "conform/capability/values.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::conform {
namespace {

namespace fs = std::filesystem;

constexpr int kTaggedHeader = 18;  // bytes, of Ethernet with a VLAN tag
constexpr int kIpHeader = 34;      // of Ethernet and IPv4
constexpr double kLeastOfClass = 0.8;

Mac ParseMac(const std::string& text, const std::string& origin) {
  const std::vector<std::string> parts = Split(text, ':');
  Mac mac{};
  bool right = parts.size() == mac.size();
  for (std::size_t i = 0; right && i < mac.size(); ++i) {
    right = parts[i].size() == 2 && parts[i].find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (right) mac[i] = static_cast<std::uint8_t>(std::stoi(parts[i], nullptr, 16));
  }
  if (!right)
    throw UsageError(fmt::format("{}: '{}' is no MAC address; write it as 02:00:00:00:00:01, in quotes", origin, text));
  if ((mac[0] & 1) != 0)
    throw UsageError(fmt::format("{}: {} is a group address; a port has one of its own", origin, text));
  return mac;
}

Mac Plus(const Mac& base, std::uint64_t add) {
  std::uint64_t bits = 0;
  for (const std::uint8_t byte : base) bits = bits << 8 | byte;
  bits += add;
  Mac mac{};
  for (std::size_t i = mac.size(); i-- > 0; bits >>= 8) mac[i] = static_cast<std::uint8_t>(bits);
  return mac;
}

Fate FateOf(const std::string& word) {
  if (word == "dropped") return Fate::kDropped;
  if (word == "flooded") return Fate::kFlooded;
  if (word == "returned") return Fate::kReturned;
  return word == "marked" ? Fate::kMarked : Fate::kUndefined;
}

/// The paths that a pattern matches, in the order of their names.
std::vector<std::string> Match(const fs::path& folder, const std::string& pattern, const std::string& origin) {
  const std::string path = (folder / pattern).lexically_normal().string();
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(path.c_str(), 0, nullptr, &found) == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (paths.empty())
    throw UsageError(fmt::format("{}: {}: no such file (paths are relative to the capability file)", origin, path));
  return paths;
}

/// Where the device is, to be built or loaded.
void ReadSources(const Values& values, Capability* it) {
  const fs::path folder = it->file.parent_path();
  if (const std::string library = values.Text("library"); !library.empty()) {
    for (const char* key : {"top", "files", "include", "defines", "ties", "verilator", "optimize", "clock", "reset.name",
                            "reset.active", "reset.cycles", "ports.layout", "ports.in", "ports.out", "ports.tkeep",
                            "forwarding.write", "flow.drops", "flow.drops_width", "ports.wire", "ports.link_in", "ports.link_out",
                            "ports.link_up", "ports.cfg", "ports.cycle", "ports.rdata", "ports.record",
                            "ports.quiescent"})
      values.Refuse(key, "has no effect with `library`");
    it->library = Match(folder, library, values.Origin("library")).front();
  } else {
    if (it->top.empty()) throw UsageError(fmt::format("{}: give `top` and `files`, or `library`", it->file.string()));
    if (values.Texts("files").empty())
      throw UsageError(fmt::format("{}: files: is missing; it lists the sources of {}", it->file.string(), it->top));
  }
  for (const std::string& pattern : values.Texts("files")) {
    for (const std::string& path : Match(folder, pattern, values.Origin("files"))) {
      // Two patterns may match a file; a simulator must read it once.
      if (std::find(it->files.begin(), it->files.end(), path) == it->files.end()) it->files.push_back(path);
    }
  }
  for (const std::string& pattern : values.Texts("include")) {
    for (const std::string& path : Match(folder, pattern, values.Origin("include"))) {
      if (fs::is_directory(path)) it->include.push_back(path);
    }
  }
}

void ReadDevice(const Values& values, bool built, Capability* it) {
  it->device = values.Text("device");
  it->top = values.Text("top");
  if (built) ReadSources(values, it);
  for (const auto& [name, value] : values.Pairs("defines")) it->defines[name] = value;
  for (const auto& [name, value] : values.Pairs("parameters")) it->parameters[name] = value;
  it->verilator = values.Texts("verilator");
  const std::string optimize = values.Text("optimize");
  it->optimize = optimize == "none" ? "-O0" : optimize == "size" ? "-Os" : "-O2";
  it->ties = values.Pairs("ties");
  it->clock = values.Text("clock");
  it->reset = values.Text("reset.name");
  it->reset_high = values.Text("reset.active") == "high";
  it->reset_cycles = values.Number("reset.cycles");
}

/// Which style the ports have; refuses the keys of the other, and finds the profile.
void ReadStyle(const Values& values, Capability* it) {
  const std::string style = values.Text("ports.style");
  it->style = style == "link" ? PortStyle::kLink : PortStyle::kStream;
  const bool link = it->style == PortStyle::kLink;
  for (const Key& key : Keys()) {
    if (key.style == (link ? KeyStyle::kStream : KeyStyle::kLink))
      values.Refuse(key.Path(), "has no effect with ports.style: " + style);
  }
  const std::string name = values.Text("ports.profile");
  if (name.empty()) {
    if (link)
      throw UsageError(it->file.string() + ": ports.profile: is missing; it names the golden switch that the device is "
                       "compared with, such as tile8");
    return;
  }
  it->profile = FindProfile(name);
  if (it->profile != nullptr) return;
  std::vector<std::string> known;
  for (const Profile& profile : kProfiles) known.emplace_back(profile.name);
  ThrowUnknownWord(values.Origin("ports.profile"), "profile", name, known);
}

void ReadLinks(const Values& values, Capability* it) {
  it->ports = it->profile->ports;
  it->lacks = values.Texts("ports.lacks");
  const auto read = [&](const char* key) {
    const std::string name = values.Text(key);
    return name == kNoPort ? std::string() : name;
  };
  it->wire = cosim::FindWireVersion(values.Text("ports.wire") == "1" ? 1 : TILEFLY_DEVICE_VERSION);
  LinkSignals& link = it->link;
  link = {read("ports.link_in"), read("ports.link_out"), read("ports.link_up"), read("ports.cfg"),
          read("ports.cycle"),   read("ports.rdata"),    read("ports.record"),  read("ports.quiescent")};
  for (const auto& [key, name] : {std::pair{"ports.link_in", link.link_in}, std::pair{"ports.link_out", link.link_out}}) {
    if (name.empty()) throw UsageError(fmt::format("{}: a device without it has no links", values.Origin(key)));
  }
}

void ReadPorts(const Values& values, Capability* it) {
  PortSignals& signals = it->signals;
  const std::string layout = values.Text("ports.layout");
  signals.layout = layout == "flat" ? Layout::kFlat : layout == "array" ? Layout::kArray : Layout::kNumbered;
  for (const char* key : {"ports.in", "ports.out"}) {
    const std::string pattern = values.Text(key);
    const bool numbered = pattern.find("{port") != std::string::npos;
    if (pattern.find("{signal}") == std::string::npos)
      throw UsageError(values.Origin(key) + ": {signal} is missing in it, which stands for tdata, tvalid, ...");
    if (numbered != (signals.layout == Layout::kNumbered))
      throw UsageError(
          fmt::format("{}: {{port}} belongs to ports.layout: numbered, and to no other", values.Origin(key)));
    try {
      (key == std::string("ports.in") ? signals.in : signals.out) = pattern;
      signals.Name(pattern, "tdata", 0);
    } catch (const fmt::format_error& error) {
      throw UsageError(fmt::format("{}: '{}': {}; use {{signal}}, {{port}} and {{port:02}}", values.Origin(key),
                                   pattern, error.what()));
    }
  }
  const int bits = values.Number("ports.tdata");
  if (bits % 8 != 0)
    throw UsageError(fmt::format("{}: {} bits are no whole bytes", values.Origin("ports.tdata"), bits));
  signals.data_bytes = bits / 8;
  signals.keep = values.Yes("ports.tkeep");
  signals.user_bits = values.Number("ports.tuser");
  signals.user_out_bits = values.Number("ports.tuser_out");
  signals.dest_bits = values.Number("ports.tdest");
  signals.dest_out_bits = values.Number("ports.tdest_out");
  signals.id_bits = values.Number("ports.tid");
  signals.id_passes = values.Text("ports.tid_out") == "passed";
  if (signals.id_bits == 0) values.Refuse("ports.tid_out", "has no effect without ports.tid");
}

void ReadFrames(const Values& values, Capability* it) {
  FrameRules& frames = it->frames;
  frames.fcs = values.Yes("frames.fcs");
  frames.shortest = values.Number("frames.shortest");
  frames.longest = values.Number("frames.longest");
  frames.longer = FateOf(values.Text("frames.longer"));
  frames.bad = FateOf(values.Text("frames.bad"));
  frames.bad_bit = values.Number("frames.bad_bit");
  if (frames.shortest > frames.longest)
    throw UsageError(fmt::format("{}: {} is above frames.longest, {}", values.Origin("frames.shortest"),
                                 frames.shortest, frames.longest));
  if (!it->signals.keep &&
      (frames.shortest % it->signals.data_bytes != 0 || frames.longest % it->signals.data_bytes != 0))
    throw UsageError(fmt::format("{}: without tkeep frames are whole beats of {} bytes: give such lengths",
                                 values.Origin("frames.shortest"), it->signals.data_bytes));
  if (frames.bad == Fate::kUndefined) {
    values.Refuse("frames.bad_bit", "has no effect without frames.bad");
  } else {
    const auto require = [&](const char* key, int bits) {
      if (frames.bad_bit >= bits)
        throw UsageError(fmt::format("{}: bit {} of tuser is not there: {} is {}", values.Origin("frames.bad"),
                                     frames.bad_bit, key, bits));
    };
    require("ports.tuser", it->signals.user_bits);
    if (frames.bad == Fate::kMarked) require("ports.tuser_out", it->signals.user_out_bits);
  }
}

/// The values of tdest by port: the ports' numbers, or as listed.
void ReadTdests(const Values& values, Capability* it) {
  std::vector<std::uint32_t>& tdests = it->forwarding.tdests;
  const std::vector<std::string>& listed = values.Texts("forwarding.tdests");
  if (!listed.empty() && listed.size() != static_cast<std::size_t>(it->ports))
    throw UsageError(fmt::format("{}: its length is {}; list a value for each of the {} ports (ports.count)",
                                 values.Origin("forwarding.tdests"), listed.size(), it->ports));
  for (int port = 0; port < it->ports; ++port) {
    const std::int64_t value =
        listed.empty() ? port
                       : ParseInteger(listed[static_cast<std::size_t>(port)], values.Origin("forwarding.tdests"));
    if (value < 0 || value >> it->signals.dest_bits != 0)
      throw UsageError(fmt::format("{}: tdest of {} bits cannot be {}; give ports.tdest",
                                   values.Origin("forwarding.by"), it->signals.dest_bits, value));
    if (std::find(tdests.begin(), tdests.end(), static_cast<std::uint32_t>(value)) != tdests.end())
      throw UsageError(fmt::format("{}: two ports have the value {}", values.Origin("forwarding.tdests"), value));
    tdests.push_back(static_cast<std::uint32_t>(value));
  }
}

void ReadForwarding(const Values& values, bool built, Capability* it) {
  Forwarding& forwarding = it->forwarding;
  const std::string by = values.Text("forwarding.by");
  const auto ports = static_cast<std::size_t>(it->ports);
  const bool listed = by == "static" || by == "table";
  if (!listed) values.Refuse("forwarding.macs", "has no effect with forwarding.by: " + by);
  if (by != "table") values.Refuse("forwarding.write", "has no effect with forwarding.by: " + by);
  if (by != "algorithmic") {
    values.Refuse("forwarding.base", "has no effect with forwarding.by: " + by);
    values.Refuse("forwarding.step", "has no effect with forwarding.by: " + by);
  }
  if (by == "tdest") {
    forwarding.by = Addressing::kTdest;
    for (const char* key : {"forwarding.unknown", "forwarding.broadcast", "forwarding.group"})
      values.Refuse(key, "has no effect with forwarding.by: tdest");
    ReadTdests(values, it);
  } else {
    values.Refuse("forwarding.tdests", "has no effect with forwarding.by: " + by);
    if (it->frames.shortest < 14)
      throw UsageError(
          fmt::format("{}: a frame with a destination MAC has 14 bytes at least", values.Origin("frames.shortest")));
    if (by == "algorithmic") {
      forwarding.by = Addressing::kAlgorithmic;
      const Mac base = ParseMac(values.Text("forwarding.base"), values.Origin("forwarding.base"));
      const auto step = static_cast<std::uint64_t>(values.Number("forwarding.step"));
      for (std::size_t port = 0; port < ports; ++port) forwarding.macs.push_back(Plus(base, step * port));
    } else {
      forwarding.by = by == "static" ? Addressing::kStatic : Addressing::kTable;
      for (const std::string& text : values.Texts("forwarding.macs"))
        forwarding.macs.push_back(ParseMac(text, values.Origin("forwarding.macs")));
      if (forwarding.macs.size() != ports)
        throw UsageError(fmt::format("{}: its length is {}; list an address for each of the {} ports (ports.count)",
                                     values.Origin("forwarding.macs"), forwarding.macs.size(), ports));
      if (std::set<Mac>(forwarding.macs.begin(), forwarding.macs.end()).size() != ports)
        throw UsageError(values.Origin("forwarding.macs") + ": two ports have the same address");
      forwarding.write = values.Pairs("forwarding.write");
      if (by == "table" && built && forwarding.write.empty() && it->library.empty())
        throw UsageError(fmt::format("{}: forwarding.write: is missing; it says how an entry of the table is written",
                                     it->file.string()));
    }
  }
  forwarding.unknown = FateOf(values.Text("forwarding.unknown"));
  forwarding.broadcast = FateOf(values.Text("forwarding.broadcast"));
  forwarding.group = FateOf(values.Text("forwarding.group"));
  forwarding.own_port = FateOf(values.Text("forwarding.own_port"));
}

/// The number of bits that a value takes.
int BitsOf(std::uint32_t value) {
  int bits = 0;
  while (bits < 32 && value >> bits != 0) ++bits;
  return bits;
}

/// Values of the field by class, which the field can hold.
void ReadClassValues(const Values& values, Capability* it) {
  Classes& classes = it->classes;
  const std::vector<std::string>& listed = values.Texts("classes.values");
  if (!listed.empty() && listed.size() != static_cast<std::size_t>(classes.count))
    throw UsageError(fmt::format("{}: its length is {}; list a value for each of the {} classes (classes.count)",
                                 values.Origin("classes.values"), listed.size(), classes.count));
  const int bits = classes.by == ClassField::kPcp ? 3 : classes.by == ClassField::kDscp ? 6 : it->signals.user_bits;
  for (int n = 0; n < classes.count; ++n) {
    const std::int64_t value =
        listed.empty() ? n : ParseInteger(listed[static_cast<std::size_t>(n)], values.Origin("classes.values"));
    if (value < 0 || BitsOf(static_cast<std::uint32_t>(value)) + classes.user_bit > bits)
      throw UsageError(fmt::format("{}: value {} of class {} does not fit into the {} bits of {}",
                                   values.Origin("classes.by"), value, n, bits, values.Text("classes.by")));
    if (std::find(classes.values.begin(), classes.values.end(), static_cast<std::uint32_t>(value)) !=
        classes.values.end())
      throw UsageError(fmt::format("{}: two classes have the value {}", values.Origin("classes.values"), value));
    classes.values.push_back(static_cast<std::uint32_t>(value));
  }
  if (classes.by != ClassField::kUser || it->frames.bad == Fate::kUndefined) return;
  std::uint32_t used = 0;
  for (const std::uint32_t value : classes.values) used |= value << classes.user_bit;
  if ((used >> it->frames.bad_bit & 1) != 0)
    throw UsageError(fmt::format("{}: bit {} of tuser is frames.bad_bit, too", values.Origin("classes.by"),
                                 it->frames.bad_bit));
}

void ReadClassWeights(const Values& values, Capability* it) {
  Classes& classes = it->classes;
  classes.strict = values.Text("classes.order") == "strict";
  if (classes.strict) {
    for (const char* key : {"classes.weights", "classes.unit"})
      values.Refuse(key, "has no effect with classes.order: strict");
    return;
  }
  classes.by_frames = values.Text("classes.unit") == "frames";
  for (const std::string& text : values.Texts("classes.weights")) {
    const double weight = ParseReal(text, values.Origin("classes.weights"));
    if (!(weight > 0)) throw UsageError(fmt::format("{}: {} is no weight", values.Origin("classes.weights"), text));
    classes.weights.push_back(weight);
  }
  const bool claimed = values.Given("claims.classes");
  if (classes.weights.empty()) {
    if (claimed)
      throw UsageError(fmt::format("{}: claims the shares of weights, and there are none; list them in classes.weights, "
                                   "or say classes.order: strict",
                                   values.Origin("claims.classes")));
    return;
  }
  if (classes.weights.size() != static_cast<std::size_t>(classes.count))
    throw UsageError(fmt::format("{}: its length is {}; list a weight for each of the {} classes (classes.count)",
                                 values.Origin("classes.weights"), classes.weights.size(), classes.count));
}

void ReadClasses(const Values& values, Capability* it) {
  Classes& classes = it->classes;
  const std::string by = values.Text("classes.by");
  if (by == "none") {
    for (const char* key : {"classes.count", "classes.values", "classes.user_bit", "classes.order", "classes.weights",
                            "classes.unit", "claims.classes"})
      values.Refuse(key, "has no effect without classes.by");
    return;
  }
  classes.by = by == "pcp" ? ClassField::kPcp : by == "dscp" ? ClassField::kDscp : ClassField::kUser;
  if (classes.by != ClassField::kUser) values.Refuse("classes.user_bit", "has no effect with classes.by: " + by);
  values.RequireGiven("classes.count");
  classes.count = values.Number("classes.count");
  classes.user_bit = values.Number("classes.user_bit");
  if (classes.by != ClassField::kUser) {
    if (it->forwarding.by == Addressing::kTdest)
      throw UsageError(values.Origin("classes.by") + ": frames have an Ethernet header where forwarding.by is not tdest");
    const int header = classes.by == ClassField::kPcp ? kTaggedHeader : kIpHeader;
    if (it->frames.shortest < header)
      throw UsageError(fmt::format("{}: a frame with this field has {} bytes at least", values.Origin("frames.shortest"),
                                   header));
  }
  ReadClassValues(values, it);
  ReadClassWeights(values, it);
}

void ReadFlow(const Values& values, Capability* it) {
  Flow& flow = it->flow;
  flow.stops_inputs = values.Text("flow.in") == "tready";
  flow.outputs_stop = values.Text("flow.out") == "tready";
  flow.lossy = values.Yes("flow.lossy");
  flow.isolates = values.Yes("flow.isolates");
  flow.drops = values.Text("flow.drops");
  flow.drops_width = values.Number("flow.drops_width");
  if (flow.drops.empty()) values.Refuse("flow.drops_width", "has no effect without flow.drops");
  flow.cut_through = values.Yes("flow.cut_through");
  if (!flow.stops_inputs && !flow.lossy)
    throw UsageError(values.Origin("flow.in") +
                     ": a device that stops no input is lossy: outputs are narrower than all inputs");
}

void ReadClaims(const Values& values, Capability* it) {
  Claims& claims = it->claims;
  const std::string level = values.Text("claims.level");
  const std::vector<std::string>& levels = KeyOf("claims.level").words;
  claims.level = static_cast<Level>(std::find(levels.begin(), levels.end(), level) - levels.begin());
  const bool link = it->style == PortStyle::kLink;
  const auto refuse = [&](const char* why) {
    throw UsageError(fmt::format("{}: {}: {}", values.Origin("claims.level"), level, why));
  };
  if (link && claims.level == Level::kBounded)
    refuse("bounds are of AXI-Stream ports; links are held against golden: cycle, observed, or alone: books");
  if (!link && claims.level == Level::kObserved)
    refuse("AXI-Stream ports show no observation record; the highest level is cycle");
  if (link && claims.level == Level::kObserved && it->library.empty() && it->link.record.empty())
    refuse("ports.record is none: there is no record to be compared");
  if (link) return;
  if (claims.level == Level::kCycle && it->profile == nullptr)
    refuse("give ports.profile, the golden switch that the device is compared with");
  if (claims.level == Level::kCycle && it->forwarding.by == Addressing::kTdest)
    refuse("golden finds outputs by MAC, not by tdest");
  if (claims.level != Level::kCycle) values.Refuse("ports.profile", "has no effect with claims.level: " + level);
  claims.progress = *values.MaybeNumber("claims.progress");
  claims.latency = values.MaybeNumber("claims.latency");
  claims.throughput = values.MaybeShare("claims.throughput");
  claims.uniform = values.MaybeShare("claims.uniform");
  claims.fairness = values.MaybeShare("claims.fairness");
  claims.classes = values.MaybeShare("claims.classes");
  if (claims.classes && *claims.classes < kLeastOfClass)
    throw UsageError(fmt::format("{}: {} leaves slack: claim {} at least, and the weights that the device has",
                                 values.Origin("claims.classes"), *claims.classes, kLeastOfClass));
  const bool any = claims.latency || claims.throughput || claims.uniform || claims.fairness || claims.classes;
  if (claims.level == Level::kBooks) {
    for (const char* key : {"claims.latency", "claims.throughput", "claims.uniform", "claims.fairness", "claims.classes"})
      values.Refuse(key, "has no effect with claims.level: books");
  } else if (claims.level == Level::kBounded && !any) {
    throw UsageError(values.Origin("claims.level") +
                     ": bounded by nothing: give claims.latency, throughput, uniform, fairness or classes, or claim books");
  }
}

}  // namespace

std::string ToString(Level level) {
  return fmt::format("L{} {}", static_cast<int>(level), KeyOf("claims.level").words[static_cast<std::size_t>(level)]);
}

std::string PortSignals::Name(const std::string& pattern, const std::string& signal, int port) const {
  return fmt::format(fmt::runtime(pattern), fmt::arg("signal", signal), fmt::arg("port", port));
}

Capability ReadCapability(const fs::path& file, bool built) {
  const Values values(file);
  Capability it;
  it.file = fs::absolute(file).lexically_normal();
  ReadStyle(values, &it);
  ReadDevice(values, built, &it);
  if (it.style == PortStyle::kLink) {
    ReadLinks(values, &it);
    ReadClaims(values, &it);
    return it;
  }
  it.ports = values.Number("ports.count");
  ReadPorts(values, &it);
  ReadFrames(values, &it);
  ReadForwarding(values, built, &it);
  ReadClasses(values, &it);
  ReadFlow(values, &it);
  ReadClaims(values, &it);
  return it;
}

}  // namespace tilefly::conform
