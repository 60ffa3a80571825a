// SPDX-License-Identifier: Apache-2.0
// Two golden switches whose ports 0 are a link with retry (docs/blocks/link_retry.md), over a wire that fails in both
// directions. Hosts at port 1 of each send packets to the other's, which come out at its port 1.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cosim/endpoint/link_decides.h"
#include "cosim/golden_device.h"
#include "cosim/lockstep/lockstep.h"
#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"
#include "golden/credit/credit_sender.h"
#include "testbenches/bench/wire_packet.h"
#include "testbenches/retry/retry_channel.h"

namespace tilefly::bench {

/// A control slot on a wire that fails, and what the FEC says of SerDes lanes. Its channel is that of words: both have gaps
/// and chances of their own.
struct PortSlot {
  Ctrl ctrl;
  unsigned lane_err = 0;
};
inline bool CountsForGaps(const PortSlot& slot) {
  return slot.ctrl.retry_valid || slot.ctrl.credit_valid || slot.ctrl.wired_valid;
}
inline bool Idle(const PortSlot& slot) { return !CountsForGaps(slot) && !slot.ctrl.ack_valid && !slot.ctrl.err; }
inline void Drop(PortSlot* slot) { slot->ctrl = {}; }
inline void Spoil(PortSlot* slot, const Stimulus& random, Cycle cycle, std::uint32_t stream) {
  slot->ctrl.err = true;
  slot->ctrl.credit_valid = slot->ctrl.retry_valid = slot->ctrl.wired_valid = slot->ctrl.lanes_valid = true;
  const std::uint64_t bits = random.Bits("spoilt", cycle, stream);
  slot->ctrl.credit_cells = slot->ctrl.wired_cells = static_cast<std::uint16_t>(bits);
  slot->ctrl.lanes_bad = static_cast<std::uint8_t>(bits >> 16 & 15);
}

struct PortSetup {
  const Profile& profile;
  bool retry = true;
  bool cut_through = true;
  int delay = 7;
  RetryFaults words, slots;
  int longest = 1500;  ///< bytes of a frame
  int down = 0;         ///< LINK_DOWN_BEHAVIOR: 0 discard, 1 block, 2 best effort
  int limit = 255;      ///< replays without progress before a port gives the link up; 255: none
  int watchdog = 4096;  ///< in 64 cycles
  int timer = 0;        ///< cycles of the replay timer; 0: little more than a round trip at four SerDes lanes
  int lanes = 4;        ///< SerDes lanes of the cable
  PortLanes serdes{};   ///< register LANES
  int classes = 8;      ///< traffic classes of the hosts' packets, from 0 on; a lane each
};

/// What the receiver at one end of the link no longer says.
enum class Stuck { kNothing, kCredits, kAll };

class PortLink {
 public:
  /// `beside`: a device that is to do in every cycle what the first switch does; Step throws DivergenceError.
  PortLink(const PortSetup& setup, const Stimulus& random, std::unique_ptr<cosim::Device> beside = nullptr)
      : decides(setup.delay, setup.profile.mtu_words_enh), setup_(setup), random_(random) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      auto golden = std::make_unique<cosim::GoldenDevice>(setup.profile);
      golden_.push_back(golden.get());
      switches_.push_back(std::make_unique<cosim::Lockstep>(std::move(golden), i == 0 ? std::move(beside) : nullptr));
      words_.emplace_back(setup.delay, setup.words, random, i);
      slots_.emplace_back(setup.delay, setup.slots, random, 2 + i);
      inputs_[i].links.resize(static_cast<std::size_t>(setup.profile.ports));
      inputs_[i].link_up.assign(static_cast<std::size_t>(setup.profile.ports), true);
    }
    SetUp();
  }

  /// The link comes up for the first time, in the next cycle.
  void Raise() { decides.Raise(); }
  /// Receiver `i` says no more what `stuck` names, from the next cycle on.
  void Stick(std::size_t i, Stuck stuck) { stuck_[i] = stuck; }
  /// Faults of the words and slots that leave end `i`, from the next cycle on.
  void SetFaults(std::size_t i, const RetryFaults& words, const RetryFaults& slots) {
    words_[i].Set(words);
    slots_[i].Set(slots);
  }
  /// SerDes lanes that are dead in the direction out of end `i`, from the next cycle on, a bit each.
  void Kill(std::size_t i, unsigned lanes) { dead_[i] = lanes; }
  /// Writes a register of port 0 of switch `i`, as soon as the bus is free.
  void Write(std::size_t i, PortReg reg, std::uint64_t data) {
    late_writes_[i].push_back(golden::WriteRegister(0, CfgSpace::kPort, static_cast<int>(reg), data));
  }
  /// Writes MODE at both ends once more.
  void WriteMode() {
    for (std::size_t i = 0; i < 2; ++i) late_writes_[i].push_back(ModeOfLink());
  }
  /// Hosts start no further packets, and the wire is clean.
  void Drain() {
    draining_ = true;
    for (auto& words : words_) words.Set({});
    for (auto& slots : slots_) slots.Set({});
  }

  /// Reads all counters of the first switch, and compares those of the device beside it.
  void CompareCounters() {
    const std::vector<Cfg> reads = switches_[0]->CounterReads();
    reads_.assign(reads.begin(), reads.end());
    while (!reads_.empty()) Step();
    for (int t = 0; t < golden::kAnswerLatency + 2; ++t) Step();
    switches_[0]->CompareCounters();
  }

  /// One cycle of all.
  void Step() {
    std::array<Link, 2> out;
    if (switches_[0]->b() != nullptr) switches_[0]->Compare();
    for (std::size_t i = 0; i < 2; ++i) {
      out[i] = switches_[i]->Outputs()[0];
      inputs_[i].link_up[0] = decides.up(i, cycle);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if ((switches_[i]->LinkFails() & 1) != 0) decides.Fails(i, cycle);
    }
    if (log) log->push_back(out);
    for (std::size_t i = 0; i < 2; ++i) SayLess(stuck_[i], &out[i].ctrl);
    for (std::size_t i = 0; i < 2; ++i) {
      const unsigned lane_err = Damage(1 - i, &out[1 - i]);
      const WireWord word = words_[1 - i].Step({out[1 - i].word, out[1 - i].tag});
      const PortSlot slot = slots_[1 - i].Step({out[1 - i].ctrl, lane_err});
      Link& in = inputs_[i].links[0];
      in.word = word.word;
      in.tag = word.tag;
      in.ctrl = slot.ctrl;
      in.phy.lane_err = static_cast<std::uint8_t>(slot.lane_err);
      Host(i);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const Ctrl& slot = inputs_[i].links[0].ctrl;
      if (!decides.up(i, cycle)) avoided_[i] = 0;
      else if (slot.lanes_valid && !slot.err) avoided_[i] = slot.lanes_bad;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      inputs_[i].cfg = cycle < static_cast<Cycle>(writes_[i].size()) ? writes_[i][static_cast<std::size_t>(cycle)] : Cfg();
      for (std::deque<Cfg>* late : {&late_writes_[i], i == 0 ? &reads_ : nullptr}) {
        if (late == nullptr || late->empty() || inputs_[i].cfg.valid) continue;
        inputs_[i].cfg = late->front();
        late->pop_front();
      }
      switches_[i]->Step(inputs_[i]);
    }
    ++cycle;
  }

  std::uint64_t Counter(int i, tilefly::Counter counter) const {
    return golden_[static_cast<std::size_t>(i)]->Counter(0, static_cast<int>(counter));
  }
  /// Packets of the host that had no way while the link was down.
  std::uint64_t WithoutRoute(int i) const {
    return golden_[static_cast<std::size_t>(i)]->Counter(1, static_cast<int>(tilefly::Drop::kNoRoute));
  }
  const golden::CreditSender& credits(int i) const {
    return golden_[static_cast<std::size_t>(i)]->golden_switch().credits(0);
  }
  cosim::Lockstep& device(int i) { return *switches_[static_cast<std::size_t>(i)]; }
  /// Every packet that was sent has come, once.
  bool delivered() const { return sent == received; }

  Cycle cycle = 0;
  cosim::LinkDecides decides;
  std::int64_t sent = 0, received = 0;
  std::int64_t stomped = 0;  ///< copies that came out damaged: attempts that were broken off
  std::string wrong;         ///< the first packet that came twice, or that nobody sent
  std::array<std::int64_t, 2> received_at{};        ///< likewise, by the switch whose host received them
  std::vector<std::array<Link, 2>>* log = nullptr;  ///< `link_o` of both ends, a cycle each

 private:
  static constexpr std::uint32_t Address(std::size_t i, int port) {
    return static_cast<std::uint32_t>(i << golden::kPortBits) | static_cast<std::uint32_t>(port);
  }
  Cfg ModeOfLink() const {
    PortMode mode;
    mode.enable = mode.credits = true;
    mode.cut_through = setup_.cut_through;
    mode.std_format = false;
    mode.retry = setup_.retry;
    mode.pclass = 1;
    mode.lanes = static_cast<std::uint8_t>(setup_.lanes);
    return golden::WriteRegister(0, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
  }
  /// What dead SerDes lanes make of what leaves end `i`; returns what the FEC at the other end says of the lanes. A lane that
  /// the sender has left out of use is looked at now and then.
  unsigned Damage(std::size_t i, Link* link) {
    const unsigned cable = (1u << setup_.lanes) - 1, avoided = avoided_[i] & cable, dead = dead_[i] & cable;
    if (dead == 0) return 0;
    const bool left_out = switches_[i]->Observe().ports[0].pace + 1 <= __builtin_popcount(cable & ~avoided);
    const unsigned used = left_out ? dead & ~avoided : dead;
    if (used != 0) {
      link->ctrl.err = true;
      link->word.err = link->word.valid;
    }
    return cycle % 64 == 0 ? dead : used;
  }
  static void SayLess(Stuck stuck, Ctrl* slot) {
    if (stuck != Stuck::kNothing) slot->credit_valid = false;
    if (stuck == Stuck::kAll) slot->retry_valid = slot->ack_valid = slot->wired_valid = false;
  }
  void SetUp() {
    for (std::size_t i = 0; i < 2; ++i) {
      PortMode host = PortMode::FromBits(ModeOfLink().data);
      host.retry = false;
      host.pclass = 0;
      host.lanes = 4;
      host.acks = true;
      std::vector<Cfg>& writes = writes_[i];
      const auto write = [&](int port, CfgSpace space, int index, std::uint64_t data) {
        writes.push_back(golden::WriteRegister(port, space, index, data));
      };
      writes.push_back(ModeOfLink());
      write(1, CfgSpace::kPort, static_cast<int>(PortReg::kMode), host.ToBits());
      PortRetry retry;
      const int shortest = 2 * setup_.delay + 2 * setup_.profile.mtu_words_enh + 40;
      retry.timer = static_cast<std::uint16_t>(setup_.timer > 0 ? setup_.timer : shortest);
      retry.limit = static_cast<std::uint8_t>(setup_.limit);
      retry.down = static_cast<std::uint8_t>(setup_.down);
      retry.watchdog = static_cast<std::uint16_t>(setup_.watchdog);
      write(0, CfgSpace::kPort, static_cast<int>(PortReg::kRetry), retry.ToBits());
      write(0, CfgSpace::kPort, static_cast<int>(PortReg::kLanes), setup_.serdes.ToBits());
      write(golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), i);
      write(golden::kAllPorts, CfgSpace::kRouteSwitch, static_cast<int>(1 - i), 1);
    }
  }
  /// Host `i`, at port 1 of its switch: sends when it has credit, takes what comes, and returns credits at once.
  void Host(std::size_t i) {
    const Link& out = switches_[i]->Outputs()[1];
    Link& in = inputs_[i].links[1];
    in = Link();
    Take(i, out, &in);
    HostState& host = hosts_[i];
    if (out.ctrl.credit_valid) host.credits.Return(out.ctrl.credit_vl, out.ctrl.credit_cells, table_);
    if (host.next == host.words && cycle >= kFirst && !draining_) Start(i);
    if (host.next == host.words) return;
    in.word = host.packet.MakeWord(host.next++);
  }
  void Start(std::size_t i) {
    HostState& host = hosts_[i];
    const auto index = static_cast<std::uint32_t>(i);
    const int vl = static_cast<int>(random_.Below(setup_.classes, "class", cycle, index));
    if (!random_.Spell("packet", cycle, index) || !host.credits.LaneOk(vl, table_, setup_.profile.mtu_cells)) return;
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(random_.Between(64, setup_.longest, "length", cycle, index));
    header.tc = header.vl = static_cast<std::uint8_t>(vl);
    header.src = Address(i, 1);
    header.dst = Address(1 - i, 1);
    header.flow = static_cast<std::uint16_t>(vl);
    host.packet = MakeWithHeader(random_, 2 * cycle + static_cast<Cycle>(i), header);
    host.words = host.packet.words();
    host.next = 0;
    host.credits.Grant(vl, golden::CellsOf(header.len), table_);
    ++sent;
    ++out_[std::vector<std::uint8_t>(host.packet.bytes.begin() + 16, host.packet.bytes.end())];
  }
  void Take(std::size_t i, const Link& out, Link* in) {
    HostState& host = hosts_[i];
    if (!out.word.valid) return;
    if (out.word.sop) {
      host.coming.clear();
      host.header = Header::UnpackBytes(out.word.data.data());
    }
    host.coming.insert(host.coming.end(), out.word.data.begin(), out.word.data.begin() + out.word.last + 1);
    if (!out.word.eop) return;
    host.freed[host.header.vl] = static_cast<std::uint16_t>(host.freed[host.header.vl] + golden::CellsOf(host.header.len));
    in->ctrl.credit_valid = true;
    in->ctrl.credit_vl = host.header.vl;
    in->ctrl.credit_cells = host.freed[host.header.vl];
    Judge(i, std::vector<std::uint8_t>(host.coming.begin() + 16, host.coming.end()));
  }
  /// A frame whose check fails is a copy that was broken off.
  void Judge(std::size_t i, const std::vector<std::uint8_t>& frame) {
    const auto known = out_.find(frame);
    if (known == out_.end()) {
      ++stomped;
      return;
    }
    if (--known->second < 0 && wrong.empty()) wrong = "a packet came twice in cycle " + std::to_string(cycle);
    ++received;
    ++received_at[i];
  }

  static constexpr Cycle kFirst = 700;  ///< of the hosts
  struct HostState {
    WirePacket packet;
    int words = 0, next = 0;
    golden::CreditSender credits;
    std::vector<std::uint8_t> coming;
    Header header;
    std::array<std::uint16_t, golden::kMaxLanes> freed{};
  };

  PortSetup setup_;
  Stimulus random_;
  golden::CreditTable table_{setup_.profile};
  std::vector<std::unique_ptr<cosim::Lockstep>> switches_;
  std::vector<cosim::GoldenDevice*> golden_;  ///< the first device of each
  std::vector<RetryChannel<WireWord>> words_;
  std::vector<RetryChannel<PortSlot>> slots_;
  std::array<cosim::Device::Inputs, 2> inputs_;
  std::array<std::vector<Cfg>, 2> writes_;
  std::array<std::deque<Cfg>, 2> late_writes_;
  std::deque<Cfg> reads_;  ///< of the first switch's counters
  std::array<Stuck, 2> stuck_{};
  std::array<unsigned, 2> dead_{};     ///< by the end that sends
  std::array<unsigned, 2> avoided_{};  ///< likewise, as it has been told
  std::array<HostState, 2> hosts_;
  std::map<std::vector<std::uint8_t>, int> out_;  ///< frames sent and not received
  bool draining_ = false;
};

}  // namespace tilefly::bench
