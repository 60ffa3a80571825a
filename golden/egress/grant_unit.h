// SPDX-License-Identifier: Apache-2.0
// Request masks, scheduler and grant unit of all outputs (docs/blocks/egress.md). At most one grant an output and cycle.
//
// An output in which nothing moves sleeps; whatever may change that wakes it. The requests themselves are in a store of
// the caller, a fifo for each (output, input, VL): `Head(input, output, vl)` is the oldest request, with its `cells`
// and `more`; `Grant` removes it and says whether further ones are stored. `TakeBack` does so for a grant with
// `reroute`: the output of a retry port whose link is down gives its requests back (docs/blocks/link_retry.md, Taken
// back).
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "golden/arbiter/round_robin.h"
#include "golden/common/wheel.h"
#include "golden/credit/credit_sender.h"
#include "golden/credit/sender_healing.h"
#include "golden/egress/link_statistics.h"
#include "golden/scheduler/schedulers.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class GrantUnit {
 public:
  explicit GrantUnit(Context& context, const SchedulerChoice& scheduler = {});

  /// Makes the decisions of cycle `now`. Calls `visit(output, input, vl, request, reroute)` for every grant, with the
  /// request that `Head` of the store gave.
  template <typename Store, typename Visit>
  void Decide(Cycle now, Store& store, Visit&& visit) {
    active_ |= wakes_.PopDue(now);
    if (active_ == 0) return;
    std::visit(
        [&](auto& schedulers) {
          ForEachBit(active_, [&](int output) {
            const Judgement judgement = DecideFor(now, output, &schedulers[output], store, visit);
            if (!judgement.goes_on) active_ &= ~Bit(output);
            if (context_.watchers.links != nullptr) Record(now, output, judgement);
          });
        },
        schedulers_);
  }

  /// Event: a request for `cells` cells arrives from `input` on lane `vl`.
  void Request(Cycle now, int output, int input, int vl, int cells);
  /// Event: the first cell of a packet of `cells` cells arrives on the column channel of `row`.
  void FirstCell(Cycle now, int output, int row, int cells);
  /// Event: `cells` cells of the output buffer are free again.
  void FreeRoom(int output, int cells);
  /// Event of cycle `now`, after its `Decide`: the control slot brought a credit return of lane `vl`, with the
  /// cumulative count `cells`.
  void Credit(Cycle now, int output, int vl, std::uint16_t cells);
  /// Retry ports that a credit return has told of freed cells since the last call.
  PortMask TakeHeard() {
    const PortMask heard = heard_;
    heard_ = 0;
    return heard;
  }
  /// Events at a retry port, after the cycle's `Decide`: a packet of `cells` cells goes from the output buffer to
  /// the link; an attempt starts on the link, `again` when it is not the packet's first.
  void Taken(int output, int vl, int cells) { healing_[output].Taken(vl, cells); }
  /// The packet is discarded instead, because the link is down.
  void Discarded(int output, int vl, int cells);
  void Started(int output, int vl, int cells, bool again);
  /// The output became, or is no longer, a retry port.
  void SetRetry(int output, bool retries);
  /// Event, after all others of the cycle: the link of the retry port is down.
  void LinkDown(int output);
  /// The stamp that is decided in cycle `now` at a retry port.
  std::optional<CreditStamp> Stamp(Cycle now, int output) const {
    return healing_[output].Stamp(now, (context_.links_up & Bit(output)) != 0, outputs_[output].credits);
  }
  /// Whether requests wait at the output.
  bool HasRequests(int output) const { return outputs_[output].requested != 0; }
  /// Whether a lane of the retry port has so many cells out that the link is given up.
  bool Over(int output) const { return healing_[output].over(outputs_[output].credits); }
  /// Whether requests of the retry port wait in a lane that may not send for want of credit.
  bool WaitsForCredit(int output) const;
  /// Whether a retry port may have a stamp to send.
  bool StampsDue(int output) const {
    return !healing_[output].all_known() || !outputs_[output].credits.AllHome();
  }
  /// Event: PAUSE for the classes in `classes` until cycle `until[class]`.
  void Pause(int output, unsigned classes, const std::array<Cycle, kMaxClasses>& until);
  /// Registers or the state of links changed: these outputs decide in the next cycle.
  void Wake(PortMask outputs) { active_ |= outputs; }
  /// The CREDIT registers of the output changed.
  void RebaseCredits(int output) { outputs_[output].credits.Rebase(*context_.registers.port(output).credit); }

  /// The banks of the output's Deficit Table changed places.
  void RestartScheduler(int output) {
    std::visit([&](auto& schedulers) { schedulers[output].Restart(context_.profile.dtable_entries); }, schedulers_);
  }

  int room(int output) const { return outputs_[output].room; }
  /// Load of the output in cells, as committed in the cycle before. Call it after the decisions of cycle `now` and
  /// before its events.
  int LoadBefore(Cycle now, int output) const {
    const Output& state = outputs_[output];
    return context_.loads.load(output) + (state.granted_at == now ? state.granted_cells : 0);
  }
  /// Rows whose channel has grants outstanding, one bit each.
  unsigned owner_valid(int output) const;
  /// Owner of a channel: the number of its input in the row.
  int owner(int output, int row) const { return outputs_[output].channels[row].owner; }
  const CreditSender& credits(int output) const { return outputs_[output].credits; }
  /// Whether the far end of the output's link has said of every lane what it holds, which a link without retry need not.
  bool knows_credits(int output) const {
    return (context_.retry_ports & Bit(output)) == 0 || healing_[output].all_known();
  }
  /// Grants of a channel whose packets' first cells have not arrived.
  int outstanding(int output, int row) const { return outputs_[output].channels[row].outstanding; }

  /// Checks EGR-1, EGR-4, EGR-6 and CRED-2 of the output, as far as the grant unit shows them. `requested` are the
  /// cells of all stored requests.
  void Check(int output, int requested, Audit* audit) const;
  /// Checks the invariants of an output in a switch that is drained.
  void CheckDrained(int output, Audit* audit) const;

  void Prefetch() const {
    for (const Output& output : outputs_) golden::Prefetch(&output, kPrefetched);
    std::visit([](const auto& schedulers) { golden::Prefetch(schedulers); }, schedulers_);
  }
  /// Whether a decision is to be made in the next cycle.
  bool active() const { return active_ != 0; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(outputs_, schedulers_, paused_until_, active_, wakes_, healing_);
  }

 private:
  /// Masks of inputs, 16 bits a row.
  using RowMasks = std::uint64_t;
  static unsigned RowOf(RowMasks masks, int row) { return static_cast<unsigned>(masks >> 16 * row) & 0xFFFF; }
  static RowMasks BitOf(int row, int input) { return RowMasks{1} << (16 * row + input); }
  /// Whether it is row R, whose inputs are kept apart.
  bool IsRed(int row) const { return row == context_.profile.rows; }

  /// Column channel of a row.
  struct Channel {
    Cycle free_at = 0;
    std::uint16_t outstanding = 0;
    std::uint8_t owner = 0;
    std::uint8_t run = 0;
  };
  struct Lane {
    RowMasks inputs = 0;  ///< inputs with a request
    std::array<std::uint8_t, kMaxOutRows> input_pointer{};
    std::uint8_t row_pointer = 0;
    std::uint8_t red_inputs = 0;  ///< inputs of row R with a request
  };
  /// What a packet needs comes first, the lanes last: those that nobody uses lie on cache lines of their own.
  struct alignas(kCacheLine) Output {
    Cycle granted_at = -1;  ///< cycle, lane and cells of the last grant, also of one with `reroute`
    std::uint8_t granted_vl = 0;
    std::uint8_t granted_cells = 0;
    std::int16_t room = 0;
    std::uint16_t requested = 0;                       ///< lanes with a request
    std::uint16_t red_requested = 0;                   ///< those with a request of row R
    bool unsettled = false;  ///< asleep while it may not run, with a scheduler that would move
    std::array<std::uint8_t, kMaxClasses> lane_pointer{};
    std::array<Channel, kMaxOutRows> channels{};
    CreditSender credits;
    std::array<Lane, kMaxLanes> lanes{};
  };
  static constexpr std::size_t kPrefetched = 4 * kCacheLine;  ///< of an output: all but the lanes above 3
  /// What the decision for an output came to.
  struct Judgement {
    bool goes_on;  ///< false: nothing moves until something wakes the output
    bool granted;
    LinkState reason;       ///< of no grant
    std::uint16_t blocked;  ///< lanes with a request that may not send
  };
  /// A class's candidate.
  struct Choice {
    int vl;
    int row;
    int input;  ///< of the row
    bool was_free;
  };

  /// The decision for one output.
  template <typename Scheduler, typename Store, typename Visit>
  Judgement DecideFor(Cycle now, int port, Scheduler* scheduler, Store& store, Visit&& visit) {
    Output& output = outputs_[port];
    if (output.requested == 0 && !scheduler->unsettled()) return {false, false, LinkState::kNothing, 0};
    if (!MayRun(port)) {
      output.unsettled = scheduler->unsettled();
      if (TakeBack(now, port, store, visit)) return {true, false, LinkState::kNothing, 0};
      return {false, false, WhyNot(port), 0};
    }
    output.unsettled = false;
    const SchedulerTable& table = *context_.registers.port(port).scheduler;
    if (output.requested == 0) {  // there is only something to wait for or to forget
      const Outcome outcome = scheduler->Decide(now, table, 0, 0, [](int) { return Head{}; }).outcome;
      return {outcome == Outcome::kExpects, false, LinkState::kNothing, 0};
    }
    const unsigned lanes = ActiveLanes(now, port);
    const auto blocked = static_cast<std::uint16_t>(output.requested & ~lanes);
    const unsigned sendable = ClassesOf(lanes);
    const unsigned wanted = lanes == output.requested ? sendable : ClassesOf(output.requested);
    Choice choice;
    typename Store::StoredRequest head;
    const Decision decision = scheduler->Decide(now, table, wanted, sendable, [&](int tc) {
      if (!FindCandidate(now, port, lanes, tc, &choice)) return Head{};
      head = store.Head(context_.geometry.port(choice.row, choice.input), port, choice.vl);
      return Head{head.cells, head.more};
    });
    LinkState reason = lanes == 0 ? LinkState::kNoCredit : LinkState::kScheduler;
    switch (decision.outcome) {
      case Outcome::kMoved:
      case Outcome::kExpects:
        return {true, false, reason, blocked};
      case Outcome::kWaits:
        WakeWhenFree(now, port, lanes);
        reason = LinkState::kArbitration;
        break;
      case Outcome::kGranted:
        Grant(now, port, choice, decision.tc, head.cells, store.Grant(head));
        visit(port, context_.geometry.port(choice.row, choice.input), choice.vl, head, false);
        return {true, true, reason, blocked};
      case Outcome::kNothing:
        break;
    }
    if ((sendable & table.shaped()) != 0) {
      ForEachBit(sendable & table.shaped(), [&](int c) { WakeLater(scheduler->EligibleFrom(c), now, port); });
    }
    return {false, false, reason, blocked};
  }
  /// Gives back a request of rows 0..R-1, if the output does so and has one: of the lowest lane, row and input.
  template <typename Store, typename Visit>
  bool TakeBack(Cycle now, int port, Store& store, Visit&& visit) {
    if ((context_.down() & Bit(port)) == 0) return false;
    const Output& output = outputs_[port];
    const unsigned lanes = LanesOfRows(output);
    if (lanes == 0) return false;
    const int vl = LowestBit(lanes), lowest = LowestBit(output.lanes[vl].inputs);
    const Choice choice{vl, lowest / 16, lowest % 16, false};
    const int input = context_.geometry.port(choice.row, choice.input);
    const typename Store::StoredRequest head = store.Head(input, port, vl);
    LowerLoad(now, port, vl, head.cells);
    if (!store.TakeBack(head)) ForgetInput(port, choice);
    visit(port, input, vl, head, true);
    return true;
  }
  /// Lanes with a request that is not of row R.
  static unsigned LanesOfRows(const Output& output) {
    unsigned lanes = 0;
    ForEachBit(output.requested, [&](int v) { lanes |= output.lanes[v].inputs != 0 ? 1u << v : 0; });
    return lanes;
  }
  /// Why an output with requests does not run.
  LinkState WhyNot(int port) const {
    return outputs_[port].requested != 0 && outputs_[port].room < context_.profile.mtu_cells ? LinkState::kNoRoom
                                                                                             : LinkState::kNothing;
  }
  void Record(Cycle now, int output, const Judgement& judgement) {
    context_.watchers.links->Judge(output, now, judgement.reason, judgement.blocked);
    if (judgement.granted) context_.watchers.links->Grant(output, now);
  }
  /// Whether the output's scheduler and grant unit run.
  bool MayRun(int port) const {
    return outputs_[port].room >= context_.profile.mtu_cells &&
           (context_.registers.enabled() & context_.links_up & Bit(port)) != 0;
  }
  unsigned ClassesOf(unsigned lanes) const {
    unsigned classes = 0;
    ForEachBit(lanes, [&](int v) { classes |= 1u << context_.registers.tables().vl_class[v]; });
    return classes;
  }
  bool FindCandidate(Cycle now, int port, unsigned lanes, int tc, Choice* choice) const;
  void Grant(Cycle now, int port, const Choice& choice, int tc, int cells, bool further);
  void LowerLoad(Cycle now, int port, int vl, int cells);
  void ForgetInput(int port, const Choice& choice);
  unsigned ActiveLanes(Cycle now, int port);
  /// Whether a row with this channel has a candidate in a lane with requests from `inputs`, when inputs in `wanted`
  /// have one in a lane of the class.
  bool HasCandidate(Cycle now, const Channel& channel, unsigned inputs, unsigned wanted) const {
    if (channel.outstanding == 0 && now >= channel.free_at) return true;
    const unsigned owner = 1u << channel.owner;
    if ((inputs & owner) == 0) return false;
    const bool others_wait = (wanted & ~owner) != 0;
    return channel.run < context_.profile.run_limit_cells || !others_wait;
  }
  unsigned CandidateRows(Cycle now, const Output& output, RowMasks inputs, RowMasks wanted) const;
  unsigned RedCandidate(Cycle now, const Output& output, int vl, unsigned lanes) const;
  RowMasks InputsOf(const Output& output, unsigned lanes) const;
  unsigned InputsOfRow(const Output& output, int vl, int row) const {
    return IsRed(row) ? output.lanes[vl].red_inputs : RowOf(output.lanes[vl].inputs, row);
  }
  void WakeWhenFree(Cycle now, int port, unsigned lanes);
  void WakeLater(Cycle due, Cycle now, int port) {
    if (due > now) wakes_.Wake(due, now, port);
  }

  Context& context_;
  std::vector<Output> outputs_;
  Schedulers schedulers_;
  std::vector<std::array<Cycle, kMaxClasses>> paused_until_;  ///< empty until the first PAUSE
  std::vector<SenderHealing> healing_;                        ///< empty until there is a retry port
  PortMask active_ = 0;                                       ///< outputs that may grant in the next cycle
  PortMask heard_ = 0;                                        ///< see TakeHeard
  WakeWheel wakes_;
};

}  // namespace tilefly::golden
