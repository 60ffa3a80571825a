// SPDX-License-Identifier: Apache-2.0
#include "qos/placement_search.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>

namespace tilefly::qos {
namespace {

class Search {
 public:
  Search(int size, const std::vector<Spacing>& classes)
      : size_(size), classes_(classes), states_(classes.size()), owners_(size, -1) {}

  Placement Run() {
    const bool found = Fill(0);
    if (found) return {Placement::Outcome::kFound, owners_};
    return {left_ > 0 ? Placement::Outcome::kImpossible : Placement::Outcome::kGivenUp, {}};
  }

 private:
  /// Where a class stands when the entries before the next one are fixed.
  struct State {
    int first = -1;
    int last = -1;
    int count = 0;
  };

  /// Last entry at which class `c` must come next. A class yet to come has as much time as its gap over the end has.
  int Deadline(int c) const {
    const State& state = states_[c];
    return (state.last < 0 ? -1 : state.last) + classes_[c].distance;
  }

  /// Entries that class `c` needs yet: for its least, and for the gap back to its first entry.
  int Needed(int c) const {
    const State& state = states_[c];
    if (state.last < 0) return std::max(classes_[c].least, (size_ + classes_[c].distance - 1) / classes_[c].distance);
    const int gap = state.first + size_ - state.last;
    const int steps = (gap + classes_[c].distance - 1) / classes_[c].distance;
    return std::max(steps - 1, classes_[c].least - state.count);
  }

  /// No class is late for certain: counts fit, and the j-th most urgent class can have the j-th next entry.
  bool MayFit(int next) const {
    int needed = 0;
    std::vector<int> deadlines;
    for (int c = 0; c < static_cast<int>(classes_.size()); ++c) {
      const int more = Needed(c);
      if (states_[c].count + more > classes_[c].most) return false;
      needed += more;
      if (more > 0) deadlines.push_back(std::min(Deadline(c), size_ - 1));
    }
    if (needed > size_ - next) return false;
    std::sort(deadlines.begin(), deadlines.end());
    for (std::size_t j = 0; j < deadlines.size(); ++j) {
      if (deadlines[j] < next + static_cast<int>(j)) return false;
    }
    return true;
  }

  std::string Key(int next) const {
    std::string key;
    const auto add = [&key](int value) {
      key += static_cast<char>(value & 0xff);
      key += static_cast<char>(value >> 8);
    };
    add(next);
    for (const State& state : states_) {
      add(state.first);
      add(state.last);
      add(state.count);
    }
    return key;
  }

  /// The classes that may take the next entry: first those that want entries, the most urgent first; then none (-1);
  /// then those that have all the entries that they want.
  std::vector<int> Choices() const {
    std::vector<int> choices;
    for (int c = 0; c < static_cast<int>(classes_.size()); ++c) {
      if (states_[c].count < classes_[c].most) choices.push_back(c);
    }
    std::stable_sort(choices.begin(), choices.end(), [this](int a, int b) { return Deadline(a) < Deadline(b); });
    const auto content = std::stable_partition(choices.begin(), choices.end(),
                                               [this](int c) { return states_[c].count < classes_[c].wanted; });
    choices.insert(content, -1);
    return choices;
  }

  bool Fill(int next) {
    if (left_ <= 0 || !MayFit(next)) return false;
    if (next == size_) return true;
    const std::string key = Key(next);
    if (dead_.count(key) != 0) return false;
    --left_;
    for (const int c : Choices()) {
      owners_[next] = c;
      if (c < 0) {
        if (Fill(next + 1)) return true;
        continue;
      }
      const State before = states_[c];
      states_[c] = {before.first < 0 ? next : before.first, next, before.count + 1};
      if (Fill(next + 1)) return true;
      states_[c] = before;
    }
    if (left_ > 0) dead_.insert(key);
    return false;
  }

  int size_;
  const std::vector<Spacing>& classes_;
  std::vector<State> states_;
  std::vector<int> owners_;
  std::unordered_set<std::string> dead_;  ///< states from which nothing was found
  int left_ = kSearchLimit;
};

}  // namespace

Placement SearchPlacement(int size, const std::vector<Spacing>& classes) { return Search(size, classes).Run(); }

}  // namespace tilefly::qos
