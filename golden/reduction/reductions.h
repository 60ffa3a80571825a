// SPDX-License-Identifier: Apache-2.0
// In-network reduction of one switch (docs/blocks/reduction.md): reduction ports, collect and return lanes, CFU, row R. The
// switch makes it at the first write of a register of space RED. It enters the cycles in which it has to act into the
// switch's calendar, and costs nothing in other cycles.
//
// In each cycle the switch calls, in this order: Decide; Begins and Ends for the packets that come; Commit; Write and
// SeeLinks; Show. It calls Decide and Commit only in cycles that are due, and the others whenever there is something to
// tell.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "golden/reduction/red_checker.h"
#include "golden/reduction/result_row.h"

namespace tilefly::golden {

class Reductions {
 public:
  explicit Reductions(Context& context);
  Reductions(const Reductions&) = delete;
  Reductions& operator=(const Reductions&) = delete;

  /// Event of cycle `now`: word 0 of a reduction packet has come in.
  void Begins(Cycle now, const Packet& packet) { ports_.Begins(now, packet); }
  /// Event of cycle `now`: a reduction packet has come in without error. Returns false when its port has no use for it.
  bool Ends(Cycle now, const Packet& packet) {
    Wake(now);
    return ports_.Ends(packet, &coming_);
  }
  /// Event of cycle `now`, after Commit: a write of a register of space RED.
  void Write(Cycle now, const Cfg& write);
  /// Event: `links_up` of the context changed.
  void SeeLinks(Cycle now);
  /// Event: something that the reductions read has changed, so the next cycle is due.
  void Wake(Cycle now) { context_.due.Set(now + 1, kDueReduction); }

  /// Makes the decisions of cycle `now`.
  void Decide(Cycle now);
  /// Makes the events of cycle `now`. Calls `request(port, input of row R, vl, cells)` for each result that asks an
  /// output for a grant, and `first_cell(packet)` for each result whose first cell is in the output buffer.
  template <typename OnRequest, typename OnFirstCell>
  void Commit(Cycle now, OnRequest&& request, OnFirstCell&& first_cell) {
    for (const ResultRow::Ask& ask : *asks_) request(ask.port, ask.input, ask.vl, ask.cells);
    row_.Commit(now, &arrivals_.rooms, [&](Index id) {
      row_.Arrived(context_.packets[id].output);
      first_cell(id);
    });
    CommitRing(now);
  }
  /// Sets the number of the first segment after a lock, which is 0 else. Tests begin near the wrap of the number with
  /// it.
  void BeginSegments(std::uint16_t first) {
    cfu_.BeginSegments(first);
    ports_.BeginSegments(first);
  }
  /// Fills the observation record of cycle `now`.
  void Show(Cycle now, SwitchObservation* observation) const;

  /// Row R, from which the outputs' schedulers take the requests of results.
  ResultRow& row() { return row_; }
  const ResultRow& row() const { return row_; }
  const Cfu& cfu() const { return cfu_; }
  /// The events that the ports reported in the last cycle, in no particular order.
  const std::vector<RedEvent>& reported() const { return coming_; }
  /// The command of the CFU to the ports in the next cycle, without its field `change`.
  RedCmd TellPorts() const;

  /// Checks the invariants of docs/blocks/reduction.md and reduction-trees.md after cycle `now`.
  void Check(Cycle now, Audit* audit) const;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, cfu_, row_, flights_, complete_, coming_, clear_, launched_, enabled_, checker_);
  }

 private:
  /// A launch that is on the collect lanes.
  struct Flight {
    RedLaunch launch;
    Collected collected;

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(launch, collected);
    }
  };
  /// A result that is on its way to a port.
  struct Result {
    std::uint8_t port;
    RedLane lane;
    std::uint8_t group;
    Index parent;
  };
  /// The command of the next cycle.
  struct Command {
    bool valid = false;
    bool down = false;
    std::uint8_t slot = 0;
    explicit operator bool() const { return valid; }
  };

  void CommitRing(Cycle now);
  /// The next cycle after `now` that is due when nothing comes in.
  Cycle Next(Cycle now) const;
  Collected Collect(const RedLaunch& launch);
  void Send(Cycle now, const Flight& flight, const Cfu::Merged& merged);
  bool MakeFrame(const Flight& flight, const Cfu::Merged& merged, RedFrame* frame) const;
  void MakeShort(const Flight& flight, const Cfu::Merged& merged, RedFrame* frame) const;
  void ShowSteps(Cycle now, const Flight& flight, SwitchObservation* observation) const;

  Context& context_;
  RedRegisters registers_;
  Cfu cfu_;
  RedPorts ports_;
  ResultRow row_;
  std::deque<Flight> flights_;  ///< launches whose word 0 is not yet on the return lane
  Agenda<Result> complete_;
  std::vector<RedEvent> coming_;  ///< reported in the last cycle
  Cfu::Arrivals arrivals_;        ///< what comes to the CFU in the current cycle
  int clear_ = -1;                ///< group that the command of the next cycle clears; -1: none
  Command launched_;
  std::optional<RedLaunch> decided_;
  const std::vector<ResultRow::Ask>* asks_ = nullptr;  ///< decided in the current cycle
  RedChecker checker_;
  PortMask enabled_ = 0;  ///< enabled ports, as committed before cycle `visited_`; they have not changed since
  Cycle visited_ = -1;    ///< the last due cycle; `decided_` and `completed_` are of that cycle
  std::vector<Result> completed_;
};

}  // namespace tilefly::golden
