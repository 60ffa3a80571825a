// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cosim/endpoint/endpoint.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::cosim {

/// One or two devices with fabric links at all ports and packets that a test asks for. Endpoints keep the laws of the link,
/// the scoreboard compares every byte, and two devices are compared in every cycle. Failures are thrown.
class ScriptedSwitch final : private FrameSource, private FrameSink {
 public:
  /// Sees the events of cycle `event`, and the levels after it.
  using Watch = std::function<void(Cycle event, const Observation&)>;

  /// A packet that came out.
  struct Arrival {
    int output;
    Cycle first_in;   ///< wire cycle of its first word on `link_i`
    Cycle first_out;  ///< the same on `link_o`
  };

  /// `b` may be null: `a` alone, without comparison.
  ScriptedSwitch(const Profile& profile, std::unique_ptr<Device> a, std::unique_ptr<Device> b = nullptr);

  /// One packet with header, of `length` bytes, after what the input still has to send.
  void Send(int input, int output, int length);
  /// Back-to-back packets whenever the input has nothing else to send; `length` 0: none any more.
  void Saturate(int input, int output, int length);
  void set_watch(Watch watch) { watch_ = std::move(watch); }

  void Step();
  void Run(Cycle cycles);
  /// Runs until nothing is under way; throws CheckFailure when that takes longer than `limit` cycles.
  void Drain(Cycle limit = 20000);
  /// The input has nothing to send and nothing in its buffer; everything it sent has come out.
  bool Idle(int input) const { return under_way_[static_cast<std::size_t>(input)] == 0; }

  Cycle cycle() const { return lockstep_.cycle(); }
  const Lockstep& lockstep() const { return lockstep_; }
  const Profile& profile() const { return setup_.profile(); }
  const Books& books() const { return scoreboard_.books(); }
  /// Words of packets that came out, by output.
  const std::vector<std::int64_t>& delivered_words() const { return scoreboard_.delivered_words(); }
  /// The latest packet of `input` that came out.
  const Arrival& last(int input) const { return last_[static_cast<std::size_t>(input)]; }

 private:
  struct Flow {
    int output = 0;
    int length = 0;
  };

  FramePtr NextFrame(int port, Cycle now, LaneMask held) override;
  void Sent(const FramePtr& frame, Cycle first, Cycle last) override;
  void Received(const Reception& reception) override;
  FramePtr Make(int input, int output, int length);

  SwitchSetup setup_;
  Scoreboard scoreboard_;
  Lockstep lockstep_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
  Device::Inputs inputs_;
  std::vector<std::deque<FramePtr>> waiting_;  ///< by input
  std::vector<Flow> flows_;                    ///< by input
  std::vector<int> under_way_;                 ///< by input: packets asked for or begun that have not come out
  std::vector<Arrival> last_;                  ///< by input
  std::vector<Cycle> sent_at_;                 ///< by packet
  Watch watch_;
};

/// The devices of a name each ("rtl", "golden", ...); the second may be empty.
std::unique_ptr<ScriptedSwitch> MakeScripted(const Profile& profile, const std::string& a, const std::string& b = "");

}  // namespace tilefly::cosim
