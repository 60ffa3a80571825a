// SPDX-License-Identifier: Apache-2.0
#include "network/schedulers.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "support/text.h"

namespace tilefly::network {
namespace {

std::vector<std::string> BuiltInSchedulers() {
  std::vector<std::string> names;
  for (const golden::SchedulerName& known : golden::kSchedulerNames) names.emplace_back(known.name);
  return names;
}

}  // namespace

Registry<SchedulerMaker>& Schedulers() {
  static Registry<SchedulerMaker> schedulers("scheduler", BuiltInSchedulers());
  return schedulers;
}

golden::SchedulerChoice ChooseScheduler(const std::string& text, const std::string& what) {
  golden::SchedulerChoice choice;
  for (const golden::SchedulerName& known : golden::kSchedulerNames) {
    if (known.name != text) continue;
    choice.kind = known.kind;
    return choice;
  }
  const NameAndArguments given(text);
  const SchedulerMaker* const make = Schedulers().Find(given.name);
  if (make == nullptr) {
    std::vector<std::string> names = BuiltInSchedulers();
    for (std::string& own : Schedulers().Names()) names.push_back(std::move(own));
    ThrowUnknown(what, given.name, names);
  }
  choice.kind = golden::SchedulerKind::kOwn;
  choice.own_name = given.name;
  choice.make_own = [make, given](const Profile& profile, int output) {
    KeyValues keys("scheduler " + given.name, given.arguments);
    std::unique_ptr<golden::OwnScheduler> scheduler = (*make)(profile, output, &keys);
    keys.Finish();
    if (scheduler == nullptr) throw std::logic_error(fmt::format("scheduler {}: none was made", given.name));
    return scheduler;
  };
  return choice;
}

}  // namespace tilefly::network
