// SPDX-License-Identifier: Apache-2.0
// The input side of one port by itself, words in, cells out: the twin of `tilefly_ingress_port` for comparison in every
// cycle. The switch does not use it: it runs Ingress for all ports at once, without words.
#pragma once

#include <deque>
#include <optional>

#include "golden/acks/edge_flows.h"
#include "golden/common/delay_line.h"
#include "golden/ingress/ingress.h"
#include "golden/link/mac_in.h"
#include "golden/registers/registers.h"
#include "golden/routing/route_checker.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class InputPort {
 public:
  /// A virtual output queue.
  struct QueueName {
    int output;
    int vl;
  };
  /// What the port gets in a cycle.
  struct Inputs {
    Word word;                                ///< on `link_i` in this cycle
    bool link_up = true;
    Cfg cfg;                                  ///< on the register bus in this cycle
    std::optional<QueueName> grant;           ///< event: arrives in this cycle
    bool reroute = false;                     ///< that grant takes its packet back
    std::optional<QueueName> request_credit;  ///< event: arrives in this cycle
    std::optional<Ack> ack;                   ///< event: comes home in this cycle; of an edge port of the ack network
    bool red_used = false;                    ///< the ring uses a packet taken for it that ends well in this cycle
    const std::uint16_t* loads = nullptr;     ///< of all ports, as shown in cycle `now` + kLookUpToRouting; null: 0
    PortMask down = 0;                        ///< ports that are down, as shown in that cycle
  };
  /// What the port does in a cycle.
  struct Outputs {
    struct Leaving {
      int destination;
      Request request;
    };
    struct LeavingCell {
      int destination;
      Cell cell;
    };
    std::optional<Leaving> request;                ///< this is its leave cycle
    std::optional<QueueName> pick;                 ///< a transfer was begun
    std::optional<LeavingCell> cell;               ///< this is its leave cycle
    std::optional<CreditReturner::Message> credit; ///< decided; on `link_o` in this cycle + kCreditToWire
    std::vector<DropRecord> drops;
    std::optional<Drop> shown_drop;                ///< of the drops that are counted, the one that the record shows
    std::optional<PauseRequest> pause;             ///< obeyed, as an event of this cycle
    std::optional<FlowPause> flow_pause;           ///< decided; on `link_o` in this cycle + kFlowPauseToWire
    std::optional<int> held, released;             ///< flow channel that held, and that released, a packet
    std::optional<RouteChecker::Record> routed;    ///< looked up in this cycle, decided kLookUpToRouting cycles later
  };

  /// Port `port` of a switch.
  InputPort(const Profile& profile, int port);

  /// Runs cycle `now`: word, decisions, cell, arrivals, other events and register writes, in this order. Call it once
  /// for each cycle, from cycle 0 on.
  const Outputs& Step(Cycle now, const Inputs& inputs);

  /// See Chooser::BeginDraws.
  void BeginDraws(std::uint32_t first) { ingress_.BeginDraws(port_, first); }
  int used() const { return ingress_.buffer().used(port_); }
  /// Cells of accounted packets, by traffic class.
  const ClassAccount& account() const { return ingress_.buffer().account(port_); }
  /// Counter `index` as committed.
  std::uint64_t Counter(int index) const { return context_.counters.Read(port_, index); }
  const Registers& registers() const { return context_.registers; }
  const FlowAccount& flows() const { return flows_.account(); }
  /// The port's flow channels, null when it has none.
  const FlowChannels* channels() const { return flows_.HasChannels(port_) ? &flows_.channels()->channels(port_) : nullptr; }
  const VirtualQueues& queues() const { return ingress_.queues(); }
  /// Checks the invariants of the ingress and link pages, after cycle `now`.
  void Check(Cycle now, Audit* audit) const;
  /// Packets and copies inside, with those whose cells are leaving.
  std::size_t packets() const { return context_.packets.size(); }

 private:
  struct Reading {
    Cycle first;  ///< leave cycle of the first cell
    Index packet;
  };

  void Receive(Cycle now, const Inputs& inputs);
  void ReadCell(Cycle now);
  void EndFlows(Cycle now);
  void Arrivals(Cycle now, const Inputs& inputs);
  Cell MakeCell(const Packet& packet, int j) const;

  int port_;
  Context context_;
  RouteChecker route_checker_;
  FrameStore frames_;
  MacIn mac_;
  EdgeFlows flows_;
  Ingress ingress_;
  std::deque<Reading> reading_;
  DelayLine<Cfg> writes_;
  DelayLine<PauseRequest> pauses_;
  DelayLine<int> strays_;
  bool link_up_ = true;  ///< as committed
  SwitchObservation observed_;  ///< of this port in the cycle
  Outputs outputs_;
};

}  // namespace tilefly::golden
