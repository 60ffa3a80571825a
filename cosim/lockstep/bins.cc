// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep/bins.h"

#include <algorithm>

namespace tilefly::cosim {
namespace {

constexpr const char* kBinNames[] = {
    "full_input_buffer",  "no_room",        "no_credit",       "all_inputs_one_output",
    "all_rows_one_cycle", "load_saturated", "pause_to_switch", "pause_from_switch",
    "grant_wrap",         "take_wrap",      "credit_wrap",
};
constexpr int kLoadLimit = 4095;

}  // namespace

Bins::Bins(const Profile& profile)
    : profile_(profile),
      waiting_(static_cast<std::size_t>(profile.ports * profile.ports)),
      row_waiting_(static_cast<std::size_t>(profile.ports * profile.rows)),
      last_source_(static_cast<std::size_t>(profile.ports)),
      last_row_(static_cast<std::size_t>(profile.ports)) {
  static_assert(std::size(kBinNames) == kBins);
}

/// Keeps count of who has requests at which output, from requests and grants.
void Bins::TrackRequests(const Portobs& obs, int port) {
  const auto row = [&](int output, int input) -> std::uint8_t& {
    return row_waiting_[static_cast<std::size_t>(output * profile_.rows + input / profile_.row_in)];
  };
  const auto waiting = [&](int output, int input) -> std::uint16_t& {
    return waiting_[static_cast<std::size_t>(output * profile_.ports + input)];
  };
  if (obs.req_valid && waiting(obs.req_dst, port)++ == 0) {
    Count(kAllInputsOneOutput) += ++row(obs.req_dst, port) == profile_.row_in;
  }
  // A device that grants what nobody requested is caught elsewhere.
  if (obs.dec_valid && !obs.dec_red && waiting(port, obs.dec_src) > 0 && --waiting(port, obs.dec_src) == 0) --row(port, obs.dec_src);
}

void Bins::Sample(const Observation& observation, std::uint64_t withholding) {
  for (int port = 0; port < profile_.ports; ++port) {
    const auto at = static_cast<std::size_t>(port);
    const Portobs& obs = observation.ports[at];
    if (obs.req_valid || obs.dec_valid) TrackRequests(obs, port);
    if (obs.dec_valid && !obs.dec_red) {
      Count(kGrantWrap) += obs.dec_src < last_source_[at];
      last_source_[at] = obs.dec_src;
    } else if (!obs.dec_valid && obs.load > 0) {
      if (obs.obuf_room < profile_.mtu_cells) {
        ++Count(kNoRoom);
      } else {
        Count(kNoCredit) += static_cast<std::int64_t>(withholding >> port & 1);
      }
    }
    if (obs.take_valid) {
      Count(kTakeWrap) += obs.take_row < last_row_[at];
      last_row_[at] = obs.take_row;
    }
    Count(kFullInputBuffer) += obs.ibuf_cells + profile_.mtu_cells > profile_.cells;
    Count(kLoadSaturated) += obs.load == kLoadLimit;
    const unsigned all_rows = (1u << profile_.rows) - 1;  // row R, where there is one, need not be among them
    Count(kAllRowsOneCycle) += (obs.arr_rows & all_rows) == all_rows;
    if (obs.drop_valid) ++drops_[std::min<std::size_t>(obs.drop_reason, kDropReasons - 1)];
  }
}

void Bins::AddPauses(std::int64_t to_switch, std::int64_t from_switch) {
  Count(kPauseToSwitch) += to_switch;
  Count(kPauseFromSwitch) += from_switch;
}

void Bins::Merge(const Bins& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  for (std::size_t i = 0; i < drops_.size(); ++i) drops_[i] += other.drops_[i];
}

std::vector<std::pair<std::string, std::int64_t>> Bins::Entries() const {
  std::vector<std::pair<std::string, std::int64_t>> entries;
  for (std::size_t i = 0; i < counts_.size(); ++i) entries.emplace_back(kBinNames[i], counts_[i]);
  for (std::size_t i = 1; i < drops_.size(); ++i) {
    entries.emplace_back(std::string("drop_") + ToString(static_cast<Drop>(i)), drops_[i]);
  }
  return entries;
}

std::int64_t Bins::Get(const std::string& name) const {
  for (const auto& [known, count] : Entries()) {
    if (known == name) return count;
  }
  return -1;
}

}  // namespace tilefly::cosim
