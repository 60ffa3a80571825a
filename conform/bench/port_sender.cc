// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/port_sender.h"

#include <utility>

#include "support/random.h"

namespace tilefly::conform {

PortSender::PortSender(const Capability& capability, const Scenario& scenario, std::uint64_t seed, int port)
    : capability_(capability), scenario_(scenario), seed_(seed), port_(port) {}

void PortSender::Drive(Cycle now, FrameSource* source, bool empty, Beat* beat) {
  if (!offered_) {
    if (frame_ == nullptr && source != nullptr) {
      frame_ = source->Next(port_, now, empty);
      beat_ = 0;
    }
    if (frame_ == nullptr || now < pause_until_) {
      *beat = Beat{};
      return;
    }
    const std::uint32_t bad = capability_.frames.bad == Fate::kUndefined ? 0 : 1u << capability_.frames.bad_bit;
    *beat = BeatOf(*frame_, beat_, capability_.signals.data_bytes, bad);
    offered_ = true;
    driven_since_ = now;
    if (beat_ == 0) offered_since_ = now;
  }
}

FramePtr PortSender::Look(Cycle now, bool ready, FrameSource* source, Books* books) {
  waits_ = offered_ && !ready;
  if (!offered_ || !ready) return nullptr;
  offered_ = false;
  ++beats_;
  if (beat_ == 0) books->Begin(frame_, offered_since_, now);
  if (++beat_ == BeatsOf(*frame_, capability_.signals.data_bytes)) {
    books->End(frame_, now);
    source->Sent(port_, now);
    return std::exchange(frame_, nullptr);
  }
  Stream gaps(seed_, static_cast<std::uint32_t>(port_), static_cast<std::uint64_t>(beats_), Purpose::kStartStall);
  if (Unit(gaps.Next()) < scenario_.gaps.share)
    pause_until_ = now + 2 + static_cast<Cycle>(gaps.Below(static_cast<std::uint64_t>(scenario_.gaps.most)));
  return nullptr;
}

void PortSender::Reset() {
  frame_ = nullptr;
  offered_ = waits_ = false;
  pause_until_ = 0;
}

}  // namespace tilefly::conform
