// SPDX-License-Identifier: Apache-2.0
// Whose frames a test sends, and what the device's table says meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conform/bench/address_table.h"
#include "conform/bench/frame.h"
#include "conform/bench/scenario.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

class FrameSource {
 public:
  virtual ~FrameSource() = default;

  /// The frame that `port` begins to send in cycle `now` or later, null: none yet. `empty`: nothing is in the device.
  virtual FramePtr Next(int port, Cycle now, bool empty) = 0;
  /// Its last beat went in.
  virtual void Sent(int port, Cycle now) = 0;
  /// A round of filling begins (fill_rounds.h), or the turn of the next output that all want.
  virtual void NextRound() {}
  /// No frame begins any more.
  virtual void Close() = 0;
  /// All frames that there are were sent.
  virtual bool Exhausted() const = 0;

  /// Entries of the device's table as it should be.
  virtual std::vector<TableWrite> Table() const = 0;
  /// The table has to change before a further frame begins, after `traffic` cycles of traffic.
  virtual bool ChangesTable(Cycle traffic) const = 0;
  /// The device is empty: entries that are written now.
  virtual std::vector<TableWrite> TakeChange() = 0;

  /// The output of an incast now.
  virtual int Focus() const = 0;
};

/// Cycles from the last beat of frame `number` of a port to the first that the next one may begin in, by the load of
/// the scenario.
Cycle GapBehind(const Scenario& scenario, std::uint64_t seed, int port, std::uint64_t number, std::size_t beats);

}  // namespace tilefly::conform
