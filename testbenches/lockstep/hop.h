// SPDX-License-Identifier: Apache-2.0
// One packet's way through a switch, from the observation record.
#pragma once

#include <map>
#include <string>

#include "testbenches/lockstep/scripted_switch.h"

namespace tilefly::cosim {

/// Where the rows and columns of the timing page make a packet turn.
struct Turn {
  int tile;
  int input;   ///< of the tile's crossbar
  int output;
};
Turn TurnOf(const Profile& profile, int input, int output);

/// Cycles of a packet's events, counted from its first word on the link.
struct Hop {
  std::map<std::string, Cycle> steps;  ///< by the name of the record's field; the levels' ones: when they change
  int turns = 0;                       ///< cells seen where they should turn
  int stray_turns = 0;                 ///< cells of the same input seen elsewhere
};

/// Sends one packet from an input that is idle, to an output that nobody else sends to, and follows it until it has left
/// and its room is free. What the other ports do does not matter.
Hop FollowPacket(ScriptedSwitch& devices, int input, int output, int length);

/// What the timing page says about a quiet packet that is cut through and need not wait for its end.
std::map<std::string, Cycle> QuietSteps(int length);

}  // namespace tilefly::cosim
