// SPDX-License-Identifier: Apache-2.0
// A switch of transactions between ideal link partners, as PacketRig is for golden: sources that honour credits, sinks that
// return them with the first word. Packets carry lengths only.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "systemc/common/timed_module.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/switch/switch.h"

namespace tilefly::systemc {

enum class Timing { kApproximate, kLoose };

/// What a source sends next.
struct NextPacket {
  int destination;
  int length;        ///< bytes of the frame
  Cycle not_before;  ///< earliest first word
};
using NextOf = std::function<NextPacket(int port)>;

class TlmRig {
 public:
  /// Registers as PacketRig has them. Loosely timed sources run ahead by `quantum` cycles. Once a process.
  TlmRig(const Profile& profile, Timing timing, Cycle quantum, NextOf next);
  ~TlmRig();

  void Run(Cycle cycles) { sc_core::sc_start(fabric::TimeOf(cycles)); }
  /// Packets that left.
  std::uint64_t packets() const { return device_.taken(); }

 private:
  class Partner;
  class TimedPartner;
  class LoosePartner;

  const Profile profile_;
  const NextOf next_;
  fabric::PacketPool pool_;
  Switch device_;
  std::vector<std::unique_ptr<Partner>> partners_;
};

}  // namespace tilefly::systemc
