// SPDX-License-Identifier: Apache-2.0
// One test of a device with Tilefly's links: alone, or beside golden, which it must equal in every cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conform/bench/link_scenario.h"
#include "conform/capability/capability.h"
#include "conform/device/library_stream.h"
#include "cosim/library_device.h"
#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::conform {

/// What a run compared with golden.
struct Compared {
  std::int64_t words = 0;  ///< links and cycles
  std::int64_t busy = 0;   ///< of these, those that carried something
  std::optional<std::int64_t> records;   ///< of ports and cycles
  std::optional<std::int64_t> counters;
};

/// What a run found.
struct LinkOutcome {
  std::string rule;    ///< that the device broke; empty: none
  std::string reason;  ///< in packets and ports
  int port = -1;
  tilefly::Cycle cycle = 0;  ///< of the failure, or the length of the run
  std::vector<std::string> events;  ///< the last ones of the port before it differs
  cosim::Books books;
  std::optional<Compared> compared;  ///< none: the device was alone
  std::uint64_t digest = 0;          ///< of all words and control slots that the device showed
};

/// A part of a test, and where its waves go.
struct LinkPart {
  std::uint64_t senders = ~std::uint64_t{0};  ///< a bit a port
  std::int64_t frames = 0;                    ///< of each at most; 0: all
  WaveWindow waves;
};

/// The device in `library`, FILE.so. `power_up`, not 0: of the bits with which its registers begin. Throws UsageError for a
/// library that is no such device, or that does not show what the claimed level compares.
std::unique_ptr<cosim::LibraryDevice> MakeLinkDevice(const Capability& capability, const std::string& library,
                                                     std::uint32_t power_up);

/// A test of the device that MakeLinkDevice makes of the same.
LinkOutcome RunLinkTest(const Capability& capability, const LinkScenario& scenario, std::uint64_t seed,
                        const std::string& library, std::uint32_t power_up, const LinkPart& part);

}  // namespace tilefly::conform
