// SPDX-License-Identifier: Apache-2.0
// Text that goes into the pages for browsers: nothing in it becomes markup or script.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace tilefly::runs {

/// JSON in a line; bytes that are not UTF-8 become the replacement character.
std::string DumpText(const nlohmann::json& value);
/// JSON that may stand in a script element.
std::string ScriptJson(const nlohmann::json& value);
std::string EscapeHtml(std::string_view text);
/// `page` with every mark replaced by its text, in one pass: a mark inside a text stays as it is.
std::string FillPage(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string>> texts);

}  // namespace tilefly::runs
