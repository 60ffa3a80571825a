// SPDX-License-Identifier: Apache-2.0
// One test of a device with AXI-Stream ports: drives it, keeps its books, measures what it claims.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conform/bench/books.h"
#include "conform/bench/fill_rounds.h"
#include "conform/bench/frame_source.h"
#include "conform/bench/output_shares.h"
#include "conform/bench/port_receiver.h"
#include "conform/bench/port_sender.h"
#include "conform/bench/scenario.h"
#include "conform/bench/situations.h"
#include "conform/bench/stream_device.h"

namespace tilefly::conform {

/// What a run found.
struct Outcome {
  std::string breach;  ///< what the device broke, in frames and ports; empty: nothing
  std::string rule;
  Cycle cycle = 0;  ///< of the breach, or the length of the run
  int port = -1;
  Books::Counts counts;
  std::int64_t beats_in = 0;
  std::int64_t beats_out = 0;
  std::optional<double> measured;  ///< what the scenario measures
  std::uint64_t digest = 0;        ///< of all that the device showed, cycle by cycle
  std::vector<std::int64_t> situations;  ///< how often each was met, in the order of SituationKinds
  bool complete = false;           ///< the test came to its end, or to the breach
  /// With level cycle: ports and cycles compared with golden, and of these outputs that showed a beat.
  struct WithGolden {
    std::int64_t ports = 0;
    std::int64_t busy = 0;
  };
  std::optional<WithGolden> compared;
};

/// What its driver has to do next.
enum class Turn {
  kCycle,  ///< a cycle with `StreamBench::inputs`, then `StreamBench::Judge`
  kReset,  ///< a reset of the device, with idle inputs for as long as it takes
  kOver,   ///< nothing: the test came to its end, or the device broke a rule
};

/// The test as its driver sees it: `Next` says what to do, `Judge` takes what the device showed. The device is reset
/// when it begins.
class StreamBench {
 public:
  /// Both must outlive it. The frames are drawn as the scenario says.
  StreamBench(const Capability& capability, const Scenario& scenario, std::uint64_t seed);
  StreamBench(const Capability& capability, const Scenario& scenario, std::uint64_t seed,
              std::unique_ptr<FrameSource> source);

  Turn Next();
  /// Of the cycle that `Next` asked for; it stands until the next call of `Next`.
  const StreamInputs& inputs() const { return inputs_; }
  /// What the device showed in that cycle.
  void Judge(const StreamOutputs& shown);
  /// The device shows what no device must, an unknown value: the test is over.
  void Reject(const std::string& rule, int port, const std::string& what);
  /// What is known by now.
  Outcome Found() const;
  /// Nothing is in the device, as far as is known.
  bool Empty() const;
  const Books& books() const { return books_; }
  Cycle now() const { return now_; }

  /// Drives `device` to the end of the test; `progress` is called now and then with the cycle.
  Outcome Run(StreamDevice* device, const std::function<void(Cycle)>& progress = {});

 private:
  enum class Part { kTable, kGarbage, kReset, kTraffic };

  bool DriveTable();
  bool DriveGarbage();
  bool DriveTraffic();
  bool ChangeTable();
  bool OutputBegins();
  Cycle PartOfOutput() const;
  bool EmptyAtLast();
  void Drive(bool holds);
  void Forget();
  void Digest(const StreamOutputs& shown);
  void LookAtGarbage(const StreamOutputs& shown);
  void Look(const StreamOutputs& shown);
  void Watch(const StreamOutputs& shown);
  void WatchIsolation() const;
  void Arrived(int port, const Arrival& arrival);
  bool Drained() const;
  std::int64_t BeatsOut() const;
  bool InWindow() const;
  std::optional<double> Measured() const;

  const Capability& capability_;
  const Scenario& scenario_;
  std::uint64_t seed_;
  std::unique_ptr<FrameSource> source_;
  Books books_;
  std::vector<PortSender> senders_;
  std::vector<PortReceiver> receivers_;
  StreamInputs inputs_;
  std::uint64_t drops_ = 0;  ///< the device's counter
  std::optional<Breach> breach_;
  bool drained_ = false;
  std::deque<Part> parts_;          ///< of the test, still to come; the first is under way
  std::vector<TableWrite> writes_;  ///< of the table, that part kTable does
  std::size_t step_ = 0;            ///< of them
  Cycle garbage_end_ = -1;
  std::vector<bool> held_;  ///< garbage that is not taken
  Cycle begin_ = -1;        ///< of the traffic
  Cycle traffic_ = 0;       ///< cycles of it, when this turn began
  Cycle drains_ = 0;        ///< cycles in which the traffic waited until the next output's turn could begin
  Cycle output_ = 0;        ///< outputs that all wanted before
  bool turning_ = false;    ///< a turn of the traffic was interrupted by a reset or a table
  std::size_t resets_ = 0;
  bool changes_ = false;  ///< no frame begins: the table changes when the device is empty
  Cycle now_ = 0;
  Cycle moved_ = 0;  ///< the latest cycle in which something moved, or the bench held it up
  Cycle idle_ = 0;   ///< the latest in which nothing waited
  std::uint64_t digest_ = 0;
  bool over_ = false;       ///< the traffic
  Cycle worst_ = -1;        ///< latency
  Cycle window_begin_ = 0;  ///< the window of shares: the traffic but for its first quarter
  Cycle window_end_ = 0;
  std::int64_t window_beats_ = 0;     ///< of all outputs, in the window
  FillRounds fill_;
  OutputShares shares_;
  Situations situations_;
};

}  // namespace tilefly::conform
