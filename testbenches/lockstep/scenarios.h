// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runs/switch/run_options.h"

namespace tilefly::cosim {

/// A situation that lockstep runs put the switch into.
struct Scenario {
  std::string name;
  std::string ports;    ///< kind of the ports, as --ports
  std::string traffic;  ///< as --traffic
  std::string size;
  double load;
  int lanes = 4;
  double stalls = 0;
  int stall_cycles = 400;
  bool stall_credits_only = false;
  double faults = 0;
  double replicated = 0;
  double routed = 0;  ///< as --routed
  double acks = 0;    ///< as --acks
  double flows = 0;     ///< as --flow-channels
  int reductions = 0;   ///< as --reductions
  double mishaps = 0;   ///< as --mishaps
  Cycle outages = 0;    ///< as --outages
  bool eth_header = true;
  bool ignore_pause = false;
  std::string classes = "0,1,2,3,4,5,6,7";  ///< as --classes
  std::string qos = "";                      ///< as --qos; empty: classes as at power-up
  std::vector<std::string> reaches = {};  ///< functional bins (see Bins) that a run of 20,000 cycles surely fills
  double busy = 0.1;                      ///< share of link words that carry something, at least, while traffic flows
  double hot_outputs = 0;                 ///< outputs' worth of words that pass once hot outputs have filled the buffers
};

/// Together they reach every functional bin (see Bins) but the wrap of credit counts.
const std::vector<Scenario>& Scenarios();

/// Those with edge ports of the ack network.
const std::vector<Scenario>& AckScenarios();

/// Those of a switch that reduces.
const std::vector<Scenario>& ReductionScenarios();

/// The options of a run of RTL against golden.
runs::RunOptions OptionsOf(const Scenario& scenario, const Profile& profile, std::uint32_t seed, Cycle cycles);

}  // namespace tilefly::cosim
