// SPDX-License-Identifier: Apache-2.0
// The flow channels of an input (docs/blocks/flow_channel.md): golden's table of a port, and the packets that it holds.
//
// Call order in an event: Enter for a packet at the end of the pipeline, Release, Acknowledge, End, SetRegisters.
#pragma once

#include <optional>

#include "golden/common/pool.h"
#include "golden/flows/flow_channels.h"
#include "systemc/ingress/descriptor.h"

namespace tilefly::systemc {

class InputFlows {
 public:
  /// Of port `port`, which has MODE.acks and MODE.flows. No channel is in use.
  InputFlows(int port, Context& context) : port_(port), context_(context) {}

  /// Event of `cycle`: a packet that its class has room for is at the end of the pipeline (step 1). Returns whether it
  /// enters the queue stage, with its path and header as they are from now on; false: a channel holds it.
  bool Enter(Cycle cycle, Staged* staged);
  /// Step 2: the packet that enters the queue stage because its channel may send again; empty: none does.
  std::optional<Staged> Release(Cycle cycle);
  /// Event of `cycle`: an ack is home (step 3).
  void Acknowledge(Cycle cycle, const tilefly::Ack& ack);
  /// Steps 4 to 6: the pause that the port sends, on the wire golden::kFlowPauseToWire cycles later; empty: none.
  std::optional<golden::FlowPause> End(Cycle cycle);
  /// The registers FLOW_MARK and FLOW_CHANNEL were written in the event of `cycle`.
  void SetRegisters(Cycle cycle);

  /// The next event in which Release and End must be called, if nothing comes; kNever: none.
  Cycle due() const { return due_; }

 private:
  void Follow(Descriptor* descriptor) const;

  const int port_;
  Context& context_;
  golden::FlowChannels channels_;
  golden::Pool<Staged> held_;
  bool entered_ = false;  ///< a packet of the pipeline enters the queue stage in this event
  bool touched_ = false;  ///< in this event a packet or an ack came
  Cycle due_ = kNever;
};

}  // namespace tilefly::systemc
