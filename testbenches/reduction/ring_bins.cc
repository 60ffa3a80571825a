// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/ring_bins.h"

namespace tilefly::bench {
namespace {

constexpr std::array<const char*, 7> kLaunches = {"launch up, slot 0",
                                                  "launch up, slot 1",
                                                  "launch down, slot 0",
                                                  "launch down, slot 1",
                                                  "short launch up",
                                                  "short launch down",
                                                  "notice"};
constexpr std::array<const char*, 10> kFailures = {"",
                                                   "",
                                                   "failure: MISMATCH",
                                                   "failure: ROLE",
                                                   "failure: UNBOUND",
                                                   "failure: ORDER",
                                                   "failure: FORMAT",
                                                   "failure: TIMEOUT",
                                                   "failure: LINK",
                                                   "failure: LEFT"};
constexpr std::array<const char*, 4> kCounts = {"packet used", "packet stale", "packet refused", "packet damaged"};

/// Bytes of the published packet (docs/blocks/reduction-trees.md, Small-operand engine).
struct Published {
  explicit Published(const std::uint8_t* data) {
    std::uint64_t low = 0;  // bits 63..0 of the header, highest byte first
    for (int i = 9; i < 17; ++i) low = low << 8 | data[i];
    code = static_cast<int>(low >> 47 & 15);
    count = static_cast<int>(low >> 17 & 0xFFFFF);
    op = static_cast<int>(low >> 11 & 63);
  }
  int code, count, op;
};
constexpr int kRepsum = static_cast<int>(RedOpcode::kFltRepsum);
constexpr int kDiffers = static_cast<int>(RedRc::kDiffers);

bool Is(const Red& red, RedWhat what) { return red.what == static_cast<std::uint8_t>(what); }
bool Is(const Red& red, RedCode code) { return red.code == static_cast<std::uint8_t>(code); }
bool Is(const Red& red, RedAction action) { return red.action == static_cast<std::uint8_t>(action); }

}  // namespace

RingBins::RingBins(Comparison* run, const Profile& profile, Packets packets)
    : run_(*run),
      profile_(profile),
      entries_(static_cast<std::size_t>(profile.ports)),
      ended_(static_cast<std::size_t>(profile.ports)) {
  // What peers come to that keep the protocol, what mistakes and time bring, and what only links that go down.
  const auto of_peers = [&](std::int64_t minimum) { return packets != Packets::kAny ? minimum : 0; };
  const auto of_mishaps = [&](std::int64_t minimum) { return packets != Packets::kRight ? minimum : 0; };
  const auto of_any = [&](std::int64_t minimum) { return packets == Packets::kAny ? minimum : 0; };
  const auto of_trees = [&](std::int64_t minimum) { return packets == Packets::kMishaps ? minimum : 0; };
  constexpr int kPairs = 63;  // that are legal
  pair_ = run->AddBin("pairs of operation and type", packets == Packets::kAny ? kPairs : kPairs / 2);
  for (int i = 0; i < golden::kRedCandidates; ++i) {
    const bool notice = i == static_cast<int>(RedCandidate::kNotice);
    launches_[static_cast<std::size_t>(i)] =
        run->AddBin(kLaunches[static_cast<std::size_t>(i)], notice ? of_mishaps(5) : 2);
  }
  both_slots_ = run->AddBin("both slots bound", 1000);
  full_ = run->AddBin("a port has no entry left", of_peers(200));
  no_credit_ = run->AddBin("results wait for a node's credit", of_trees(20));
  no_room_ = run->AddBin("no room for a result", of_trees(20));
  lock_refused_ = run->AddBin("lock refused", 5);
  unlock_refused_ = run->AddBin("unlock refused", of_any(5));
  tag_wraps_ = run->AddBin("tag wraps", 0);
  borrows_ = run->AddBin("a count of operations borrows from its upper bits", of_any(3));
  for (std::size_t code = 0; code < kFailures.size(); ++code) {
    const bool is_link = code == static_cast<std::size_t>(RedCode::kLink);
    const bool is_failure = kFailures[code][0] != '\0';
    failures_.push_back(is_failure ? run->AddBin(kFailures[code], is_link ? of_any(5) : of_mishaps(1)) : Bin{-1});
  }
  for (const char* name : kCounts) counters_.push_back(run->AddBin(name, of_mishaps(1)));
  short_differs_ = run->AddBin("parts of a short operation differ", of_trees(1));
  small_ = run->AddBin("small operation", of_peers(20));
  small_differs_ = run->AddBin("small operations differ, or are none", of_any(5));
  partial_ = run->AddBin("part of a small operation", of_peers(2));
  repsum_ = run->AddBin("reproducible sum", of_any(1));
}

void RingBins::Ended(int port, const Red& red) { ended_[static_cast<std::size_t>(port)] = red.what; }

void RingBins::Left(const Leaving& packet) {
  const Red red = Red::UnpackBytes(packet.frame.data());
  const bool is_short = Is(red, RedWhat::kShort) || Is(red, RedWhat::kShortResult);
  const bool is_stream = Is(red, RedWhat::kSegment) || Is(red, RedWhat::kResult);
  if ((is_short || is_stream) && !red.empty && red.bytes != 0)
    run_.Hit(pair_, pairs_.insert({red.op, red.dtype}).second);
  if (is_short) {
    const bool busy = Is(red, RedCode::kBusy);
    run_.Hit(lock_refused_, busy && Is(red, RedAction::kLock));
    run_.Hit(unlock_refused_, busy && Is(red, RedAction::kUnlock));
    run_.Hit(short_differs_, Is(red, RedAction::kReduce) && Is(red, RedCode::kMismatch));
  }
  if (Is(red, RedWhat::kFail) && red.code < failures_.size() && failures_[red.code].index >= 0)
    run_.Hit(failures_[red.code]);
  if (Is(red, RedWhat::kSmall)) Small(packet.frame.data() + Red::kBytes);
  if (Is(red, RedWhat::kResult) && packet.header.an) {
    for (int s = 0; s < golden::kRedSlots; ++s) {
      const int group = s == 0 ? command_.bind0_group : command_.bind1_group;
      const bool bound = s == 0 ? command_.bind0_valid : command_.bind1_valid;
      if (bound && group == red.group)
        ++entries_[static_cast<std::size_t>(packet.port)][static_cast<std::size_t>(s)].unanswered;
    }
  }
}

void RingBins::Small(const std::uint8_t* data) {
  const Published published(data);
  run_.Hit(small_);
  run_.Hit(small_differs_, published.code == kDiffers);
  run_.Hit(partial_, published.count == 1);
  run_.Hit(repsum_, published.op == kRepsum && published.count > 1 && published.code != kDiffers);
}

void RingBins::Look(const golden::GoldenRing& golden, const golden::GoldenRing::Outputs& outputs) {
  if (outputs.observed.cfu.launch_valid) run_.Hit(launches_[outputs.observed.cfu.launch_number]);
  LookAtSlots(outputs);
  LookAtRooms(golden.reductions().cfu());
  LookAtLocks(golden.reductions().cfu());
  for (std::size_t i = 0; i < kCounters.size(); ++i) {
    std::uint64_t count = 0;
    for (int p = 0; p < profile_.ports; ++p) count += golden.Count(p, static_cast<int>(kCounters[i]));
    run_.Hit(counters_[i], static_cast<std::int64_t>(count - counts_[i]));
    counts_[i] = count;
  }
}

void RingBins::LookAtSlots(const golden::GoldenRing::Outputs& outputs) {
  const RedCmd& now = outputs.command;
  run_.Hit(both_slots_, now.bind0_valid && now.bind1_valid);
  for (std::size_t s = 0; s < golden::kRedSlots; ++s) {
    const bool bound = s == 0 ? now.bind0_valid : now.bind1_valid;
    const int tag = s == 0 ? now.bind0_tag : now.bind1_tag;
    const bool begins = now.change && bound && !(s == 0 ? command_.bind0_valid : command_.bind1_valid);
    run_.Hit(tag_wraps_, begins && tag == 0);
    const bool launched = now.launch && now.launch_slot == (s == 1);
    for (std::size_t p = 0; p < entries_.size(); ++p) {
      Entries& entries = entries_[p][s];
      if (!bound) entries = {};
      if (launched && entries.of_parent == now.launch_down && entries.waiting > 0) --entries.waiting;
      const RedReport& report = outputs.reports[p];
      if (report.slot == (s == 1) && report.ev == static_cast<std::uint8_t>(RedEv::kSegment)) {
        entries.of_parent = ended_[p] == static_cast<std::uint8_t>(RedWhat::kResult);
        ++entries.waiting;
      }
      if (report.slot == (s == 1) && report.ev == static_cast<std::uint8_t>(RedEv::kCredit)) {
        entries.unanswered -= (report.credit - entries.credit) & 0xFF;
        entries.credit = report.credit;
      }
      run_.Hit(full_, entries.waiting == profile_.red_segments);
      run_.Hit(no_credit_, entries.unanswered == profile_.red_segments);
    }
  }
  command_ = now;
}

void RingBins::LookAtRooms(const golden::Cfu& cfu) {
  for (int p = 0; p < profile_.ports; ++p) {
    run_.Hit(no_room_, cfu.room(p, RedLane::kU) < profile_.red_cells || cfu.room(p, RedLane::kD) < profile_.red_cells);
  }
}

void RingBins::LookAtLocks(const golden::Cfu& cfu) {
  for (std::size_t g = 0; g < left_.size(); ++g) {
    const auto left = cfu.Status(static_cast<int>(g)).left;
    run_.Hit(borrows_, left + 1 == left_[g] && (left & 63) == 63);
    left_[g] = left;
  }
}

}  // namespace tilefly::bench
