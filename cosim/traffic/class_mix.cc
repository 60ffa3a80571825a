// SPDX-License-Identifier: Apache-2.0
#include "cosim/traffic/class_mix.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"
#include "cosim/setup/frame.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr const char* kAll = "table";

int NumberOf(const std::string& name, const std::optional<ClassSetup>& classes, const Profile& profile,
             const std::string& option) {
  std::vector<std::string> names;
  if (classes) {
    for (const qos::TrafficClass& one : classes->table().classes) {
      if (one.name == name) return one.level;
      names.push_back(one.name);
    }
  }
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos) {
    const std::int64_t tc = ParseInteger(name, option);
    if (tc < profile.classes) return static_cast<int>(tc);
  } else if (classes) {
    names.emplace_back(kAll);
    ThrowUnknown(fmt::format("class ({})", option), name, names);
  }
  throw UsageError(fmt::format("{}: '{}': traffic classes are 0 to {}{}", option, name, profile.classes - 1,
                               classes ? "" : "; names are those of a table, which --qos FILE gives"));
}

ClassPart PartOf(int tc, double share, const std::optional<ClassSetup>& classes, const Profile& profile) {
  return {tc, share, std::min(classes ? LargestFrame(classes->Of(tc).mtu) : profile.mtu_bytes, profile.mtu_bytes)};
}

}  // namespace

std::vector<ClassPart> ParseClasses(const std::string& text, const std::optional<ClassSetup>& classes,
                                    const Profile& profile, const std::string& option) {
  std::vector<ClassPart> parts;
  if (classes && text == kAll) {
    const std::vector<qos::Holding> held = qos::Holdings(classes->table());
    for (std::size_t c = 0; c < held.size(); ++c)
      parts.push_back(PartOf(classes->table().classes[c].level, held[c].weight, classes, profile));
  } else {
    for (const std::string& item : Split(text, ',')) {
      const auto fields = Split(item, '*');
      if (fields.empty() || fields.size() > 2)
        throw UsageError(fmt::format("{}: '{}' is not CLASS or CLASS*WEIGHT", option, item));
      const double share = fields.size() == 2 ? ParseWeight(fields[1], option + " " + item) : 1;
      parts.push_back(PartOf(NumberOf(fields[0], classes, profile, option), share, classes, profile));
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto same = [&](const ClassPart& other) { return other.tc == parts[i].tc; };
    if (std::any_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i), same))
      throw UsageError(
          fmt::format("{} {}: class {} is named twice; give it once, with its weight", option, text, parts[i].tc));
  }
  if (parts.empty()) throw UsageError(option + ": at least one traffic class");
  double total = 0;
  for (const ClassPart& part : parts) total += part.share;
  for (ClassPart& part : parts) part.share /= total;
  return parts;
}

ClassMark MarkOf(int tc, const std::optional<ClassSetup>& classes) {
  if (!classes) return {tc, -1};
  if (classes->OfPcp(tc) == tc) return {tc, -1};
  for (int pcp = 0; pcp < 8; ++pcp) {
    if (classes->OfPcp(pcp) == tc) return {pcp, -1};
  }
  for (int dscp = 0; dscp < 64; ++dscp) {
    if (classes->OfDscp(dscp) == tc) return {0, dscp};
  }
  throw UsageError(
      fmt::format("{}: no pcp and no dscp value chooses traffic class {}, so that standard ports cannot send it; "
                  "give its class one, or leave it out of --classes",
                  classes->file(), tc));
}

}  // namespace tilefly::cosim
