// SPDX-License-Identifier: Apache-2.0
#include "cosim/waves/packet_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "golden/common/stage_times.h"

namespace tilefly::cosim {
namespace {

/// From the record of the take, a cycle after it, to the first word on the link.
constexpr Cycle kTakeToLink = golden::kTakeToWire - 1;
/// The same on a link with retry, from the record of the packet's start.
constexpr Cycle kStartToLink = golden::kRetryStages - 1;
/// From the record of the transfer to that of the first cell at the output: the turn is between them.
constexpr Cycle kTurnWithin = golden::kPickToArrival;

constexpr const char* kStageNames[] = {"request", "grant",      "grant arrives", "transfer",
                                       "turn",    "first cell", "link takes",    "link out"};
constexpr const char* kStageVerbs[] = {"requests", "is granted", "gets the grant", "transfers",
                                       "turns",    "first cell", "is taken",       "is on the link"};

bool IsWanted(const PacketWay& way, const PacketWanted& wanted) {
  return (wanted.input < 0 || way.input == wanted.input) && (wanted.output < 0 || way.output == wanted.output) &&
         (wanted.lane < 0 || way.lane == wanted.lane);
}

}  // namespace

void PacketStages::Reach(const Way& way, Stage stage, Cycle at) {
  way->at[static_cast<std::size_t>(stage)] = at;
  if (sink_ != nullptr) sink_->Reached(way, stage);
}

/// The oldest packet of one queue goes on; a device that names one that is not there is wrong, and found elsewhere.
void PacketStages::Move(Queues* from, int key, Queues* to, int other, Stage stage, Cycle now) {
  const auto found = from->find(key);
  if (found == from->end()) return;
  const Way way = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) from->erase(found);
  Reach(way, stage, now);
  (*to)[other].push_back(way);
}

/// Grants do not say which of a pair's packets the input transfers: it is the oldest one of so many cells.
void PacketStages::Transfer(Cycle now, int input, int output, int cells) {
  const auto found = ready_.find(Pair(input, output));
  if (found == ready_.end()) return;
  std::deque<Way>& ready = found->second;
  auto way = std::find_if(ready.begin(), ready.end(), [&](const Way& one) { return one->cells == cells; });
  if (way == ready.end()) way = ready.begin();
  Reach(*way, Stage::kTransfer, now);
  moving_[Bank(output, input / profile_.row_in)].push_back(*way);
  turning_.push_back(*way);
  ready.erase(way);
  if (ready.empty()) ready_.erase(found);
}

void PacketStages::SampleTurns(Cycle now, const Observation& observation) {
  while (!turning_.empty() && now - turning_.front()->At(Stage::kTransfer) > kTurnWithin) turning_.pop_front();
  for (auto way = turning_.begin(); way != turning_.end();) {
    const int row = (*way)->input / profile_.row_in, col = ((*way)->output >> 1) % profile_.cols;
    const Turnobs& turn = observation.turns[static_cast<std::size_t>(row * profile_.cols + col)];
    const int to = 2 * ((*way)->output / profile_.row_in) + ((*way)->output & 1);
    const bool taken = (turn.valid >> to & 1) != 0 &&
                       static_cast<int>(turn.inputs >> (4 * to) & 15) == (*way)->input % profile_.row_in;
    if (taken && now > (*way)->At(Stage::kTransfer)) {
      Reach(*way, Stage::kTurn, now);
      way = turning_.erase(way);
    } else {
      ++way;
    }
  }
}

/// Words of a port without retry follow the take at once. With retry the packet is in the replay buffer now (`held`), and
/// waits for its start; row R's packets, which nobody follows, take their turns there.
void PacketStages::Take(Cycle now, int port, const Portobs& obs) {
  const int bank = Bank(port, obs.take_row);
  const auto found = obs.take_row < profile_.rows ? waiting_.find(bank) : waiting_.end();
  const Way way = found == waiting_.end() ? nullptr : found->second.front();
  Queues taken;
  if (way != nullptr) {
    way->lost = obs.take_lost;
    Move(&waiting_, bank, &taken, 0, Stage::kTake, now);
  }
  if (obs.take_lost) {
    if (way != nullptr) out_.push_back(way);
  } else if (obs.held > 0) {
    starting_[port].push_back(way);
  } else if (way != nullptr) {
    Reach(way, Stage::kLinkOut, now + kTakeToLink);
    out_.push_back(way);
  }
}

/// The first attempts of packets start in the order in which the link took them.
void PacketStages::Start(Cycle now, int port, const Portobs& obs) {
  const auto found = starting_.find(port);
  if (found == starting_.end()) return;
  std::deque<Way>& starting = found->second;
  if (obs.start_valid && !obs.start_again) {
    if (const Way way = starting.front()) {
      Reach(way, Stage::kLinkOut, now + kStartToLink);
      out_.push_back(way);
    }
    starting.pop_front();
  }
  if (obs.held == 0) {  // the link is down, and the replay buffer is empty
    for (const Way& way : starting) {
      if (way == nullptr) continue;
      way->lost = true;
      out_.push_back(way);
    }
    starting.clear();
  }
  if (starting.empty()) starting_.erase(found);
}

void PacketStages::Sample(Cycle now, const Observation& observation) {
  for (int port = 0; port < profile_.ports; ++port) {
    const Portobs& obs = observation.ports[static_cast<std::size_t>(port)];
    Start(now, port, obs);
    if (obs.take_valid) Take(now, port, obs);
    for (int row = 0; row < profile_.rows; ++row) {
      if ((obs.arr_rows >> row & 1) != 0)
        Move(&moving_, Bank(port, row), &waiting_, Bank(port, row), Stage::kFirstCell, now);
    }
    if (obs.pick_valid && obs.pick_dst < profile_.ports) Transfer(now, port, obs.pick_dst, obs.pick_cells);
    if (obs.gin_valid && obs.gin_src < profile_.ports) {
      Queues given_back;  // the packet asks anew when it has been routed again
      Move(&granted_, Queue(port, obs.gin_src, obs.gin_vl), obs.gin_reroute ? &given_back : &ready_,
           Pair(port, obs.gin_src), Stage::kGrantArrival, now);
    }
    if (obs.dec_valid && !obs.dec_red && obs.dec_src < profile_.ports) {
      const int queue = Queue(obs.dec_src, port, obs.dec_vl);
      Move(&requested_, queue, &granted_, queue, Stage::kGrant, now);
    }
    if (obs.req_valid && obs.req_dst < profile_.ports) {
      const auto way = std::make_shared<PacketWay>(PacketWay{port, obs.req_dst, obs.req_vl, obs.req_cells, {}});
      way->at.fill(-1);
      Reach(way, Stage::kRequest, now);
      requested_[Queue(port, obs.req_dst, obs.req_vl)].push_back(way);
    }
  }
  SampleTurns(now, observation);
  while (out_.size() > kKept) out_.pop_front();
}

std::vector<PacketStages::Way> PacketStages::UnderWay(const PacketWanted& wanted) const {
  std::vector<Way> ways;
  for (const Queues* queues : {&requested_, &granted_, &ready_, &moving_, &waiting_}) {
    for (const auto& entry : *queues) {
      std::copy_if(entry.second.begin(), entry.second.end(), std::back_inserter(ways),
                   [&](const Way& way) { return IsWanted(*way, wanted); });
    }
  }
  for (const auto& entry : starting_) {
    std::copy_if(entry.second.begin(), entry.second.end(), std::back_inserter(ways),
                 [&](const Way& way) { return way != nullptr && IsWanted(*way, wanted); });
  }
  std::stable_sort(ways.begin(), ways.end(),
                   [](const Way& a, const Way& b) { return a->At(Stage::kRequest) < b->At(Stage::kRequest); });
  return ways;
}

/// Those, then the ones that came out.
std::vector<PacketStages::Way> PacketStages::All(const PacketWanted& wanted) const {
  std::vector<Way> ways = UnderWay(wanted);
  std::copy_if(out_.begin(), out_.end(), std::back_inserter(ways),
               [&](const Way& way) { return IsWanted(*way, wanted); });
  return ways;
}

PacketStages::Way PacketStages::Choose(const PacketWanted& wanted, Cycle at) const {
  const std::vector<Way> ways = All(wanted);
  const auto when = [&](auto is) {
    const auto found = std::find_if(ways.begin(), ways.end(), [&](const Way& way) { return is(*way); });
    return found == ways.end() ? Way() : *found;
  };
  const auto begun = [&](const PacketWay& way) { return way.At(Stage::kRequest) <= at; };
  const auto seen = [&](const PacketWay& way) { return std::find(way.at.begin(), way.at.end(), at) != way.at.end(); };
  const auto inside = [&](const PacketWay& way) {
    return begun(way) && !way.lost && (way.At(Stage::kLinkOut) < 0 || way.At(Stage::kLinkOut) > at);
  };
  if (const Way way = when(seen)) return way;
  if (const Way way = when(inside)) return way;
  Way last;
  for (const Way& way : ways) {
    if (begun(*way) && (!last || way->At(Stage::kLinkOut) > last->At(Stage::kLinkOut))) last = way;
  }
  return last;
}

PacketWanted PacketStages::Find(const PacketWanted& wanted, Cycle at) const {
  const Way way = Choose(wanted, at);
  return way ? PacketWanted{way->input, way->output, way->lane} : PacketWanted{};
}

std::vector<Mark> PacketStages::MarksOf(const PacketWay& way) {
  std::vector<Mark> marks;
  for (std::size_t stage = 0; stage < way.at.size(); ++stage) {
    if (way.at[stage] >= 0) marks.push_back({kStageNames[stage], way.at[stage]});
  }
  return marks;
}

std::vector<Mark> PacketStages::Marks(const PacketWanted& wanted, Cycle at) const {
  const Way way = Choose(wanted, at);
  return way ? MarksOf(*way) : std::vector<Mark>{};
}

std::vector<Mark> PacketStages::MarksBetween(const PacketWanted& wanted, Cycle from, Cycle to) const {
  const auto found = std::find_if(out_.rbegin(), out_.rend(), [&](const Way& way) {
    return IsWanted(*way, wanted) && !way->lost && way->At(Stage::kRequest) >= from && way->At(Stage::kLinkOut) <= to;
  });
  return found == out_.rend() ? std::vector<Mark>{} : MarksOf(**found);
}

void PacketStages::TakePlaceOf(PacketWay* way, int lane) {
  Way other;  // the oldest of its queue
  for (const Way& one : All({way->input, way->output, lane})) {
    const Cycle transfer = one->At(Stage::kTransfer);
    const Cycle granted = one->At(Stage::kGrantArrival);
    const bool may_be = one->cells == way->cells && granted >= 0 && granted <= way->At(Stage::kTransfer) &&
                        (transfer < 0 || transfer > way->At(Stage::kTransfer));
    if (may_be && (!other || one->At(Stage::kRequest) < other->At(Stage::kRequest))) other = one;
  }
  if (!other) return;
  std::swap(way->lane, other->lane);
  for (const Stage stage : {Stage::kRequest, Stage::kGrant, Stage::kGrantArrival}) {
    std::swap(way->at[static_cast<std::size_t>(stage)], other->at[static_cast<std::size_t>(stage)]);
  }
  std::swap(way->reckoned, other->reckoned);
  std::swap(way->reckoned.take, other->reckoned.take);  // which comes after it
}

std::vector<Mark> PacketStages::Events(const PacketWanted& wanted, Cycle at, std::size_t most,
                                       std::vector<int>* inputs) const {
  struct Event {
    Mark mark;
    int input;
  };
  std::vector<Event> events;
  for (const Way& way : All(wanted)) {
    for (std::size_t stage = 0; stage < way->at.size(); ++stage) {
      if (way->at[stage] < 0 || way->at[stage] > at) continue;
      events.push_back(
          {{fmt::format("port {} to {} {}", way->input, way->output, kStageVerbs[stage]), way->at[stage]}, way->input});
    }
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.mark.at < b.mark.at; });
  std::vector<Mark> marks;
  for (std::size_t i = events.size() - std::min(most, events.size()); i < events.size(); ++i) {
    marks.push_back(events[i].mark);
    if (std::find(inputs->begin(), inputs->end(), events[i].input) == inputs->end()) inputs->push_back(events[i].input);
  }
  return marks;
}

}  // namespace tilefly::cosim
