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

/// Runs two devices on the same inputs. It compares every output of every port (word and control slot) in every cycle,
/// and every field of the observation record, and `link_fail_o`, if both devices have them. One device alone runs without
/// comparison.
class Lockstep {
 public:
  /// `b` may be null: then there is no comparison.
  Lockstep(std::unique_ptr<Device> a, std::unique_ptr<Device> b);

  /// Compares the current cycle. Throws DivergenceError. Call it once in each cycle, before Step.
  void Compare();
  /// Outputs of device `a`, which are the only ones that endpoints hear. The outputs of `b` are compared with them, and
  /// go nowhere.
  const std::vector<Link>& Outputs() { return a_->Outputs(); }
  /// Likewise `link_fail_o` of device `a`, a bit for each port.
  std::uint64_t LinkFails() { return a_->LinkFails(); }
  /// Observation of the device that is observed. If no device has a record, nothing happens in it.
  const Observation& Observe() { return (observed_ != nullptr ? observed_ : a_.get())->Observe(); }
  void Step(const Device::Inputs& inputs);

  /// Register reads of every drop reason and counter of every port. They have to be put on the register bus, one in
  /// each cycle.
  std::vector<Cfg> CounterReads() const;
  /// Compares the counters of the two devices, if both have counters. Call it when the reads were answered. Throws
  /// DivergenceError.
  void CompareCounters();
  /// Runs the devices' own checks of a drained switch. Throws DeviceError.
  void CheckDrained();

  Device& a() { return *a_; }
  const Device& a() const { return *a_; }
  Device* b() { return b_.get(); }
  /// The device whose observation record is read: `a`, or `b` when `a` has none; null: neither has one.
  const Device* observed() const { return observed_; }
  /// The device whose counters are read: `a`, or `b` when `a` has none; null: neither has counters.
  Device* counting() const { return counting_; }
  Cycle cycle() const { return a_->cycle(); }
  int radix() const { return radix_; }
  std::int64_t compared() const { return compared_; }            ///< link words compared
  std::int64_t compared_busy() const { return compared_busy_; }  ///< link words compared that carried something
  /// Records of ports, and counters, that were compared; empty unless both devices have them.
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
  /// The latest events of a port or of the CFU, in a ring buffer.
  struct History {
    std::array<Event, kHistory> events;
    std::size_t next = 0;
    void Add(const Event& event) { events[next++ % kHistory] = event; }
  };

  /// The inputs with 0 in the fields that wire formats of version 1 do not have: a device beside one of version 1 sees
  /// what that device sees.
  const Device::Inputs& AsVersion1(const Device::Inputs& inputs);
  void CompareLinkFails();
  void CompareObservation(const Observation& obs_a, const Observation& obs_b, std::size_t port);
  void Remember();
  /// The device, or both, that the remembered events are of.
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
  bool compares_link_fails_;
  bool version_1_;          ///< a device has the wire formats of version 1
  Device::Inputs inputs_;   ///< that it is given
  int radix_;
  std::int64_t compared_ = 0;
  std::int64_t compared_busy_ = 0;
  std::int64_t observation_compared_ = 0;
  std::int64_t counters_compared_ = 0;
  std::vector<History> history_;  ///< by port
  History cfu_history_;
};

}  // namespace tilefly::cosim
