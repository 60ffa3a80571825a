// SPDX-License-Identifier: Apache-2.0
// The stages of the switch in cycles, each number written once. Golden, systemc/, devices in cosim/, network/ and
// runs/ take them from here. Comments name the row of docs/timing.md, or the page of a block. What is a sum there is
// one here.
//
// Who judges has the pages' numbers a second time, on purpose, so that a wrong one here is found: the RTL,
// cosim/scoreboard/, the checkers of XBAR-4 and ROUTE-3 in golden, and what test benches expect.
//
// `now + 1` of what goes on in the next cycle is no stage: that is how cycles follow one another.
#pragma once

#include "golden/common/types.h"

namespace tilefly::golden {

/// What happens in t is seen by decisions from t + 1 (Conventions, law 6): "q >= a + 19", "t >= arrival + 1" and the
/// like.
inline constexpr Cycle kEventToDecision = 1;

/// From a wire cycle to the event of what it brought: "admission" and "frame check known". In as many cycles a control
/// frame (docs/blocks/link.md), a credit return (docs/blocks/credit.md) and an ack (docs/blocks/acks.md) take effect.
inline constexpr Cycle kWireToEvent = 4;
/// From the look-up in a + 4 to the routing decision in a + 16 (docs/blocks/routing.md, Load).
inline constexpr Cycle kLookUpToRouting = 12;
/// From an event that changes a load to the first cycle c whose L(o, c) has it (docs/blocks/routing.md, Load).
inline constexpr Cycle kEventToLoad = 2;
/// "enters the queue stage's fifo, or is released when dropped", from the trigger a.
inline constexpr Cycle kTriggerToFifo = 18;
inline constexpr Cycle kLookUpToFifo = kTriggerToFifo - kWireToEvent;
/// From the last word of a packet that is cut through to its release when dropped, at the earliest
/// (docs/blocks/ingress.md, Descriptor pipeline).
inline constexpr Cycle kLastWordToRelease = 6;
/// "queued: VOQ and requester updated", from the decision q of the queue stage.
inline constexpr Cycle kServeToQueued = 1;
/// The same of a quiet packet, from the trigger: a + 20.
inline constexpr Cycle kTriggerToQueued = kTriggerToFifo + kEventToDecision + kServeToQueued;
inline constexpr Cycle kLookUpToQueued = kTriggerToQueued - kWireToEvent;

/// From a message's leave cycle to `row_i` and the turn fifo (docs/blocks/crossbar.md, Timing).
inline constexpr Cycle kLeaveToRow = 1;
/// "turn-tile arbitration of the request", from the leave cycle s; of all crossbars that arbitrate.
inline constexpr Cycle kLeaveToTurn = kLeaveToRow + kEventToDecision;
/// "the request arrives at the output's store", from the turn's decision u.
inline constexpr Cycle kTurnToRequest = 6;
/// From the turn's decision u to the fifo of the receiving port, before its R:1 (docs/blocks/crossbar.md, Timing).
inline constexpr Cycle kTurnToMergeFifo = 4;
/// "their R:1 arbitration", from the turn's decision u.
inline constexpr Cycle kTurnToMerge = kTurnToMergeFifo + kEventToDecision;
/// "they arrive at the input", from the R:1's decision v.
inline constexpr Cycle kMergeToArrival = 1;
/// From the leave cycle to the arrival of what meets no other message, in all five crossbars (Conventions); of cells,
/// which need no arbitration (law 3), and of what wins in the first cycle in which it can.
inline constexpr Cycle kCrossing = kLeaveToTurn + kTurnToRequest;
static_assert(kCrossing == kLeaveToTurn + kTurnToMerge + kMergeToArrival);

/// "grant and request credit leave", from the decision t.
inline constexpr Cycle kGrantToLeave = 3;
/// To their arrival at the input: t + 11.
inline constexpr Cycle kGrantToArrival = kGrantToLeave + kCrossing;
/// "cell j leaves on the row bus", from the pick p.
inline constexpr Cycle kPickToLeave = 4;
/// "cell j arrives in the output buffer": p + 12.
inline constexpr Cycle kPickToArrival = kPickToLeave + kCrossing;
/// From a grant to its packet's first cell at the output, when nothing holds it up: t + 24 (docs/blocks/egress.md,
/// Picture and timing). Row R takes as long (docs/blocks/reduction.md, Row R).
inline constexpr Cycle kGrantToCell = kGrantToArrival + kEventToDecision + kPickToArrival;
/// "input picks the packet", of a quiet one from the trigger: s + 21 with s = a + 21.
inline constexpr Cycle kTriggerToPick = kTriggerToQueued + kEventToDecision + kCrossing + kEventToDecision +
                                        kGrantToArrival + kEventToDecision;
/// From a word's wire cycle to the first leave cycle in which it may be on the row bus: W of docs/blocks/ingress.md,
/// Stored form.
inline constexpr Cycle kWordToLeave = 6;

/// From the arrival of a grant with `reroute` to "queued" of a quiet packet: it enters the pipeline in its cycle a + 4,
/// two cycles later (docs/blocks/link_retry.md, Taken back).
inline constexpr Cycle kRerouteToQueued = 2 + kLookUpToQueued;

/// "word k on `link_o`", of word 0 from the take x.
inline constexpr Cycle kTakeToWire = 8;
/// The same at a retry port, on `word_i` of its retry block (docs/blocks/link_retry.md, Sender).
inline constexpr Cycle kTakeToRetry = 6;
/// From a packet's start in the retry block to its first word on `link_o` (docs/blocks/retry.md, Sender, 7).
inline constexpr Cycle kRetryStages = 2;
/// "output-buffer room free; at an edge port the ack is made", of a packet of one word from the take x: its last word
/// is read.
inline constexpr Cycle kTakeToRead = 2;
/// A quiet hop at four lanes, from the trigger to the first word on `link_o`.
inline constexpr Cycle kQuietHop = kTriggerToPick + kPickToArrival + kEventToDecision + kTakeToWire;
static_assert(kQuietHop == 63, "docs/timing.md: a quiet 64 B hop takes 63 cycles");

/// From the decision d on a credit return to its wire cycle (docs/blocks/credit.md).
inline constexpr Cycle kCreditToWire = 6;
/// From the decision on a stamp to its wire cycle (docs/blocks/link_retry.md, Credits).
inline constexpr Cycle kStampToWire = 1;
/// From cells that go free to their credit return on the wire, when no other lane is pending.
inline constexpr Cycle kFreedToWire = kEventToDecision + kCreditToWire;
/// From the event in which an ack is made or passed on to its leave cycle (docs/blocks/acks.md, Made, Passed on).
inline constexpr Cycle kAckToLeave = 1;
/// From an ack's arrival across the switch to its wire cycle (docs/blocks/acks.md, Crossing and leaving).
inline constexpr Cycle kAckToWire = 6;
/// From the event in which a pause of a flow is decided to its wire cycle (docs/blocks/flow_channel.md, step 5).
inline constexpr Cycle kFlowPauseToWire = 6;
/// From an XOFF's take to its repetition (docs/blocks/link.md, PAUSE).
inline constexpr Cycle kPauseRefresh = 65536;

/// From a register write on the bus to its event (Conventions).
inline constexpr Cycle kWriteLatency = 7;
/// From a read on the bus to its answer (docs/blocks/tile.md).
inline constexpr Cycle kAnswerLatency = kWriteLatency + 1;

/// Cycles of a combiner from operands to their result, for every type and operation; a parameter, the same in every
/// profile (docs/blocks/arithmetic.md, tilefly_combine).
inline constexpr int kCombineCycles = kRosetta64.combine_cycles;
/// From a launch's decision t to the step of word 0 at the first port (docs/blocks/reduction.md, Collect lanes).
inline constexpr Cycle kLaunchToStep = 1;
/// The same for any port, and for the CFU where the halves meet, in a switch of so many tiles.
constexpr Cycle StepOffset(int tiles, int port) {
  const int tile = (port >> 1) % (tiles / 2);
  return kLaunchToStep + 2 * kCombineCycles * tile + kCombineCycles * (port & 1);
}
constexpr Cycle MeetOffset(int tiles) { return kLaunchToStep + kCombineCycles * tiles; }
/// From a packet's end e to the cycle in which the CFU has its report (docs/blocks/reduction.md, Reduction port).
inline constexpr Cycle kEndToReport = 1;
/// To the first launch that may have it.
inline constexpr Cycle kEndToLaunch = kEndToReport + kEventToDecision;
/// From a launch's decision t to the command that shows it to the ports (docs/blocks/reduction.md, CFU: launches); a
/// CREDIT is due then.
inline constexpr Cycle kLaunchToCommand = 1;
/// From a complete result, or a CREDIT that is due, to its grant, quiet: row R asks, then the output decides
/// (docs/blocks/reduction.md, Row R).
inline constexpr Cycle kCompleteToGrant = kEventToDecision + kEventToDecision;
inline constexpr Cycle kLaunchToCreditGrant = kLaunchToCommand + kCompleteToGrant;

}  // namespace tilefly::golden
