// SPDX-License-Identifier: Apache-2.0
// Counts of tilefly_requester up to the largest there are, against golden's (docs/blocks/ingress.md, Requester).
//
// Ready queues: a pop takes a credit and a packet, so the ready fifo grows only where credits come to queues that lack
// them while packets come to other queues that have some. Each round gives half of the lanes more packets than they have
// credits for, grants nothing meanwhile, and then grants in every cycle while packets come on the other half.
//
// Packets of a queue without a request: all that the buffer holds, but for those that were requested.
#include <gtest/gtest.h>

#include "Vrtl_ingress_tile8.h"
#include "testbenches/ingress/ingress_harness.h"
#include "testbenches/ingress/table_writes.h"

namespace tilefly::bench {
namespace {

constexpr int kRequesterPort = 5;
constexpr int kLanes = golden::kMaxLanes, kHalf = kLanes / 2;
constexpr int kBeyondCredits = 7;  ///< packets of a queue without credits, when grants begin
constexpr int kMeanwhile = 8;      ///< packets of each other queue that come from then on

/// Packets of a round, of one cell each: to a lane's queues of all outputs, by a broadcast and one to the own port.
class ReadyRounds {
 public:
  ReadyRounds(const Profile& profile, const Stimulus& random) : profile_(profile), random_(random) {}

  WirePacket Make(Cycle now) {
    const bool first = made_ < waiting();
    const int at = (first ? made_ : made_ - waiting()) / 2;
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhIp);
    header.len = static_cast<std::uint16_t>(profile_.min_enh_bytes);
    header.tc = static_cast<std::uint8_t>(random_.Below(8, "tc", now));
    header.vl = static_cast<std::uint8_t>(Lane(first, at % kHalf));
    header.dst = made_ % 2 == 0 ? 0xfffffu : kRequesterPort;
    header.flow = static_cast<std::uint16_t>(random_.Bits("flow", now));
    ++made_;
    return MakeWithHeader(random_, now, header);
  }
  /// Nothing more comes for now: the queues of the first half are to use up their credits, or the round is over.
  bool Pauses(bool granting) const { return made_ >= (granting ? all() : waiting()); }
  void NextRound() {
    made_ = 0;
    ++number_;
  }

 private:
  int waiting() const { return 2 * kHalf * (profile_.request_credits + kBeyondCredits); }
  int all() const { return waiting() + 2 * kHalf * kMeanwhile; }
  /// Lane `i` of the half that comes first, or of the other; a bit of the lane's number says which.
  int Lane(bool first, int i) const {
    const int bit = number_ % 4;
    const int low = i & ((1 << bit) - 1);
    return (i >> bit) << (bit + 1) | (first == (number_ / 4 % 2 == 0)) << bit | low;
  }

  const Profile& profile_;
  const Stimulus& random_;
  int made_ = 0;
  int number_ = 0;
};

/// Every port takes packets; a packet's lane stays, since the class of the in-port is not 0.
std::vector<Cfg> RequesterModes(const Profile& profile) {
  std::vector<Cfg> writes;
  for (int p = 0; p < profile.ports; ++p) {
    PortMode mode;
    mode.enable = mode.credits = true;
    mode.pclass = p == kRequesterPort;
    writes.push_back(Write(CfgSpace::kPort, p, static_cast<int>(PortReg::kMode), mode.ToBits()));
  }
  writes.push_back(Write(CfgSpace::kPort, kRequesterPort, static_cast<int>(PortReg::kFloodBroadcast), ~std::uint64_t{0}));
  return writes;
}

struct QueueCounts {
  int ready = 0;
  int unrequested = 0;
};
QueueCounts CountsOf(const golden::VirtualQueues& queues) {
  QueueCounts counts;
  queues.ForEach([&](golden::Index, const golden::Queue& queue) {
    counts.ready += queue.ready;
    counts.unrequested += queue.unrequested;
  });
  return counts;
}

TEST(Requester, AllQueuesAreReadyAtOnce) {
  const Profile& profile = kTile8;
  const int every = profile.ports * kLanes;
  Comparison run({0.3, 25, 0, 500});
  IngressHarness<Vrtl_ingress_tile8> harness(&run, profile, kRequesterPort);
  const Bin more_than_half = run.AddBin("more than half of the queues are ready", 100);
  const Bin all = run.AddBin("all queues are ready", 100);
  const Bin from_all = run.AddBin("from all that are ready the fifo runs empty", 1);
  const std::vector<Cfg> modes = RequesterModes(profile);
  std::size_t written = 0;
  ReadyRounds rounds(profile, run.stimulus());
  WordSource source(run.stimulus(), [&](Cycle now) { return rounds.Make(now); }, 0, 0);
  source.set_level(256);
  GrantSource grants;
  bool granting = false, were_all = false;
  while (run.Next()) {
    const Cycle now = run.cycle();
    const Cfg cfg = written < modes.size() ? modes[written++] : Cfg{};
    const bool quiet = run.draining() || now < 32 || rounds.Pauses(granting);
    const auto grant = granting || run.draining() ? grants.Next(run.stimulus(), now, 256) : std::nullopt;
    harness.Step(source.Next(now, quiet), true, cfg, grant);
    harness.DrainUntilEmpty();

    const golden::InputPort::Outputs& outputs = harness.outputs();
    if (outputs.request) grants.Request(now, {outputs.request->destination, outputs.request->request.vl});
    const QueueCounts counts = CountsOf(harness.golden().queues());
    run.Hit(more_than_half, counts.ready > every / 2);
    run.Hit(all, counts.ready == every);
    were_all = were_all || counts.ready == every;
    if (counts.unrequested == every / 2 * kBeyondCredits) granting = true;
    if (granting && rounds.Pauses(granting) && harness.idle_cycles() > 0) {
      run.Hit(from_all, were_all);
      were_all = granting = false;
      rounds.NextRound();
    }
  }
}

TEST(Requester, OneQueueHoldsAllPackets) {
  const Profile& profile = kTile8;
  Comparison run({1, 25, 11'000, 500});
  IngressHarness<Vrtl_ingress_tile8> harness(&run, profile, kRequesterPort);
  const Bin held = run.AddBin("every cell is a packet of one queue, as many as may be are requested", 100);
  const std::vector<Cfg> modes = RequesterModes(profile);
  std::size_t written = 0;
  WordSource source(
      run.stimulus(),
      [&](Cycle now) {
        Header header;
        header.kind = static_cast<std::uint8_t>(Kind::kEnhIp);
        header.len = static_cast<std::uint16_t>(profile.min_enh_bytes);
        header.vl = kLanes - 1;
        header.dst = kRequesterPort;
        return MakeWithHeader(run.stimulus(), now, header);
      },
      0, 0);
  source.set_level(256);
  GrantSource grants;
  Cycle full = 0;
  while (run.Next()) {
    const Cycle now = run.cycle();
    const Cfg cfg = written < modes.size() ? modes[written++] : Cfg{};
    const bool granting = full > 200 || run.draining();
    harness.Step(source.Next(now, now < 32 || granting), true, cfg,
                 granting ? grants.Next(run.stimulus(), now, 256) : std::nullopt);
    harness.DrainUntilEmpty();
    const golden::InputPort::Outputs& outputs = harness.outputs();
    if (outputs.request) grants.Request(now, {outputs.request->destination, outputs.request->request.vl});
    full += harness.golden().used() == profile.cells;
    run.Hit(held, CountsOf(harness.golden().queues()).unrequested == profile.cells - profile.request_credits);
  }
}

}  // namespace
}  // namespace tilefly::bench
