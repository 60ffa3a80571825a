// SPDX-License-Identifier: Apache-2.0
#include "support/cores.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace tilefly {
namespace {

/// Whole cores of the time that the control group (version 2) gives its processes; a part counts as one. 0: no limit.
int CoresOfGroup() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  long long period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
  return static_cast<int>((std::strtoll(quota.c_str(), nullptr, 10) + period - 1) / period);
}

}  // namespace

int UsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                          : static_cast<int>(std::thread::hardware_concurrency());
  if (const int most = CoresOfGroup(); most > 0) cores = std::min(cores, most);
  return std::max(1, cores);
}

}  // namespace tilefly
