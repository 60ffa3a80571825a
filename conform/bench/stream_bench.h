// SPDX-License-Identifier: Apache-2.0
// One test of a device with AXI-Stream ports: drives it, keeps its books, measures what it claims.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conform/bench/books.h"
#include "conform/bench/frame_source.h"
#include "conform/bench/port_receiver.h"
#include "conform/bench/port_sender.h"
#include "conform/bench/scenario.h"
#include "conform/bench/stream_device.h"

namespace tilefly::conform {

/// What a run found.
struct Outcome {
  std::string breach;  ///< what the device broke, in frames and ports; empty: nothing
  std::string rule;
  Cycle cycle = 0;     ///< of the breach, or the length of the run
  int port = -1;
  Books::Counts counts;
  std::int64_t beats_in = 0;
  std::int64_t beats_out = 0;
  std::optional<double> measured;  ///< what the scenario measures
  std::uint64_t digest = 0;        ///< of all that the device showed, cycle by cycle
};

class StreamBench {
 public:
  /// All must outlive it.
  StreamBench(const Capability& capability, const Scenario& scenario, std::uint64_t seed, StreamDevice* device);

  /// Runs the test to its end; `progress` is called now and then with the cycle.
  Outcome Run(const std::function<void(Cycle)>& progress = {});

 private:
  void OneCycle();
  void WriteTable();
  void Garbage();
  void StepDevice();
  void ResetAll();
  void Watch();
  void WatchIsolation() const;
  void Arrived(int port, const Arrival& arrival);
  bool Drained() const;
  std::int64_t BeatsOut() const;
  std::optional<double> Measured() const;

  const Capability& capability_;
  const Scenario& scenario_;
  std::uint64_t seed_;
  StreamDevice* device_;
  FrameSource source_;
  Books books_;
  std::vector<PortSender> senders_;
  std::vector<PortReceiver> receivers_;
  StreamInputs inputs_;
  StreamOutputs outputs_;
  Cycle now_ = 0;
  Cycle moved_ = 0;        ///< the latest cycle in which something moved, or the bench held it up
  Cycle idle_ = 0;         ///< the latest in which nothing waited
  std::uint64_t digest_ = 0;
  bool over_ = false;      ///< the traffic
  Cycle worst_ = -1;       ///< latency
  Cycle window_begin_ = 0;  ///< the window of shares: the traffic but for its first quarter
  Cycle window_end_ = 0;
  std::int64_t window_beats_ = 0;          ///< of all outputs, in the window
  std::vector<std::int64_t> focus_beats_;  ///< of frames that came out at the focus, by input, in the window
};

}  // namespace tilefly::conform
