// SPDX-License-Identifier: Apache-2.0
// The studies of the SHARP streaming-aggregation paper (docs/repro.md): its two-level fat tree, a switch alone, and the
// operations that are timed on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/repro/study.h"

namespace tilefly::runs {

inline constexpr std::int64_t kKiB = 1024;
inline constexpr std::int64_t kMiB = 1024 * kKiB;

/// 64 hosts below four leaf switches and one on top, 100 Gb/s.
StudySystem SharpTree();
/// One switch, a host on each port but the last.
StudySystem SharpSwitch(const std::string& nic_rate);

/// An all-reduce of `bytes` by ALGORITHM ("sharp", "sharp-low", "sharp,lock=each", "rabenseifner", "ring"). `ranks`:
/// ",ranks=8", ",at=0/2", empty for all hosts. The curve has the algorithm's name.
StudyRun AllReduce(const StudySystem& system, const std::string& algorithm, std::int64_t bytes,
                   const std::string& ranks = "");
/// Between two hosts of one leaf. Its time is half of the way there and back.
StudyRun PingPong(const StudySystem& system, std::int64_t bytes);
/// `tilefly net`'s text of as many barriers in the switches.
std::string BarrierTraffic(const std::string& ranks);
/// from, 2 from, 4 from, ... to.
std::vector<std::int64_t> Doubling(std::int64_t from, std::int64_t to);
/// The largest size of the sweeps over 64 hosts, by which `host-reduce` is fixed.
std::int64_t LargestBytes(bool quick);

/// The median time of an operation, from results.json of a run.
double OperationNs(const StudyRun& run, const nlohmann::ordered_json& results);
void MeasureOperation(const StudyRun& run, const nlohmann::ordered_json& results, StudyValues* values);
/// The time of an iteration in words; empty: there is none.
std::string OperationSummary(const nlohmann::ordered_json& results);

std::vector<StudyRun> SharpBandwidthRuns(bool quick);
std::vector<Figure> SharpBandwidthFigures(const StudyValues& times);
std::vector<StudyRun> SharpLatencyRuns(bool quick);
std::vector<Figure> SharpLatencyFigures(const StudyValues& times);

}  // namespace tilefly::runs
