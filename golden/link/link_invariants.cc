// SPDX-License-Identifier: Apache-2.0
// The invariants of docs/blocks/link.md.
#include <algorithm>

#include "golden/link/check.h"
#include "golden/link/mac_in.h"
#include "golden/link/mac_out.h"

namespace tilefly::golden {

void MacIn::Check(Cycle now, int port, Audit* audit) const {
  if (!in_packet_) return;
  const int taken = enh_ ? std::min(length_, kWordBytes * k_ - HeaderBits::kBytes) : kWordBytes * k_;
  audit->Require("LINK-1", static_cast<int>(frames_[frame_].bytes.size()) == taken, port, k_);
  // The next word is due later, and their number is bounded: the packet comes to its end whatever the link brings.
  audit->Require("LINK-4", k_ < (enh_ ? words_ : profile_.mtu_words_std), port, k_);
  audit->Require("LINK-4", a0_ + WordOffset(k_, mode_.serdes_lanes) > now, port, a0_);
}

void MacOut::Check(Cycle now, int port, Audit* audit) const {
  Cycle free = now + 1;  // the link's first slot that is not taken
  for (const Sending& sending : sending_) {
    const Cycle next = sending.first + WordOffset(sending.next, sending.serdes_lanes);
    audit->Require("LINK-2", next >= free && sending.next < sending.words, port, sending.first);
    free = sending.first + WordOffset(sending.words - 1, sending.serdes_lanes) + 1;
    if (sending.frame == kNone) continue;
    const Frame& frame = frames_[sending.frame];
    if (frame.bad || static_cast<int>(frame.bytes.size()) < sending.framer.length()) continue;
    const bool good = CheckFrame(frame.bytes.data(), frame.bytes.size()) == CheckResult::kGood;
    audit->Require("LINK-3", good, port, sending.framer.length());
  }
}

}  // namespace tilefly::golden
