// SPDX-License-Identifier: Apache-2.0
// The interface of a user's own scheduler for an output, in DeficitTable's place (docs/extending.md). Only who has one
// pays for its virtual calls: the switch's own schedulers are other alternatives of Schedulers.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "golden/common/archive.h"
#include "golden/scheduler/decision.h"
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

/// What an output's scheduler knows in the decision of a cycle.
class Choices {
 public:
  Choices(Cycle cycle, const SchedulerTable& registers, unsigned wanted_classes, unsigned sendable_classes)
      : now(cycle), table(registers), wanted(wanted_classes), sendable(sendable_classes) {}
  virtual ~Choices() = default;

  /// The head of the class's candidate. Its `cells` are 0 when the class is not in `sendable`, or the channels that its
  /// packets could cross by are busy.
  Head HeadOf(int tc) {
    asked_ = tc;
    head_ = tc >= 0 && tc < kMaxClasses && ((sendable >> tc) & 1) != 0 ? Ask(tc) : Head{};
    return head_;
  }
  /// Whether the decision can be carried out: the class that is granted was asked for last, and its head has cells.
  bool Allow(const Decision& decision) const {
    return decision.outcome != Outcome::kGranted || (decision.tc == asked_ && head_.cells > 0);
  }

  const Cycle now;
  const SchedulerTable& table;  ///< CLASS registers and weights of the output
  const unsigned wanted;        ///< classes with a request, one bit each
  const unsigned sendable;      ///< of these, classes that have credits, too

 private:
  virtual Head Ask(int tc) = 0;

  int asked_ = -1;
  Head head_;
};

class OwnScheduler {
 public:
  virtual ~OwnScheduler() = default;

  /// Makes one decision, in a cycle in which the output may grant. After kNothing and kWaits the scheduler is asked
  /// again when something has changed; after kExpects, kMoved and kGranted it is asked again in the next cycle. The
  /// class that is granted is the last one for which `choices->HeadOf` was called.
  virtual Decision Decide(Choices* choices) = 0;
  /// The banks of the Deficit Table changed places.
  virtual void Restart() {}
  /// Whether a decision without any class would change something; if so, the decision is made.
  virtual bool Unsettled() const { return false; }
  /// Saves and loads the state between two cycles, for checkpoints: all that Decide changes.
  virtual void Save(Saver* save) const = 0;
  virtual void Load(Loader* load) = 0;
};

/// A user's scheduler as one of the Schedulers.
class HeldScheduler {
 public:
  HeldScheduler(std::string name, std::unique_ptr<OwnScheduler> scheduler)
      : name_(std::move(name)), scheduler_(std::move(scheduler)) {}

  /// Throws std::logic_error for a grant that cannot be given.
  template <typename Candidate>
  Decision Decide(Cycle now, const SchedulerTable& table, unsigned wanted, unsigned sendable, Candidate&& candidate) {
    class Asked final : public Choices {
     public:
      Asked(Cycle cycle, const SchedulerTable& registers, unsigned wanted_classes, unsigned sendable_classes,
            Candidate& ask)
          : Choices(cycle, registers, wanted_classes, sendable_classes), ask_(ask) {}

     private:
      Head Ask(int tc) override { return ask_(tc); }
      Candidate& ask_;
    };
    Asked choices(now, table, wanted, sendable, candidate);
    const Decision decision = scheduler_->Decide(&choices);
    if (choices.Allow(decision)) return decision;
    throw std::logic_error("scheduler " + name_ + ": it grants class " + std::to_string(decision.tc) +
                           ", whose head it has not asked for last, or which has none");
  }
  void Restart(int) { scheduler_->Restart(); }
  bool unsettled() const { return scheduler_->Unsettled(); }
  Cycle EligibleFrom(int) const { return 0; }

  /// See golden/common/archive.h.
  void Serialize(Saver& save) { scheduler_->Save(&save); }
  void Serialize(Loader& load) { scheduler_->Load(&load); }
  void Serialize(AnyArchive&) {}

 private:
  std::string name_;
  std::unique_ptr<OwnScheduler> scheduler_;
};

}  // namespace tilefly::golden
