// SPDX-License-Identifier: Apache-2.0
#include "conform/run/shortest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace tilefly::conform {
namespace {

constexpr std::int64_t kMostFrames = std::int64_t{1} << 20;

class Shortener {
 public:
  Shortener(const std::string& rule, const std::function<nlohmann::ordered_json(const OneTest&)>& run,
            const std::atomic<bool>* stop)
      : rule_(rule), run_(run), stop_(stop) {}

  /// The fewest frames of each input with which it fails; as it was when no number of them does.
  OneTest FewerFrames(OneTest one) {
    std::int64_t passes = 0;
    std::int64_t fails = 1;
    while (!Fails(one, fails)) {
      passes = fails;
      fails *= 2;
      if (fails > kMostFrames || (one.frames > 0 && fails >= one.frames) || Stopped()) return one;
    }
    while (fails - passes > 1 && !Stopped()) {
      const std::int64_t middle = passes + (fails - passes) / 2;
      (Fails(one, middle) ? fails : passes) = middle;
    }
    one.frames = fails;
    return one;
  }

  /// Leaves out halves of the inputs, then quarters, and so on, as long as it fails without them.
  OneTest FewerSenders(OneTest one) {
    for (std::size_t size = one.senders.size() / 2; size > 0; size /= 2) {
      for (std::size_t at = 0; at + size <= one.senders.size() && one.senders.size() > size && !Stopped();) {
        OneTest without = one;
        const auto begin = without.senders.begin() + static_cast<std::ptrdiff_t>(at);
        without.senders.erase(begin, begin + static_cast<std::ptrdiff_t>(size));
        if (Fails(without, without.frames)) {
          one = without;
        } else {
          at += size;
        }
      }
    }
    return one;
  }

 private:
  bool Stopped() const { return stop_ != nullptr && stop_->load(); }

  bool Fails(OneTest one, std::int64_t frames) {
    one.frames = frames;
    const nlohmann::ordered_json result = run_(one);
    return result.at("verdict") == "fail" && result.at("rule") == rule_;
  }

  const std::string& rule_;
  const std::function<nlohmann::ordered_json(const OneTest&)>& run_;
  const std::atomic<bool>* stop_;
};

}  // namespace

OneTest Shorten(const OneTest& failing, const std::string& rule, int ports,
                const std::function<nlohmann::ordered_json(const OneTest&)>& run, const std::atomic<bool>* stop) {
  Shortener shortener(rule, run, stop);
  OneTest one = failing;
  one.senders.resize(static_cast<std::size_t>(ports));
  std::iota(one.senders.begin(), one.senders.end(), 0);
  one = shortener.FewerFrames(one);
  one = shortener.FewerSenders(one);
  return shortener.FewerFrames(one);
}

}  // namespace tilefly::conform
