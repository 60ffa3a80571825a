// SPDX-License-Identifier: Apache-2.0
// Says that data came in: a put of another NIC has been written (docs/systemc.md, Doorbell).
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

  /// True while arrivals are there that nobody has taken; false a delta cycle after the last was. May be left unbound.
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt{"interrupt"};

  /// Is called at the time of each arrival, from a method of the kernel: it must not wait.
  void set_on_arrival(std::function<void(const Arrival& arrival)> on_arrival) { on_arrival_ = std::move(on_arrival); }
  /// Notified at the time of arrivals.
  const sc_core::sc_event& rung() const { return rung_; }
  /// The oldest arrival that has not been taken; none: there is none. Arrivals are kept for a bound `interrupt` only.
  std::optional<Arrival> Take();

  /// For the NIC: a put has been written in cycle `at`, which may be later than now; it rings then.
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
