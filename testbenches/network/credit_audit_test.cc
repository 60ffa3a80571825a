// SPDX-License-Identifier: Apache-2.0
// CRED-1 over the links of a system: at every step of a switch, the cells that each of its outputs has in use are in
// flight, in the far buffer, or on their way back.
#include <gtest/gtest.h>

#include <deque>

#include "golden/credit/credit_checker.h"
#include "network/network.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

class CreditAudit : public NodeProbe {
 public:
  explicit CreditAudit(Network* network)
      : network_(network),
        ports_(network->profile().ports),
        books_(network->nodes() * ports_),
        observed_(network->nodes()) {
    for (int n = 0; n < network->nodes(); ++n) network->device(n).Observe(&observed_[n]);
  }

  void Stepped(int node, Cycle now, const golden::Switch& device) override {
    for (int port = 0; port < ports_; ++port) {
      const Portobs& observed = observed_[node].ports[port];
      Books& own = At(node, port);
      if (observed.dec_valid) own.books.Granted(observed.dec_vl, observed.dec_cells);
      for (; !own.home.empty() && own.home.front().wire + golden::kWireToEvent <= now; own.home.pop_front())
        TakeHome(&own, own.home.front());
      own.books.Check(device.credits(port), &audit);
    }
    for (const golden::CreditReturn& credit : device.output().credits) {
      const FarEnd& far = network_->wiring().far(node, credit.port);
      if (far.node >= 0) Free(&At(far.node, far.port), credit.vl, credit.cells);
    }
  }
  void ToldCredit(int node, int port, const LinkCredit& credit) override {
    Books& own = At(node, port);
    if (network_->wiring().far(node, port).endpoint >= 0) Free(&own, credit.vl, credit.cells);
    own.home.push_back(credit);
  }

  golden::Audit audit;

 private:
  struct Books {
    golden::CreditChecker books;
    std::deque<LinkCredit> home;
    std::array<std::uint16_t, golden::kMaxLanes> taken{};
  };
  Books& At(int node, int port) { return books_[node * ports_ + port]; }
  static void Free(Books* own, int vl, std::uint16_t count) {
    own->books.Freed(vl, static_cast<std::uint16_t>(count - own->books.freed(vl)));
  }
  static void TakeHome(Books* own, const LinkCredit& credit) {
    own->books.Home(credit.vl, static_cast<std::uint16_t>(credit.cells - own->taken[credit.vl]));
    own->taken[credit.vl] = credit.cells;
  }

  Network* network_;
  int ports_;
  std::vector<Books> books_;
  std::vector<golden::SwitchObservation> observed_;
};

TEST(CreditAudit, EveryCellInUseIsSomewhereInEveryCycle) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2,arrangement=relative");
  for (const auto& [pattern, bench_timing] :
       {std::pair{"uniform", true}, {"adversarial:1", true}, {"adversarial:1", false}}) {
    NetworkOptions options;
    options.bench_timing = bench_timing;
    options.traffic.pattern = pattern;
    options.traffic.load = 0.9;
    options.traffic.size = "32,700,4224";
    options.cycles = 4000;
    options.warmup = 1000;
    Network network(topology, options);
    CreditAudit audit(&network);
    network.set_probe(&audit);
    EXPECT_EQ(network.Run(), Ending::kDrained);
    EXPECT_EQ(audit.audit.Message(), "");
    EXPECT_GT(audit.audit.judged(), 1'000'000);
    EXPECT_EQ(network.NotHome(), "");
  }
}

}  // namespace
}  // namespace tilefly::network
