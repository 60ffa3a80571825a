// SPDX-License-Identifier: Apache-2.0
// Runs of a few planned packets, and the journeys of a run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "runs/switch/results.h"
#include "runs/switch/session.h"

namespace tilefly::cosim {

/// A packet that a port sends in a cycle after the begin.
struct PlannedPacket {
  Cycle at;
  int port;
  int to;
  int bytes;
};

/// Sends them.
class PlannedPackets final : public TrafficSource {
 public:
  PlannedPackets(const SwitchSetup& setup, std::vector<PlannedPacket> packets) : setup_(setup), packets_(std::move(packets)) {}
  void Begin(Cycle now) override { begin_ = now; }
  FramePtr NextFrame(int port, Cycle now, LaneMask held) override {
    if (closed() || held != 0) return nullptr;
    for (PlannedPacket& one : packets_) {
      if (one.port != port || begin_ + one.at > now) continue;
      const PlannedPacket taken = std::exchange(one, PlannedPacket{0, -1, 0, 0});
      return Make(taken);
    }
    return nullptr;
  }
  ClassSlots Offered(int, Cycle) override { return {}; }
  bool Exhausted() const override { return false; }

 private:
  FramePtr Make(const PlannedPacket& planned) {
    auto frame = std::make_shared<Frame>();
    frame->id = ++made_;
    frame->created = begin_ + planned.at;
    frame->source = planned.port;
    frame->enh = setup_.kind(planned.port) != PortKind::kStandard;
    frame->bytes.resize(static_cast<std::size_t>(planned.bytes));
    frame->bytes[20] = static_cast<std::uint8_t>(made_);
    const std::uint32_t address = setup_.PortAddress(planned.to);
    if (frame->enh) {
      frame->header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
      frame->header.len = static_cast<std::uint16_t>(planned.bytes);
      frame->header.src = setup_.PortAddress(planned.port);
      frame->header.dst = address;
    } else {
      const Mac to = AddressMac(address);
      std::copy(to.begin(), to.end(), frame->bytes.begin());
      frame->bytes[6] = 0x02;
      frame->bytes[12] = 0x88;
      frame->bytes[13] = 0xb5;
    }
    Seal(&frame->bytes);
    return frame;
  }

  const SwitchSetup& setup_;
  std::vector<PlannedPacket> packets_;
  Cycle begin_ = 0;
  std::uint64_t made_ = 0;
};

inline runs::RunOptions PlannedRun(const char* ports, int lanes = 4) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"golden"};
  options.kinds = runs::ParsePortKinds(ports, 8);
  options.lanes = lanes;
  options.chip_timing = false;
  options.max_cycles = 3000;
  options.seed = 7;
  return options;
}

inline runs::Settings Following(const std::string& journey) {
  runs::Settings settings;
  settings.Set("profile", "tile8", "test");
  settings.Set("journey", journey, "test");
  return settings;
}

/// Of a run that passes.
inline nlohmann::ordered_json JourneysOf(const runs::RunOptions& options, const std::string& journey, nlohmann::ordered_json* results = nullptr) {
  runs::FollowedPackets followed(Following(journey));
  runs::SwitchRun run(options);
  runs::RunControl control;
  followed.Begin(&run, &control);
  const runs::Outcome outcome = run.Run(control);
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  if (results != nullptr) *results = runs::Results(run, outcome);
  followed.End(run);
  return followed.journeys();
}

}  // namespace tilefly::cosim
