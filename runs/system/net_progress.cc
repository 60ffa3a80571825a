// SPDX-License-Identifier: Apache-2.0
#include "runs/system/net_progress.h"

#include <fmt/format.h>

namespace tilefly::runs {

std::string ProgressText(const TrafficProgress& progress) {
  const bool ended = progress.at >= progress.end;
  std::string text = ended ? fmt::format("cycle {}, traffic has ended in cycle {}", progress.at, progress.end)
                           : fmt::format("cycle {} of {}", progress.at, progress.end);
  text += fmt::format("  {} packets delivered, {} inside", progress.delivered, progress.inside);
  if (progress.cycles_per_s <= 0) return text;
  text += fmt::format("  {:.0f} cycles/s", progress.cycles_per_s);
  if (ended) return text;
  const double left = static_cast<double>(progress.end - progress.at) / progress.cycles_per_s;
  return text + fmt::format(", traffic ends in {:.0f} s{}", left, progress.may_end_earlier ? " at the latest" : "");
}

}  // namespace tilefly::runs
