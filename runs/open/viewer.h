// SPDX-License-Identifier: Apache-2.0
// Programs of the desktop that show a file, and go on when this one ends.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tilefly::runs {

/// Whether a program of this name is in PATH.
bool HasProgram(const std::string& name);

/// Whether there is a screen to open a window on: X or Wayland.
bool HasScreen();

/// Starts `command` in `folder`, and looks for a moment whether it fails. Returns why it did not start, or failed;
/// empty: it has ended well, or goes on.
std::string StartViewer(const std::vector<std::string>& command, const std::filesystem::path& folder);

}  // namespace tilefly::runs
