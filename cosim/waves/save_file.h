// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cosim/common/story.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// Picoseconds of a cycle: the time base of every wave file.
constexpr Cycle CyclePs(const Profile& profile) { return 1'000'000'000 / profile.clock_khz; }

/// The text of a GTKWave save file for `fst`. It shows a packet's way through link in, requester, row bus, turn tile,
/// column channel, output and link out; each step has the signals of all `devices` (the scope names of
/// ObservationTrace) side by side. For a launch the way is: link in, reduction port, CFU, step by step round the ring,
/// where the halves meet, result fifo, row R, link out. For a device in `without_record` the file has links only.
std::string GtkwaveSave(const std::string& fst, const Profile& profile, const std::vector<std::string>& devices,
                        const Story& story, const std::set<std::string>& without_record = {});

/// The same view as a Surfer command file.
std::string SurferCommands(const std::string& fst, const Profile& profile, const std::vector<std::string>& devices,
                           const Story& story, const std::set<std::string>& without_record = {});

}  // namespace tilefly::cosim
