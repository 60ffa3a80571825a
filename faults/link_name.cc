// SPDX-License-Identifier: Apache-2.0
#include "faults/link_name.h"

#include <fmt/format.h>

#include <charconv>

#include "support/errors.h"

namespace tilefly::faults {
namespace {

/// The whole of `text` as a number, or -1.
int Digits(const std::string& text) {
  int value = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end && value >= 0 ? value : -1;
}

}  // namespace

std::string LinkName::Text() const {
  if (end == End::kEndpoint) return fmt::format("e{}", node);
  return end == End::kPort ? fmt::format("p{}", port) : fmt::format("s{}.{}", node, port);
}

LinkName ParseLinkName(const std::string& text, const std::string& origin) {
  LinkName name;
  const std::string rest = text.empty() ? "" : text.substr(1);
  const std::size_t dot = rest.find('.');
  switch (text.empty() ? '\0' : text.front()) {
    case 's':
      name.end = LinkName::End::kSwitchPort;
      name.node = dot == std::string::npos ? -1 : Digits(rest.substr(0, dot));
      name.port = dot == std::string::npos ? -1 : Digits(rest.substr(dot + 1));
      break;
    case 'e':
      name.end = LinkName::End::kEndpoint;
      name.node = Digits(rest);
      break;
    case 'p':
      name.port = Digits(rest);
      break;
    default:
      name.node = -1;
  }
  if (name.node >= 0 && name.port >= 0) return name;
  throw UsageError(fmt::format("{}: '{}' is no link; write s3.17 for port 17 of switch 3, e12 for the link of endpoint "
                               "12, or p5 for port 5 of the switch of cosim",
                               origin, text));
}

}  // namespace tilefly::faults
