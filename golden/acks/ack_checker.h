// SPDX-License-Identifier: Apache-2.0
// Checker of ACK-1 to ACK-3 of docs/blocks/acks.md. It watches the packets that links take, the reports of packets'
// ends, and the packets and acks that change the flow account.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "generated/wire.h"
#include "golden/acks/flow_account.h"
#include "golden/common/audit.h"
#include "golden/common/header_bits.h"
#include "golden/common/types.h"
#include "golden/common/verdict.h"

namespace tilefly::golden {

class AckChecker {
 public:
  AckChecker() = default;
  /// The checker watches from now on, with the account as it is. It judges ACK-1 only of a switch that was `empty` at
  /// the start: about packets that are already inside, it does not know enough.
  AckChecker(const FlowAccount& account, bool empty) : all_known_(empty) {
    account.ForEach([&](int port, int flow, const FlowChannel& channel) {
      flows_[{port, flow}].cells = channel.cells;
      flows_[{port, flow}].idle = account.IdleSweeps(channel);
    });
  }

  /// A packet begins, whose bytes may once have been those of another.
  void Begun(std::uint32_t payload) { damaged_.erase(payload); }
  /// A packet ends, damaged or stomped.
  void Damaged(std::uint32_t payload) { damaged_.insert(payload); }
  /// The link of the edge port `port` takes a packet of `cells` cells that leaves with `header`. The packet's room in
  /// the output buffer is free in cycle `free`.
  void Taken(Cycle free, int port, const HeaderBits& header, int cells, std::uint32_t payload) {
    expected_[{free, port}] = {header.Unpack(), cells, payload};
  }
  /// The edge port makes an ack in this cycle. `metered`: it has a congestion meter.
  void Made(int port, const Ack& ack, bool metered = false) { made_[port] = {ack, metered}; }
  /// All events of cycle `now`, on a switch of so many ports, are over.
  void EndCycle(Cycle now, int ports) {
    while (!expected_.empty() && expected_.begin()->first.first <= now) {
      const auto [when, packet] = *expected_.begin();
      expected_.erase(expected_.begin());
      const bool good =
          damaged_.count(packet.payload) == 0 && packet.header.kind != static_cast<std::uint8_t>(Kind::kRed);
      const auto made = made_.find(when.second);
      const bool is_made = made != made_.end();
      acks_.Judge(is_made == (good && HasWayBack(packet.header, ports)), when.second, when.first);
      if (!is_made) continue;
      acks_.Judge(Answers(made->second.ack, packet) && TellsOfFlow(made->second, packet.header), when.second,
                  made->second.ack.hops);
      made_.erase(made);
    }
    acks_.Judge(made_.empty(), made_.empty() ? 0 : made_.begin()->first, now);
    made_.clear();
  }

  /// A packet of `cells` cells enters the queue stage of the edge port `port`, and goes to `output`. `keeps`: the
  /// packet is ordered and this switch decided its path, so its flow keeps the path.
  void Entered(int port, const HeaderBits& header, int cells, int output, bool keeps) {
    Flow& flow = flows_[{port, static_cast<int>(header.flow())}];
    const Way way{header.destination(), output, header.via(), header.via_valid()};
    if (flow.cells == 0) {
      flow.keeps = keeps;
      flow.way = way;
    } else if (keeps && flow.keeps && flow.way.destination == way.destination) {
      paths_.Judge(flow.way.output == way.output && flow.way.via == way.via && flow.way.by_via == way.by_via, port,
                   output);
    }
    flow.cells = std::min<std::int64_t>(flow.cells + cells, FlowAccount::kMostCells);
    flow.idle = 0;
    heard_.insert({port, static_cast<int>(header.flow())});
  }
  /// An ack comes back to the edge port.
  void Acknowledged(int port, const Ack& ack) {
    const auto flow = flows_.find({port, ack.flow});
    if (flow == flows_.end()) return;
    flow->second.idle = 0;
    heard_.insert(flow->first);
    Uncounted(port, ack.flow, ack.cells);
  }
  /// Cells of an attempt that was broken off leave the account.
  void Uncounted(int port, int name, int cells) {
    const auto flow = flows_.find({port, name});
    if (flow == flows_.end()) return;
    flow->second.cells -= std::min<std::int64_t>(cells, flow->second.cells);
    if (flow->second.cells == 0) flows_.erase(flow);
  }
  /// Behind the packets and acks of cycle `now`, with the deadlines as they were at its begin: each of so many ports
  /// looks at the cycle's flow.
  void Look(Cycle now, int ports, const FlowAccount& deadlines) {
    const int name = static_cast<int>(now % FlowAccount::kSweep);
    for (int port = 0; port < ports; ++port) {
      const auto flow = flows_.find({port, name});
      if (flow == flows_.end() || heard_.count(flow->first) != 0) continue;
      const int sweeps = deadlines.sweeps(port);
      if (++flow->second.idle >= sweeps && sweeps > 0) flows_.erase(flow);
    }
    heard_.clear();
  }

  void Check(const FlowAccount& account, Audit* audit) const {
    if (all_known_) audit->Require("ACK-1", acks_.holds, acks_.port, acks_.value);
    for (const auto& [name, flow] : flows_) {
      audit->Require("ACK-2", account.cells(name.first, name.second) == flow.cells, name.first, flow.cells);
    }
    audit->Require("ACK-2", account.size() == flows_.size(), 0, static_cast<std::int64_t>(account.size()));
    audit->Require("ACK-3", paths_.holds, paths_.port, paths_.value);
  }

 private:
  struct Packet {
    Header header;  ///< as it leaves
    int cells;
    std::uint32_t payload;
  };
  struct MadeAck {
    Ack ack;
    bool metered;
  };
  struct Way {
    std::uint32_t destination;
    int output;
    std::uint32_t via;
    bool by_via;
  };
  struct Flow {
    std::int64_t cells = 0;
    Cycle idle = 0;  ///< looks since its last packet or ack
    bool keeps = false;
    Way way{};
  };

  /// Whether the packet that leaves with `header` has a way back: an ack has room for the path by which the packet
  /// came, and the path begins at a port that exists.
  static bool HasWayBack(const Header& header, int ports) {
    if (header.dst == HeaderBits::kReplicated) return false;
    if (header.hop >= 2 && header.hop <= 6) return true;  // the path's last port is this switch's
    return header.hop == 1 && static_cast<int>(header.src % kMaxPorts) < ports;
  }
  static bool Answers(const Ack& ack, const Packet& packet) {
    return ack.flow == packet.header.flow && ack.cells == packet.cells &&
           ack.hops + 1 == packet.header.hop && ack.port == packet.header.src % kMaxPorts &&
           ack.path == packet.header.path;
  }
  /// Without a meter an ack has no mark, and nothing of the packet's flow channel.
  static bool TellsOfFlow(const MadeAck& made, const Header& header) {
    const Ack& ack = made.ack;
    if (!made.metered) return !ack.mark && ack.share == 0 && !ack.by_class && !ack.gen && ack.tc == 0 && ack.dst == 0;
    return ack.by_class == header.an && ack.gen == header.gen && ack.tc == header.tc && ack.dst == header.dst;
  }

  bool all_known_ = true;
  std::set<std::uint32_t> damaged_;                   ///< payloads
  std::map<std::pair<Cycle, int>, Packet> expected_;  ///< by cycle and port
  std::map<int, MadeAck> made_;                       ///< in this cycle, by port
  std::map<std::pair<int, int>, Flow> flows_;         ///< with cells in flight
  std::set<std::pair<int, int>> heard_;               ///< flows that have a packet or an ack in this cycle
  Verdict acks_;
  Verdict paths_;
};

}  // namespace tilefly::golden
