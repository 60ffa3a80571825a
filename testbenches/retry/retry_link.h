// SPDX-License-Identifier: Apache-2.0
// One direction of a link with retry, both ends golden: MAC, sender, channel of words, receiver, channel of slots back,
// and the checkers of docs/blocks/retry.md, in every cycle. The control slot's register is the link's own.
#pragma once

#include "golden/retry/retry_in.h"
#include "golden/retry/retry_link_checker.h"
#include "golden/retry/retry_out.h"
#include "golden/retry/retry_port_checker.h"
#include "testbenches/retry/retry_channel.h"
#include "testbenches/retry/retry_mac.h"

namespace tilefly::bench {

struct RetrySetup {
  golden::RetryOut::Parameters out;
  golden::RetryIn::Parameters in;
  int delay = 2;  ///< of the link, one way, cycles
  RetryFaults words, slots;
  RetryMac::Options mac;
};

class RetryLink {
 public:
  RetryLink(const RetrySetup& setup, const Stimulus& random)
      : sender(setup.out),
        receiver(setup.in),
        mac(setup.mac, random),
        words(setup.delay, setup.words, random, 0),
        slots(setup.delay, setup.slots, random, 1),
        out_checker_(setup.out),
        in_checker_(setup.in) {
    to_sender.enable = to_receiver.enable = true;
    to_sender.link_up = to_receiver.link_up = true;
  }

  /// One cycle, with the settings that stand in `to_sender` and `to_receiver`.
  void Step() {
    moves = mac.Step(sender.ready(to_sender.enable), to_sender.lanes, to_sender.link_up);
    link_slot = {false, from_receiver.report};  // the slot's register
    const WireSlot slot = slots.Step(link_slot);
    to_sender.take = moves.take;
    to_sender.take_words = moves.take_words;
    to_sender.word = moves.word;
    to_sender.report = slot.report;
    to_sender.report.valid = slot.report.valid && !slot.err;
    from_sender = sender.Step(to_sender);
    const WireWord wire = words.Step({from_sender.word, from_sender.tag});
    to_receiver.word = wire.word;
    to_receiver.tag = wire.tag;
    from_receiver = receiver.Step(to_receiver);
    Check();
    ++cycle;
  }

  /// Nothing is inside, and both ends have seen it.
  bool drained() const {
    return mac.idle() && checker.open() == 0 && from_sender.quiescent && from_receiver.quiescent && to_sender.link_up &&
           to_receiver.link_up;
  }
  void CheckDrained() {
    sender.CheckDrained(0, &audit);
    checker.CheckDrained(0, &audit);
  }

  golden::RetryOut sender;
  golden::RetryIn receiver;
  RetryMac mac;
  RetryChannel<WireWord> words;
  RetryChannel<WireSlot> slots;
  golden::RetryOut::Inputs to_sender;      ///< of the last cycle, and the settings of the next
  golden::RetryIn::Inputs to_receiver;     ///< likewise
  golden::RetryOut::Outputs from_sender;   ///< of the last cycle
  golden::RetryIn::Outputs from_receiver;  ///< of the last cycle
  WireSlot link_slot;                      ///< on `link_o` of the receiver in the last cycle
  RetryMac::Moves moves;                   ///< of the last cycle
  golden::RetryLinkChecker checker;
  golden::Audit audit;
  Cycle cycle = 0;  ///< of the next `Step`

 private:
  /// RETRY-1 speaks of links with retry.
  void Check() {
    sender.Check(0, &audit);
    receiver.Check(0, &audit);
    out_checker_.Step(to_sender, from_sender, sender.heard() != sender.top(), 0, &audit);
    in_checker_.Step(to_receiver, from_receiver, 0, &audit);
    if (!to_sender.enable || !to_sender.link_up) {
      checker.LinkDown();
    } else if (moves.word.valid && !moves.stale) {
      checker.Given(moves.word);
    }
    if (!to_receiver.enable) return;
    if (from_receiver.word.valid) checker.Passed(from_receiver.word, 0, &audit);
    if (from_receiver.accepted) checker.Accepted(0, &audit);
  }

  golden::RetryOutChecker out_checker_;
  golden::RetryInChecker in_checker_;
};

}  // namespace tilefly::bench
