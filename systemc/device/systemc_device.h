// SPDX-License-Identifier: Apache-2.0
// The device "systemc": the switch of transaction models with words around it (docs/systemc.md, As a device).
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "cosim/device.h"
#include "golden/common/agenda.h"
#include "golden/common/counters.h"
#include "golden/link/mac_in.h"
#include "golden/link/mac_out.h"
#include "golden/registers/registers.h"
#include "systemc/device/kernel_process.h"

namespace tilefly::systemc {

/// MACs and control slots around the packets of a KernelProcess. The effect of a word shows on a link some cycles
/// later; so the kernel is run for several cycles at a time, and only when something is due in it.
class SystemcDevice final : public cosim::Device {
 public:
  explicit SystemcDevice(const Profile& profile, const golden::SchedulerChoice& scheduler = {});

  const char* Name() const override { return "systemc"; }
  int radix() const override { return profile_.ports; }
  const std::vector<Link>& Outputs() override;
  /// A record that shows drops only, in `late_drops`: the stages of a packet have no cycles of their own here.
  const cosim::Observation& Observe() override;
  /// Throws DeviceError when a model broke, or when a link goes down, which the models do not support.
  void Step(const Inputs& inputs) override;
  Cycle cycle() const override { return cycle_; }
  void SkipIdle(Cycle to) override;
  Cycle NextChange() const override { return Quiet() ? std::max(cycle_, next_) : cycle_; }
  std::uint64_t Counter(int port, int index) override;
  void CheckDrained() override;

  /// How often the kernel was run.
  std::uint64_t runs() const { return runs_; }

 private:
  struct Port {
    golden::MacIn in;
    golden::MacOut out;
    std::deque<Cycle> last_reads;  ///< in which the last word of a packet that leaves is read
    bool enh = false;          ///< of the packet that comes
    bool cut_through = false;
    bool reduces = false;      ///< it is a packet of a reduction
    std::map<Cycle, KernelOutput> credits;  ///< by their cycle on the control slot
    std::map<Cycle, KernelOutput> acks;
    std::map<Cycle, KernelOutput> pauses;  ///< of flows of the NIC
    std::array<std::uint16_t, golden::kMaxLanes> freed{};
  };

  void Receive(int port, const Link& link, bool up);
  void ReceiveWord(int port, const Word& word, bool heard);
  void Begin(int port, const golden::Arrival& arrival);
  void End(int port, const golden::MacIn::Events& events);
  KernelInput& Tell(KernelInput::Kind kind, int port);
  Cycle Known() const;
  void Know(Cycle cycle);
  void RunTo(Cycle through);
  void Collect(const KernelOutput& output);
  void TakePacket(const KernelOutput& output);
  golden::Index MadeFrame(int length);
  void TellBytes(int port, golden::Index id);
  void CountStomped(int port);
  bool Quiet() const;

  const Profile profile_;
  golden::FrameStore frames_;
  golden::Registers registers_;
  golden::Counters mac_counters_;
  KernelProcess kernel_;
  std::vector<Port> ports_;
  golden::Agenda<Cfg> writes_;
  std::vector<KernelInput> inputs_;     ///< that the kernel has not been given
  std::vector<KernelOutput> records_;
  std::vector<std::uint8_t> made_;      ///< bytes of the frame that the next record is of
  std::vector<cosim::LateDrop> drops_;  ///< that have not been shown
  std::vector<std::uint64_t> counters_;
  Cycle counters_of_ = -1;              ///< cycle at whose begin `counters_` were so
  std::vector<Link> outputs_;
  cosim::Observation observation_;
  Cycle cycle_ = 0;
  Cycle outputs_of_ = -1;  ///< cycle that `outputs_` shows
  Cycle ran_ = -1;         ///< latest cycle that the kernel has run
  Cycle next_ = 0;         ///< cycle in which it has something to do
  Cycle busy_ = -1;        ///< latest cycle in which something known is on a link
  std::uint64_t runs_ = 0;
};

}  // namespace tilefly::systemc
