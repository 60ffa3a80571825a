// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/standstill.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tilefly::runs {

bool Standstill::Look(Cycle now, std::int64_t offered, bool source_waits, bool excused) {
  std::int64_t activity = offered;
  bool holding = false;
  for (const auto& endpoint : endpoints_) {
    activity += endpoint->sender().words_sent() + endpoint->receiver().words_received();
    if (endpoint->retry() != nullptr) activity += endpoint->retry()->work().words;  // what is sent again moves, too
    holding |= endpoint->sender().holding();
  }
  const bool moved = activity != activity_;
  activity_ = activity;
  if (moved || excused || (source_waits && !holding)) since_ = now;
  if (moved) return false;
  since_ = std::max(since_, PausesEnd());
  return now - since_ > patience_;
}

Cycle Standstill::PausesEnd() const {
  Cycle end = 0;
  for (const auto& endpoint : endpoints_) end = std::max(end, endpoint->sender().asked_until());
  return end;
}

std::string Standstill::PausedPorts(Cycle now) const {
  std::vector<std::size_t> ports;
  for (std::size_t port = 0; port < endpoints_.size(); ++port) {
    const cosim::LinkSender& sender = endpoints_[port]->sender();
    if (sender.holding() && sender.paused(now)) ports.push_back(port);
  }
  std::string text =
      ports.empty() ? "" : fmt::format("; the switch pauses the senders of ports {}", fmt::join(ports, ", "));
  for (std::size_t port = 0; port < endpoints_.size(); ++port) {
    const std::string why = endpoints_[port]->retry() != nullptr ? endpoints_[port]->retry()->WhyNotQuiet(now) : "";
    if (!why.empty()) text += fmt::format("; link of port {}: {}", port, why);
  }
  return text;
}

}  // namespace tilefly::runs
