// SPDX-License-Identifier: Apache-2.0
// tilefly_mac_in against golden's MacIn (docs/blocks/link.md, In and PAUSE: LINK-1, LINK-4).
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <vector>

#include "Vrtl_mac_in.h"
#include "golden/link/mac_in.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/pause_time.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/bench/word_source.h"

namespace tilefly::bench {
namespace {

const Profile& kProfile = kTile8;
/// From the wire to what is known; what the RTL is judged by, written apart from golden/common/stage_times.h.
constexpr Cycle kLatency = 4;

/// Fields of tilefly_ingress_pkg::rx_t.
constexpr FieldInfo kTake{"take", 30, 1}, kSop{"sop", 29, 1}, kUpper{"upper", 28, 1}, kEnh{"enh", 27, 1}, kEnds{"ends", 26, 1};
constexpr FieldInfo kStatus{"status", 22, 4}, kLen{"len", 9, 13}, kCells{"cells", 2, 7};
constexpr FieldInfo kRefused{"refused", 1, 1}, kStray{"stray", 0, 1};

/// The same, of golden.
struct Rx {
  bool take = false, sop = false, upper = false, enh = false, ends = false;
  int status = 0, len = 0, cells = 0;
  bool refused = false, stray = false;
};

/// What golden makes of a wire cycle.
struct Expected {
  Cycle wire;
  Rx rx;
  std::array<std::uint8_t, 32> data{};
  int used_to = 0;  ///< bytes of `data` that count
  golden::PauseRequest pause;
};

/// Golden's MAC, asked after every wire cycle what it took.
class GoldenMac {
 public:
  GoldenMac() : mac_(kProfile, frames_) {}

  bool idle() const { return mac_.idle(); }

  Expected Step(Cycle now, const Word& word, bool live, const golden::MacIn::Mode& mode) {
    const std::size_t before = size_;
    const golden::MacIn::Events events = mac_.Step(now, word, live, mode);
    Expected expected;
    expected.wire = now;
    Rx& rx = expected.rx;
    rx.refused = events.refused;
    rx.stray = events.stray;
    if (events.started) {
      frame_ = events.arrival.payload;
      enh_ = events.arrival.enh;
      header_ = events.arrival.header;
      size_ = 0;
    }
    if (frame_ == golden::kNone) return expected;
    const std::vector<std::uint8_t>& bytes = frames_[frame_].bytes;
    const std::size_t first = events.started ? 0 : before;
    const int taken = static_cast<int>(bytes.size() - first);
    const int skip = events.started && enh_ ? Header::kBytes : 0;  // the header is not kept with the frame
    rx.take = taken > 0;
    rx.sop = events.started;
    rx.enh = enh_;
    rx.upper = taken + skip > 16;
    if (skip != 0) header_.CopyTo(expected.data.data());
    std::memcpy(expected.data.data() + skip, bytes.data() + first, static_cast<std::size_t>(taken));
    expected.used_to = skip + taken;
    size_ = bytes.size();
    rx.len = enh_ ? header_.length() : static_cast<int>(size_);
    rx.cells = enh_ ? golden::CellsOf(header_.length()) : 0;
    rx.ends = events.ended;
    if (events.ended) {
      rx.status = static_cast<int>(events.end.status);
      expected.pause = events.pause;
      frames_.DropUse(frame_);
      frame_ = golden::kNone;
    }
    return expected;
  }

 private:
  golden::FrameStore frames_;
  golden::MacIn mac_;
  golden::Index frame_ = golden::kNone;
  golden::HeaderBits header_{Header{}};
  bool enh_ = false;
  std::size_t size_ = 0;
};

/// Packets of all sorts, control frames among them.
WirePacket RandomPacket(const Stimulus& random, Cycle now) {
  const std::uint64_t sort = random.Below(8, "sort", now);
  if (sort < 4) {
    Header header = Header::UnpackBytes(std::array<std::uint8_t, 16>{}.data());
    header.kind = static_cast<std::uint8_t>(random.Chance(16, "wrong kind", now) ? 3 + random.Below(5, "kind", now)
                                                                                 : random.Below(3, "kind", now));
    const int least = header.kind == static_cast<int>(Kind::kStd) ? kProfile.min_std_bytes : kProfile.min_enh_bytes;
    header.len = static_cast<std::uint16_t>(RandomLength(random, least, kProfile.mtu_bytes, now));
    if (random.Chance(12, "wrong length", now)) {
      const int lengths[] = {0, least - 1, kProfile.mtu_bytes + 1, 8191};
      header.len = static_cast<std::uint16_t>(lengths[random.Below(4, "length", now)]);
    }
    header.dst = static_cast<std::uint32_t>(random.Below(1 << 20, "dst", now));
    return MakeWithHeader(random, now, header);
  }
  if (sort == 4) {  // control
    return MakeBare(random, now, random.Chance(64, "long control", now) ? 100 : 64, [&](std::uint8_t* frame) {
      const std::uint8_t head[] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
      std::memcpy(frame, head, 6);
      frame[12] = 0x88;
      frame[13] = random.Chance(240, "control type", now) ? 0x08 : 0x09;
      const std::uint64_t opcode = random.Below(5, "opcode", now);
      frame[14] = opcode == 4 ? 0x02 : opcode >= 2 ? 0x01 : 0x00;
      frame[15] = 0x01;
      if (random.Chance(64, "no quanta", now)) std::memset(frame + 16, 0, 44);
    });
  }
  const int least = random.Chance(32, "short", now) ? 1 : kProfile.min_std_bytes;
  const bool is_long = random.Chance(12, "long", now);
  const int length = is_long ? kProfile.mtu_bytes + random.Between(1, 200, "too long", now)
                             : RandomLength(random, least, kProfile.mtu_bytes, now);
  return MakeBare(random, now, length, [](std::uint8_t*) {});
}

class MacInTest {
 public:
  MacInTest(PowerUp power_up, double of_tier) : run_(of_tier, power_up), first_(FirstCycle(power_up)), dut_(&run_) {
    Clear(&dut_->word_i);
    dut_->live_i = 0;
    dut_->credits_i = 0;
    dut_->serdes_lanes_i = 4;
    dut_->cycle_i = 0;
    dut_.Reset();
  }

  /// Words and control at random; the port comes back to idle whenever they stop (LINK-4).
  void Compare() {
    const Stimulus& random = run_.stimulus();
    WordSource source(random, [&](Cycle now) { return RandomPacket(random, now); }, 96, 2);
    AddBins();
    golden::MacIn::Mode mode{false, true, 4};
    int lanes_register = 4;  // other values than 1 to 4 work as 4
    int still = 0;           // MODE is changed only while the port is idle
    Cycle next_change = 0;
    while (run_.Next()) {
      const Cycle now = run_.cycle();
      const bool quiet = now >= next_change;
      still = quiet && source.idle() && golden_.idle() ? still + 1 : 0;
      if (still == 8) {
        next_change = now + 2000;
        lanes_register = random.Between(0, 7, "lanes", now);
        if (random.Chance(192, "proper lanes", now)) lanes_register = 1 + lanes_register % 4;
        mode.serdes_lanes = lanes_register >= 1 && lanes_register <= 4 ? lanes_register : 4;
        mode.obeys_pause = random.Chance(192, "obeys", now);
        mode.cut_through = random.Chance(128, "cut through", now);
        source.set_lanes(mode.serdes_lanes);
      }
      const Word word = source.Next(now, quiet);
      const bool live = !random.Chance(32, "down", now / 256) || random.Chance(192, "up again", now / 8);
      Drive(now, word, live, mode, lanes_register);
      dut_.Settle();
      expected_.push_back(golden_.Step(first_ + now, word, live, mode));
      const Rx& rx = expected_.back().rx;
      run_.Hit(filled_, rx.take && !rx.sop && !(word.valid && live && !word.sop));
      if (expected_.size() > kLatency) {
        CompareCycle(now, expected_.front(), mode);
        expected_.pop_front();
      }
      dut_.Edge();
    }
  }

 private:
  void AddBins() {
    for (int status = 0; status <= static_cast<int>(Drop::kControl); ++status) {
      const auto drop = static_cast<Drop>(status);
      if (drop == Drop::kNone || drop == Drop::kFcs || drop == Drop::kStomped || drop == Drop::kShort || drop == Drop::kLong ||
          drop == Drop::kBroken || drop == Drop::kControl) {
        by_status_[static_cast<std::size_t>(status)] = run_.AddBin(ToString(drop), 1);
      }
    }
    refused_ = run_.AddBin("HEADER", 1);
    stray_ = run_.AddBin("stray words", 20);
    paused_ = run_.AddBin("a PAUSE is obeyed", 1);
    filled_ = run_.AddBin("a missing word is filled in", 1);
  }

  void Drive(Cycle now, const Word& word, bool live, const golden::MacIn::Mode& mode, int lanes_register) {
    PutStruct(&dut_->word_i, 0, word);
    dut_->cycle_i = static_cast<QData>(first_ + now);
    dut_->live_i = live;
    dut_->credits_i = !mode.obeys_pause;
    dut_->serdes_lanes_i = static_cast<CData>(lanes_register);
    if (word.valid) run_.Event("word: sop, eop, enh, live", {word.sop, word.eop, word.enh, live});
  }

  void CompareCycle(Cycle now, const Expected& expected, const golden::MacIn::Mode& mode) {
    const Rx& golden = expected.rx;
    const auto compare = [&](const FieldInfo& field, int value) {
      run_.Compare(field.name, Get(dut_->rx_o, field.lsb, field.width), static_cast<std::uint64_t>(value));
    };
    compare(kTake, golden.take);
    compare(kEnds, golden.ends);
    compare(kRefused, golden.refused);
    compare(kStray, golden.stray);
    if (golden.take) {
      run_.Busy();
      compare(kSop, golden.sop);
      compare(kUpper, golden.upper);
      compare(kEnh, golden.enh);
      for (int i = 0; i < expected.used_to; ++i) {
        run_.Compare("data", Get(dut_->data_o, 8 * i, 8), expected.data[static_cast<std::size_t>(i)]);
      }
    }
    if (golden.sop && golden.enh) compare(kCells, golden.cells);
    if (golden.ends || (golden.sop && golden.enh)) compare(kLen, golden.len);
    if (golden.ends) {
      compare(kStatus, golden.status);
      run_.Event("ends: status, length, wire cycle", {golden.status, golden.len, expected.wire});
      run_.Hit(by_status_[static_cast<std::size_t>(golden.status)]);
    }
    run_.Hit(refused_, golden.refused);
    run_.Hit(stray_, golden.stray);

    // PAUSE: an event of this cycle, so the limits compared are those of the events before.
    run_.Compare("obeyed", dut_->obeyed_o, expected.pause.obeyed);
    for (int c = 0; c < golden::kMaxClasses; ++c) {
      run_.Compare("pause_until", Get(dut_->pause_until_o, 48 * c, 48),
                   static_cast<std::uint64_t>(until_[static_cast<std::size_t>(c)]));
    }
    if (!expected.pause.obeyed) return;
    run_.Hit(paused_);
    for (std::size_t c = 0; c < golden::kMaxClasses; ++c) {
      if ((expected.pause.classes >> c) & 1)
        until_[c] = first_ + now + PauseTime(expected.pause.quanta[c], mode.serdes_lanes);
    }
  }

  Comparison run_;
  Cycle first_;  ///< number of the first cycle, for RTL and golden
  Dut<Vrtl_mac_in> dut_;
  GoldenMac golden_;
  std::deque<Expected> expected_;
  std::array<Cycle, golden::kMaxClasses> until_{};
  std::array<Bin, 16> by_status_{};
  Bin refused_{}, stray_{}, paused_{}, filled_{};
};

TEST(MacIn, EqualsGoldenInEveryCycle) { MacInTest(kZeros, 1).Compare(); }

TEST(MacIn, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { MacInTest(power_up, 0.1).Compare(); });
}

TEST(MacIn, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { MacInTest(power_up, 0.1).Compare(); });
}

}  // namespace
}  // namespace tilefly::bench
