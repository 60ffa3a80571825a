// SPDX-License-Identifier: Apache-2.0
// Hosts at a switch whose edge ports have flow channels (docs/blocks/flow_channel.md): they send packets of few flows, of one
// set of the table, or of many flows; acks from the fabric come late, twice or never, marked or not, and some are forged.
// Software rewrites registers and tables meanwhile. A device stands beside golden and is compared in every cycle.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/golden_device.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/setup/frame.h"
#include "golden/common/register_write.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

class FlowHosts {
 public:
  /// The lower half of the ports are edge ports with flow channels. Of four of them the third stores and forwards, and the
  /// fourth is standard.
  FlowHosts(std::uint32_t seed, const Profile& profile, std::unique_ptr<cosim::Device> device, const cosim::DeviceOptions& options)
      : FlowHosts(seed, profile, std::move(device), std::make_unique<cosim::GoldenDevice>(profile, options)) {}

  cosim::Lockstep& lockstep() { return lockstep_; }
  std::uint64_t Count(Counter counter) const {
    std::uint64_t sum = 0;
    for (int port = 0; port < ports_; ++port) sum += golden_->Counter(port, static_cast<int>(counter));
    return sum;
  }

  /// Hosts send and registers change for so many cycles. Throws DivergenceError.
  void Run(Cycle cycles) {
    for (const Cycle end = lockstep_.cycle() + cycles; lockstep_.cycle() < end;) {
      const Cycle now = lockstep_.cycle();
      for (int port = 0; port < edges_; ++port) Begin(port, now);
      Forge(now);
      if (writes_.empty() && random_.Below(400, "write", now) == 0) WriteAny(now);
      FlickLinks(now);
      Step();
    }
  }
  /// All that is inside comes out; no ack is lost any more. Returns the packets that are left.
  std::int64_t Finish(Cycle limit) {
    ending_ = true;
    WriteTimes(1, 1);
    for (const Cycle end = lockstep_.cycle() + limit; lockstep_.cycle() < end && golden_->golden_switch().packets() != 0;) Step();
    const std::int64_t left = golden_->golden_switch().packets();
    for (int i = 0; i < 6000; ++i) Step();  // the last acks come home, and channels are forgotten: no pause is counted any more
    for (const Cfg& read : lockstep_.CounterReads()) writes_.push_back(read);
    while (!writes_.empty()) Step();
    for (int i = 0; i < 16; ++i) Step();
    lockstep_.CompareCounters();
    if (left == 0) lockstep_.CheckDrained();
    return left;
  }

  std::int64_t packets = 0;  ///< that hosts sent
  std::int64_t pauses = 0;   ///< on control slots
  std::int64_t released_beside_held = 0;  ///< cycles in which a port held a packet and released another one
  std::map<int, std::int64_t> held;  ///< packets held, by channel

 private:
  static constexpr Cycle kSpell = 2048;  ///< cycles for which hosts keep to a kind of traffic
  static constexpr int kGroup = 3, kSwitch = 2;
  static constexpr int kMasks[] = {0x3, 0xc, 0xf, 0x1, 0x6};  ///< quarters of the upper half of the ports

  /// What hosts send in a spell of cycles.
  enum class Traffic { kFewFlows, kOneSet, kManyFlows, kOneFlow };

  struct Host {
    std::deque<Word> words;
    int inside = 0;  ///< cells in the input buffer of its port
  };

  FlowHosts(std::uint32_t seed, const Profile& profile, std::unique_ptr<cosim::Device> device,
            std::unique_ptr<cosim::GoldenDevice> golden)
      : ports_(profile.ports), edges_(profile.ports / 2), random_(seed), golden_(golden.get()),
        lockstep_(std::move(golden), std::move(device)), hosts_(static_cast<std::size_t>(edges_)),
        sunk_(static_cast<std::size_t>(ports_)) {
    inputs_.links.resize(static_cast<std::size_t>(ports_));
    inputs_.link_up.assign(static_cast<std::size_t>(ports_), true);
    for (int port = 0; port < ports_; ++port) {
      PortMode mode;
      mode.enable = true;
      mode.std_format = IsStandard(port);
      mode.credits = !IsStandard(port);
      mode.cut_through = !Stores(port) && !IsStandard(port);
      mode.trust = 0;
      mode.default_tc = 5;
      mode.lanes = Stores(port) ? 3 : 4;
      mode.acks = mode.flows = port < edges_;
      mode.pclass = port < edges_ ? 0 : 1;
      Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    }
    Write(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast),
          ~std::uint64_t{0} >> (64 - ports_));
    Write(golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), OwnAddress::Of(kSwitch, kGroup).ToBits());
    Write(golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSize), SwitchSize::Of(16, 32).ToBits());
    WriteTimes(2, 2);
    for (int c = 0; c < 8; ++c) {
      Write(golden::kAllPorts, CfgSpace::kClass, golden::IndexOf(c, ClassReg::kRouting),
            ClassRouting::Of(static_cast<std::uint64_t>(c % 4), static_cast<std::uint64_t>(c & 1)).ToBits());
    }
    for (int i = 0; i < 32; ++i) {
      Write(golden::kAllPorts, CfgSpace::kRouteSwitch, i, Mask(i % 3));
      Write(golden::kAllPorts, CfgSpace::kRouteGroup, i, Mask(2));
    }
  }

  bool Stores(int port) const { return port < edges_ && port % 4 == 2; }
  bool IsStandard(int port) const { return port < edges_ && port % 4 == 3; }
  /// Ports of the fabric: a mask of quarters, as one of ports.
  std::uint64_t Mask(int of) const {
    const int quarter = edges_ / 4;
    std::uint64_t mask = 0;
    for (int port = 0; port < edges_; ++port) mask |= std::uint64_t(kMasks[of] >> (port / quarter) & 1) << (edges_ + port);
    return mask;
  }

  int Below(std::uint64_t n, Purpose purpose, Cycle cycle, int index = 0) const {
    return static_cast<int>(random_.Below(n, purpose, cycle, static_cast<std::uint32_t>(index)));
  }
  void Write(int port, CfgSpace space, int index, std::uint64_t data) {
    writes_.push_back(golden::WriteRegister(port, space, index, data));
  }

  /// Each kind once in four spells.
  Traffic TrafficNow(Cycle now) const {
    const Cycle spell = now / kSpell;
    return static_cast<Traffic>((spell + Below(4, "traffic", spell / 4)) % 4);
  }

  /// Sweeps of the deadline, and until a throttle is forgotten, of all ports.
  void WriteTimes(std::uint64_t deadline, std::uint64_t idle) {
    Write(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFlowChannel),
          tilefly::FlowChannel::Of(deadline, idle, 3, 89, 64, 0).ToBits());
  }

  /// A packet of a host that sends none, unless many cells are inside.
  void Begin(int port, Cycle now) {
    Host& host = hosts_[static_cast<std::size_t>(port)];
    if (!host.words.empty() || !inputs_.link_up[static_cast<std::size_t>(port)] || host.inside > 1500) return;
    if (!random_.Spell("packet", now, static_cast<std::uint32_t>(port))) return;
    const Traffic traffic = TrafficNow(now);
    const bool few = traffic == Traffic::kFewFlows || traffic == Traffic::kOneFlow;
    const int length = 64 + Below(traffic == Traffic::kFewFlows ? 1200 : 80, "length", now, port);
    cosim::Frame frame;
    frame.enh = !IsStandard(port);
    Header& header = frame.header;
    header.kind = static_cast<std::uint8_t>(Below(40, "red", now, port) == 0 ? Kind::kRed : Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(length);
    header.src = cosim::Address(kGroup, kSwitch, port);
    header.tc = static_cast<std::uint8_t>(few ? Below(2, "class", now, port) : traffic == Traffic::kOneSet ? 2 : Below(8, "class", now, port));
    header.ordered = Below(2, "ordered", now, port) != 0;
    header.mode = static_cast<std::uint8_t>(Below(8, "mode", now, port));
    header.flow = static_cast<std::uint16_t>(Below(4, "flow", now, port));
    header.gen = Below(2, "gen", now, port) != 0;
    header.an = Below(2, "an", now, port) != 0;
    header.hop = Below(20, "hop", now, port) == 0 ? 1 : 0;
    header.dst = Destination(traffic, now, port);
    frame.bytes.assign(static_cast<std::size_t>(length), static_cast<std::uint8_t>(now));
    if (!frame.enh) {
      const cosim::Mac mac = cosim::AddressMac(header.dst);
      std::copy(mac.begin(), mac.end(), frame.bytes.begin());
      frame.bytes[12] = 0x12;
    }
    cosim::Seal(&frame.bytes);
    const int lanes = Stores(port) ? 3 : 4;
    for (int k = 0; k < frame.words(); ++k) {
      host.words.push_back(cosim::MakeWord(frame, k));
      const Cycle gap = cosim::WordOffset(k + 1, lanes) - cosim::WordOffset(k, lanes);
      for (Cycle i = 1; i < gap; ++i) host.words.push_back(Word());
    }
    const int idle = frame.enh ? 0 : frame.slots() - frame.words();
    for (int i = 0; i < idle; ++i) host.words.push_back(Word());
    ++packets;
  }
  std::uint32_t Destination(Traffic traffic, Cycle now, int port) const {
    if (Below(50, "all", now, port) == 0) return cosim::kReplicated;
    const int number = Below(40, "number", now, port);
    switch (traffic) {
      case Traffic::kFewFlows:
        if (number % 4 == 0) return cosim::Address(kGroup, kSwitch, number % 3);  // acks of this switch, with its marks
        return cosim::Address(5, 1, number % 2);
      case Traffic::kOneFlow:
        return cosim::Address(6, 1, 0);
      case Traffic::kOneSet:  // set: the port's bits, ^ {group's lowest bit, switch}, ^ the group's upper bits, ^ the class's
        return cosim::Address(4 + 2 * (number / 32), number % 32, (number % 32) ^ (2 + number / 32));
      default:
        return cosim::Address(Below(16, "group", now, port), Below(32, "switch", now, port), Below(64, "to", now, port));
    }
  }

  void WriteAny(Cycle now) {
    const int port = Below(3, "all ports", now) == 0 ? golden::kAllPorts : Below(ports_, "port", now);
    switch (Below(8, "register", now)) {
      case 0:
      case 1: {
        const int on = Below(60, "on", now), full = Below(400, "full", now);
        return Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kFlowMark),
                     FlowMark::Of(static_cast<std::uint64_t>(on), static_cast<std::uint64_t>(on + Below(100, "hard", now)),
                                  static_cast<std::uint64_t>(full)).ToBits());
      }
      case 2:
      case 3:
        return Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kFlowChannel),
                     tilefly::FlowChannel::Of(static_cast<std::uint64_t>(Below(5, "deadline", now)), static_cast<std::uint64_t>(Below(4, "idle", now)),
                                     static_cast<std::uint64_t>(Below(8, "grow", now)), static_cast<std::uint64_t>(Below(200, "hold", now)),
                                     static_cast<std::uint64_t>(Below(256, "period", now)),
                                     static_cast<std::uint64_t>(Below(3, "first", now) * Below(60, "first cells", now))).ToBits());
      case 4:
        return Write(golden::kAllPorts, Below(2, "route", now) == 0 ? CfgSpace::kRouteSwitch : CfgSpace::kRouteGroup,
                     Below(32, "number", now), Mask(Below(5, "mask", now)));
      case 5:
        return Write(golden::kAllPorts, CfgSpace::kVlmap,
                     static_cast<int>(VlmapIndex::Of(static_cast<std::uint64_t>(Below(2, "out", now)), 0, 0,
                                                     static_cast<std::uint64_t>(Below(8, "tc", now))).ToBits()),
                     static_cast<std::uint64_t>(Below(16, "lane", now)));
      case 6:
        return Write(port, CfgSpace::kClass, golden::IndexOf(Below(3, "of class", now), ClassReg::kShare),
                     ClassShare::Of(40, 300, Below(2, "lossy", now) != 0).ToBits());
      default:
        return Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kAckDeadline),
                     PortAckDeadline::Of(static_cast<std::uint64_t>(Below(4, "sweeps", now))).ToBits());
    }
  }

  /// The link of a host that sends nothing goes down for a time.
  void FlickLinks(Cycle now) {
    for (int port = 0; port < edges_; ++port) {
      const auto p = static_cast<std::size_t>(port);
      if (!inputs_.link_up[p]) {
        inputs_.link_up[p] = Below(60, "up", now, port) == 0;
      } else if (hosts_[p].words.empty() && Below(3000, "down", now, port) == 0) {
        inputs_.link_up[p] = false;
      }
    }
  }

  void Step() {
    const Cycle now = lockstep_.cycle();
    lockstep_.Compare();
    if (ending_) std::fill(inputs_.link_up.begin(), inputs_.link_up.end(), true);
    cosim::Device::Inputs inputs = inputs_;
    Look(now);
    for (auto& [port, lane] : returns_) {
      Ctrl& ctrl = inputs.links[static_cast<std::size_t>(port)].ctrl;
      ctrl.credit_valid = true;
      ctrl.credit_vl = static_cast<std::uint8_t>(lane);
      ctrl.credit_cells = sunk_[static_cast<std::size_t>(port)][static_cast<std::size_t>(lane)];
    }
    returns_.clear();
    // Each lane's credits again: a slot may have come while the link was down.
    for (int port = 0; port < ports_; ++port) {
      Ctrl& ctrl = inputs.links[static_cast<std::size_t>(port)].ctrl;
      const auto lane = static_cast<std::size_t>(now % 16);
      if (IsStandard(port) || ctrl.credit_valid || now % 160 >= 16) continue;
      ctrl.credit_valid = true;
      ctrl.credit_vl = static_cast<std::uint8_t>(lane);
      ctrl.credit_cells = sunk_[static_cast<std::size_t>(port)][lane];
    }
    for (auto at = acks_.begin(); at != acks_.end() && at->first.first == now; at = acks_.erase(at)) {
      PutAck(&inputs.links[static_cast<std::size_t>(at->first.second)].ctrl, at->second);
    }
    for (int port = 0; port < edges_; ++port) {
      Host& host = hosts_[static_cast<std::size_t>(port)];
      if (host.words.empty()) continue;
      inputs.links[static_cast<std::size_t>(port)].word = host.words.front();
      host.words.pop_front();
    }
    inputs.cfg = Cfg();
    if (!writes_.empty()) {
      inputs.cfg = writes_.front();
      writes_.pop_front();
    }
    lockstep_.Step(inputs);
  }

  /// What leaves the switch, and what its record says.
  void Look(Cycle now) {
    const std::vector<Link>& links = lockstep_.Outputs();
    const cosim::Observation& seen = lockstep_.Observe();
    for (int port = 0; port < ports_; ++port) {
      const auto p = static_cast<std::size_t>(port);
      pauses += links[p].ctrl.pause_valid;
      const Portobs& obs = seen.ports[p];
      if (obs.hold_valid) ++held[obs.hold_channel];
      released_beside_held += obs.hold_valid && obs.go_valid;
      if (port < edges_) hosts_[p].inside = obs.ibuf_cells;
      if (!links[p].word.valid || !links[p].word.sop || !links[p].word.enh) continue;
      const Header header = Header::UnpackBytes(links[p].word.data.data());
      const int cells = golden::CellsOf(header.len);
      std::uint16_t& sunk = sunk_[p][header.vl];
      sunk = static_cast<std::uint16_t>(sunk + cells);
      returns_.push_back({port, header.vl});
      if (port >= edges_ && header.dst != cosim::kReplicated && header.kind != static_cast<std::uint8_t>(Kind::kRed)) {
        Answer(port, header, now);
      }
    }
  }

  /// The ack of a packet that left towards the fabric: lost, once or twice, with a mark or without.
  void Answer(int port, const Header& header, Cycle now) {
    if (!ending_ && Below(6, "lost", now, port) == 0) return;
    const bool slow = TrafficNow(now) == Traffic::kOneSet && !ending_;
    const int copies = !ending_ && Below(16, "twice", now, port) == 0 ? 2 : 1;
    for (int copy = 0; copy < copies; ++copy) {
      Ack ack = AckOf(header, now, port);
      const Cycle at = now + 10 + Below(slow ? 3000 : Below(3, "far", now, port) == 0 ? 900 : 100, "round trip", now, ports_ * copy + port);
      Queue(at, port, ack);
    }
  }
  Ack AckOf(const Header& header, Cycle now, int port) const {
    constexpr std::array kShares = {0, 1, 30, 89, 200, 4095};
    Ack ack;
    ack.flow = header.flow;
    ack.cells = static_cast<std::uint8_t>(golden::CellsOf(header.len));
    ack.port = static_cast<std::uint8_t>(header.src & 63);
    ack.gen = header.gen;
    ack.by_class = header.an;
    ack.tc = header.tc;
    ack.dst = header.dst;
    ack.mark = Below(3, "mark", now, port) == 0;
    ack.share = static_cast<std::uint16_t>(kShares[static_cast<std::size_t>(Below(kShares.size(), "share", now, port))]);
    return ack;
  }
  /// Acks of packets that nobody has sent.
  void Forge(Cycle now) {
    if (Below(100, "forge", now) != 0) return;
    Header header;
    const int port = Below(edges_, "forged port", now);
    header.len = static_cast<std::uint16_t>(64 + Below(900, "forged length", now));
    header.src = cosim::Address(kGroup, kSwitch, port);
    header.gen = Below(2, "forged gen", now) != 0;
    header.an = Below(3, "forged an", now) == 0;
    header.tc = static_cast<std::uint8_t>(Below(3, "forged class", now));
    header.dst = Destination(TrafficNow(now), now, port);
    Queue(now + 5, edges_ + Below(ports_ - edges_, "forger", now), AckOf(header, now, port));
  }
  void Queue(Cycle at, int port, const Ack& ack) {
    while (acks_.count({at, port}) != 0) ++at;
    acks_[{at, port}] = ack;
  }
  static void PutAck(Ctrl* ctrl, const Ack& ack) {
    ctrl->ack_valid = true;
    ctrl->ack_share = ack.share;
    ctrl->ack_by_class = ack.by_class;
    ctrl->ack_gen = ack.gen;
    ctrl->ack_tc = ack.tc;
    ctrl->ack_dst = ack.dst;
    ctrl->ack_mark = ack.mark;
    ctrl->ack_flow = ack.flow;
    ctrl->ack_cells = ack.cells;
    ctrl->ack_port = ack.port;
  }

  const int ports_, edges_;
  const Stimulus random_;
  cosim::GoldenDevice* golden_;
  cosim::Lockstep lockstep_;
  cosim::Device::Inputs inputs_;
  std::deque<Cfg> writes_;
  std::vector<Host> hosts_;
  std::map<std::pair<Cycle, int>, Ack> acks_;  ///< to come, by cycle and port
  std::vector<std::pair<int, int>> returns_;   ///< lanes to which credits go back, by port
  std::vector<std::array<std::uint16_t, 16>> sunk_;
  bool ending_ = false;
};

}  // namespace tilefly::bench
