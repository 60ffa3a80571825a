// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/capture/capture_reader.h"
#include "cosim/capture/placement.h"
#include "cosim/setup/switch_setup.h"
#include "cosim/traffic/traffic_source.h"

namespace tilefly::cosim {

/// Gives the switch its address and enters the hosts into the exact-match table. Frames to unknown destinations go to
/// all ports in use.
void ConfigureHosts(const PortPlacement& placement, SwitchSetup* setup);

/// Most cycles that a run may take, and a number of cycles that no run reaches.
inline constexpr Cycle kLongestRun = Cycle{1} << 40;
inline constexpr Cycle kBeyondAnyRun = 2 * kLongestRun;

/// When frames are sent.
struct Pace {
  /// Cycles from the start of the run to the capture's time `time_ns`, at most kBeyondAnyRun.
  Cycle At(std::int64_t time_ns, int clock_khz) const;

  bool back_to_back = false;  ///< as fast as each port's link takes them
  double factor = 1;          ///< the capture's times are multiplied by it
};
/// Reads a pace: "kept", "back-to-back" or "xFACTOR". Throws UsageError for any other text.
Pace ParsePace(const std::string& text);
/// Time after which a capture is repeated, ns.
std::int64_t PeriodOf(const Capture& capture);

/// A capture as traffic.
struct CaptureOptions {
  bool used() const { return !file.empty(); }

  std::string file;  ///< empty: none
  PortsBy ports_by = PortsBy::kMac;
  Pace pace;
  int repeat = 1;
  Cycle max_cycles = 0;  ///< cycles of traffic; 0: until all is sent
};

/// A notice for the user before a run, when no frame of the capture comes for many cycles; empty: there is nothing to
/// say. Throws UsageError when all the frames take more cycles than a run may have.
std::string PaceNotice(const Capture& capture, const CaptureOptions& options, int clock_khz);

/// The frames of a capture, `repeat` times over.
class CaptureSource final : public TrafficSource {
 public:
  CaptureSource(const SwitchSetup& setup, Capture capture, const Placement& placement, Pace pace, int repeat);
  void Begin(Cycle now) override { begin_ = now; }
  FramePtr NextFrame(int port, Cycle now, LaneMask held) override;
  bool HasLoad() const override { return !pace_.back_to_back; }
  ClassSlots Offered(int port, Cycle now) override;
  bool Exhausted() const override { return left_ == 0; }
  std::int64_t Left() const override { return left_; }

 private:
  Cycle TimeOf(int port, std::size_t position) const;
  FramePtr Make(int port, std::size_t position) const;
  /// Frames of a port's queue up to a place in it.
  struct Passed {
    std::size_t next = 0;
    ClassSlots slots{};
  };
  FramePtr Advance(int port, Passed* passed) const;

  const SwitchSetup& setup_;
  Capture capture_;
  Pace pace_;
  int repeat_;
  std::vector<std::vector<std::size_t>> queues_;  ///< frames of each port, by index
  std::vector<Passed> taken_;                     ///< by port, over all repetitions
  std::vector<Passed> offered_;                   ///< the same of those that were told
  std::int64_t period_ns_;
  Cycle begin_ = 0;
  std::int64_t left_ = 0;
};

}  // namespace tilefly::cosim
