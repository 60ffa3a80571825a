// SPDX-License-Identifier: Apache-2.0
// Request store, scheduler and grant unit of one output (docs/blocks/egress.md): at most one grant in a cycle. Golden's
// scheduler chooses the class; this class chooses lane, row and input.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "golden/credit/sender_healing.h"
#include "golden/flows/output_meters.h"
#include "golden/scheduler/schedulers.h"
#include "systemc/switch/context.h"

namespace tilefly::systemc {

class GrantUnit {
 public:
  GrantUnit(Context& context, int port, const golden::SchedulerChoice& scheduler);

  /// Decision of `now`: the packet whose request is granted, null when there is none.
  Crossing* Decide(Cycle now);
  /// Decision of `now` in the place of Decide while the link is down: the packet whose request is given back, null when
  /// there is none. Results of reductions stay.
  Crossing* TakeBack(Cycle now);
  /// The cycle in which the next decision may differ though nothing happens: after a grant the next cycle; kNever:
  /// there is none.
  Cycle again() const { return again_; }

  /// Event: a request arrives.
  void Request(Crossing* crossing);
  /// Event of `cycle`: the first cell of a packet of `cells` cells arrives on the channel of `row`.
  void FirstCell(Cycle cycle, int row, int cells);
  /// Event: `cells` cells of the output buffer are free.
  void FreeRoom(int cells) { room_ += cells; }
  /// Event: `cells` of lane `vl` are free at the other end of the link.
  void Credit(int vl, int cells);
  /// Event: the link sends a packet of `cells` cells of lane `vl` again, which need room at its other end once more.
  void Charge(int vl, int cells) { credits_.Grant(vl, cells, *context_.port(port_).credit); }
  /// The link sends damaged packets again, and may go down. To be called before the simulation.
  void BeginHealing() { healing_.emplace(context_.profile.vls); }
  /// Event: the link takes a packet of `cells` cells of lane `vl`. `lost`: it is down, and the packet is discarded.
  void Take(int vl, int cells, bool lost);
  /// Event: the link is down, so that credits begin anew.
  void LinkDown();
  /// Event: the other end of the link, which was down, holds `held` cells of lane `vl` from before.
  void Resync(int vl, int held);
  /// Event: a port without credits gives lanes of class `tc` no grant before cycle `until`.
  void Pause(int tc, Cycle until) { paused_until_[tc] = until; }
  /// Event: the CREDIT registers of the port changed.
  void Rebase() { credits_.Rebase(*context_.port(port_).credit); }
  /// Event: the banks of the Deficit Table changed places.
  void Restart();

  /// The congestion meter, which sees the request store. The output calls its CommitGrants with each event, when the
  /// acks of the event are made and before its requests arrive.
  golden::OutputMeters& meter() { return meter_; }

  int room() const { return room_; }
  const golden::CreditSender& credits() const { return credits_; }

 private:
  struct Fifo {
    Crossing* first = nullptr;
    Crossing* last = nullptr;  ///< once there was one: the newest that came
    int stored = 0;
  };
  /// Column channel of a row.
  struct Channel {
    Cycle free_at = 0;
    int outstanding = 0;
    int owner = 0;  ///< input of the row
    int run = 0;
  };
  /// A class's candidate.
  struct Choice {
    int vl;
    int row;
    int input;  ///< of the row
    bool was_free;
  };
  using InputMasks = std::array<std::uint32_t, golden::kMaxOutRows>;  ///< of each row, row R included

  Fifo& FifoOf(int row, int input, int vl) {
    const int number = row == context_.profile.rows ? context_.profile.ports + input : context_.geometry.port(row, input);
    return store_[static_cast<std::size_t>(number) * golden::kMaxLanes + vl];
  }
  int InputsOf(int row) const { return row == context_.profile.rows ? golden::kRedInputs : context_.profile.row_in; }
  Crossing* Pop(int vl, int row, int input);
  bool MayRun() const { return room_ >= context_.profile.mtu_cells && context_.port(port_).mode.enable; }
  unsigned SendableLanes(Cycle now) const;
  Cycle PauseEnds(Cycle now) const;
  unsigned ClassesOf(unsigned lanes) const;
  bool Free(Cycle now, const Channel& channel) const { return channel.outstanding == 0 && now >= channel.free_at; }
  unsigned CandidateRows(Cycle now, int vl, const InputMasks& wanted) const;
  bool FindCandidate(Cycle now, unsigned lanes, int tc, Choice* choice) const;
  Crossing* Grant(int tc, const Choice& choice);
  Cycle WhenFree(Cycle now) const;

  Context& context_;
  const int port_;
  golden::Schedulers scheduler_;  ///< one
  std::vector<Fifo> store_;       ///< of each (input, VL), those of row R last
  std::array<InputMasks, golden::kMaxLanes> inputs_{};  ///< with a request, of each VL
  std::array<std::array<std::uint8_t, golden::kMaxOutRows>, golden::kMaxLanes> input_pointer_{};
  std::array<std::uint8_t, golden::kMaxLanes> row_pointer_{};
  std::array<std::uint8_t, golden::kMaxClasses> lane_pointer_{};
  std::array<Channel, golden::kMaxOutRows> channels_;
  std::array<std::uint16_t, golden::kMaxLanes> freed_{};  ///< cells that the other end has freed, cumulative
  golden::CreditSender credits_;
  std::optional<golden::SenderHealing> healing_;  ///< none: the link never goes down
  std::array<Cycle, golden::kMaxClasses> paused_until_{};
  unsigned requested_ = 0;  ///< lanes
  golden::OutputMeters meter_;  ///< one
  int room_;
  Cycle again_ = kNever;
};

}  // namespace tilefly::systemc
