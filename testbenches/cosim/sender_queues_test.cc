// SPDX-License-Identifier: Apache-2.0
// Queues of a sender (docs/cosimulation.md, Queues of a sender): what has no credit holds back its own lane alone.
#include "cosim/endpoint/sender_queues.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cosim/endpoint/link_sender.h"
#include "cosim/traffic/generator.h"

namespace tilefly::cosim {
namespace {

/// A sender alone on its link. The far end gives back the cells of all lanes but one as soon as a frame is there, those
/// of the blocked lane late, or never.
class LoneSender final : public FrameSink {
 public:
  LoneSender(PortKind kind, bool lane_queues, const std::string& classes, int blocked_lane, const StallOptions& stalls = {})
      : setup_(kTile8, std::vector<PortKind>(8, kind), 4),
        generator_(setup_, Options(classes), 7),
        sender_(setup_, kPort, stalls, 7, &generator_, this, lane_queues),
        blocked_lane_(blocked_lane) {
    generator_.Begin(0);
  }

  void Run(Cycle cycles) {
    for (const Cycle end = now_ + cycles; now_ < end; ++now_) {
      sender_.Drive(now_, &word_);
      if (due_.empty() || due_.begin()->first > now_) continue;
      sender_.OnCredit(now_, due_.begin()->second);
      due_.erase(due_.begin());
    }
  }
  void Sent(const FramePtr& frame, Cycle first, Cycle last) override {
    const Frame& one = *frame;
    sent.push_back(frame);
    waited.push_back(sender_.waited());
    starts.push_back(first);
    const bool blocked = one.enh && one.header.vl == blocked_lane_;
    if (!one.enh || (blocked && late == 0)) return;
    Ctrl ctrl{};
    ctrl.credit_valid = true;
    ctrl.credit_vl = one.header.vl;
    freed_[one.header.vl] = static_cast<std::uint16_t>(freed_[one.header.vl] + one.cells());
    ctrl.credit_cells = freed_[one.header.vl];
    due_.emplace(last + (blocked ? late : 10), ctrl);
  }
  void Received(const Reception&) override {}

  std::map<int, int> FramesByClass() const {
    std::map<int, int> frames;
    for (const FramePtr& frame : sent) ++frames[setup_.ClassOf(*frame)];
    return frames;
  }
  LinkSender& sender() { return sender_; }
  Cycle now() const { return now_; }
  const SwitchSetup& setup() const { return setup_; }

  Cycle late = 0;  ///< cycles after which cells of the blocked lane come back, 0: never
  std::vector<FramePtr> sent;
  std::vector<StartWait> waited;
  std::vector<Cycle> starts;

 private:
  static constexpr int kPort = 2;

  static GeneratorOptions Options(const std::string& classes) {
    GeneratorOptions options;
    options.size = "512";
    options.load = 0.8;
    options.classes = classes;
    return options;
  }

  const SwitchSetup setup_;
  Generator generator_;
  LinkSender sender_;
  const int blocked_lane_;
  Word word_{};
  Cycle now_ = 0;
  std::multimap<Cycle, Ctrl> due_;
  std::map<int, std::uint16_t> freed_;
};

/// Of class 3 the credits come to an end; class 5 has half of the load.
TEST(SenderQueues, ABlockedClassHoldsBackItselfAlone) {
  constexpr Cycle kCycles = 40000;
  constexpr double kFrames = 0.4 * kCycles / 17;  // of a class
  for (const bool lane_queues : {true, false}) {
    LoneSender link(PortKind::kEnhanced, lane_queues, "3,5", 3);
    link.Run(kCycles);
    std::map<int, int> frames = link.FramesByClass();
    EXPECT_GT(frames[3], 20);
    EXPECT_LT(frames[3], 200) << "its buffer is full";
    if (lane_queues) {
      EXPECT_NEAR(frames[5], kFrames, 0.05 * kFrames);
    } else {
      EXPECT_LT(frames[5], 250);
    }
    EXPECT_GT(link.sender().blocked_cycles(), kCycles / 3);
  }
}

/// A fabric port's frames of one class use two lanes, each with credits of its own.
TEST(SenderQueues, ABlockedLaneHoldsBackItselfAlone) {
  LoneSender link(PortKind::kFabric, true, "2", 10);
  link.Run(40000);
  std::map<int, int> by_lane;
  for (const FramePtr& frame : link.sent) ++by_lane[frame->header.vl];
  EXPECT_LT(by_lane[10], 200);
  EXPECT_NEAR(by_lane[2], 0.4 * 40000 / 17, 80);
}

/// Frames of a lane start in the order of their numbers, whatever passes them; in one queue all do.
TEST(SenderQueues, TheOrderWithinALaneIsKept) {
  for (const bool lane_queues : {true, false}) {
    LoneSender link(PortKind::kFabric, lane_queues, "0,3,5", 3);
    link.late = 9000;
    link.Run(30000);
    std::map<int, std::uint64_t> latest;
    std::set<std::uint64_t> ids;
    std::uint64_t all = 0;
    int overtaken = 0;
    for (const FramePtr& frame : link.sent) {
      EXPECT_GT(frame->id, latest[frame->header.vl]);
      EXPECT_TRUE(ids.insert(frame->id).second);
      latest[frame->header.vl] = frame->id;
      overtaken += frame->id < all;
      all = std::max(all, frame->id);
    }
    if (lane_queues) {
      EXPECT_GT(overtaken, 10);
    } else {
      EXPECT_EQ(overtaken, 0);
    }
  }
}

/// A PAUSE holds back all classes: there is one queue, in the order of the source, however long it lasts.
TEST(SenderQueues, APausedPortSendsNothingAndKeepsItsOrder) {
  LoneSender link(PortKind::kStandard, true, "0,3", -1);
  link.Run(1000);
  const std::size_t before = link.sent.size();
  link.sender().OnPause(link.now(), 500);
  link.Run(900);
  EXPECT_LE(link.sent.size(), before + 1);
  link.Run(3000);
  EXPECT_GT(link.sent.size(), before + 50);
  for (std::size_t i = 1; i < link.sent.size(); ++i) EXPECT_GT(link.sent[i]->id, link.sent[i - 1]->id);
}

/// A PAUSE of the endpoint passes the frame that waits, and nothing is lost.
TEST(SenderQueues, APauseFramePassesWhatWaits) {
  LoneSender link(PortKind::kStandard, true, "0", -1);
  link.sender().OnPause(0, 500);
  link.Run(300);
  ASSERT_TRUE(link.sender().holding());
  auto pause = std::make_shared<Frame>();
  pause->bytes = PauseFrame({2, 0, 0, 0, 0, 1}, 3);
  pause->control = true;
  link.sender().SendControl(pause);
  link.Run(2000);
  ASSERT_GT(link.sent.size(), 20u);
  EXPECT_TRUE(link.sent[0]->control);
  for (std::size_t i = 1; i < link.sent.size(); ++i)
    EXPECT_EQ(link.sent[i]->id, (i - 1) * 8 + 3) << "frame " << i << " of port 2 of 8";
  EXPECT_GT(link.waited[1].passed, 0);
}

/// A frame waited for its credits, for others on the link, or in a stall: together until it starts.
TEST(SenderQueues, WaitsAddUpToTheStart) {
  StallOptions stalls;
  stalls.share = 0.1;
  stalls.max_cycles = 60;
  LoneSender link(PortKind::kFabric, true, "0,3,5", -1, stalls);
  link.Run(20000);
  Cycle passed = 0;
  for (std::size_t i = 0; i < link.sent.size(); ++i) {
    const StartWait& waited = link.waited[i];
    const Cycle stalled = link.starts[i] - waited.taken - waited.passed - waited.blocked - waited.down;
    EXPECT_GE(stalled, 0);
    EXPECT_LE(stalled, stalls.max_cycles);
    passed += waited.passed;
  }
  EXPECT_GT(passed, 100);
}

FramePtr FrameOf(int tc, int lane, Kind kind = Kind::kEnhEth) {
  auto frame = std::make_shared<Frame>();
  frame->enh = true;
  frame->header.kind = static_cast<std::uint8_t>(kind);
  frame->header.tc = static_cast<std::uint8_t>(tc);
  frame->header.vl = static_cast<std::uint8_t>(lane);
  return frame;
}

std::vector<int> LanesTaken(SenderQueues* queues, int frames, const std::set<int>& blocked = {}) {
  std::vector<int> lanes;
  for (int i = 0; i < frames; ++i) {
    bool held = false;
    const auto next =
        queues->Take(1, [&](const Frame& frame) { return blocked.count(frame.header.vl) > 0 ? HeldBack::kByLink : HeldBack::kNo; }, &held);
    lanes.push_back(next.frame == nullptr ? -1 : next.frame->header.vl);
    if (next.frame != nullptr) queues->Add(next.frame, 0, {});
  }
  return lanes;
}

/// Classes in the order of their numbers, of each its lanes in turn.
TEST(SenderQueues, ClassesTakeTurnsAndTheirLanesWithinThem) {
  SenderQueues queues(true);
  for (const auto& [tc, lane] : std::vector<std::pair<int, int>>{{1, 9}, {1, 1}, {1, 4}, {6, 6}})
    queues.Add(FrameOf(tc, lane), 0, {});
  EXPECT_EQ(LanesTaken(&queues, 8), (std::vector<int>{1, 6, 4, 6, 9, 6, 1, 6}));
  EXPECT_EQ(LanesTaken(&queues, 4, {4, 6}), (std::vector<int>{9, 1, 9, 1}));
  EXPECT_EQ(LanesTaken(&queues, 1, {1, 4, 6, 9}), (std::vector<int>{-1}));
}

TEST(SenderQueues, PacketsOfReductionsGoFirst) {
  SenderQueues queues(true);
  queues.Add(FrameOf(0, 0), 0, {});
  queues.Add(FrameOf(7, 14, Kind::kRed), 0, {});
  EXPECT_EQ(LanesTaken(&queues, 3), (std::vector<int>{14, 14, 14}));
  EXPECT_EQ(LanesTaken(&queues, 2, {14}), (std::vector<int>{0, 0}));
}

/// However lanes are held, a source hands out the same frames, each lane's in order, and tells the same load.
TEST(SenderQueues, ASourceLosesNothingBehindALaneThatIsHeld) {
  const SwitchSetup setup(kTile8, std::vector<PortKind>(8, PortKind::kFabric), 4);
  GeneratorOptions options;
  options.load = 0.9;
  options.size = "64,700";
  options.classes = "0,2*3";
  options.faults = 0.1;
  Generator plain(setup, options, 3), held(setup, options, 3);
  std::map<int, std::vector<std::uint64_t>> expected, got;
  plain.Begin(0);
  held.Begin(0);
  const auto take = [&](Generator* from, Cycle now, LaneMask lanes, auto* frames) {
    const FramePtr frame = from->NextFrame(1, now, lanes);
    if (frame == nullptr) return false;
    EXPECT_EQ(lanes >> frame->header.vl & 1, 0u);
    EXPECT_LE(frame->created, now);
    (*frames)[frame->header.vl].push_back(frame->id);
    return true;
  };
  for (Cycle now = 0; now < 20000; ++now) {
    while (take(&plain, now, 0, &expected)) continue;
    // One lane after another is held for a long time.
    while (take(&held, now, LaneMask{1} << (now / 3000 % 2 * 2) | LaneMask{1} << 10, &got)) continue;
    if (now % 1000 == 0) EXPECT_EQ(held.Offered(1, now), plain.Offered(1, now)) << now;
  }
  EXPECT_LT(got[10].size(), expected[10].size());
  while (take(&held, 19999, 0, &got)) continue;
  EXPECT_EQ(got, expected);
  EXPECT_EQ(got.size(), 4u);
}

}  // namespace
}  // namespace tilefly::cosim
