// SPDX-License-Identifier: Apache-2.0
// What comes to a port of a device over a link that repeats (docs/network.md, Devices): the words of attempts with
// their tags, and control slots, as the plan's faults leave them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cosim/setup/frame.h"
#include "faults/direction_faults.h"
#include "network/link_downs.h"
#include "network/messages.h"
#include "network/planned_faults.h"
#include "network/red_packets.h"
#include "network/ring.h"

namespace tilefly::cosim {

class AttemptsIn {
 public:
  /// `plan`: what goes wrong on the way to the port. Traffic begins in cycle `begin`: before it nothing does.
  AttemptsIn(const network::DirectionPlan& plan, Cycle begin);
  /// When the link is down; `downs` must outlive this object. A word that is here in cycle c is on the wire if its
  /// sender's link was up in cycle c - `way`.
  void Use(const network::LinkDowns& downs, Cycle way) {
    downs_ = &downs;
    way_ = way;
  }

  /// An attempt is on its way; attempts come in the order of their cycles.
  void Take(const network::LinkAttempt& attempt) { attempts_.Push(attempt); }
  /// The attempt whose first word is sent to be here in cycle `now`; null: none is.
  const network::LinkAttempt* BeginsIn(Cycle now) const {
    return attempts_.empty() || attempts_.front().wire != now ? nullptr : &attempts_.front();
  }
  /// What its words are, as they were sent; before Drive.
  void SetFrame(FramePtr frame) { next_ = {std::move(frame), nullptr, {}}; }
  /// The same of a reduction packet, whose data come with its words.
  void SetRed(std::shared_ptr<Frame> frame, network::RedPacket packet) { next_ = {frame, frame, std::move(packet)}; }
  /// The first cycle with a word; kNever: none is known.
  Cycle due() const { return words_.frame != nullptr ? 0 : attempts_.empty() ? kNever : attempts_.front().wire; }
  /// `link_i` of cycle `now`. To be called once in each cycle. `slot`: the control slot as it was sent. `lanes`: SerDes
  /// lanes that the sender uses, a bit each.
  Link Drive(Cycle now, const Ctrl& slot, unsigned lanes);

  // The port's account of cells, as its link shows it: stamps before the words of their cycle.

  /// The first word of an attempt passed the gate.
  void Came(int vl, int cells) { taken_[static_cast<std::size_t>(vl)] += static_cast<std::uint16_t>(cells); }
  /// The link goes down: the account begins anew.
  void LinkFalls() { taken_ = {}; }
  /// A stamp came whole. Returns the cells of its lane that were lost.
  int Stamp(int vl, std::uint16_t cells);

 private:
  /// What the words of an attempt are.
  struct Words {
    FramePtr frame;              ///< null: none
    std::shared_ptr<Frame> red;  ///< the same of a reduction packet; null for others
    network::RedPacket packet;   ///< then: its header and data
  };

  Link Sent(Cycle now);
  void BeginEvents(Cycle now);

  const network::DirectionPlan plan_;
  const Cycle begin_;
  faults::DirectionFaults faults_;
  std::size_t next_word_event_ = 0, next_slot_event_ = 0;
  Cycle unstick_ = kNever;
  const network::LinkDowns* downs_ = nullptr;
  Cycle way_ = 0;
  network::Ring<network::LinkAttempt> attempts_;
  Words next_;                      ///< of the attempt that begins next
  network::LinkAttempt attempt_{};  ///< that comes
  Words words_;                     ///< of it; none: none comes
  int index_ = 0;                   ///< of its next word
  std::array<std::uint16_t, 16> taken_{};  ///< cells by lane, modulo 65536
};

}  // namespace tilefly::cosim
