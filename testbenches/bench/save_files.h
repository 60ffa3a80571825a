// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/bench/compared_values.h"

namespace tilefly::bench {

/// Writes the save files of GTKWave (.gtkw) and Surfer (.sucl) beside the plan's file. With a story: its steps; else
/// each signal of the plan, those that differ first. RTL's value of a signal has golden's below it. Throws
/// std::runtime_error with the file that cannot be written, or the value of a story that is not compared.
void WriteSaveFiles(const WavePlan& plan, Cycle cycle_ps);

}  // namespace tilefly::bench
