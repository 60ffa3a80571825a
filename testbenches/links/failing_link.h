// SPDX-License-Identifier: Apache-2.0
// One link with retry between two ports, over a wire that fails in both directions (docs/blocks/link_retry.md): words, slots
// and SerDes lanes of each direction, receivers that say nothing, and who takes the link down.
#pragma once

#include <array>
#include <vector>

#include "testbenches/lockstep/port_link.h"

namespace tilefly::bench {

class FailingLink {
 public:
  /// What an end shows in a cycle.
  struct Shown {
    Link link;
    int pace = 0;        ///< m - 1 of the direction out of this end
    bool fails = false;  ///< `link_fail_o`
  };

  /// `number` tells the links of a run apart.
  FailingLink(const PortSetup& setup, const Stimulus& random, std::uint32_t number)
      : decides(setup.delay, setup.profile.mtu_words_enh), setup_(setup) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      words_.emplace_back(setup.delay, setup.words, random, 4 * number + i);
      slots_.emplace_back(setup.delay, setup.slots, random, 4 * number + 2 + i);
    }
  }

  /// Receiver `i` says no more what `stuck` names, from the next cycle on.
  void Stick(std::size_t i, Stuck stuck) { stuck_[i] = stuck; }
  /// Faults of the words and slots that leave end `i`, from the next cycle on.
  void SetFaults(std::size_t i, const RetryFaults& words, const RetryFaults& slots) {
    words_[i].Set(words);
    slots_[i].Set(slots);
  }
  /// SerDes lanes that are dead in the direction out of end `i`, from the next cycle on, a bit each.
  void Kill(std::size_t i, unsigned lanes) { dead_[i] = lanes; }
  /// The faults of the setup again, or none.
  void Mend(bool clean) {
    for (std::size_t i = 0; i < 2; ++i) {
      SetFaults(i, clean ? RetryFaults{} : setup_.words, clean ? RetryFaults{} : setup_.slots);
      Stick(i, Stuck::kNothing);
      Kill(i, 0);
    }
  }

  /// One cycle: what both ends show becomes, a delay later, the links into the other ends. Returns whether each end sees the link
  /// up in this cycle.
  std::array<bool, 2> Step(Cycle cycle, std::array<Shown, 2> shown, const std::array<Link*, 2>& into) {
    const std::array<bool, 2> up{decides.up(0, cycle), decides.up(1, cycle)};
    for (std::size_t i = 0; i < 2; ++i) {
      if (shown[i].fails) decides.Fails(i, cycle);
      SayLess(stuck_[i], &shown[i].link.ctrl);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const unsigned lane_err = Damage(1 - i, cycle, &shown[1 - i]);
      const Link& out = shown[1 - i].link;
      const WireWord word = words_[1 - i].Step({out.word, out.tag});
      const PortSlot slot = slots_[1 - i].Step({out.ctrl, lane_err});
      into[i]->word = word.word;
      into[i]->tag = word.tag;
      into[i]->ctrl = slot.ctrl;
      into[i]->phy.lane_err = static_cast<std::uint8_t>(slot.lane_err);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const Ctrl& slot = into[i]->ctrl;
      if (!decides.up(i, cycle)) avoided_[i] = 0;
      else if (slot.lanes_valid && !slot.err) avoided_[i] = slot.lanes_bad;
    }
    return up;
  }

  const PortSetup& setup() const { return setup_; }

  cosim::LinkDecides decides;

 private:
  /// What dead SerDes lanes make of what leaves end `i`; returns what the FEC at the other end says of the lanes. A lane that
  /// the sender has left out of use is looked at now and then.
  unsigned Damage(std::size_t i, Cycle cycle, Shown* shown) const {
    const unsigned cable = (1u << setup_.lanes) - 1, avoided = avoided_[i] & cable, dead = dead_[i] & cable;
    if (dead == 0) return 0;
    const bool left_out = shown->pace + 1 <= __builtin_popcount(cable & ~avoided);
    const unsigned used = left_out ? dead & ~avoided : dead;
    if (used != 0) {
      shown->link.ctrl.err = true;
      shown->link.word.err = shown->link.word.valid;
    }
    return cycle % 64 == 0 ? dead : used;
  }
  static void SayLess(Stuck stuck, Ctrl* slot) {
    if (stuck != Stuck::kNothing) slot->credit_valid = false;
    if (stuck == Stuck::kAll) slot->retry_valid = slot->ack_valid = slot->wired_valid = false;
  }

  const PortSetup setup_;
  std::vector<RetryChannel<WireWord>> words_;  ///< by the end that they leave
  std::vector<RetryChannel<PortSlot>> slots_;  ///< likewise
  std::array<Stuck, 2> stuck_{};
  std::array<unsigned, 2> dead_{};     ///< by the end that sends
  std::array<unsigned, 2> avoided_{};  ///< likewise, as it has been told
};

}  // namespace tilefly::bench
