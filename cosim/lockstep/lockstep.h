// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cosim/device.h"
#include "cosim/lockstep/divergence.h"
#include "generated/registers.h"

namespace tilefly::cosim {

/// Runs two devices on the same inputs and compares, in every cycle, every output of every port (word and control slot)
/// and, of devices that both have one, every field of the observation record. One device alone runs without comparison.
class Lockstep {
 public:
  /// `b` may be null.
  Lockstep(std::unique_ptr<Device> a, std::unique_ptr<Device> b);

  /// Compares the current cycle; throws DivergenceError. Call once a cycle, before Step.
  void Compare();
  /// Of device `a`, which alone the endpoints hear; the words of `b` are compared with them, and go nowhere.
  const std::vector<Link>& Outputs() { return a_->Outputs(); }
  /// Of the device that is observed; without one nothing happens in it.
  const Observation& Observe() { return (observed_ != nullptr ? observed_ : a_.get())->Observe(); }
  void Step(const Device::Inputs& inputs);

  /// Counter reads for every drop reason and counter of every port, to be put on the register bus, one a cycle.
  std::vector<Cfg> CounterReads() const;
  /// Compares the counters of the two devices, if both have some; call when the reads were answered. Throws
  /// DivergenceError.
  void CompareCounters();
  /// Own checks of the devices, which are drained. Throws DeviceError.
  void CheckDrained();

  Device& a() { return *a_; }
  const Device& a() const { return *a_; }
  Device* b() { return b_.get(); }
  /// The device whose observation record is read: `a`, or `b` when `a` has none; null: neither has one.
  const Device* observed() const { return observed_; }
  /// The device whose counters are read: likewise.
  Device* counting() const { return counting_; }
  Cycle cycle() const { return a_->cycle(); }
  int radix() const { return radix_; }
  std::int64_t compared() const { return compared_; }            ///< link words compared
  std::int64_t compared_busy() const { return compared_busy_; }  ///< of these, those that carried something
  /// Records of ports compared, and counters: empty unless both devices have them.
  std::optional<std::int64_t> observation_compared() const;
  std::optional<std::int64_t> counters_compared() const;

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

  void CompareObservation(const Observation& obs_a, const Observation& obs_b, std::size_t port);
  void Remember();
  /// Who the remembered events are of.
  const char* WhoseHistory() const { return compares_observation_ ? "both" : observed_->Name(); }
  Event Now(Device& device, int port) const;
  void TellLevels(Divergence* divergence) const;
  [[noreturn]] void Report(Divergence divergence);

  std::unique_ptr<Device> a_;
  std::unique_ptr<Device> b_;
  Device* observed_;
  Device* counting_;
  bool compares_observation_;
  bool compares_counters_;
  int radix_;
  std::int64_t compared_ = 0;
  std::int64_t compared_busy_ = 0;
  std::int64_t observation_compared_ = 0;
  std::int64_t counters_compared_ = 0;
  std::vector<History> history_;  ///< by port
  History cfu_history_;
};

}  // namespace tilefly::cosim
