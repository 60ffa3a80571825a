// SPDX-License-Identifier: Apache-2.0
// A switch of 8 ports between AXI-Streams of 64 bits, a quarter of a link's rate (docs/blocks/scheduler.md, "A far end slower
// than the link"): seven streams send to one without end, each frames of one class, and that one sends PAUSE to the switch.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conform/axis/to_axis_reading.h"
#include "conform/axis/to_link_reading.h"
#include "cosim/device.h"
#include "cosim/setup/switch_setup.h"
#include "golden/common/register_write.h"
#include "golden/common/types.h"
#include "golden/scheduler/scheduler_checker.h"

namespace tilefly::conform {

class SlowStreams {
 public:
  static constexpr int kClasses = 4;
  static constexpr int kBeatBytes = 8;
  static constexpr tilefly::Cycle kCyclesACell = 6;  ///< in which the stream takes one, at most

  /// Class c has the weight `unit` times c + 1. `mixed`: class 0 and 2 send the shortest frames, else all send the longest.
  SlowStreams(int unit, bool mixed)
      : setup_(kTile8, std::vector<cosim::PortKind>(kPorts, cosim::PortKind::kStandard), 4), table_(kTile8) {
    setup_.SetPause(kTile8.pause_xoff_cells, kTile8.pause_xon_cells);
    inputs_.links.resize(kPorts);
    inputs_.link_up.assign(kPorts, true);
    const int words = kTile8.mtu_words_std;
    for (int port = 0; port < static_cast<int>(kPorts); ++port) {
      senders_.push_back({ToLinkReading({kBeatBytes, false, true, 2 * (words + 1), words}), FrameOf(port, mixed)});
      hearers_.push_back(
          std::make_unique<ToAxisReading>(kTile8, ToAxisReading::Options{kBeatBytes, false, kXoffWords}, 0));
    }
    for (int e = 0; e <= kTile8.dtable_entries; ++e) {
      const bool swap = e == kTile8.dtable_entries;
      const int index = swap ? golden::kSwapIndex : e;
      const std::uint64_t entry = swap ? 0 : DtableEntry::Of(unit * (e % kClasses + 1), e % kClasses).ToBits();
      writes_.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kDtable, index, entry));
      table_.Write(CfgSpace::kDtable, index, entry);
    }
  }

  /// Runs `devices`, which must show the same words in every cycle. Returns the first difference, empty: none. What the
  /// stream takes is counted from cycle kWarmUp on.
  std::string Run(const std::vector<cosim::Device*>& devices, tilefly::Cycle cycles) {
    for (const Cfg& write : setup_.Writes()) Configure(devices, write);
    for (const Cfg& write : writes_) Configure(devices, write);
    for (int n = 0; n < kSettle; ++n) Configure(devices, {});
    for (tilefly::Cycle now = 0; now < cycles; ++now) {
      const std::vector<Link> words = devices.front()->Outputs();
      for (cosim::Device* device : devices) {
        for (std::size_t port = 0; port < kPorts; ++port) {
          if (!(device->Outputs()[port] == words[port]))
            return "cycle " + std::to_string(now) + ", port " + std::to_string(port) + ": " + device->Name();
        }
      }
      if (hearers_.front()->tvalid()) Took(now, hearers_.front()->beat());
      for (std::size_t port = 0; port < kPorts; ++port)
        inputs_.links[port].word = senders_[port].to_link.Output(now);
      for (cosim::Device* device : devices) device->Step(inputs_);
      for (std::size_t port = 0; port < kPorts; ++port) Send(now, port, words[port].word);
    }
    for (int c = 0; c < kClasses; ++c) Gap(c, cycles);  // of a class that comes no more
    return "";
  }

  /// Cells of class `c` that the stream took, and of all.
  double cells(int c) const { return cells_[static_cast<std::size_t>(c)]; }
  double cells() const { return cells(0) + cells(1) + cells(2) + cells(3); }
  /// The longest time between two frames of class `c` at the stream.
  tilefly::Cycle gap(int c) const { return gap_[static_cast<std::size_t>(c)]; }
  /// The bound of the page for it.
  tilefly::Cycle GapBound(int c) const {
    return (golden::SchedulerChecker::WaitBound(table_, c) + kTile8.obuf_cells + kTile8.mtu_cells) * kCyclesACell;
  }
  /// Cells of a round of the table.
  double round() const { return table_.bank().weight(0) * 10.0 * kClasses / kTile8.dtable_entries; }

 private:
  static constexpr std::size_t kPorts = 8;
  static constexpr int kXoffWords = 512;  // as in rtl/axis
  static constexpr int kSettle = 32;      // cycles, for writes to be in force
  static constexpr tilefly::Cycle kWarmUp = 15'000;
  static constexpr std::size_t kShort = 60, kLong = 4220, kTagAt = 12;
  static constexpr int kFcs = 4;

  /// A stream that sends its frame over and over.
  struct Sender {
    ToLinkReading to_link;
    std::vector<std::uint8_t> frame;  ///< empty: it sends nothing
    std::size_t at = 0;
  };

  std::vector<std::uint8_t> FrameOf(int port, bool mixed) const {
    if (port == 0) return {};
    const int c = (port - 1) % kClasses;
    std::vector<std::uint8_t> frame(mixed && c % 2 == 0 ? kShort : kLong);
    const cosim::Mac to = setup_.PortMac(0), from = setup_.PortMac(port);
    std::copy(to.begin(), to.end(), frame.begin());
    std::copy(from.begin(), from.end(), frame.begin() + 6);
    const std::array<std::uint8_t, 6> tag = {0x81, 0, static_cast<std::uint8_t>(c << 5), 1, 0x88, 0xb5};
    std::copy(tag.begin(), tag.end(), frame.begin() + kTagAt);
    return frame;
  }

  void Configure(const std::vector<cosim::Device*>& devices, const Cfg& cfg) {
    inputs_.cfg = cfg;
    for (cosim::Device* device : devices) {
      device->Outputs();
      device->Step(inputs_);
    }
    inputs_.cfg = {};
  }

  /// The events of the cycle at a port; the one that receives is always ready.
  void Send(tilefly::Cycle now, std::size_t port, const Word& word) {
    Sender& sender = senders_[port];
    ToAxisReading& hears = *hearers_[port];
    const bool hold = hears.hold(now), due = hears.pause_due(now);
    const auto quanta = static_cast<std::uint16_t>(hears.xon() ? 0 : 0xffff);
    const bool pause_taken = sender.to_link.TakesPause(now, due);
    StreamBeat beat;
    const bool taken = !sender.frame.empty() && sender.to_link.tready();
    if (taken) {
      const std::size_t to = std::min(sender.frame.size(), sender.at + kBeatBytes);
      beat.bytes.assign(sender.frame.begin() + static_cast<std::ptrdiff_t>(sender.at),
                        sender.frame.begin() + static_cast<std::ptrdiff_t>(to));
      beat.last = to == sender.frame.size();
      sender.at = beat.last ? 0 : to;
    }
    hears.Step(now, {word, true, pause_taken, 0, 0});
    sender.to_link.Step(now, taken ? &beat : nullptr, hold, due, quanta);
  }

  /// Port 0 shows a beat, which is taken.
  void Took(tilefly::Cycle now, const StreamBeat& beat) {
    arriving_.insert(arriving_.end(), beat.bytes.begin(), beat.bytes.end());
    if (!beat.last) return;
    const int c = arriving_[kTagAt + 2] >> 5;
    if (now >= kWarmUp) cells_[static_cast<std::size_t>(c)] += golden::CellsOf(static_cast<int>(arriving_.size()) + kFcs);
    Gap(c, now);
    arriving_.clear();
  }
  void Gap(int c, tilefly::Cycle now) {
    const auto i = static_cast<std::size_t>(c);
    gap_[i] = std::max(gap_[i], now - last_[i]);
    last_[i] = now;
  }

  cosim::SwitchSetup setup_;
  golden::SchedulerTable table_;
  std::vector<Cfg> writes_;  ///< of the Deficit Table
  std::vector<Sender> senders_;
  std::vector<std::unique_ptr<ToAxisReading>> hearers_;  ///< they stay where they are
  cosim::Device::Inputs inputs_;
  std::vector<std::uint8_t> arriving_;
  std::array<double, kClasses> cells_{};
  std::array<tilefly::Cycle, kClasses> last_{}, gap_{};
};

}  // namespace tilefly::conform
