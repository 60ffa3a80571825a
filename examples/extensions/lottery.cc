// SPDX-License-Identifier: Apache-2.0
// A scheduler: of the classes that could send one is drawn for each packet, with its weight in the Deficit Table as its
// tickets (Waldspurger and Weihl, Lottery Scheduling, OSDI 1994).
#include "apps/program.h"
#include "extensions.h"
#include "support/random.h"

using namespace tilefly;
using namespace tilefly::golden;

namespace {

class Lottery final : public OwnScheduler {
 public:
  Lottery(int output, std::uint64_t seed) : output_(static_cast<std::uint32_t>(output)), seed_(seed) {}

  Decision Decide(Choices* choices) override {
    const auto tickets = [&](int tc) {
      return ((choices->sendable >> tc) & 1) != 0 ? choices->table.bank().weight(tc) : 0;
    };
    int all = 0;
    for (int tc = 0; tc < kMaxClasses; ++tc) all += tickets(tc);
    if (all == 0) return {};
    const std::uint64_t bits = Draw(seed_, output_, draws_, Purpose::kClass);
    auto drawn = static_cast<int>(Below(bits, static_cast<std::uint64_t>(all)));
    std::uint8_t tc = 0;
    while (drawn >= tickets(tc)) drawn -= tickets(tc++);
    if (choices->HeadOf(tc).cells == 0) return {Outcome::kWaits, tc};
    ++draws_;
    return {Outcome::kGranted, tc};
  }
  void Save(Saver* save) const override { (*save)(draws_); }
  void Load(Loader* load) override { (*load)(draws_); }

 private:
  std::uint32_t output_;
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
};

}  // namespace

void AddLottery() {
  network::Schedulers().Add("lottery", "a class is drawn for each packet, by weight, lottery:seed=1",
                            [](const Profile&, int output, KeyValues* keys) {
                              const int seed = keys->Integer("seed", 1, 0, 1 << 30, "numbers of 30 bits");
                              return std::make_unique<Lottery>(output, static_cast<std::uint64_t>(seed));
                            });
}
