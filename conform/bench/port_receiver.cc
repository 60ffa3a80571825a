// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/port_receiver.h"

#include <fmt/format.h>

#include "support/random.h"

namespace tilefly::conform {

PortReceiver::PortReceiver(const Capability& capability, const Scenario& scenario, std::uint64_t seed, int port)
    : capability_(capability), scenario_(scenario), seed_(seed), port_(port) {}

bool PortReceiver::Ready(Cycle now, bool open, bool shut) {
  if (!capability_.flow.outputs_stop || (open && !scenario_.patient)) return true;
  if (shut || port_ == StoppedOutput(capability_, scenario_, seed_)) return false;
  if (scenario_.patient) return held_.valid;
  if (now < stalled_until_) return false;
  Stream stalls(seed_, static_cast<std::uint32_t>(port_), static_cast<std::uint64_t>(now), Purpose::kCreditStall);
  if (Unit(stalls.Next()) >= scenario_.stalls.share) return true;
  stalled_until_ = now + 1 + static_cast<Cycle>(stalls.Below(static_cast<std::uint64_t>(scenario_.stalls.most)));
  return false;
}

void PortReceiver::Check(Cycle now, const Beat& beat) const {
  const auto judged = [&](const char* rule) { return !scenario_.mask.Covers(rule, port_); };
  if (held_.valid && !beat.valid && judged("tvalid"))
    throw Breach("tvalid", now, port_, "tvalid fell before tready took the beat (IHI 0051, 2.2.1)");
  if (held_.valid && beat.valid && beat != held_ && judged("stable"))
    throw Breach("stable", now, port_, "a beat changed before tready took it (IHI 0051, 2.2.1)");
  if (!beat.valid) return;
  const int width = capability_.signals.data_bytes;
  const std::uint64_t full = width == kMostBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const bool whole = beat.keep == full;
  const bool prefix = beat.keep != 0 && (beat.keep & (beat.keep + 1)) == 0 && (beat.keep & ~full) == 0;
  if ((beat.last ? !(prefix || whole) : !whole) && judged("tkeep"))
    throw Breach(
        "tkeep", now, port_,
        fmt::format("tkeep is {:#x} in {} beat; {}", beat.keep, beat.last ? "a last" : "an inner",
                    beat.last ? "bytes of a frame are kept from byte 0 on, one at least" : "all bytes of it are kept"));
  if (!bytes_.empty() && (beat.dest != dest_ || beat.id != id_) && judged("tdest"))
    throw Breach("tdest", now, port_,
                 beat.dest != dest_ ? fmt::format("tdest changed within a frame, from {} to {}", dest_, beat.dest)
                                    : fmt::format("tid changed within a frame, from {} to {}", id_, beat.id));
}

std::optional<Arrival> PortReceiver::Look(Cycle now, const Beat& beat, bool ready, Books* books) {
  if (scenario_.mask.CoversPort(port_)) {
    held_ = ready ? Beat{} : beat;
    return std::nullopt;
  }
  Check(now, beat);
  if (beat.valid && bytes_.empty() && !held_.valid) shown_ = now;
  if (!beat.valid || !ready) {
    held_ = beat;
    return std::nullopt;
  }
  held_ = Beat{};
  ++beats_;
  dest_ = beat.dest;
  id_ = beat.id;
  for (int i = 0; i < kMostBytes && (beat.keep >> i & 1) != 0; ++i)
    bytes_.push_back(beat.data[static_cast<std::size_t>(i)]);
  if (bytes_.size() > books->longest() + static_cast<std::size_t>(kMostBytes))
    throw Breach(
        "tlast", now, port_,
        fmt::format("{} bytes without tlast; the longest frame that went in has {}", bytes_.size(), books->longest()));
  if (!beat.last) return std::nullopt;
  const bool marked = capability_.frames.bad == Fate::kMarked && (beat.user >> capability_.frames.bad_bit & 1) != 0;
  Arrival arrival{books->CameOut(port_, bytes_, marked, id_, shown_, now), shown_, now};
  bytes_.clear();
  return arrival;
}

void PortReceiver::Reset() {
  held_ = Beat{};
  bytes_.clear();
}

}  // namespace tilefly::conform
