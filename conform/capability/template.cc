// SPDX-License-Identifier: Apache-2.0
#include "conform/capability/template.h"

#include <fmt/format.h>

#include "conform/capability/keys.h"

namespace tilefly::conform {

std::string CapabilityTemplate(const std::map<std::string, std::string>& known) {
  std::string text =
      "# What a switch is, and what it claims. `tilefly conform list FILE` says which tests apply, `tilefly conform "
      "run FILE` runs them.\n"
      "# A line with # before its key has the value that holds when it is left out.\n";
  std::string section;
  const auto style = known.find("ports.style");
  const bool link = style != known.end() && style->second == "link";
  for (const Key& key : Keys()) {
    if (key.style == (link ? KeyStyle::kStream : KeyStyle::kLink)) continue;
    if (key.section != section) {
      section = key.section;
      text += fmt::format("\n{}:\n", section);
    }
    const std::string indent = section.empty() ? "" : "  ";
    text += fmt::format("{}# {}{}\n", indent, key.help, Choices(key));
    const auto found = known.find(key.Path());
    if (found != known.end()) {
      text += fmt::format("{}{}: {}\n", indent, key.name, found->second);
    } else if (key.initial == kRequired) {
      text += fmt::format("{}{}:  # to be filled in\n", indent, key.name);
    } else {
      text +=
          fmt::format("{}#{}:{}\n", indent, key.name, key.initial.empty() ? "" : fmt::format(" \"{}\"", key.initial));
    }
  }
  return text;
}

}  // namespace tilefly::conform
