// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "apps/command.h"
#include "support/errors.h"

namespace tilefly::apps {

void WriteFile(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!out) throw UsageError(fmt::format("{}: cannot be written; does its folder exist?", file));
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("{}: could not be written whole; is the disk full?", file));
}

}  // namespace tilefly::apps
