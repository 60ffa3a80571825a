// SPDX-License-Identifier: Apache-2.0
// A switch of a system that is a device of words: messages that are under way to it become words and control slots;
// what it puts on its links is checked and becomes messages again (docs/network.md, Devices).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/lockstep/lockstep.h"
#include "cosim/lockstep/recorder.h"
#include "cosim/system/attempts_in.h"
#include "cosim/system/attempts_out.h"
#include "cosim/system/device_outputs.h"
#include "cosim/system/device_reductions.h"
#include "cosim/system/frame_on_link.h"
#include "cosim/system/golden_names.h"
#include "cosim/system/packets_inside.h"
#include "golden/common/stage_times.h"
#include "golden/registers/registers.h"
#include "network/repeating_node.h"

namespace tilefly::cosim {

/// Observers of a device.
struct DeviceWatch {
  Recorder* recorder = nullptr;  ///< sees every cycle of the device
  DeviceOutputs::Passed passed;
};

class DeviceNode final : public network::RepeatingNode, private LinkListener {
 public:
  /// The system hears device `a`. Device `b`, when there is one, gets the same inputs and must do the same in every
  /// cycle. One of them must have an observation record, and one must have counters. `golden`: of the golden switch that
  /// names lost packets.
  DeviceNode(const Profile& profile, int index, network::NodeContext* context, std::uint64_t seed,
             std::unique_ptr<Device> a, std::unique_ptr<Device> b, DeviceWatch watch = {},
             const DeviceOptions& golden = {});

  /// A rule that the device breaks in one of the functions below is thrown as LinkFailure.
  void Write(const std::vector<Cfg>& writes, Cycle bus) override;
  void Run(Cycle end) override;
  Cycle Due() const override;
  Cycle DueButSweeps() const override;
  /// The time of a node counts the events of a golden switch. The device needs the words themselves, so it is
  /// kWireToEvent cycles behind. What it puts on a link that repeats is needed at the far end in the cycle in which it
  /// is there.
  Cycle lead() const override { return repeats_ == nullptr ? -golden::kWireToEvent : -2 * golden::kWireToEvent; }
  /// Throws UsageError for a device that has no links with retry.
  void AwaitRepeats(golden::PortMask ports, const std::string& why) override;
  void BeginRepeats(golden::PortMask ports, const network::PlannedFaults& faults, Cycle up, Cycle begin) override;
  bool HasGivenUp(int port) const override { return Repeats(port) && (*repeats_)[port].gives_up; }
  int CountHeld(int port) const override;
  network::DirectionCounts SentBy(int port, bool nic, Cycle begin, Cycle end) const override;
  std::string NotHome(bool lost) override;
  /// Reads a counter over the register bus; returns 0 for a device that broke.
  std::uint64_t ReadCounter(int port, int index) override;
  const Lockstep& devices() const { return devices_; }

 private:
  using PortMask = golden::PortMask;

  /// Cycles from the last word or control slot until nothing more can come. The bound is chosen for this class: no
  /// credit return, ack or drop takes longer than a quiet hop, and a return may wait for the returns of all other
  /// lanes.
  static constexpr Cycle kSettle = 128;
  static_assert(kSettle > golden::kQuietHop + golden::kMaxLanes);
  /// Most cycles by which a drop may be reported late. The bound is chosen for this class: an exact device reports a
  /// drop in the next cycle, a bounded one as soon as its kernel has come so far (LateDrop).
  static constexpr Cycle kLatestDrop = 16;

  Cycle now() const { return devices_.cycle(); }
  void RunTo(Cycle stop);
  void RunOn(Cycle stop);
  void ShowFailure();
  void DriveLinks();
  bool Busy() const;
  /// When the node is due whose device next acts by itself in `own`.
  Cycle DueBy(Cycle own) const;
  Cycle NextInput() const;
  void Step();
  void Drive(int port);
  void DriveWrite();
  void PutOnBus(const Cfg& write, Cycle bus) override { late_.push_back({bus, write}); }
  void DriveAck(int port, Ctrl* ctrl);
  void Start(int port, const network::LinkPacket& packet);
  /// The cycle in which a node of a tree, or a switch with flow channels, next acts by itself.
  Cycle NextOwn() const { return reductions_.in_tree() || has_flows_ ? devices_.a().NextChange() : kNever; }
  void BeginFlows();
  void BringReduction(int port, golden::Payload payload, Cycle last) override;
  void CheckDrops();
  void CheckDrop(int port, Cycle cycle, Drop reason);
  void Leaves(std::optional<PacketKey> key, int port, Cycle cycle, Drop reason);
  void Departs(const golden::Departure& departure) override;
  void EndsReduction(int port, golden::Payload payload) override;
  void Returns(const golden::CreditReturn& credit) override;
  void PassesOn(const golden::AckReturn& ack) override { PassOn(ack); }
  void Pauses(const golden::FlowPauseReturn& pause) override { TellPause(pause); }

  // Links that repeat (device_repeats.cc).

  /// A port whose link repeats.
  struct RepeatingPort {
    AttemptsIn in;
    AttemptsOut out;
    network::Ring<network::LinkReport> says;  ///< what the port must say in its control slots
    PacketKey key = 0;                        ///< of the attempt that passed the gate last, and its frame
    FramePtr frame;
    bool unseen = false;  ///< the packet that departs is never on the link, which is down
  };

  const Profile& SwitchProfile() const override { return profile_; }
  const golden::PortRegisters& RegistersOf(int port) const override { return registers_.port(port); }
  void AwaitLink(int port) override { inputs_.link_up[static_cast<std::size_t>(port)] = false; }
  void BeginLink(int port, Cycle up, int lanes) override;
  bool NeedsSlots() const override { return true; }
  void TakeAttempt(int port, const network::LinkAttempt& attempt) override;
  void BeginAttempt(int port, const network::LinkAttempt& attempt, bool broken) override;
  void Says(int port, const network::LinkReport& said) override { Of(port).says.Push(said); }
  void HearSlots(int port, Cycle until, Cycle end) override;
  void TellStamps(int, Cycle) override {}
  void TurnLink(int port, bool up, Cycle now) override;
  void TakeToRepeat(const golden::Departure& departure, golden::Payload payload) override;
  RepeatingPort& Of(int port) { return *repeating_ports_[static_cast<std::size_t>(port)]; }
  const RepeatingPort& Of(int port) const { return *repeating_ports_[static_cast<std::size_t>(port)]; }
  golden::PortMask begun() const { return repeats_ == nullptr ? 0 : repeats_->mask(); }
  PacketKey EnterAttempt(int port, const network::LinkAttempt& attempt, bool broken);
  void BeginAttempts();
  void DriveRepeating(int port);
  bool CheckRepeating(int port, const Link& link);
  AttemptsOut::Seen SeeWord(int port, const Link& link);
  void CheckSaid(int port, const Ctrl& slot);
  Cycle NextRepeated() const;
  bool WaitsForRepeats() const;
  std::string RepeatsNotHome() const;
  // Links that go down (device_downs.cc).

  void CheckNames();
  golden::Payload PayloadOf(const GoldenNames::Taken& taken);
  void Discards();
  void Fall(int port, const Link& link);

  void Admit(int port, const golden::HeaderBits& header, PacketKey key, int words, int lanes, bool broken = false);
  PacketKey KeyFor(const network::PacketRecord& record, bool broken, FrameForm* form) const;

  const Profile& profile_;
  const std::uint64_t seed_;
  const DeviceOptions golden_;  ///< for `names_`
  Lockstep devices_;
  DeviceWatch watch_;
  golden::Registers registers_;
  bool has_flows_ = false;  ///< some port has flow channels, whose sweeps go on
  PacketsInside inside_;
  DeviceReductions reductions_;
  DeviceOutputs outputs_;
  Device::Inputs inputs_;
  std::vector<FrameOnLink> in_;  ///< by port, on link_i
  std::vector<Cycle> brought_;   ///< by port: the last word of the reduction packet that leaves, at the NIC
  PortMask feeding_ = 0;         ///< ports with a packet on link_i
  PortMask driven_ = 0;          ///< ports with something on link_i in the latest cycle
  std::vector<std::unique_ptr<RepeatingPort>> repeating_ports_;  ///< by port; null: its link does not repeat
  std::unique_ptr<GoldenNames> names_;  ///< null: no link repeats
  bool fallen_ = false;                 ///< some link that repeats has gone down
  std::deque<LateWrite> late_;          ///< register writes of a fault plan that are still to come
  bool write_is_late_ = false;          ///< `inputs_` has one of them
  Cycle settled_ = 0;            ///< nothing comes any more
  Cycle driven_at_ = -1;         ///< last cycle whose inputs stand
  Cycle recorded_ = -1;          ///< last cycle that the recorder was given
};

}  // namespace tilefly::cosim
