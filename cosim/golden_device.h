// SPDX-License-Identifier: Apache-2.0
// The golden switch as a device that exchanges words: MACs in and out around golden::Switch.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "cosim/device.h"
#include "golden/link/framer.h"
#include "golden/link/mac_in.h"
#include "golden/switch/switch.h"

namespace tilefly::cosim {

class GoldenDevice : public Device {
 public:
  explicit GoldenDevice(const Profile& profile);

  const char* Name() const override { return "golden"; }
  int radix() const override { return profile_.ports; }
  const std::vector<Link>& Outputs() override;
  const Observation& Observe() override;
  void Step(const Inputs& inputs) override;
  Cycle cycle() const override { return cycle_; }
  std::uint64_t Counter(int port, int index) override { return switch_.ReadCounter(port, index); }

  /// The switch inside.
  const golden::Switch& golden_switch() const { return switch_; }
  /// Frames whose bytes are kept.
  std::size_t frames() const { return frames_.size(); }

 private:
  /// A packet that the link has taken.
  struct Sending {
    Cycle first;  ///< wire cycle of its first word
    int lanes;
    int words;
    int next;              ///< next word
    golden::Index frame;   ///< kNone: a PAUSE frame
    golden::Framer framer;
    std::array<std::uint8_t, golden::kMinStdBytes> pause;
  };
  struct Port {
    Port(const Profile& profile, golden::FrameStore& frames) : mac(profile, frames) {}
    golden::MacIn mac;
    std::deque<Sending> sending;
    std::deque<golden::CreditReturn> credits;
  };
  /// A packet whose last words are read in this cycle: it is counted when it is stomped.
  struct LastRead {
    std::uint8_t port;
    golden::Index frame;
  };

  void Receive(int port, const Link& link, bool up);
  void ReceiveWord(int port, const Word& word, bool heard);
  void Collect();
  void Send(const golden::Departure& departure);
  void SendPause(const golden::PauseFrame& pause);
  void CountLate();
  Link MakeOutput(Port* port);

  const Profile profile_;
  golden::FrameStore frames_;
  golden::Switch switch_;
  golden::SwitchObservation observed_;
  std::vector<Port> ports_;
  golden::DelayLine<int> strays_;
  golden::Agenda<LastRead> last_reads_;
  std::vector<bool> link_up_;
  std::vector<Link> outputs_;
  Observation observation_;
  Cycle cycle_ = 0;
  Cycle outputs_of_ = -1;  ///< cycle that `outputs_` shows
};

}  // namespace tilefly::cosim
