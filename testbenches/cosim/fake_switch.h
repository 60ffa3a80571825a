// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "cosim/device.h"
#include "cosim/setup/frame.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// A fault planted in the fake switch.
enum class Bug {
  kNone,
  kCorrupt,      ///< one byte of a packet changes, the frame check is made good
  kBadCheck,     ///< one byte changes, the frame check stays
  kLose,         ///< a packet disappears
  kRepeat,       ///< a packet comes twice
  kReorder,      ///< two packets of a flow change places
  kHole,         ///< a word inside a packet is missing
  kWrongPort,    ///< a packet comes out of another port
  kWrongHeader,  ///< the hop count stands still
  kExtraCredit,  ///< a return of more cells than are in use
  kLostCredit,   ///< the return of one packet never comes
  kCreditsEnd,   ///< no returns any more
  kObservation,  ///< a level of the observation record is wrong
  kLate,         ///< a packet leaves later
  kBreaks,       ///< the step of cycle kBreaksAt fails
  kKeepsRoom,    ///< when all has left, something is not home
};

/// The simplest device that keeps the laws: an output-queued switch for fabric ports with four lanes. The tenth packet
/// suffers the bug.
class FakeSwitch final : public Device {
 public:
  static constexpr Cycle kBreaksAt = 500;

  explicit FakeSwitch(const Profile& profile, Bug bug = Bug::kNone, const char* name = "fake");

  const char* Name() const override { return name_; }
  int radix() const override { return profile_.ports; }
  const std::vector<Link>& Outputs() override;
  const Observation& Observe() override;
  void Step(const Inputs& inputs) override;
  Cycle cycle() const override { return cycle_; }
  std::uint64_t Counter(int, int) override { return 0; }
  void CheckDrained() override;

 private:
  static constexpr std::uint64_t kVictim = 10;
  static constexpr Cycle kLatency = 12;
  struct Packet {
    Frame frame;
    Cycle ready;
    int input;
    int lane_in;
    bool hole = false;
    bool keep_credit = false;
  };
  struct Port {
    Bytes arriving;
    std::deque<Packet> leaving;
    int next_word = 0;
    std::array<std::uint16_t, 16> freed{};
    std::deque<int> returns;  ///< lanes with unreported cells
  };

  void Arrive(int port, const Word& word);
  void Forward(int port);

  Profile profile_;
  Bug bug_;
  const char* name_;
  std::vector<Port> ports_;
  std::vector<Link> outputs_;
  Observation observation_;
  Cycle cycle_ = 0;
  Cycle shown_ = -1;
  std::uint64_t packets_ = 0;
};

}  // namespace tilefly::cosim
