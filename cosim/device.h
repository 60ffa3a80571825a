// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/common/observation.h"
#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// A switch, cycle-exact unless its maker says otherwise (Contract), with `radix()` link endpoints. One cycle is:
///   1. `Outputs()` shows `link_o` of the current cycle (registered: it does not depend on this cycle's inputs);
///   2. `Step(inputs)` applies `link_i` and the register bus of this cycle and goes to the next.
class Device {
 public:
  struct Inputs {
    std::vector<Link> links;    ///< radix entries
    std::vector<bool> link_up;  ///< radix entries
    Cfg cfg;                    ///< register bus, valid = 0 when idle
  };

  virtual ~Device() = default;
  virtual const char* Name() const = 0;
  virtual int radix() const = 0;
  /// Words and control on `link_o` in the current cycle, radix entries.
  virtual const std::vector<Link>& Outputs() = 0;
  /// Observation record of the current cycle: the events of the cycle before, and the levels of this cycle.
  virtual const Observation& Observe() = 0;
  /// Whether the device has an observation record. Without one, `Observe` shows a switch in which nothing happens.
  virtual bool Observes() const { return true; }
  /// Version of the wire formats at its ports. With 1, `Step` must be given links that have 0 in all later fields.
  virtual int wire_version() const { return 2; }
  /// Ports that show `link_fail_o` in the current cycle, a bit each: they ask for their link to go down. Registered.
  virtual std::uint64_t LinkFails() { return 0; }
  /// Whether the device has that output. Without it, `LinkFails` is 0.
  virtual bool FailsLinks() const { return false; }
  virtual void Step(const Inputs& inputs) = 0;
  /// The current cycle, 0 after construction (reset is over).
  virtual Cycle cycle() const = 0;
  /// Goes on with idle inputs, at most to cycle `to`, and only over steps of which the device knows that they change
  /// nothing.
  virtual void SkipIdle(Cycle) {}
  /// The first cycle from the current one on whose step, with idle inputs, may change something that a link shows
  /// sooner or later; kNever: there is none as long as inputs are idle; kUnknown: the device cannot tell. In a switch
  /// that reduces, such a cycle may come long after the last word on a link: parts wait in the switch for others, and
  /// time-outs end.
  virtual Cycle NextChange() const { return kUnknown; }
  static constexpr Cycle kUnknown = -1;
  /// Counter `index` (a counter_e, or a drop reason) of a port, as committed now.
  virtual std::uint64_t Counter(int port, int index) = 0;
  /// Whether the device has counters. Without them, `Counter` must not be called.
  virtual bool Counts() const { return true; }
  /// Runs the device's own checks of a drained switch. Throws DeviceError.
  virtual void CheckDrained() {}
};

}  // namespace tilefly::cosim
