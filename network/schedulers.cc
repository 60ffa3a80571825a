// SPDX-License-Identifier: Apache-2.0
#include "network/schedulers.h"

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "support/extension_error.h"
#include "support/text.h"

namespace tilefly::network {
namespace {

std::vector<std::string> BuiltInSchedulers() {
  std::vector<std::string> names;
  for (const golden::SchedulerName& known : golden::kSchedulerNames) names.emplace_back(known.name);
  return names;
}

using OwnMaker = std::function<std::unique_ptr<golden::OwnScheduler>(const Profile& profile, int output)>;

/// One of the user's, with whose name its errors are told. Its state is held as bytes of its own, so that what its Load
/// takes is what its Save gave.
class NamedScheduler final : public golden::OwnScheduler {
 public:
  NamedScheduler(std::string name, std::shared_ptr<const OwnMaker> make, const Profile& profile, int output)
      : name_(std::move(name)),
        make_(std::move(make)),
        profile_(profile),
        output_(output),
        own_((*make_)(profile, output)) {}

  golden::Decision Decide(golden::Choices* choices) override {
    return Inside([&] { return own_->Decide(choices); });
  }
  void Restart() override {
    Inside([&] { own_->Restart(); });
  }
  bool Unsettled() const override {
    return Inside([&] { return own_->Unsettled(); });
  }
  /// Throws ExtensionError when another scheduler could not load it.
  void Save(Saver* save) const override {
    SavedBytes bytes;
    Saver own(&bytes);
    Inside([&] { own_->Save(&own); });
    LoadInto((*make_)(profile_, output_).get(), bytes);
    (*save)(bytes);
  }
  void Load(Loader* load) override { LoadInto(own_.get(), load->Get<SavedBytes>()); }

 private:
  template <typename Call>
  auto Inside(Call&& call) const -> decltype(call()) {
    return InExtension(Schedulers().kind(), name_, std::forward<Call>(call));
  }
  void LoadInto(golden::OwnScheduler* scheduler, const SavedBytes& bytes) const {
    Loader load(bytes);
    std::string fault;
    try {
      scheduler->Load(&load);
      if (!load.AtEnd()) fault = "it takes fewer";
    } catch (const std::exception& error) {
      fault = error.what();
    }
    if (fault.empty()) return;
    throw ExtensionError(
        Schedulers().kind(), name_,
        fmt::format("its Load does not take the {} bytes that its Save gives ({}); name the same members in "
                    "both, in the same order",
                    bytes.size(), fault));
  }

  std::string name_;
  std::shared_ptr<const OwnMaker> make_;
  Profile profile_;
  int output_;
  std::unique_ptr<golden::OwnScheduler> own_;
};

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
  const auto make_own = std::make_shared<const OwnMaker>([make, given](const Profile& profile, int output) {
    KeyValues keys("scheduler " + given.name, given.arguments);
    auto scheduler = InExtension(Schedulers().kind(), given.name, [&] { return (*make)(profile, output, &keys); });
    keys.Finish();
    if (scheduler == nullptr)
      throw ExtensionError(Schedulers().kind(), given.name, "none was made; return a scheduler from its maker");
    return scheduler;
  });
  choice.make_own = [name = given.name, make_own](const Profile& profile, int output) {
    return std::make_unique<NamedScheduler>(name, make_own, profile, output);
  };
  return choice;
}

}  // namespace tilefly::network
