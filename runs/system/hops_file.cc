// SPDX-License-Identifier: Apache-2.0
#include "runs/system/hops_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/common/stage_times.h"

namespace tilefly::runs {
namespace {

using golden::Stage;
using network::Journey;
using network::JourneyHop;

constexpr std::size_t kPiece = std::size_t{1} << 20;  ///< bytes that are written at a time
constexpr const char* kHead =
    "packet,source,destination,class,bytes,end,counted,created_cycle,link_free_cycle,sent_cycle,last_word_cycle,"
    "hop,at,in_port,out_port,lane,path,first_word_cycle,stored_cycle,queued_cycle,requested_cycle,request_stored_cycle,"
    "granted_cycle,grant_at_input_cycle,picked_cycle,first_cell_cycle,taken_cycle,no_credit_cycles,no_room_cycles,"
    "words_to_come_cycles,first_attempt_cycle,rerouted_cycle,retry_cycles,throttled_cycles\n";
/// Of a packet that is in no switch yet: the fields from `hop` on.
constexpr const char* kNoHop = ",,,,,,,,,,,,,,,,,,,,,,\n";

const char* EndOf(const Journey& journey) {
  return journey.dropped ? "dropped" : journey.delivered() ? "delivered" : "inside";
}

Cycle At(const JourneyHop& hop, Stage stage) { return hop.stages[static_cast<std::size_t>(stage)]; }

void AppendNumber(std::string* text, std::int64_t value) {
  const fmt::format_int digits(value);
  text->append(digits.data(), digits.size());
}

}  // namespace

HopsFile::HopsFile(const RunDirectory& directory, network::Network* network)
    : network_(network), begin_(network->nics().begin), file_(directory, "hops.csv"), text_(kHead) {
  network->TellJourneys([this](const Journey& journey, bool counted) { Add(journey, counted); });
}

void HopsFile::Close() {
  network_->TellJourneysInside();
  network_->TellJourneys(nullptr);
  file_.Write(text_);
  file_.Close();
}

void HopsFile::Add(const Journey& journey, bool counted) {
  ++packets_;
  Begin(journey, counted);
  int number = 0;
  for (const JourneyHop& hop : journey.hops) {
    number += !hop.again;
    AddHop(hop, number);
  }
  if (journey.hops.empty()) (text_ += packet_) += kNoHop;
  if (text_.size() < kPiece) return;
  file_.Write(text_);
  text_.clear();
}

void HopsFile::Begin(const Journey& journey, bool counted) {
  packet_.clear();
  packet_ += 'e';
  AppendNumber(&packet_, journey.record.source);
  packet_ += ':';
  AppendNumber(&packet_, journey.number);
  packet_ += ",e";
  AppendNumber(&packet_, journey.record.source);
  packet_ += ",e";
  AppendNumber(&packet_, journey.record.destination);
  for (const std::int64_t value : {std::int64_t{journey.tc}, std::int64_t{journey.length}}) {
    packet_ += ',';
    AppendNumber(&packet_, value);
  }
  ((packet_ += ',') += EndOf(journey)) += counted ? ",1" : ",0";
  for (const Cycle cycle : {journey.record.created, journey.ready, journey.record.sent, journey.last}) {
    packet_ += ',';
    if (cycle >= 0) AppendNumber(&packet_, cycle - begin_);
  }
}

void HopsFile::Number(std::int64_t value) {
  text_ += ',';
  AppendNumber(&text_, value);
}

/// Empty where it did not come.
void HopsFile::AtCycle(Cycle cycle) {
  text_ += ',';
  if (cycle >= 0) AppendNumber(&text_, cycle - begin_);
}

void HopsFile::AddHop(const JourneyHop& hop, int number) {
  const bool queued = At(hop, Stage::kQueued) >= 0, granted = At(hop, Stage::kGranted) >= 0;
  text_ += packet_;
  Number(number);
  text_ += ",s";
  AppendNumber(&text_, hop.node);
  Number(hop.in_port);
  if (queued) {
    Number(hop.out_port);
    Number(hop.lane);
  } else {
    text_ += ",,";
  }
  text_ += !hop.decided ? "," : hop.nonminimal ? ",non-minimal" : ",minimal";
  AtCycle(hop.first);
  AtCycle(hop.trigger);
  for (const Cycle cycle : hop.stages) AtCycle(cycle);
  AtCycle(hop.taken);
  if (granted) {
    Number(hop.waits.no_credit);
    Number(hop.waits.no_room);
  } else {
    text_ += ",,";
  }
  if (const Cycle here = At(hop, Stage::kGrantHere); here >= 0) {
    Number(std::max<Cycle>(0, hop.earliest_pick - (here + golden::kEventToDecision)));
  } else {
    text_ += ',';
  }
  AtCycle(hop.tried);
  AtCycle(hop.rerouted);
  if (hop.taken >= 0) {
    Number(hop.held);
  } else {
    text_ += ',';
  }
  if (network_->options().congestion.on && queued) {
    Number(hop.throttled);
  } else {
    text_ += ',';
  }
  text_ += '\n';
}

}  // namespace tilefly::runs
