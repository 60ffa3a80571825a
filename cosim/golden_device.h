// SPDX-License-Identifier: Apache-2.0
// The golden switch as a device that exchanges words: MACs in and out around golden::Switch.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cosim/device.h"
#include "cosim/device_factory.h"
#include "golden/link/mac_in.h"
#include "golden/link/mac_out.h"
#include "golden/reduction/frame_red_bytes.h"
#include "golden/retry/retry_ends.h"
#include "golden/switch/switch.h"

namespace tilefly::cosim {

/// Is told of the packets of a golden device, beside what its links and its observation record show.
class PacketWatcher {
 public:
  /// A packet begins to come in. Its frame is known by `payload` until it has left or is dropped.
  virtual void Comes(golden::Payload payload, const golden::HeaderBits& header) = 0;
  /// Its link takes a packet, or discards it; and the switch drops one. The frame has begun to come.
  virtual void Takes(const golden::Departure& departure, const golden::Frame& frame) = 0;
  virtual void Drops(const golden::DropRecord& drop, const golden::Frame& frame) = 0;

 protected:
  ~PacketWatcher() = default;
};

class GoldenDevice : public Device {
 public:
  explicit GoldenDevice(const Profile& profile, const DeviceOptions& options = {});

  const char* Name() const override { return "golden"; }
  int radix() const override { return profile_.ports; }
  const std::vector<Link>& Outputs() override;
  const Observation& Observe() override;
  std::uint64_t LinkFails() override { return switch_.failing_links(); }
  bool FailsLinks() const override { return true; }
  void Step(const Inputs& inputs) override;
  Cycle cycle() const override { return cycle_ - first_; }
  Cycle NextChange() const override;
  /// What the latest read of the counter on the register bus answered, as with the RTL; the present count of a counter
  /// that was never read.
  std::uint64_t Counter(int port, int index) override;
  void CheckDrained() override;

  /// The switch inside, for observers and for those who keep accounts of it.
  const golden::Switch& golden_switch() const { return switch_; }
  golden::Switch& golden_switch() { return switch_; }
  /// `watcher` must outlive this device.
  void Watch(PacketWatcher* watcher) { watcher_ = watcher; }
  /// Number of frames whose bytes are kept.
  std::size_t frames() const { return frames_.size(); }

 private:
  struct Port {
    Port(const Profile& profile, golden::FrameStore& frames) : in(profile, frames), out(frames) {}

    golden::MacIn in;
    golden::MacOut out;
    std::unique_ptr<golden::RetryEnds> retry;  ///< of a retry port
    golden::RetryEnds::Settings registers;     ///< then: as the cycle found them
    Word from_mac;                             ///< then: the MAC's word of this cycle
    int take_words = 0;                        ///< then: words of the packet that is taken to its link in this cycle
    std::optional<golden::CreditStamp> stamp;  ///< then: on `link_o` in the next cycle
  };

  struct Read {
    Cycle due;  ///< cycle whose event the read is
    int port;
    int index;
  };

  void AnswerReads();
  void SetRetryPorts();
  /// Whether the port is a retry port, and not plain.
  bool Retries(int port) const;
  void ShowRetry(Port* port, Link* link);
  void BeforeStep();
  void AfterStep(const Inputs& inputs);
  void Receive(int port, const Link& link, bool up);
  void ReceiveSlot(int port, const Ctrl& slot);
  void ReceiveWord(int port, const Word& word, bool heard, golden::MacIn::Mode mode);
  void Collect();
  void Check() const;

  const Profile profile_;
  golden::FrameStore frames_;
  golden::FrameRedBytes red_bytes_;
  golden::Switch switch_;
  golden::SwitchObservation observed_;
  std::vector<Port> ports_;
  golden::DelayLine<int> strays_;  ///< ports, in the cycle of the count
  std::vector<bool> link_up_;
  golden::PortMask retries_ = 0;  ///< retry ports, as committed
  golden::PortMask falls_ = 0;    ///< ports whose link goes down in this cycle
  std::deque<Read> reads_;  ///< of counters, on the register bus
  std::map<std::pair<int, int>, std::uint64_t> answers_;  ///< the latest, by port and index
  std::vector<Link> outputs_;
  Observation observation_;
  const Cycle first_;
  Cycle cycle_;             ///< its number inside
  Cycle outputs_of_ = -1;  ///< cycle that `outputs_` shows
  PacketWatcher* watcher_ = nullptr;
};

}  // namespace tilefly::cosim
