// SPDX-License-Identifier: Apache-2.0
// The story of a wave file: the packet and the stages on which it opens. Types between the finder of a story
// (cosim/waves/story_finder.h) and the writer of the save files.
#pragma once

#include <string>
#include <vector>

#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// A named place in time.
struct Mark {
  std::string name;
  Cycle at = 0;
};

/// What a wave should open on: one packet's way from input to output.
struct Story {
  std::string title;  ///< shown above all, in as many lines as it needs
  int input = 0;      ///< port the packet came in by
  int output = 0;     ///< port it left by
  Cycle from = 0;     ///< first cycle to show
  Cycle to = 0;       ///< last cycle to show
  Cycle marker = 0;   ///< cycle of the primary marker
  /// For a launch of the reduction ring: the ports whose parts it combines, in the order of their steps; `input` is the
  /// port whose part came last. Empty for a packet's way.
  std::vector<int> parts{};
  std::vector<Mark> marks{};  ///< named markers, in the order of time
  bool tells = false;         ///< the marks are events of several packets, which are told as text, too
  std::vector<int> others{};  ///< inputs beside `input` whose packets take part
  std::string scope{};        ///< for a failure: place, in each device's scope, of the signal that differs
  std::string signal{};
};

/// What is known of the packet that a wave is about; -1: not known.
struct PacketWanted {
  int input = -1;
  int output = -1;
  int lane = -1;
};

/// What is known of a failure.
struct FailurePoint {
  std::string message;
  Cycle cycle = 0;
  PacketWanted packet;       ///< that it is about; ports alone: those at fault
  bool level = false;        ///< it is about the count of several packets, not about one
  std::vector<int> parts{};  ///< of a launch of the reduction ring
  std::string scope{};       ///< where the signal is in which the devices differ, and the signal; empty: not known
  std::string signal{};
};

}  // namespace tilefly::cosim
