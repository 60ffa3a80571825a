// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/device.h"
#include "cosim/lockstep/divergence.h"
#include "generated/registers.h"

namespace tilefly::cosim {

/// Runs two devices on the same inputs and compares, in every cycle, every output of every port (word and control slot)
/// and every field of the observation record. One device alone runs without comparison.
class Lockstep {
 public:
  /// `b` may be null.
  Lockstep(std::unique_ptr<Device> a, std::unique_ptr<Device> b);

  /// Compares the current cycle; throws DivergenceError. Call once a cycle, before Step.
  void Compare();
  /// Of device `a`, which alone the endpoints hear; the words of `b` are compared with them, and go nowhere.
  const std::vector<Link>& Outputs() { return a_->Outputs(); }
  const Observation& Observe() { return a_->Observe(); }
  void Step(const Device::Inputs& inputs);

  /// Counter reads for every drop reason and counter of every port, to be put on the register bus, one a cycle.
  std::vector<Cfg> CounterReads() const;
  /// Compares the counters of the two devices; call when the reads were answered. Throws DivergenceError.
  void CompareCounters();
  /// Own checks of the devices, which are drained. Throws DeviceError.
  void CheckDrained();

  Device& a() { return *a_; }
  const Device& a() const { return *a_; }
  Device* b() { return b_.get(); }
  Cycle cycle() const { return a_->cycle(); }
  int radix() const { return radix_; }
  std::int64_t compared() const { return compared_; }            ///< link words compared
  std::int64_t compared_busy() const { return compared_busy_; }  ///< of these, those that carried something

 private:
  static constexpr std::size_t kHistory = 16;
  struct Event {
    Cycle cycle = -1;
    Portobs obs;
    RedObs red;
    CfuObs cfu;
    std::string Text() const;
  };
  /// The latest events of a port, or of the CFU: a ring.
  struct History {
    std::array<Event, kHistory> events;
    std::size_t next = 0;
    void Add(const Event& event) { events[next++ % kHistory] = event; }
  };

  void Remember();
  Event Now(Device& device, int port) const;
  void TellLevels(Divergence* divergence) const;
  [[noreturn]] void Report(Divergence divergence);

  std::unique_ptr<Device> a_;
  std::unique_ptr<Device> b_;
  int radix_;
  std::int64_t compared_ = 0;
  std::int64_t compared_busy_ = 0;
  std::vector<History> history_;  ///< by port
  History cfu_history_;
};

}  // namespace tilefly::cosim
