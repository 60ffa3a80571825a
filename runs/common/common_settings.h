// SPDX-License-Identifier: Apache-2.0
// Settings that several commands have.
#pragma once

#include <chrono>
#include <cstdint>

#include "cosim/capture/capture_source.h"
#include "golden/scheduler/schedulers.h"
#include "runs/common/setting_values.h"

namespace tilefly::runs {

/// Most cycles that a run may be asked for.
inline constexpr std::int64_t kMostCycles = std::int64_t{1} << 40;

inline constexpr Setting kSeed{"seed", "seed", "1", "root seed, 32 bits; or random"};
inline constexpr Setting kReseeds{"reseeds", "reseeds", "1", "runs, each with a seed of its own"};
inline constexpr Setting kTimeout{"timeout", "timeout", "0",
                                  "seconds of wall clock for the whole command; 0: no limit"};
inline constexpr Setting kScheduler{
    "qos.scheduler", "scheduler", "dtable",
    "scheduler of the outputs, golden only: dtable, dtable-paper, round-robin, drr, strict, scfq, infiniband", false,
    Commas::kNames};
inline constexpr Setting kQosFile{"qos.file", "qos", "",
                                  "traffic classes of every port: a table of `tilefly qos`, or wishes to plan one of", false,
                                  Commas::kWithin};

inline constexpr Setting kSenderQueues{
    "sender_queues", "sender-queues", "class",
    "class: a sender has a queue for each class; one: one queue for all, whose first packet holds back all others"};

inline constexpr Setting kSample{"sample", "sample", "off",
                                 "interval of the time series in samples.csv: 1us, 500ns; or off"};

inline constexpr Setting kCaptureFile{"capture.file", "pcap", "", "pcap or pcapng file whose frames are sent", false,
                                      Commas::kWithin};
inline constexpr Setting kCapturePace{"capture.pace", "pace", "back-to-back", "kept, back-to-back or xFACTOR"};
inline constexpr Setting kCapturePortsBy{"capture.ports_by", "ports-by", "mac",
                                         "where frames come in: by source address (mac), interface or round-robin"};
inline constexpr Setting kCaptureRepeat{"capture.repeat", "repeat", "1", "times the capture is sent"};

inline constexpr Setting kWaveStart{"waves.start", "trace-start", "auto", "first cycle of the waves"};
inline constexpr Setting kWaveEnd{"waves.end", "trace-end", "auto", "last cycle of the waves"};
inline constexpr Setting kWaveScope{"waves.scope", "trace-scope", "*",
                                    "tiles whose inner signals are traced, a glob: tile_r1_c*", false,
                                    Commas::kWithin};
inline constexpr Setting kWaveLimit{"waves.limit_mb", "trace-limit", "1000", "size at which a wave file ends, MB"};

/// What the setting says. Throws UsageError.
int ReseedsOf(const SettingValues& settings);
golden::SchedulerChoice SchedulerOf(const SettingValues& settings);
bool HasClassQueues(const SettingValues& settings);
/// The seed of each run: the root seed, then seeds derived from it.
std::uint32_t SeedOf(std::uint32_t root, int reseed);
/// Cycles of an interval of the time series, rounded up; 0: none are kept. Throws UsageError.
std::int64_t SampleCyclesOf(const SettingValues& settings, int clock_khz);
/// When the setting `timeout` ends what begins now; the end of time: it does not. Throws UsageError.
std::chrono::steady_clock::time_point DeadlineOf(const SettingValues& settings);
/// The settings `capture`. Throws UsageError.
cosim::CaptureOptions ReadCaptureOptions(const SettingValues& settings);

}  // namespace tilefly::runs
