// SPDX-License-Identifier: Apache-2.0
#include "systemc/trace/transaction_log.h"

#include <algorithm>

namespace tilefly::systemc {

Transaction* TransactionLog::Begin(int stream, const fabric::Packet& packet, const golden::HeaderBits& header,
                                   const char* stage, Cycle cycle) {
  if (*left_ == 0) return nullptr;
  --*left_;
  streams_[static_cast<std::size_t>(stream)].push_back(
      {{cycle, cycle, {{cycle, stage}}}, packet.number, header, packet.enh, packet.bad, packet.length});
  return &streams_[static_cast<std::size_t>(stream)].back();
}

void TransactionLog::Words(Stream link, const fabric::Packet& packet, Cycle first, Cycle behind) {
  if (Transaction* const words = Begin(link, packet, packet.header, "words", first)) words->end = behind;
}

void TransactionLog::Enter(const fabric::Packet& packet, const golden::HeaderBits& header, int vl, const char* stage,
                           Cycle cycle) {
  const auto found = inside_.find(&packet);
  if (found != inside_.end()) {
    streams_[static_cast<std::size_t>(found->second.stream)][found->second.index].steps.push_back({cycle, stage});
  } else if (Begin(vl, packet, header, stage, cycle) != nullptr) {
    inside_[&packet] = {vl, streams_[static_cast<std::size_t>(vl)].size() - 1};
  }
}

void TransactionLog::Leave(const fabric::Packet& packet, Cycle cycle) {
  const auto found = inside_.find(&packet);
  if (found == inside_.end()) return;
  Transaction& stay = streams_[static_cast<std::size_t>(found->second.stream)][found->second.index];
  stay.end = std::max(cycle, stay.steps.back().cycle + 1);
  inside_.erase(found);
}

void TransactionLog::Enter(const tlm::tlm_generic_payload& access, std::int64_t nic, std::uint64_t offset,
                           const char* stage, Cycle cycle) {
  const auto found = under_way_.find(&access);
  if (found != under_way_.end()) return accesses_[found->second].steps.push_back({cycle, stage});
  if (*left_ == 0) return;
  --*left_;
  under_way_[&access] = accesses_.size();
  accesses_.push_back({{cycle, cycle, {{cycle, stage}}}, access.is_write(), nic, offset, access.get_data_length(),
                       tlm::TLM_INCOMPLETE_RESPONSE});
}

void TransactionLog::Leave(const tlm::tlm_generic_payload& access, tlm::tlm_response_status response, Cycle cycle) {
  const auto found = under_way_.find(&access);
  if (found == under_way_.end()) return;
  Access& ended = accesses_[found->second];
  ended.response = response;
  ended.end = std::max(cycle, ended.steps.back().cycle + 1);
  under_way_.erase(found);
}

void TransactionLog::Finish(Cycle cycle) {
  while (!inside_.empty()) Leave(*inside_.begin()->first, cycle);
  while (!under_way_.empty()) Leave(*under_way_.begin()->first, tlm::TLM_INCOMPLETE_RESPONSE, cycle);
}

std::string TransactionLog::NameOf(int stream) {
  if (stream == kIn) return "in";
  if (stream == kOut) return "out";
  return "vl" + std::to_string(stream);
}

const char* TransactionLog::NameOf(golden::Stage stage) {
  switch (stage) {
    case golden::Stage::kQueued:
      return "queued";
    case golden::Stage::kRequested:
    case golden::Stage::kStored:
      return "requested";
    case golden::Stage::kGranted:
    case golden::Stage::kGrantHere:
      return "granted";
    case golden::Stage::kPicked:
      return "picked";
    case golden::Stage::kArrived:
      return "buffered";
    case golden::Stage::kRerouted:
      return "rerouted";
  }
  return "";
}

}  // namespace tilefly::systemc
