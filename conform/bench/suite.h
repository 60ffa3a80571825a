// SPDX-License-Identifier: Apache-2.0
// The tests of the kit, by their ids, and what a run says of a device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conform/bench/link_scenario.h"
#include "conform/bench/scenario.h"
#include "conform/bench/stream_bench.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

struct Test {
  std::string id;      ///< "forwarding.all-pairs"
  Level level;         ///< what it belongs to
  std::string intent;  ///< a line
  std::string source;  ///< page or standard that it comes from
  std::function<Scenario(const Capability&)> scenario;  ///< of AXI-Stream ports
  /// Why it says nothing of a device; empty: it applies.
  std::function<std::string(const Capability&)> excuse;
  std::function<LinkScenario(const Capability&)> link{};  ///< of Tilefly's links
};

/// The tests of devices with ports of a style.
const std::vector<Test>& Suite(PortStyle style = PortStyle::kStream);
/// One of them. Throws UsageError, with the nearest id if there is one that resembles it.
const Test& TestOf(const std::string& id, PortStyle style = PortStyle::kStream);
/// Whether it takes minutes on this device.
bool IsLong(const Test& test, const Capability& capability);

enum class Verdict { kPass, kFail, kUndecided };
struct Judgement {
  Verdict verdict = Verdict::kPass;
  std::string reason;  ///< in words; of a pass empty
  std::string rule{};  ///< what it comes from, when that is no rule of the books: "situation"
};
/// What a run says of the device: its books, and the claim that it measures.
Judgement Judge(const Capability& capability, const Scenario& scenario, const Outcome& outcome);

}  // namespace tilefly::conform
