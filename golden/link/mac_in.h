// SPDX-License-Identifier: Apache-2.0
// MAC of one port, receiving side (docs/blocks/link.md, In): makes whole packets of whatever words come, and judges them.
// One call a wire cycle; an idle cycle without a word needs none.
#pragma once

#include "generated/wire.h"
#include "golden/common/audit.h"
#include "golden/link/arrival.h"
#include "golden/link/control_frame.h"
#include "golden/link/frame_store.h"
#include "golden/registers/registers.h"

namespace tilefly::golden {

class MacIn {
 public:
  /// What the port's registers say to its MAC.
  struct Mode {
    bool cut_through;
    bool obeys_pause;  ///< port without credits
    int serdes_lanes;
  };
  /// What a wire cycle brought. Its effects in the switch are due four cycles later.
  struct Events {
    bool stray = false;    ///< a word outside any packet
    bool refused = false;  ///< a packet started whose header is out of range; it is none
    bool started = false;  ///< `arrival` is valid
    bool ended = false;    ///< `end` is valid
    Arrival arrival;       ///< payload: index in the frame store, with a use for the caller
    End end;               ///< status of a packet that is cut through: kNone, kStomped, or another for damaged
    Payload payload;       ///< of the packet that ended: the MAC has dropped its use
    PauseRequest pause;    ///< of the packet that ended, when it is to be obeyed
  };

  static Mode ModeOf(const PortRegisters& registers) {
    return {registers.mode.cut_through, !registers.mode.credits, registers.serdes_lanes()};
  }

  MacIn(const Profile& profile, FrameStore& frames) : profile_(profile), frames_(frames) {}

  /// Takes the word of wire cycle `now`. A port that is down or not enabled hears no word (`heard` = false).
  Events Step(Cycle now, const Word& word, bool heard, const Mode& mode);
  /// Checks LINK-1 and LINK-4 of `port`, after cycle `now`.
  void Check(Cycle now, int port, Audit* audit) const;
  /// Whether no packet is in progress.
  bool idle() const { return !in_packet_; }

 private:
  void Start(Cycle now, const Word& word, const Mode& mode, Events* events);
  void TakeWithHeader(const Word& word, bool present, Events* events);
  void TakeBare(const Word& word, bool present, Events* events);
  void Store(const std::uint8_t* data, int size);
  void Finish(Drop cause, Events* events);
  Drop Judge(const Frame& frame) const;

  const Profile& profile_;
  FrameStore& frames_;
  bool in_packet_ = false;
  bool enh_ = false;
  bool bad_ = false;
  Mode mode_{};       ///< as it was at the first word
  Cycle a0_ = 0;
  int k_ = 0;         ///< next word
  int words_ = 0;     ///< with header: words to take
  int length_ = 0;    ///< with header: bytes of the frame
  Index frame_ = kNone;
};

}  // namespace tilefly::golden
