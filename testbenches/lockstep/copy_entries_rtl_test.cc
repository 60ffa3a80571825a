// SPDX-License-Identifier: Apache-2.0
// RTL against golden where random traffic hardly comes: an input that runs out of copy entries, and of cells.
#include <gtest/gtest.h>

#include <algorithm>

#include "cosim/golden_device.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/setup/frame.h"
#include "cosim/verilated/verilated_array.h"

namespace tilefly::cosim {
namespace {

/// Two devices with all ports standard and flooding, and broadcasts for them.
class Flood {
 public:
  explicit Flood(const Profile& profile) : ports_(profile.ports) {
    auto golden = std::make_unique<GoldenDevice>(profile);
    inside_ = &golden->golden_switch();
    lockstep_ = std::make_unique<Lockstep>(std::make_unique<VerilatedArray>(profile, DeviceOptions{}), std::move(golden));
    inputs_.links.resize(ports_);
    inputs_.link_up.assign(ports_, true);
    PortMode mode;
    mode.enable = true;
    Write(PortReg::kMode, mode.ToBits());
    Write(PortReg::kFloodBroadcast, ~std::uint64_t{0});
    broadcast_.bytes.assign(64, 0xFF);
    Seal(&broadcast_.bytes);
  }

  /// Outputs but those of `up` do not take anything.
  void SetLinks(std::uint64_t up) {
    for (int p = 0; p < ports_; ++p) inputs_.link_up[p] = (up >> p & 1) != 0;
  }
  /// `count` broadcasts at `port`, back to back.
  void Broadcast(int port, int count) {
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < broadcast_.slots(); ++k) {
        inputs_.links[port].word = k < broadcast_.words() ? MakeWord(broadcast_, k) : Word{};
        Step();
      }
    }
    inputs_.links[port].word = Word{};
  }
  void Run(int cycles) {
    for (int i = 0; i < cycles; ++i) Step();
  }
  std::size_t most_inside() const { return most_inside_; }
  void ExpectDrained() {
    EXPECT_EQ(inside_->packets(), 0u);
    lockstep_->CheckDrained();
  }
  std::uint64_t Count(int port, Drop reason) { return inside_->ReadCounter(port, static_cast<int>(reason)); }

 private:
  void Write(PortReg reg, std::uint64_t data) {
    inputs_.cfg.valid = true;
    inputs_.cfg.port = 127;
    inputs_.cfg.space = static_cast<std::uint8_t>(CfgSpace::kPort);
    inputs_.cfg.index = static_cast<std::uint16_t>(reg);
    inputs_.cfg.data = data;
    Step();
    inputs_.cfg = Cfg{};
    Run(10);
  }
  void Step() {
    lockstep_->Compare();
    lockstep_->Step(inputs_);
    most_inside_ = std::max(most_inside_, inside_->packets());
  }

  int ports_;
  std::unique_ptr<Lockstep> lockstep_;
  const golden::Switch* inside_ = nullptr;
  Device::Inputs inputs_;
  Frame broadcast_;
  std::size_t most_inside_ = 0;
};

TEST(CopyEntries, RunOutAndComeBackInTheSameCyclesInRtlAndGolden) {
  Flood flood(kTile8);
  flood.SetLinks(1);
  flood.Broadcast(0, 400);
  flood.Run(100);
  // All copy entries, and the packets that they belong to or that wait for some.
  EXPECT_GT(flood.most_inside(), static_cast<std::size_t>(kTile8.copy_entries) + 100);
  flood.SetLinks(0x0F);
  flood.Run(2000);
  flood.SetLinks(0xFF);
  flood.Run(8000);
  flood.ExpectDrained();
}

TEST(InputBuffer, RefusesWhatFindsNoRoomInTheSameCyclesInRtlAndGolden) {
  Flood flood(kTile8);
  flood.SetLinks(1);
  flood.Broadcast(0, kTile8.cells / 2 + 50);
  EXPECT_GT(flood.Count(0, Drop::kBufferFull), 50u);
  flood.SetLinks(0xFF);
  flood.Broadcast(0, 200);
  flood.Run(20000);
  flood.ExpectDrained();
}

}  // namespace
}  // namespace tilefly::cosim
