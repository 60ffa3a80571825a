// SPDX-License-Identifier: Apache-2.0
// Congestion control of a run of a system (docs/blocks/flow_channel.md, Results, report, journeys).
#include <fmt/format.h>

#include "runs/system/net_settings.h"

namespace tilefly::runs {
namespace {

constexpr int kMostFlows = 1'000'000;  // of flows.csv

/// A field of FLOW_MARK or FLOW_CHANNEL.
struct FlowKey {
  const char* path;
  std::int64_t most;
  const char* doc;
  void (*set)(network::CongestionOptions* options, std::int64_t value);
};

template <typename Field>
void Put(std::int64_t value, Field* field) {
  *field = static_cast<Field>(value);
}

using Options = network::CongestionOptions;
constexpr FlowKey kFlowKeys[] = {
    {"profile.flow_mark_on", 4095, "MARK_ON: cells waiting at an output from which on acks are marked",
     [](Options* options, std::int64_t value) { Put(value, &options->mark.on); }},
    {"profile.flow_mark_hard", 4095, "MARK_HARD: cells waiting at an output from which on a flow may have one packet in flight",
     [](Options* options, std::int64_t value) { Put(value, &options->mark.hard); }},
    {"profile.flow_full", 4095, "FULL: cells in flight of one flow that fill a link; 0: chosen for the system",
     [](Options* options, std::int64_t value) { Put(value, &options->mark.full); }},
    {"profile.flow_deadline", 255, "times 1024 cycles after which a flow channel's cells without an ack count as lost",
     [](Options* options, std::int64_t value) { Put(value, &options->channel.deadline); }},
    {"profile.flow_idle", 255, "times 1024 cycles without a packet after which a flow is no longer throttled",
     [](Options* options, std::int64_t value) { Put(value, &options->channel.idle); }},
    {"profile.flow_grow", 7, "an ack of n cells without a mark adds n >> grow cells to its flow's window",
     [](Options* options, std::int64_t value) { Put(value, &options->channel.grow); }},
    {"profile.flow_hold", 4095, "cells of a throttled flow that may wait in the source's switch",
     [](Options* options, std::int64_t value) { Put(value, &options->channel.hold); }},
    {"profile.flow_period", 255, "times 64 cycles that a pause of a flow lasts",
     [](Options* options, std::int64_t value) { Put(value, &options->channel.period); }},
    {"profile.flow_first", 4095, "cells that a flow may have in flight before its first ack; 0: no limit",
     [](Options* options, std::int64_t value) { Put(value, &options->channel.first); }},
};

}  // namespace

std::vector<Setting> NetSettings::WithFlowKeys(std::vector<Setting> table) {
  for (const FlowKey& key : kFlowKeys) {
    Setting setting{key.path, key.path, "", key.doc};
    setting.by_path = true;
    table.push_back(setting);
  }
  return table;
}

void NetSettings::ReadCongestion(NetRunOptions* options) const {
  Options& congestion = options->network.congestion;
  congestion.on = Choice("congestion_control", {"on", "off"}) == "on";
  for (const FlowKey& key : kFlowKeys) {
    if (!Get(key.path).empty()) key.set(&congestion, Integer(key.path, 0, key.most));
  }
  congestion.worst_flows = static_cast<int>(Integer("worst_flows", 0, kMostFlows));
  if (!congestion.on) return;
  const Cycle resend = options->network.nics.resend;
  if (resend == 0 || resend >= congestion.Deadline()) return;
  options->warnings.push_back(fmt::format(
      "warning: {} {}: NICs send packets again that a flow channel holds, for its deadline is {} cycles "
      "(--set profile.flow_deadline); a longer time sends fewer copies",
      NameOf("nic.resend"), Get("nic.resend"), congestion.Deadline()));
}

}  // namespace tilefly::runs
