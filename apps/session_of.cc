// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "apps/command.h"

namespace tilefly::apps {

runs::SessionOptions SessionOf(const Common& common, const std::string& output_dir, int verbosity) {
  runs::SessionOptions session;
  session.output_dir = output_dir;
  session.arguments = common.arguments;
  session.version = TILEFLY_VERSION;
  session.stop = common.stop;
  session.verbosity = verbosity;
  session.show_progress = verbosity >= 0 && isatty(STDERR_FILENO) == 1;
  return session;
}

}  // namespace tilefly::apps
