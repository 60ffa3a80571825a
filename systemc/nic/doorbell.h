// SPDX-License-Identifier: Apache-2.0
// Tells a platform that data came in: a put of another NIC has been written (docs/systemc.md, Doorbell).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include <systemc>

#include "golden/common/agenda.h"
#include "systemc/fabric/time.h"

namespace tilefly::systemc {

/// A put that has been written.
struct Arrival {
  std::uint32_t source;  ///< fabric address of the NIC that put it
  std::uint64_t offset;  ///< its first byte in the memory
  std::uint32_t bytes;
};

class Doorbell final : public sc_core::sc_module {
 public:
  explicit Doorbell(sc_core::sc_module_name name);

  /// True while there are arrivals that nobody has taken. It becomes false a delta cycle after the last one is taken.
  /// It may stay unbound.
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt{"interrupt"};

  /// Sets a function that is called at the time of each arrival, from a method of the kernel: it must not wait.
  void set_on_arrival(std::function<void(const Arrival& arrival)> on_arrival) { on_arrival_ = std::move(on_arrival); }
  /// An event that is notified at the time of each arrival.
  const sc_core::sc_event& rung() const { return rung_; }
  /// Returns the oldest arrival that has not been taken; empty: there is none. Arrivals are kept only if `interrupt` is
  /// bound.
  std::optional<Arrival> Take();

  /// For the NIC: a put has been written in cycle `at`, which may be later than now. The doorbell rings then.
  void Ring(const Arrival& arrival, Cycle at);

 private:
  void Tell();

  golden::Agenda<Arrival> coming_;
  std::deque<Arrival> kept_;
  std::function<void(const Arrival&)> on_arrival_;
  sc_core::sc_event due_;
  sc_core::sc_event rung_;
};

}  // namespace tilefly::systemc
