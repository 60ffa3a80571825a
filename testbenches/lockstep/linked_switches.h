// SPDX-License-Identifier: Apache-2.0
// Two golden switches of 8 ports with three links with retry between them, at ports 0 to 2 of both, and hosts at the other
// ports: of ports 3 to 6 with credits, 6 stores and forwards, 7 is a standard port. A device may stand beside the first switch.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cosim/golden_device.h"
#include "cosim/lockstep/lockstep.h"
#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"
#include "cosim/endpoint/link_decides.h"
#include "testbenches/lockstep/linked_host.h"

namespace tilefly::bench {

inline constexpr int kMeshLinks = 3, kMeshPorts = 8;
inline constexpr std::uint64_t kMeshLinkPorts = 7, kMeshHostPorts = 0xf8;

struct MeshSetup {
  int delay = 7;
  int down = 0;            ///< LINK_DOWN_BEHAVIOR of all links
  int broken_words = 0;    ///< of 65,536 valid words on links
  bool cut_through = true; ///< of links, and of hosts but one
  bool flows = false;      ///< hosts' ports that acknowledge have flow channels
};

class LinkedSwitches {
 public:
  /// What hosts send: asked in every cycle for every host that may start. Returns whether it starts one.
  using Source = std::function<bool(std::size_t at, int port, Cycle now, LinkedHost* host)>;
  /// A packet has come to a host; `header` is null for a bare frame.
  using Sink = std::function<void(std::size_t at, int port, const std::vector<std::uint8_t>& bytes, const Header* header)>;

  LinkedSwitches(const MeshSetup& setup, const Stimulus& random, Source source, Sink sink, std::unique_ptr<cosim::Device> beside)
      : setup_(setup), random_(random), source_(std::move(source)), sink_(std::move(sink)) {
    for (std::size_t i = 0; i < 2; ++i) {
      auto golden = std::make_unique<cosim::GoldenDevice>(kTile8);
      golden_[i] = golden.get();
      switches_.push_back(std::make_unique<cosim::Lockstep>(std::move(golden), i == 0 ? std::move(beside) : nullptr));
      inputs_[i].links.resize(kMeshPorts);
      inputs_[i].link_up.assign(kMeshPorts, true);
      for (int p = kMeshLinks; p < kMeshPorts; ++p) hosts_[i].emplace_back(kTile8, p == 7, kHostLanes[p]);
      for (auto& wire : wires_[i]) wire.assign(static_cast<std::size_t>(setup.delay), Link());
      SetUp(i);
    }
    for (int l = 0; l < kMeshLinks; ++l) decides.emplace_back(setup.delay, kTile8.mtu_words_enh);
  }

  /// Writes a register of switch `i` as soon as the bus is free; `port` may be golden::kAllPorts.
  void Write(std::size_t i, int port, CfgSpace space, int index, std::uint64_t data) {
    writes_[i].push_back(golden::WriteRegister(port, space, index, data));
  }
  void WriteRetry(std::size_t i, int port, int down) {
    PortRetry retry;
    retry.timer = static_cast<std::uint16_t>(2 * setup_.delay + 2 * kTile8.mtu_words_enh + 40);
    retry.limit = 255;
    retry.down = static_cast<std::uint8_t>(down);
    retry.watchdog = 4096;
    Write(i, port, CfgSpace::kPort, static_cast<int>(PortReg::kRetry), retry.ToBits());
  }
  /// Writes MODE of a link's port at both ends once more: plain ports retry again.
  void WriteMode(int link) {
    for (std::size_t i = 0; i < 2; ++i) Write(i, link, CfgSpace::kPort, static_cast<int>(PortReg::kMode), LinkMode().ToBits());
  }
  bool written() const { return writes_[0].empty() && writes_[1].empty(); }
  /// Words on links break no more.
  void Mend() { setup_.broken_words = 0; }

  /// One cycle of all. Throws DivergenceError.
  void Step() {
    if (switches_[0]->b() != nullptr) switches_[0]->Compare();
    std::array<std::vector<Link>, 2> out;
    for (std::size_t i = 0; i < 2; ++i) {
      out[i] = switches_[i]->Outputs();
      for (int l = 0; l < kMeshLinks; ++l) {
        inputs_[i].link_up[static_cast<std::size_t>(l)] = decides[static_cast<std::size_t>(l)].up(i, cycle);
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t l = 0; l < kMeshLinks; ++l) {
        if ((switches_[i]->LinkFails() >> l & 1) != 0) decides[l].Fails(i, cycle);
        inputs_[1 - i].links[l] = OverWire(i, l, out[i][l]);
      }
      for (int p = kMeshLinks; p < kMeshPorts; ++p) StepHost(i, p, out[i][static_cast<std::size_t>(p)]);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      inputs_[i].cfg = {};
      if (!writes_[i].empty()) {
        inputs_[i].cfg = writes_[i].front();
        writes_[i].pop_front();
      }
      switches_[i]->Step(inputs_[i]);
    }
    ++cycle;
  }

  /// Reads all counters of the first switch, and compares those of the device beside it.
  void CompareCounters() {
    for (const Cfg& read : switches_[0]->CounterReads()) writes_[0].push_back(read);
    while (!written()) Step();
    for (int t = 0; t < golden::kAnswerLatency + 2; ++t) Step();
    switches_[0]->CompareCounters();
  }
  std::uint64_t Count(std::size_t i, int port, int index) const { return golden_[i]->Counter(port, index); }
  std::uint64_t Count(std::size_t i, tilefly::Counter counter) const { return Sum(i, static_cast<int>(counter)); }
  std::uint64_t Count(std::size_t i, tilefly::Drop drop) const { return Sum(i, static_cast<int>(drop)); }
  /// Packets inside both switches.
  std::int64_t packets() const { return golden_[0]->golden_switch().packets() + golden_[1]->golden_switch().packets(); }
  cosim::Lockstep& device(std::size_t i) { return *switches_[i]; }

  Cycle cycle = 0;
  std::vector<cosim::LinkDecides> decides;  ///< by link

 private:
  static constexpr std::array<int, kMeshPorts> kHostLanes = {0, 0, 0, 4, 4, 1, 2, 4};

  PortMode LinkMode() const {
    PortMode mode;
    mode.enable = mode.credits = mode.retry = true;
    mode.cut_through = setup_.cut_through;
    mode.std_format = false;
    mode.pclass = 1;
    mode.lanes = 4;
    return mode;
  }
  void SetUp(std::size_t i) {
    for (int p = 0; p < kMeshPorts; ++p) {
      PortMode mode = LinkMode();
      if (p < kMeshLinks) {
        WriteRetry(i, p, setup_.down);
      } else {
        mode.retry = false;
        mode.pclass = 0;
        mode.acks = p != 5;
        mode.flows = setup_.flows && mode.acks;
        mode.lanes = static_cast<std::uint8_t>(kHostLanes[static_cast<std::size_t>(p)]);
        mode.cut_through = setup_.cut_through && p != 6;
        if (p == 7) {
          mode.credits = mode.cut_through = false;
          mode.std_format = true;
        }
      }
      Write(i, p, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
      for (const PortReg flood : {PortReg::kFloodUnknown, PortReg::kFloodBroadcast, PortReg::kFloodMulticast}) {
        Write(i, p, CfgSpace::kPort, static_cast<int>(flood), p < kMeshLinks ? kMeshHostPorts : 0xff);
      }
    }
    Write(i, golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), i);
    Write(i, golden::kAllPorts, CfgSpace::kRouteSwitch, static_cast<int>(1 - i), kMeshLinkPorts);
  }
  Link OverWire(std::size_t i, std::size_t l, Link link) {
    if (link.word.valid && random_.Below(65'536, "broken word", cycle, static_cast<std::uint32_t>(8 * i + l)) <
                               static_cast<std::uint64_t>(setup_.broken_words)) {
      link.word.err = true;
    }
    std::deque<Link>& wire = wires_[i][l];
    wire.push_back(link);
    const Link out = wire.front();
    wire.pop_front();
    return out;
  }
  void StepHost(std::size_t i, int port, const Link& out) {
    LinkedHost& host = hosts_[i][static_cast<std::size_t>(port - kMeshLinks)];
    source_(i, port, cycle, &host);
    inputs_[i].links[static_cast<std::size_t>(port)] =
        host.Step(cycle, out, [&](const std::vector<std::uint8_t>& bytes, const Header* header) { sink_(i, port, bytes, header); });
  }
  std::uint64_t Sum(std::size_t i, int index) const {
    std::uint64_t sum = 0;
    for (int p = 0; p < kMeshPorts; ++p) sum += Count(i, p, index);
    return sum;
  }

  MeshSetup setup_;
  Stimulus random_;
  Source source_;
  Sink sink_;
  std::vector<std::unique_ptr<cosim::Lockstep>> switches_;
  std::array<cosim::GoldenDevice*, 2> golden_{};  ///< the first device of each
  std::array<cosim::Device::Inputs, 2> inputs_;
  std::array<std::deque<Cfg>, 2> writes_;
  std::array<std::vector<LinkedHost>, 2> hosts_;
  std::array<std::array<std::deque<Link>, kMeshLinks>, 2> wires_;  ///< by the end that sends
};

}  // namespace tilefly::bench
