// SPDX-License-Identifier: Apache-2.0
// Two switches with two links with retry between them (docs/blocks/link_retry.md, Taken back): ports 0 and 2 of both, over
// wires without errors. Hosts at ports 1, 3 and 5 of each send packets to those of the other, by either link.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/golden_device.h"
#include "cosim/lockstep/lockstep.h"
#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"
#include "golden/credit/credit_sender.h"
#include "testbenches/bench/wire_packet.h"
#include "cosim/endpoint/link_decides.h"

namespace tilefly::bench {

struct TwoWaysSetup {
  const Profile& profile;
  bool cut_through = true;
  int delay = 12;
  int longest = 1500;   ///< bytes of a frame
  int down = 0;         ///< LINK_DOWN_BEHAVIOR: 0 discard, 1 block, 2 best effort
  int broadcasts = 0;   ///< of 256 packets, those that are replicated: to the hosts of the own switch, and by link 0
  int lossy = 0;        ///< classes from 0 on that are lossy, with shares that are never too small
};

class TwoWays {
 public:
  static constexpr std::array<int, 2> kLinks = {0, 2};
  static constexpr std::array<int, 3> kHosts = {1, 3, 5};
  static constexpr Cycle kRaised = 600;  ///< the links come up; traffic begins 100 cycles later

  /// `beside`: a device that is to do in every cycle what the first switch does; Step throws DivergenceError.
  TwoWays(const TwoWaysSetup& setup, const Stimulus& random, std::unique_ptr<cosim::Device> beside = nullptr)
      : links{Wire(setup), Wire(setup)}, setup_(setup), random_(random) {
    for (std::size_t i = 0; i < 2; ++i) {
      auto golden = std::make_unique<cosim::GoldenDevice>(setup.profile);
      golden_.push_back(golden.get());
      switches_.push_back(std::make_unique<cosim::Lockstep>(std::move(golden), i == 0 ? std::move(beside) : nullptr));
      inputs_[i].links.resize(static_cast<std::size_t>(setup.profile.ports));
      inputs_[i].link_up.assign(static_cast<std::size_t>(setup.profile.ports), true);
      SetUp(i);
    }
  }

  /// Hosts start no further packets.
  void Drain() { draining_ = true; }

  /// One cycle of all.
  void Step() {
    std::array<std::vector<Link>, 2> out;
    if (switches_[0]->b() != nullptr) switches_[0]->Compare();
    for (std::size_t i = 0; i < 2; ++i) out[i] = switches_[i]->Outputs();
    for (std::size_t n = 0; n < links.size(); ++n) {
      const auto port = static_cast<std::size_t>(kLinks[n]);
      if (cycle == kRaised) links[n].decides.Raise();
      for (std::size_t i = 0; i < 2; ++i) {
        inputs_[i].link_up[port] = links[n].decides.up(i, cycle);
        if ((switches_[i]->LinkFails() >> port & 1) != 0) links[n].decides.Fails(i, cycle);
        links[n].wire[i].push_back(out[i][port]);
        sent_by[n] += out[i][port].word.valid && out[i][port].word.sop;
        inputs_[1 - i].links[port] = links[n].wire[i].front();
        links[n].wire[i].pop_front();
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t h = 0; h < kHosts.size(); ++h) Host(i, h, out[i][static_cast<std::size_t>(kHosts[h])]);
      inputs_[i].cfg = Cfg();
      for (std::deque<Cfg>* writes : {&writes_[i], i == 0 ? &reads_ : nullptr}) {
        if (writes == nullptr || writes->empty() || inputs_[i].cfg.valid) continue;
        inputs_[i].cfg = writes->front();
        writes->pop_front();
      }
      switches_[i]->Step(inputs_[i]);
    }
    ++cycle;
  }
  /// Reads all counters of the first switch, and compares those of the device beside it.
  void CompareCounters() {
    const std::vector<Cfg> reads = switches_[0]->CounterReads();
    reads_.assign(reads.begin(), reads.end());
    while (!reads_.empty()) Step();
    for (int t = 0; t < golden::kAnswerLatency + 2; ++t) Step();
    switches_[0]->CompareCounters();
  }

  /// Sum over all ports of both switches, of a counter or a drop reason.
  template <typename Which>
  std::int64_t Count(Which which) const {
    std::int64_t sum = 0;
    for (cosim::GoldenDevice* golden : golden_) {
      for (int p = 0; p < setup_.profile.ports; ++p)
        sum += static_cast<std::int64_t>(golden->Counter(p, static_cast<int>(which)));
    }
    return sum;
  }
  golden::Switch& device(int i) { return golden_[static_cast<std::size_t>(i)]->golden_switch(); }
  cosim::Lockstep& lockstep(int i) { return *switches_[static_cast<std::size_t>(i)]; }

  struct Wire {
    explicit Wire(const TwoWaysSetup& setup) : decides(setup.delay, setup.profile.mtu_words_enh) {
      for (auto& one : wire) one.resize(static_cast<std::size_t>(setup.delay));
    }
    cosim::LinkDecides decides;
    std::array<std::deque<Link>, 2> wire;  ///< by the end that sends
  };

  Cycle cycle = 0;
  std::array<Wire, 2> links;
  std::int64_t sent = 0, received = 0;                  ///< packets to one host
  std::int64_t copies_sent = 0, copies_received = 0;    ///< of replicated ones
  std::int64_t stomped = 0;                             ///< attempts that were broken off, or cut off by a link down
  std::array<std::int64_t, 2> sent_by{};                ///< first words of packets by each link, both directions
  std::string wrong;                                    ///< the first packet that came too often

 private:
  struct HostState {
    WirePacket packet;
    int words = 0, next = 0;
    golden::CreditSender credits;
    std::vector<std::uint8_t> coming;
    Header header;
    std::array<std::uint16_t, golden::kMaxLanes> freed{};
  };

  static std::uint32_t Address(std::size_t i, int port) {
    return static_cast<std::uint32_t>(i << golden::kPortBits) | static_cast<std::uint32_t>(port);
  }
  void Write(std::size_t i, int port, CfgSpace space, int index, std::uint64_t data) {
    writes_[i].push_back(golden::WriteRegister(port, space, index, data));
  }
  void SetUp(std::size_t i) {
    PortMode mode;
    mode.enable = mode.credits = true;
    mode.cut_through = setup_.cut_through;
    mode.std_format = false;
    std::uint64_t hosts = 0;
    for (const int port : kHosts) {
      PortMode host = mode;
      host.acks = true;
      hosts |= golden::Bit(port);
      Write(i, port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), host.ToBits());
    }
    mode.retry = true;
    mode.pclass = 1;
    PortRetry retry;
    retry.timer = static_cast<std::uint16_t>(2 * setup_.delay + 2 * setup_.profile.mtu_words_enh + 40);
    retry.limit = 255;
    retry.down = static_cast<std::uint8_t>(setup_.down);
    for (const int port : kLinks) {
      Write(i, port, CfgSpace::kPort, static_cast<int>(PortReg::kRetry), retry.ToBits());
      Write(i, port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
      Write(i, port, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast), hosts);
    }
    for (const int port : kHosts) {
      Write(i, port, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast), hosts | golden::Bit(kLinks[0]));
    }
    for (int c = 0; c < setup_.lossy; ++c) {
      Write(i, golden::kAllPorts, CfgSpace::kClass, golden::IndexOf(c, ClassReg::kShare),
            ClassShare::Of(0, 0xffff, true).ToBits());
    }
    Write(i, golden::kAllPorts, CfgSpace::kClass, golden::IndexOf(TableReg::kClassShared), 0xffff);
    Write(i, golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), i);
    Write(i, golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSeed), 5 + i);
    Write(i, golden::kAllPorts, CfgSpace::kRouteSwitch, static_cast<int>(1 - i),
          golden::Bit(kLinks[0]) | golden::Bit(kLinks[1]));
  }

  /// Host `h` of switch `i`: sends when it has credit, takes what comes, and returns credits at once.
  void Host(std::size_t i, std::size_t h, const Link& out) {
    HostState& host = hosts_[i][h];
    Link& in = inputs_[i].links[static_cast<std::size_t>(kHosts[h])];
    in = Link();
    Take(&host, out, &in);
    if (out.ctrl.credit_valid) host.credits.Return(out.ctrl.credit_vl, out.ctrl.credit_cells, table_);
    if (host.next == host.words && cycle >= kRaised + 100 && !draining_) Start(i, h);
    if (host.next < host.words) in.word = host.packet.MakeWord(host.next++);
  }
  void Start(std::size_t i, std::size_t h) {
    HostState& host = hosts_[i][h];
    const auto index = static_cast<std::uint32_t>(3 * i + h);
    const int vl = static_cast<int>(random_.Below(8, "class", cycle, index));
    if (!random_.Spell("packet", cycle, index) || !host.credits.LaneOk(vl, table_, setup_.profile.mtu_cells)) return;
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(random_.Between(64, setup_.longest, "length", cycle, index));
    header.tc = header.vl = static_cast<std::uint8_t>(vl);
    header.src = Address(i, kHosts[h]);
    header.dst = Address(1 - i, kHosts[random_.Below(kHosts.size(), "to", cycle, index)]);
    header.mode = static_cast<std::uint8_t>(random_.Below(7, "mode", cycle, index));
    header.ordered = random_.Chance(64, "ordered", cycle, index);
    header.flow = static_cast<std::uint16_t>(random_.Below(1024, "flow", cycle, index));
    const bool broadcast = random_.Chance(setup_.broadcasts, "broadcast", cycle, index);
    if (broadcast) header.dst = golden::HeaderBits::kReplicated;
    host.packet = MakeWithHeader(random_, 8 * cycle + index, header);
    host.words = host.packet.words();
    host.next = 0;
    host.credits.Grant(vl, golden::CellsOf(header.len), table_);
    const int copies = broadcast ? 2 * static_cast<int>(kHosts.size()) - 1 : 1;
    (broadcast ? copies_sent : sent) += copies;
    out_[std::vector<std::uint8_t>(host.packet.bytes.begin() + 16, host.packet.bytes.end())] = {copies, broadcast};
  }
  void Take(HostState* host, const Link& out, Link* in) {
    if (!out.word.valid) return;
    if (out.word.sop) {
      host->coming.clear();
      host->header = Header::UnpackBytes(out.word.data.data());
    }
    host->coming.insert(host->coming.end(), out.word.data.begin(), out.word.data.begin() + out.word.last + 1);
    if (!out.word.eop) return;
    std::uint16_t& freed = host->freed[host->header.vl];
    freed = static_cast<std::uint16_t>(freed + golden::CellsOf(host->header.len));
    in->ctrl.credit_valid = true;
    in->ctrl.credit_vl = host->header.vl;
    in->ctrl.credit_cells = freed;
    Judge(std::vector<std::uint8_t>(host->coming.begin() + 16, host->coming.end()));
  }
  void Judge(const std::vector<std::uint8_t>& frame) {
    const auto known = out_.find(frame);
    if (known == out_.end()) {
      ++stomped;  // its check fails
      return;
    }
    if (--known->second.first < 0 && wrong.empty()) wrong = "a packet came too often, cycle " + std::to_string(cycle);
    ++(known->second.second ? copies_received : received);
  }

  TwoWaysSetup setup_;
  Stimulus random_;
  golden::CreditTable table_{setup_.profile};
  std::vector<std::unique_ptr<cosim::Lockstep>> switches_;
  std::vector<cosim::GoldenDevice*> golden_;  ///< the first device of each
  std::array<cosim::Device::Inputs, 2> inputs_;
  std::array<std::deque<Cfg>, 2> writes_;
  std::deque<Cfg> reads_;
  std::array<std::array<HostState, 3>, 2> hosts_;
  std::map<std::vector<std::uint8_t>, std::pair<int, bool>> out_;  ///< frames: copies not received; replicated
  bool draining_ = false;
};

}  // namespace tilefly::bench
