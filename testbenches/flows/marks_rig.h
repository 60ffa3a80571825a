// SPDX-License-Identifier: Apache-2.0
// A golden switch with congestion meters, and a second reading of docs/blocks/flow_channel.md beside it: the request
// stores of every output by what each packet reaches, and a NaiveMeter for each output.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

#include "golden/acks/ack_route.h"
#include "testbenches/acks/ack_rig.h"
#include "testbenches/flows/meter_bench.h"

namespace tilefly::bench {

/// What acks of a run were like, and in which cycles they were made.
struct MarkCounts {
  std::int64_t made = 0;          ///< acks of ports with a meter
  std::int64_t by_depth = 0;      ///< marked by the depth
  std::int64_t by_deep = 0;       ///< marked by a deep fifo alone
  std::int64_t unmarked = 0;
  std::int64_t hard = 0;          ///< share 0 by MARK_HARD
  std::int64_t divided = 0;       ///< share for more than one source
  std::int64_t plain = 0;         ///< acks of edge ports without a meter
  std::int64_t beside_request = 0;  ///< made in the cycle of a request that would have marked them
  std::int64_t beside_grant = 0;    ///< made in the cycle of a grant without whose request they would have no mark
  std::int64_t other_class = 0;     ///< of packets whose class is not that of their lane
};

/// What a request store holds, by what the packets of a run reach.
class StoreReading final : public golden::StageProbe {
 public:
  struct Request {
    int input, lane, cells;
    bool more;
  };
  /// Of an output, in a cycle.
  struct Events {
    std::vector<Request> requests;
    std::optional<Request> grant;
  };

  explicit StoreReading(const Profile& profile)
      : deep_requests_(static_cast<std::size_t>(profile.flow_deep_requests)),
        stores_(static_cast<std::size_t>(profile.ports)),
        events_(stores_.size()) {}

  void Reached(golden::Stage stage, Cycle, const golden::Packet& packet) override {
    const Request request{packet.input, packet.vl, packet.cells, packet.more};
    if (stage == golden::Stage::kStored) events_[packet.output].requests.push_back(request);
    if (stage == golden::Stage::kGranted) events_[packet.output].grant = request;
  }
  /// Lanes of the output with a deep fifo, as committed: without the events since the latest Commit.
  std::uint16_t Deep(int output) const {
    unsigned lanes = 0;
    for (const auto& [of, fifo] : stores_[static_cast<std::size_t>(output)]) {
      if (fifo.size() >= deep_requests_ && fifo.back()) lanes |= 1u << of.second;
    }
    return static_cast<std::uint16_t>(lanes);
  }
  const Events& events(int output) const { return events_[static_cast<std::size_t>(output)]; }
  /// The cycle is over.
  void Commit() {
    for (std::size_t output = 0; output < stores_.size(); ++output) {
      Events& events = events_[output];
      for (const Request& one : events.requests) stores_[output][{one.input, one.lane}].push_back(one.more);
      if (events.grant) stores_[output][{events.grant->input, events.grant->lane}].pop_front();
      events = {};
    }
  }

 private:
  std::size_t deep_requests_;
  /// By output, then (input, lane): `more` of each request.
  std::vector<std::map<std::pair<int, int>, std::deque<bool>>> stores_;
  std::vector<Events> events_;
};

/// The switch, its traffic, and what the second reading expects of its acks. A packet is named by bits of its path
/// that no switch looks at.
class MarksRig {
 public:
  static constexpr int kHops = 1;  ///< with which packets come

  MarksRig(const Profile& profile, golden::PortMask edges) : rig(profile, edges), stores_(profile) {
    for (int port = 0; port < profile.ports; ++port) naive_.emplace_back(port);
  }
  /// Registers are as the traffic begins with, and nothing is inside.
  void Begin() {
    vl_class_ = rig.device().registers().tables().vl_class;
    rig.device().Follow(&stores_);
  }

  void Write(const Cfg& write) {
    writes_[rig.now() + golden::kWriteLatency] = write;
    rig.Write(write);
  }
  /// A packet for one of the switch's ports.
  void Send(int port, Header header) {
    header.hop = kHops;
    header.path = packets_ << 6;
    ++packets_;
    rig.Send(port, header);
  }
  void Step() {
    const Cycle now = rig.now();
    const auto write = writes_.find(now);
    std::vector<bool> on;
    for (std::size_t port = 0; port < naive_.size(); ++port) {
      const PortMode& mode = rig.device().registers().port(static_cast<int>(port)).mode;
      on.push_back(mode.acks && mode.flows);
    }
    rig.Step();
    for (; seen_ < rig.departures.size(); ++seen_) {
      const golden::Departure& departure = rig.departures[seen_];
      const Cycle free = departure.take + 2 + 4 * (departure.format.words - 1) / departure.serdes_lanes;
      leaving_[{free, departure.port}] = departure.header.Unpack();
    }
    for (std::size_t port = 0; port < naive_.size(); ++port) {
      MeterInputs in;
      in.on = on[port];
      in.vl_class = vl_class_;
      if (write != writes_.end()) in.write = write->second;
      Read(now, static_cast<int>(port), &in);
    }
    if (write != writes_.end()) {
      const Cfg& one = write->second;
      if (one.space == static_cast<int>(CfgSpace::kVlClass)) vl_class_[one.index] = TableClass::FromBits(one.data).tc;
      writes_.erase(write);
    }
    stores_.Commit();
    CompareAcks();
  }
  /// Until all packets have left, and their acks too.
  void Drain() {
    for (int i = 0; i < 50'000 && (rig.device().packets() != 0 || rig.device().NextActive() != kNever); ++i) Step();
    EXPECT_EQ(rig.device().packets(), 0u);
    std::uint64_t marks = 0;
    for (std::size_t port = 0; port < naive_.size(); ++port) marks += rig.Count(static_cast<int>(port), Counter::kMarksMade);
    EXPECT_EQ(marks, static_cast<std::uint64_t>(counts.by_depth + counts.by_deep));
  }

  golden::AckRig rig;
  MarkCounts counts;
  std::size_t compared = 0;

 private:
  /// The events of the cycle at an output, and the ack that it makes.
  void Read(Cycle now, int port, MeterInputs* in) {
    const StoreReading::Events& events = stores_.events(port);
    for (const StoreReading::Request& one : events.requests) in->requests.push_back(MeterRequest{one.lane, one.cells});
    if (events.grant) in->grant = MeterRequest{events.grant->lane, events.grant->cells};
    const auto found = leaving_.find({now, port});
    Header header;
    if (found != leaving_.end()) {
      in->deep = stores_.Deep(port);
      header = found->second;
      leaving_.erase(found);
      const PortMode& mode = rig.device().registers().port(port).mode;
      in->made = mode.acks && header.dst != golden::HeaderBits::kReplicated &&
                 header.kind != static_cast<std::uint8_t>(Kind::kRed);
      in->lane = header.vl;
      in->source = header.src;
    }
    if (in->requests.empty() && !in->grant && !in->made && !in->write.valid) return;
    NaiveMeter& meter = naive_[static_cast<std::size_t>(port)];
    const FlowMark limits = meter.registers().mark;
    const int tc = in->vl_class[static_cast<std::size_t>(in->lane)];
    const golden::FlowAdvice advice = meter.Step(now, *in);
    if (!in->made) return;
    Ack expected;
    if (in->on) {
      expected.mark = advice.mark;
      expected.share = advice.share;
      expected.by_class = header.an;
      expected.gen = header.gen;
      expected.tc = header.tc;
      expected.dst = header.dst;
      Count(meter, limits, tc, header, *in, advice);
    } else {
      ++counts.plain;
    }
    expected_[header.path >> 6] = expected;
  }

  void Count(const NaiveMeter& meter, const FlowMark& limits, int tc, const Header& header, const MeterInputs& in,
             const golden::FlowAdvice& advice) {
    ++counts.made;
    const int depth = meter.depth_seen;
    int came = 0, went = 0;
    for (const auto& one : in.requests) came += in.vl_class[static_cast<std::size_t>(one->lane)] == tc ? one->cells : 0;
    if (in.grant && in.vl_class[static_cast<std::size_t>(in.grant->lane)] == tc) went = in.grant->cells;
    counts.by_depth += advice.mark && depth >= limits.on;
    counts.by_deep += advice.mark && depth < limits.on;
    counts.unmarked += !advice.mark;
    counts.hard += advice.share == 0 && limits.full >= meter.sources;
    counts.divided += advice.share != 0 && meter.sources > 1;
    counts.beside_request += depth < limits.on && depth + came >= limits.on;
    counts.beside_grant += depth >= limits.on && depth - went < limits.on;
    counts.other_class += header.tc != tc;
  }

  /// Acks that came to links: those of this switch's packets.
  void CompareAcks() {
    for (; answered_ < rig.acks.size(); ++answered_) {
      const Ack& ack = rig.acks[answered_].ack;
      const auto found = expected_.find(ack.path >> 6);
      if (found == expected_.end()) {
        ADD_FAILURE() << "an ack that no packet asked for, cycle " << rig.now();
        continue;
      }
      const Ack& expected = found->second;
      EXPECT_EQ(ack.mark, expected.mark) << "cycle " << rig.now();
      EXPECT_EQ(ack.share, expected.share) << "cycle " << rig.now();
      EXPECT_EQ(ack.by_class, expected.by_class);
      EXPECT_EQ(ack.gen, expected.gen);
      EXPECT_EQ(ack.tc, expected.tc);
      EXPECT_EQ(ack.dst, expected.dst);
      ++compared;
      expected_.erase(found);
    }
  }

  StoreReading stores_;
  std::vector<NaiveMeter> naive_;
  std::array<std::uint8_t, golden::kMaxLanes> vl_class_{};
  std::map<Cycle, Cfg> writes_;  ///< by the cycle of their event
  std::map<std::pair<Cycle, int>, Header> leaving_;
  std::map<std::uint32_t, Ack> expected_;  ///< fields of flow channels, by packet
  std::uint32_t packets_ = 0;
  std::size_t seen_ = 0, answered_ = 0;
};

}  // namespace tilefly::bench
