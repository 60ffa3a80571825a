// SPDX-License-Identifier: Apache-2.0
// In-network reduction of one switch (docs/blocks/reduction.md): reduction ports, collect and return lanes, CFU, row R.
// It exists from the first write of a register of it on, and costs nothing in the cycles in which nothing of it
// happens: those that it has not set in the switch's calendar.
//
// A cycle is Decide; then what comes: Begins, Ends; then Commit; then writes and links; and Show. Decide and Commit are
// for cycles that are due, the others for any.
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

  /// Event: word 0 of a taken packet.
  void Begins(Cycle now, const Packet& packet) { ports_.Begins(now, packet); }
  /// Event: a taken packet has ended well. False: it is of no use.
  bool Ends(Cycle now, const Packet& packet) {
    Wake(now);
    return ports_.Ends(packet, &coming_);
  }
  /// A write of a register of it, after Commit.
  void Write(Cycle now, const Cfg& write);
  /// Event: `links_up` of the context changed.
  void SeeLinks(Cycle now);
  /// Event: something that it looks at changed, so that the next cycle is to be visited.
  void Wake(Cycle now) { context_.due.Set(now + 1, kDueReduction); }

  /// Decisions of cycle `now`.
  void Decide(Cycle now);
  /// The events of cycle `now`: calls `request(port, input of row R, vl, cells)` and `first_cell(packet)`.
  template <typename OnRequest, typename OnFirstCell>
  void Commit(Cycle now, OnRequest&& request, OnFirstCell&& first_cell) {
    for (const ResultRow::Ask& ask : *asks_) request(ask.port, ask.input, ask.vl, ask.cells);
    row_.Commit(now, &arrivals_.rooms, [&](Index id) {
      row_.Arrived(context_.packets[id].output);
      first_cell(id);
    });
    CommitRing(now);
  }
  /// Number of the first segment after a lock, instead of 0: for tests that begin near its wrap.
  void BeginSegments(std::uint16_t first) {
    cfu_.BeginSegments(first);
    ports_.BeginSegments(first);
  }
  /// Fills the observation record of cycle `now`.
  void Show(Cycle now, SwitchObservation* observation) const;

  /// Of row R, for the outputs' schedulers.
  ResultRow& row() { return row_; }
  const ResultRow& row() const { return row_; }
  const Cfu& cfu() const { return cfu_; }
  /// What the ports reported in the last cycle, in no order.
  const std::vector<RedEvent>& reported() const { return coming_; }
  /// What the CFU tells the ports in the cycle to come, but for `change`.
  RedCmd TellPorts() const;

  /// The invariants of the two pages, after cycle `now`.
  void Check(Cycle now, Audit* audit) const;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, cfu_, row_, flights_, complete_, coming_, clear_, launched_, enabled_, checker_);
  }

 private:
  /// A launch on its way.
  struct Flight {
    RedLaunch launch;
    Collected collected;

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(launch, collected);
    }
  };
  /// A result whose last word a port will get.
  struct Result {
    std::uint8_t port;
    RedLane lane;
    std::uint8_t group;
    Index parent;
  };
  /// The command of the cycle to come.
  struct Command {
    bool valid = false;
    bool down = false;
    std::uint8_t slot = 0;
    explicit operator bool() const { return valid; }
  };

  void CommitRing(Cycle now);
  /// The cycle after `now` that is to be visited when nothing comes.
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
  Cfu::Arrivals arrivals_;        ///< what stands in the cycle that is visited
  int clear_ = -1;                ///< group that the command of the cycle to come clears, -1: none
  Command launched_;
  std::optional<RedLaunch> decided_;
  const std::vector<ResultRow::Ask>* asks_ = nullptr;  ///< decided in the cycle that is visited
  RedChecker checker_;
  PortMask enabled_ = 0;  ///< ports, as committed before the last cycle that was visited, and since then
  Cycle visited_ = -1;    ///< the last cycle that was visited, with what was decided and completed in it
  std::vector<Result> completed_;
};

}  // namespace tilefly::golden
