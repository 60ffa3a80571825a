// SPDX-License-Identifier: Apache-2.0
#include "cosim/setup/class_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "cosim/setup/frame.h"
#include "golden/common/register_write.h"
#include "golden/routing/route_names.h"
#include "golden/scheduler/scheduler_table.h"
#include "qos/buffers.h"
#include "qos/planner.h"
#include "qos/quantity.h"
#include "support/errors.h"

namespace tilefly::cosim {
namespace {

using golden::kAllPorts;
using golden::WriteRegister;

constexpr int kTicks = 256;       // parts of a cycle in which the shaper counts
constexpr int kMostCost = 65535;  // 16 bits
constexpr int kEdge = 0;  // PORT.MODE.pclass

std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

Cfg WriteClassRegister(int tc, ClassReg reg, std::uint64_t data) {
  return WriteRegister(kAllPorts, CfgSpace::kClass, golden::IndexOf(tc, reg), data);
}

int VlmapIndexOf(int tc, int vl_in, int in, int out) {
  return static_cast<int>(VlmapIndex::Of(static_cast<std::uint64_t>(out), static_cast<std::uint64_t>(in),
                                         static_cast<std::uint64_t>(vl_in), static_cast<std::uint64_t>(tc))
                              .ToBits());
}

}  // namespace

ClassSetup::ClassSetup(const std::filesystem::path& file, const Profile& profile, int lanes)
    : ClassSetup(qos::LoadTableOrPlan(file), file.string(), profile, lanes) {}

ClassSetup::ClassSetup(qos::Table table, std::string file, const Profile& profile, int lanes)
    : table_(std::move(table)), file_(std::move(file)), profile_(profile), lanes_(lanes) {
  Refuse();
  Mark();
}

void ClassSetup::Refuse() const {
  if (table_.size() > profile_.dtable_entries)
    throw UsageError(
        fmt::format("{}: table: {} entries, {} more than the {} of profile {} (dtable_entries); plan it with "
                    "entries: {}",
                    file_, table_.size(), table_.size() - profile_.dtable_entries, profile_.dtable_entries,
                    profile_.name, profile_.dtable_entries));
  qos::RefuseErrors(qos::CheckBuffers(table_.classes, table_.shared_buffer, profile_), file_);
  for (const qos::TrafficClass& one : table_.classes) {
    if (one.mtu > profile_.mtu_cells)
      throw UsageError(
          fmt::format("{}: class {}: its mtu of {} credits is {} more than the switch's {} cells (mtu_bytes {}); "
                      "lower it",
                      file_, one.name, one.mtu, one.mtu - profile_.mtu_cells, profile_.mtu_cells, profile_.mtu_bytes));
    for (const int lane : one.lanes) {
      if (lane >= profile_.vls)
        throw UsageError(fmt::format("{}: class {}: lane {} is none of the {} of profile {} (vls)", file_, one.name,
                                     lane, profile_.vls, profile_.name));
    }
    Maximum(one);
  }
}

void ClassSetup::SpreadLanes(int count) {
  const int classes = static_cast<int>(table_.classes.size());
  if (count <= 1 || classes * count > profile_.vls || table_.classes.front().own_lanes) return;
  int next = 0;
  for (qos::TrafficClass& one : table_.classes) {
    one.lanes.resize(Index(count));
    std::iota(one.lanes.begin(), one.lanes.end(), next);
    next += count;
  }
  Mark();
}

void ClassSetup::Mark() {
  const int last = static_cast<int>(table_.classes.size()) - 1;
  owner_.fill(last);
  owns_.fill(table_.classes[Index(last)].level);
  for (int c = 0; c <= last; ++c) {
    const qos::TrafficClass& one = table_.classes[Index(c)];
    owner_[Index(one.level)] = c;
    for (const int lane : one.lanes) owns_[Index(lane)] = one.level;
  }
  for (int d = 0; d < 64; ++d) dscp_[Index(d)] = Of(d >> 3).level;
  for (int p = 0; p < 8; ++p) pcp_[Index(p)] = Of(p).level;
  for (const qos::TrafficClass& one : table_.classes) {
    for (const int d : one.dscp) dscp_[Index(d)] = one.level;
    for (const int p : one.pcp) pcp_[Index(p)] = one.level;
  }
}

std::string ClassSetup::Units() const {
  const qos::Units& units = table_.units;
  const std::int64_t link_mbps = std::int64_t{profile_.clock_khz} * 8 * kWordBytes * lanes_ / 4000;
  std::string text;
  if (units.credit_bytes != kCellBytes || units.header_bytes != kHeaderBytes) {
    text = fmt::format("credits of {} B, {} B of header: taken as cells of {} B, {} B of header", units.credit_bytes,
                       units.header_bytes, kCellBytes, kHeaderBytes);
    for (const qos::TrafficClass& one : table_.classes)
      text += fmt::format(", {} {} B", one.name, LargestFrame(one.mtu));
  }
  if (units.link_mbps != link_mbps)
    text += fmt::format("{}shares of {}Mbps: taken of the ports' {}Mbps", text.empty() ? "" : "; ", units.link_mbps,
                        link_mbps);
  return text;
}

/// CLASS.MAXIMUM. A cell takes 48 / (8 lanes) cycles of the link, and 1 / share of that at the maximum. The cost is
/// rounded up, so that a class never gets more than its maximum; the depth is the burst, exactly.
std::uint64_t ClassSetup::Maximum(const qos::TrafficClass& one) const {
  if (!one.maximum) return 0;
  const std::int64_t whole = std::int64_t{kTicks} * kCellBytes * 4 * qos::kWhole;
  const std::int64_t words = std::int64_t{kWordBytes} * lanes_;
  const std::int64_t cost = CeilDiv(whole, words * one.maximum->share);
  if (cost > kMostCost)
    throw UsageError(
        fmt::format("{}: class {}: maximum {} is less than {} of a link of {} lanes, the least that the shaper "
                    "can hold; raise it",
                    file_, one.name, qos::ShareText(one.maximum->share),
                    qos::ShareText(CeilDiv(whole, words * kMostCost)), lanes_));
  return ClassMaximum::Of(static_cast<std::uint64_t>(cost), static_cast<std::uint64_t>(one.maximum->burst * cost))
      .ToBits();
}

RouteMode ClassSetup::Routing(int tc) const {
  return golden::FindRouteName(Of(tc).routing)->mode;
}

int ClassSetup::Lane(int tc, int port_class, int lane_in) const {
  const std::vector<int>& lanes = Of(tc).lanes;
  const bool own = std::find(lanes.begin(), lanes.end(), lane_in) != lanes.end();
  return port_class != kEdge && own ? lane_in : lanes.front();
}

/// What comes in: of a class that the file does not have, as its last class says, but for the reserve.
void ClassSetup::WriteClass(int tc, std::vector<Cfg>* writes) const {
  const qos::TrafficClass& one = Of(tc);
  const auto reserve = static_cast<std::uint64_t>(Has(tc) ? one.buffer.reserve : 0);
  writes->push_back(
      WriteClassRegister(tc, ClassReg::kShare,
                         ClassShare::Of(reserve, static_cast<std::uint64_t>(one.buffer.most), one.lossy).ToBits()));
  writes->push_back(WriteClassRegister(tc, ClassReg::kMtu, static_cast<std::uint64_t>(one.mtu)));
  writes->push_back(WriteClassRegister(
      tc, ClassReg::kRouting, ClassRouting::Of(static_cast<std::uint64_t>(Routing(tc)), one.ordered).ToBits()));
}

/// Only what is not so at power-up (switch page).
void ClassSetup::WriteLanes(const std::vector<int>& port_classes, std::vector<Cfg>* writes) const {
  for (int lane = 0; lane < profile_.vls; ++lane) {
    if (owns_[Index(lane)] != lane % 8)
      writes->push_back(
          WriteRegister(kAllPorts, CfgSpace::kVlClass, lane, static_cast<std::uint64_t>(owns_[Index(lane)])));
  }
  for (int tc = 0; tc < profile_.classes; ++tc) {
    for (int lane_in = 0; lane_in < profile_.vls; ++lane_in) {
      for (const int in : port_classes) {
        const int lane = Lane(tc, in, lane_in);
        if (lane == (in == kEdge ? tc : lane_in)) continue;
        for (const int out : port_classes)
          writes->push_back(WriteRegister(kAllPorts, CfgSpace::kVlmap, VlmapIndexOf(tc, lane_in, in, out),
                                          static_cast<std::uint64_t>(lane)));
      }
    }
  }
  for (int d = 0; d < 64; ++d) {
    if (OfDscp(d) != d >> 3)
      writes->push_back(WriteRegister(kAllPorts, CfgSpace::kDscp, d, static_cast<std::uint64_t>(OfDscp(d))));
  }
  for (int p = 0; p < 8; ++p) {
    if (OfPcp(p) != p)
      writes->push_back(WriteRegister(kAllPorts, CfgSpace::kPcp, p, static_cast<std::uint64_t>(OfPcp(p))));
  }
}

std::vector<Cfg> ClassSetup::SchedulerWrites() const {
  std::vector<Cfg> writes;
  for (int e = 0; e < profile_.dtable_entries; ++e) {
    const qos::Entry entry = e < table_.size() ? table_.entries[Index(e)] : qos::Entry{};
    const int level = entry.owner < 0 ? 0 : table_.classes[Index(entry.owner)].level;
    writes.push_back(WriteRegister(
        kAllPorts, CfgSpace::kDtable, e,
        DtableEntry::Of(static_cast<std::uint64_t>(entry.weight), static_cast<std::uint64_t>(level)).ToBits()));
  }
  for (const qos::TrafficClass& one : table_.classes) {
    writes.push_back(WriteClassRegister(one.level, ClassReg::kGroup, static_cast<std::uint64_t>(one.group)));
    writes.push_back(WriteClassRegister(one.level, ClassReg::kMaximum, Maximum(one)));
  }
  writes.push_back(WriteRegister(kAllPorts, CfgSpace::kDtable, golden::kSwapIndex, 0));
  return writes;
}

std::vector<Cfg> ClassSetup::Writes(const std::vector<int>& port_classes) const {
  std::vector<Cfg> writes = SchedulerWrites();
  for (int tc = 0; tc < profile_.classes; ++tc) WriteClass(tc, &writes);
  const int shared = std::max(qos::SharedBuffer(table_.classes, table_.shared_buffer, profile_), 0);
  writes.push_back(WriteRegister(kAllPorts, CfgSpace::kClass, golden::IndexOf(TableReg::kClassShared),
                                 static_cast<std::uint64_t>(shared)));
  WriteLanes(port_classes, &writes);
  return writes;
}

}  // namespace tilefly::cosim
