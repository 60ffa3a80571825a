// SPDX-License-Identifier: Apache-2.0
// Packets for the input side: every kind of destination, class and length that the ingress page distinguishes.
#pragma once

#include "testbenches/bench/wire_packet.h"
#include "testbenches/ingress/table_writes.h"

namespace tilefly::bench {

/// What a stretch of traffic is made of.
struct Mix {
  int bare = 128;        ///< of 256: standard frames
  int replicated = 16;   ///< of 256: to several ports
  bool small = false;    ///< the smallest lengths only
  int wrong = 8;         ///< of 256: a header that cannot be forwarded
  bool few = false;      ///< to four ports of the switch
  int taken = 16;        ///< of 256 with header: reduction packets, for this switch mostly
  int elsewhere = 112;   ///< of 256, when not few: to other switches
  int flows = 1024;      ///< of packets with header
  int classes = 8;       ///< likewise
  bool one_set = false;  ///< those to other switches have their flow channels in one set of the table
};

WirePacket MakeIngressPacket(const Profile& profile, const Stimulus& random, const TableWrites& tables, const Mix& mix,
                             Cycle now);

}  // namespace tilefly::bench
