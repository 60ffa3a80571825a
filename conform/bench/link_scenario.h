// SPDX-License-Identifier: Apache-2.0
// What a test of a device with Tilefly's links does: a run of `tilefly cosim` with settings of its own, or inputs that
// no endpoint would give.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "golden/common/cycle.h"

namespace tilefly::conform {

enum class LinkKind {
  kTraffic,  ///< endpoints at all ports, books, counters
  kReset,    ///< the same, after a part of it and a reset amid its traffic
  kGarbage,  ///< words, control slots and register writes that break the rules of the link
};

struct LinkScenario {
  LinkKind kind = LinkKind::kTraffic;
  tilefly::Cycle cycles = 6000;                                ///< of traffic or garbage; then all drains
  std::vector<std::pair<std::string, std::string>> settings;  ///< of `tilefly cosim`, by path
  bool classes = false;        ///< a table of four classes (docs/qos.md)
  bool lossy = false;          ///< its last class is lossy
  bool swaps_tables = false;   ///< its Deficit Table is written again and again while traffic flows
  bool writes_hosts = false;   ///< so are entries of the exact-match table that no frame asks for
  bool writes_rules = false;   ///< so is what the header of a bare frame gets, of every class
  std::vector<tilefly::Cycle> resets;  ///< of kReset: cycles of the run after which it is reset, and begins again
  bool long_run = false;       ///< minutes on a large device
};

}  // namespace tilefly::conform
