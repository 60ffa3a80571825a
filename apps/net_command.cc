// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "cosim/network/net_session.h"

namespace tilefly::apps {
namespace {

using cosim::NetSettings;

int RunNet(const GivenSettings& given, const Common& common) {
  cosim::SessionOptions options;
  options.output_dir = given.output_dir;
  options.arguments = common.arguments;
  options.version = TILEFLY_VERSION;
  options.stop = common.stop;
  options.verbosity = given.quiet ? -1 : 0;
  options.show_progress = !given.quiet && isatty(STDERR_FILENO) == 1;
  NetSettings settings;
  Collect(given, &settings);
  cosim::NetSession session(std::move(settings), std::move(options));
  const int status = session.Run();
  if (given.json) fmt::print("{}\n", session.results().dump(2));
  return status;
}

}  // namespace

void AddNet(CLI::App* app, const Common& common, int* status) {
  CLI::App* const command = app->add_subcommand("net", "a system of golden switches from a topology and a workload");
  auto given = std::make_shared<GivenSettings>();
  AddSettings(command, NetSettings::Table(), given.get());
  command->callback([given, common, status] { *status = RunNet(*given, common); });
}

}  // namespace tilefly::apps
