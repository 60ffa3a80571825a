// SPDX-License-Identifier: Apache-2.0
// The flow channels of a switch's ports (docs/blocks/flow_channel.md): the table of each port that has MODE.acks and
// MODE.flows, its counters, and the cycles in which it acts by itself.
//
// Call order in a cycle: Packet or Enters for what comes to the ends of the pipelines, Release, Acknowledge, EndCycle,
// and, when a register was written, SetRegisters.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "golden/common/counters.h"
#include "golden/flows/flow_books.h"
#include "golden/flows/flow_channels.h"
#include "golden/flows/flow_checker.h"

namespace tilefly::golden {

/// A pause for one flow of a NIC.
struct FlowPauseReturn {
  Cycle wire;  ///< cycle in which it is on `link_o`
  FlowPause pause;
  std::uint8_t port;
};

class FlowPorts {
 public:
  /// For a switch with `ports` ports, none of which has flow channels at first. `counters` must outlive it.
  FlowPorts(int ports, Counters* counters) : ports_(static_cast<std::size_t>(ports)), counters_(counters) {}

  /// Event of cycle `now`, after EndCycle: registers of the port were written. `on`: the port has flow channels. When
  /// `on` is false, all channels of the port are as after reset.
  void SetRegisters(Cycle now, int port, bool on, const FlowRegisters& registers);

  /// Whether the port has flow channels.
  bool Has(int port) const { return (on_ & Bit(port)) != 0; }
  /// The flow channels of a port that has them.
  const FlowChannels& channels(int port) const { return ports_[static_cast<std::size_t>(port)]->channels; }

  /// Event a + 18 (step 1): a counted packet comes to the end of the port's pipeline. `taken`: the way that it takes.
  /// `keeps`: an ordered packet does not take the hash path.
  FlowVerdict Packet(Cycle now, int port, const FlowArrival& arrival, const FlowWay& taken, bool keeps);
  /// A packet that is not counted enters the queue stage from the port's pipeline.
  void Enters(int port) { entered_ |= Bit(port); }
  /// Step 2 of all ports. Calls `visit(port, release)` for each packet that is released.
  template <typename Visit>
  void Release(Cycle now, Visit&& visit) {
    if (next_ <= now) {
      ForEachBit(DueIn(now), [&](int p) {
        Port& port = *ports_[static_cast<std::size_t>(p)];
        const std::optional<FlowRelease> release = port.channels.Release(now, (entered_ & Bit(p)) != 0);
        if (!release) return;
        if (port.checker != nullptr) port.checker->Released(now, *release, &found_);
        if (port.books != nullptr) port.books->Released(now, *release);
        visit(p, *release);
      });
    }
    entered_ = 0;
  }
  /// Event A (step 3): an ack is home at the port. Counts what it did.
  void Acknowledge(Cycle now, int port, const Ack& ack);
  /// Steps 4 to 6 of all ports. Counts what is lost and told. `live(port)`: the port is enabled, has credits, and its
  /// link is up, as committed. Calls `visit(port, pause)` for each pause.
  template <typename Live, typename Visit>
  void EndCycle(Cycle now, Live&& live, Visit&& visit) {
    const bool due = next_ <= now;
    if (due) touched_ |= DueIn(now);
    ForEachBit(touched_, [&](int p) {
      const FlowEnd end = End(now, p, live(p));
      if (end.pause) visit(p, *end.pause);
    });
    touched_ = 0;
    if (due) next_ = *std::min_element(due_.begin(), due_.end());
  }

  /// The first cycle in which Release and EndCycle must be called if nothing comes; kNever: there is none.
  Cycle Next() const { return next_; }

  /// The cycle in which a deadline last made a channel forget cells; -1: none has.
  Cycle last_loss() const { return last_loss_; }
  /// The last of the cycles in which deadlines will make channels forget the cells that they have in flight now; -1: no
  /// channel has any.
  Cycle LastDeadline() const;

  /// Keeps books of the flows of the ports that have flow channels now, from now on.
  void KeepBooks() {
    ForEachBit(on_, [&](int p) { ports_[static_cast<std::size_t>(p)]->books = std::make_unique<FlowBooks>(); });
  }
  /// The books of a port; null: none are kept.
  const FlowBooks* books(int port) const { return ports_[static_cast<std::size_t>(port)]->books.get(); }

  /// Ports that get flow channels from now on are checked over time; false ends this for all ports.
  void Watch(bool on);
  /// Checks FLOW-1 to FLOW-13, after cycle `now`; those that speak of packets over time at the ports that are watched.
  void Check(Cycle now, Audit* audit) const;
  /// The same of a switch that is drained: no channel holds a packet.
  void CheckDrained(Cycle now, Audit* audit) const;

  /// State between two cycles, of a switch that nobody watches. See golden/common/archive.h. Registers are not part of
  /// it: their owner writes them again.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(on_, due_, next_, last_loss_);
    ForEachBit(on_, [&](int p) {
      std::unique_ptr<Port>& port = ports_[static_cast<std::size_t>(p)];
      if (port == nullptr) port = std::make_unique<Port>();
      archive(port->channels);
      if (port->books != nullptr) archive(*port->books);
    });
  }

 private:
  struct Port {
    FlowChannels channels;
    std::unique_ptr<FlowChecker> checker;  ///< null: nobody watches
    std::unique_ptr<FlowBooks> books;      ///< null: none are kept
  };

  static std::array<Cycle, kMaxPorts> Never() {
    std::array<Cycle, kMaxPorts> never;
    never.fill(kNever);
    return never;
  }
  /// Ports that act by themselves in cycle `now`.
  PortMask DueIn(Cycle now) const {
    PortMask due = 0;
    ForEachBit(on_, [&](int p) { due |= due_[static_cast<std::size_t>(p)] <= now ? Bit(p) : 0; });
    return due;
  }
  void SetDue(int port, Cycle due) {
    due_[static_cast<std::size_t>(port)] = due;
    next_ = std::min(next_, due);
  }
  FlowEnd End(Cycle now, int port, bool live);

  std::vector<std::unique_ptr<Port>> ports_;  ///< null: no flow channels
  Counters* counters_;
  PortMask on_ = 0;       ///< ports with flow channels
  PortMask entered_ = 0;  ///< a packet of the pipeline enters the queue stage in this cycle
  PortMask touched_ = 0;  ///< ports with a packet or an ack in this cycle
  std::array<Cycle, kMaxPorts> due_ = Never();  ///< see FlowChannels::Next
  Cycle next_ = kNever;   ///< none of `due_` is before it
  Cycle last_loss_ = -1;
  bool watches_ = false;
  Audit found_;           ///< by the checkers
};

}  // namespace tilefly::golden
