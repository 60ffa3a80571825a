// SPDX-License-Identifier: Apache-2.0
// An input port with flow channels against a second reading of docs/blocks/flow_channel.md (testbenches/flows/naive_flows.h),
// and against the same port without flow channels, in every cycle of random traffic.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "golden/common/register_write.h"
#include "golden/ports/input_port.h"
#include "testbenches/bench/comparison.h"
#include "testbenches/bench/wire_packet.h"
#include "testbenches/flows/naive_flows.h"

namespace tilefly::bench {
namespace {

constexpr int kPort = 3;
constexpr Cycle kFirst = 80;  ///< registers are written before
constexpr Cycle kToFifo = 18, kGrantAfter = 14, kWriteToEvent = 7, kPhase = 1500;

/// What a phase of the traffic is like.
struct Phase {
  int keys, longest, delay, mark, share, lost, forged, gap;
};

/// Packets with a header, cut through, and what became of the counted ones.
class Traffic {
 public:
  explicit Traffic(const Stimulus& random) : random_(random) {}

  std::vector<Cfg> Setup() const {
    using golden::WriteRegister;
    std::vector<Cfg> writes;
    writes.push_back(WriteRegister(0, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), OwnAddress::Of(31, 1).ToBits()));
    for (int i = 0; i < 31; ++i) {
      writes.push_back(WriteRegister(0, CfgSpace::kRouteSwitch, i, std::uint64_t{1} << i % 8));
    }
    writes.push_back(WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast), 0x16));
    return writes;
  }
  /// What a phase is like that begins in `now`.
  void Begin(Cycle now, bool marks) {
    const auto one = [&](std::initializer_list<int> of, Purpose purpose) {
      return *(of.begin() + random_.Below(of.size(), purpose, now));
    };
    phase_ = {one({1, 3, 25, 31}, "keys"), one({64, 300, 1500}, "longest"), one({20, 100, 700}, "delay"),
              one({0, 30, 200}, "mark"), one({0, 3, 60, 400, 2000}, "share"), one({0, 0, 20}, "lost"),
              one({0, 0, 8}, "forged"), one({1, 1, 8, 60}, "gap")};
    if (!marks) phase_.mark = phase_.lost = phase_.forged = 0;
  }
  bool idle() const { return words_.empty(); }
  /// A packet begins, if it is time for one and the port does not hold too many.
  void Draw(Cycle now, int used) {
    if (now < next_ || used > 1500) return;
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(64 + random_.Below(static_cast<std::uint64_t>(phase_.longest), "length", now));
    header.tc = static_cast<std::uint8_t>(random_.Below(2, "class", now));
    header.vl = static_cast<std::uint8_t>(random_.Below(8, "lane", now));
    const int which = static_cast<int>(random_.Below(static_cast<std::uint64_t>(phase_.keys), "key", now));
    // All keys of a class are of one set.
    header.dst = golden::FabricAddress(1, which, (which ^ static_cast<int>(phase_.longest)) & 63);
    header.mode = static_cast<std::uint8_t>(RouteMode::kMinHash);
    header.flow = static_cast<std::uint16_t>(random_.Below(1024, "flow", now));
    header.path = number_++ << 6;  // bits that the switch does not look at
    header.gen = random_.Chance(128, "gen", now);
    header.an = random_.Chance(128, "an", now);
    if (random_.Chance(20, "passes", now)) header.hop = 1;
    if (random_.Chance(10, "replicated", now)) header.dst = golden::HeaderBits::kReplicated;
    const WirePacket packet = MakeWithHeader(random_, now, header);
    for (int k = 0; k < packet.words(); ++k) {
      words_[now + k] = packet.MakeWord(k);
      words_[now + k].enh = true;
    }
    at_fifo_[now + kToFifo] = header;
    next_ = now + packet.words() + static_cast<Cycle>(random_.Below(static_cast<std::uint64_t>(phase_.gap), "gap", now));
  }
  Word TakeWord(Cycle now) {
    const auto found = words_.find(now);
    if (found == words_.end()) return {};
    const Word word = found->second;
    words_.erase(found);
    return word;
  }
  /// The packet at the end of the pipeline, and the ack that comes home.
  FlowInputs At(Cycle now) {
    FlowInputs in;
    if (const auto found = at_fifo_.find(now); found != at_fifo_.end()) {
      in.valid = in.enters = true;
      in.header = found->second;
      in.cells = golden::CellsOf(in.header.len);
      in.packet = NumberOf(in.header);
      at_fifo_.erase(found);
    }
    if (const auto found = acks_.find(now); found != acks_.end()) {
      in.home = true;
      in.ack = found->second;
      acks_.erase(found);
    } else if (random_.Chance(phase_.forged, "is forged", now)) {
      in.home = true;
      in.ack = AckOf({golden::FabricAddress(1, static_cast<int>(random_.Below(31, "forged", now)), 7), 1, 2}, false, false, now);
    }
    return in;
  }
  void See(Cycle now, const FlowInputs& in, const FlowOutputs& out) {
    const Flight flight{in.header.dst, in.header.tc, static_cast<std::uint8_t>(in.cells)};
    if (out.held) held_[in.packet] = flight;
    if (out.sent) Sent(now, in.packet, flight, out.gen, out.by_class);
    if (out.go) Sent(now, out.go->packet, held_.at(out.go->packet), out.go->gen, out.go->by_class);
    if (in.valid && !in.counted()) sent_[in.packet] = {in.header.gen, in.header.an};
  }
  static golden::Index NumberOf(const Header& header) { return header.path >> 6; }
  /// The bits `gen` and `an` with which the packet must leave.
  std::pair<bool, bool> BitsOf(golden::Index packet) const { return sent_.at(packet); }

 private:
  struct Flight {
    std::uint32_t dst;
    std::uint8_t tc, cells;
  };

  Ack AckOf(const Flight& flight, bool gen, bool by_class, Cycle now) const {
    Ack ack;
    ack.dst = flight.dst;
    ack.tc = flight.tc;
    ack.cells = flight.cells;
    ack.gen = gen;
    ack.by_class = by_class;
    ack.mark = random_.Chance(phase_.mark, "marked", now);
    ack.share = static_cast<std::uint16_t>(phase_.share);
    return ack;
  }
  void Sent(Cycle now, golden::Index packet, const Flight& flight, bool gen, bool by_class) {
    sent_[packet] = {gen, by_class};
    if (random_.Chance(phase_.lost, "is lost", now)) return;
    Cycle home = now + 5 + static_cast<Cycle>(random_.Below(static_cast<std::uint64_t>(phase_.delay), "home", now));
    while (acks_.count(home) > 0) ++home;
    acks_[home] = AckOf(flight, gen, by_class, now);
  }

  const Stimulus& random_;
  Phase phase_{};
  Cycle next_ = kFirst;
  std::uint32_t number_ = 0;
  std::map<Cycle, Word> words_;
  std::map<Cycle, Header> at_fifo_;
  std::map<Cycle, Ack> acks_;
  std::map<golden::Index, Flight> held_;
  std::map<golden::Index, std::pair<bool, bool>> sent_;
};

/// An input port that is granted what it asks for.
class Port {
 public:
  Port(const std::vector<Cfg>& setup, bool flows) : port(kTile8, kPort) {
    PortMode mode;
    mode.enable = mode.credits = mode.cut_through = mode.acks = true;
    mode.flows = flows;
    mode.std_format = false;
    mode.pclass = 1;
    writes_.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    writes_.insert(writes_.end(), setup.begin(), setup.end());
  }
  const golden::InputPort::Outputs& Step(Cycle now, golden::InputPort::Inputs inputs) {
    if (static_cast<std::size_t>(now) < writes_.size()) inputs.cfg = writes_[static_cast<std::size_t>(now)];
    if (const auto found = grants_.find(now); found != grants_.end()) {
      inputs.grant = inputs.request_credit = found->second;
      grants_.erase(found);
    }
    const golden::InputPort::Outputs& outputs = port.Step(now, inputs);
    if (outputs.request) grants_[now + kGrantAfter] = {outputs.request->destination, outputs.request->request.vl};
    return outputs;
  }

  golden::InputPort port;

 private:
  std::vector<Cfg> writes_;
  std::map<Cycle, golden::InputPort::QueueName> grants_;
};

Cfg RandomWrite(const Stimulus& random, Cycle now) {
  const auto channel = tilefly::FlowChannel::Of(random.Below(4, "deadline", now), random.Below(4, "idle", now),
                                                random.Below(8, "grow", now), random.Below(200, "hold", now),
                                                random.Below(256, "period", now),
                                                random.Below(3, "first", now) * random.Below(60, "cells", now));
  const auto mark = FlowMark::Of(178, 712, random.Below(3000, "full", now));
  const bool of_mark = random.Chance(128, "of mark", now);
  return golden::WriteRegister(golden::kAllPorts, CfgSpace::kPort,
                               static_cast<int>(of_mark ? PortReg::kFlowMark : PortReg::kFlowChannel),
                               of_mark ? mark.ToBits() : channel.ToBits());
}

TEST(FlowPortRandom, EqualsASecondReadingOfThePage) {
  Comparison run({1, 25, 120'000});
  const Bin held = run.AddBin("held", 300), released = run.AddBin("released", 300), of_class = run.AddBin("by class", 100);
  const Bin lost = run.AddBin("lost", 5), stray = run.AddBin("stray", 5), waits = run.AddBin("waits for the pipeline", 20);
  const Bin pauses = run.AddBin("pauses", 100), dark = run.AddBin("no pause: the link is down", 3);
  const Stimulus& random = run.stimulus();
  Traffic traffic(random);
  Port golden(traffic.Setup(), true);
  NaiveFlows naive({}, kPort);
  std::array<std::uint64_t, 7> counts{};
  std::map<Cycle, Cfg> events;
  bool up = true;
  while (run.Next()) {
    const Cycle now = run.cycle();
    if (now % kPhase == 0) traffic.Begin(now, true);
    if (now >= kFirst) traffic.Draw(now, golden.port.used());
    golden::InputPort::Inputs inputs;
    inputs.word = traffic.TakeWord(now);
    FlowInputs in = traffic.At(now);
    in.live = up;
    up = inputs.link_up = !(traffic.idle() && !inputs.word.valid && random.Chance(60, "down", now));
    if (in.home) inputs.ack = in.ack;
    if (now >= kFirst && random.Below(3000, "write", now) == 0) {
      inputs.cfg = RandomWrite(random, now);
      events[now + kWriteToEvent] = inputs.cfg;
    }
    if (const auto found = events.find(now); found != events.end()) in.write = found->second;
    const golden::FlowChannels* channels = golden.port.channels();
    const bool quiescent = channels == nullptr || channels->quiescent();

    const FlowOutputs out = naive.Step(now, in);
    const golden::InputPort::Outputs& seen = golden.Step(now, inputs);
    traffic.See(now, in, out);
    run.Compare("quiescent", out.quiescent, quiescent);
    run.Compare("held", out.held ? out.channel : -1, seen.held.value_or(-1));
    run.Compare("released", out.go ? out.go->channel : -1, seen.released.value_or(-1));
    run.Compare("pause", out.pause.has_value(), seen.flow_pause.has_value());
    if (out.pause && seen.flow_pause) {
      run.Compare("pause.destination", out.pause->destination, seen.flow_pause->destination);
      run.Compare("pause.tc", out.pause->tc, seen.flow_pause->tc);
      run.Compare("pause.period", out.pause->period, seen.flow_pause->period);
      run.Compare("pause.credit", out.pause->credit, seen.flow_pause->credit);
    }
    const std::array<int, 7> more{out.held, out.full, out.throttled, out.lost, out.stray, out.pause.has_value(), out.marked};
    constexpr std::array kCounters{Counter::kFlowHeld,  Counter::kFlowFull,   Counter::kFlowThrottled, Counter::kFlowLost,
                                   Counter::kFlowStray, Counter::kFlowPauses, Counter::kMarksIn};
    for (std::size_t i = 0; i < more.size(); ++i) {
      counts[i] += static_cast<std::uint64_t>(more[i]);
      run.Compare(ToString(kCounters[i]), counts[i], golden.port.Counter(static_cast<int>(kCounters[i])));
    }
    if (seen.cell && seen.cell->cell.sop) {
      const Header header = Header::UnpackBytes(seen.cell->cell.data.data());
      const auto [gen, an] = traffic.BitsOf(Traffic::NumberOf(header));
      run.Compare("header.gen", gen, header.gen);
      run.Compare("header.an", an, header.an);
    }
    if (!seen.drops.empty()) run.Fail("the traffic has no packet that is dropped");
    golden::Audit audit;
    golden.port.Check(now, &audit);
    if (!audit.broken().empty()) run.Fail(audit.Message());
    if (in.valid || in.home) run.Busy();
    if (out.held) run.Hit(held);
    if (out.go) run.Hit(released);
    if (out.sent && out.by_class) run.Hit(of_class);
    if (out.lost > 0) run.Hit(lost);
    if (out.stray) run.Hit(stray);
    if (out.pause) run.Hit(pauses);
    const auto line = [&](const char* name) {
      const auto at = naive.lines().find(name);
      return at == naive.lines().end() ? 0 : at->second;
    };
    if (now == run.cycles() - 1) {
      run.Hit(waits, line("2 a release waits for the pipeline"));
      run.Hit(dark, line("5 the port is not live"));
    }
  }
}

/// "What moves": without marks each packet goes in the cycle in which it goes without flow channels.
TEST(FlowPortRandom, WithoutMarksEqualsAPortWithoutFlowChannels) {
  Comparison run({1, 15, 60'000});
  const Bin acks = run.AddBin("acks", 1000);
  Traffic traffic(run.stimulus());
  Port with(traffic.Setup(), true), without(traffic.Setup(), false);
  while (run.Next()) {
    const Cycle now = run.cycle();
    if (now % kPhase == 0) traffic.Begin(now, false);
    if (now >= kFirst) traffic.Draw(now, with.port.used());
    golden::InputPort::Inputs inputs;
    inputs.word = traffic.TakeWord(now);
    const FlowInputs in = traffic.At(now);
    if (in.home) inputs.ack = in.ack;
    const golden::InputPort::Outputs& one = with.Step(now, inputs);
    const golden::InputPort::Outputs& other = without.Step(now, inputs);
    FlowOutputs out;
    out.sent = in.counted();
    traffic.See(now, in, out);
    run.Compare("request", one.request.has_value(), other.request.has_value());
    if (one.request && other.request) {
      run.Compare("output", one.request->destination, other.request->destination);
      run.Compare("lane", one.request->request.vl, other.request->request.vl);
      run.Compare("more", one.request->request.more, other.request->request.more);
    }
    run.Compare("pick", one.pick.has_value(), other.pick.has_value());
    run.Compare("credit", one.credit.has_value(), other.credit.has_value());
    run.Compare("held", one.held.has_value() || one.released.has_value() || one.flow_pause.has_value(), false);
    run.Compare("used", with.port.used(), without.port.used());
    for (const Counter counter : {Counter::kRxPackets, Counter::kRoutedMin}) {
      run.Compare(ToString(counter), with.port.Counter(static_cast<int>(counter)), without.port.Counter(static_cast<int>(counter)));
    }
    if (in.valid) run.Busy();
    if (in.home) run.Hit(acks);
  }
}

}  // namespace
}  // namespace tilefly::bench
