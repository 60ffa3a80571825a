// SPDX-License-Identifier: Apache-2.0
// The transaction models under the traffic and the scoreboard of a run.
#include <cstdio>

#include "runs/switch/switch_run.h"

using namespace tilefly;

int main() {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"systemc"};
  options.kinds = runs::ParsePortKinds("mixed", kTile8.ports);
  options.max_cycles = 2000;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  std::printf("%s: %s\n", runs::ToString(outcome.verdict), outcome.message.c_str());
  return outcome.verdict == runs::Verdict::kPass && run.accepted_load() > 0 ? 0 : 1;
}
