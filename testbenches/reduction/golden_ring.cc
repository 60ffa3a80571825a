// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/golden_ring.h"

#include <algorithm>

namespace tilefly::golden {
namespace {

constexpr int kCellBytes = 48;
constexpr int kWordBytes = 32;

bool SameBindings(const RedCmd& one, const RedCmd& other) {
  return one.bind0_valid == other.bind0_valid && one.bind0_group == other.bind0_group &&
         one.bind0_tag == other.bind0_tag && one.bind1_valid == other.bind1_valid &&
         one.bind1_group == other.bind1_group && one.bind1_tag == other.bind1_tag;
}

}  // namespace

GoldenRing::GoldenRing(const Profile& profile)
    : context_(profile), bytes_(frames_), reductions_(context_), coming_(profile.ports), crossing_(profile.ports) {
  context_.red_bytes = &bytes_;
  context_.reductions = &reductions_;
  const auto ports = static_cast<std::size_t>(profile.ports);
  outputs_.asks.resize(ports);
  outputs_.requests.resize(ports);
  outputs_.cell_valid.resize(ports);
  outputs_.cells.resize(ports);
  outputs_.cell_bytes.resize(ports);
  outputs_.reports.resize(ports);
  outputs_.observed.reds.resize(ports);
}

/// As the golden switch goes through a cycle.
const GoldenRing::Outputs& GoldenRing::Step(Cycle now, const Inputs& inputs) {
  const bool due = (context_.due.PopDue(now) & kDueReduction) != 0;
  const PortMask enabled = context_.registers.enabled();
  outputs_.used = 0;
  outputs_.left.clear();
  std::fill(outputs_.asks.begin(), outputs_.asks.end(), false);
  std::fill(outputs_.observed.reds.begin(), outputs_.observed.reds.end(), RedObs{});
  outputs_.observed.cfu = CfuObs{};

  if (due) reductions_.Decide(now);
  for (const Inputs::Grant& grant : inputs.grants) reductions_.row().Granted(now, grant.port, grant.input);
  for (const Inputs::Begin& begin : inputs.begins) Begin(now, begin);
  for (const Inputs::End& end : inputs.ends) End(now, end);
  if (due) {
    reductions_.Commit(
        now,
        [&](int port, int input, int vl, int cells) {
          outputs_.asks[static_cast<std::size_t>(port)] = true;
          Request& request = outputs_.requests[static_cast<std::size_t>(port)];
          request.src = static_cast<std::uint8_t>(input);
          request.vl = static_cast<std::uint8_t>(vl);
          request.cells = static_cast<std::uint8_t>(cells);
          request.more = reductions_.row().Head(port, input).more;
        },
        [&](Index id) { FirstCell(id); });
  }
  if (inputs.write.valid && static_cast<CfgSpace>(inputs.write.space) == CfgSpace::kRed) {
    reductions_.Write(now, inputs.write);
  } else if (inputs.write.valid) {
    context_.registers.Apply(inputs.write);
    reductions_.Wake(now);
  }
  if (inputs.links_up != context_.links_up) {
    context_.links_up = inputs.links_up;
    reductions_.SeeLinks(now);
  }
  reductions_.Show(now, &outputs_.observed);
  ShowCells();
  ShowReports(enabled & inputs.links_up);
  const RedCmd before = outputs_.command;
  outputs_.command = reductions_.TellPorts();
  outputs_.command.change = !SameBindings(before, outputs_.command);
  return outputs_;
}

void GoldenRing::Begin(Cycle now, const Inputs::Begin& begin) {
  const Index frame = frames_.Allocate();
  frames_[frame].bytes = *begin.bytes;
  Packet& packet = coming_[static_cast<std::size_t>(begin.port)];
  packet = Packet{};
  packet.input = static_cast<std::uint8_t>(begin.port);
  packet.length = static_cast<std::uint16_t>(begin.bytes->size());
  packet.payload = frame;
  reductions_.Begins(now, packet);
}

/// What ends badly is counted by who takes the packets.
void GoldenRing::End(Cycle now, const Inputs::End& end) {
  const Packet& packet = coming_[static_cast<std::size_t>(end.port)];
  if (!end.good) {
    context_.counters.Count(end.port, Counter::kRedDamaged);
  } else if (reductions_.Ends(now, packet)) {
    outputs_.used |= Bit(end.port);
  }
  frames_.DropUse(packet.payload);
}

/// The first cell of a packet of row R comes into the output buffer in this cycle.
void GoldenRing::FirstCell(Index id) {
  const Packet packet = context_.packets[id];
  Packet& parent = context_.packets[packet.parent];
  Crossing crossing;
  crossing.header = packet.header.Unpack();
  crossing.input = packet.input - context_.profile.ports;
  crossing.length = packet.length;
  crossing.cells = packet.cells;
  const std::vector<std::uint8_t>& frame = frames_[parent.payload].bytes;
  crossing.bytes.resize(static_cast<std::size_t>(packet.cells * kCellBytes));
  crossing.header.PackBytes(crossing.bytes.data());
  std::copy(frame.begin(), frame.end(), crossing.bytes.begin() + HeaderBits::kBytes);
  crossing_[packet.output].push_back(std::move(crossing));
  if (--parent.copies_left == 0) frames_.DropUse(parent.payload);
  if (packet.parent != id) ReleaseCopy(&context_.packets, packet.parent);
  ReleaseCopy(&context_.packets, id);
}

void GoldenRing::ShowCells() {
  for (std::size_t p = 0; p < crossing_.size(); ++p) {
    outputs_.cell_valid[p] = !crossing_[p].empty();
    Cell& cell = outputs_.cells[p];
    cell = Cell{};
    outputs_.cell_bytes[p] = kCellBytes;
    if (crossing_[p].empty()) continue;
    Crossing& packet = crossing_[p].front();
    cell.sop = packet.next == 0;
    cell.eop = packet.next + 1 == packet.cells;
    cell.src = static_cast<std::uint8_t>(p);
    cell.vl = packet.header.vl;
    cell.cells = static_cast<std::uint8_t>(packet.cells);
    std::copy_n(packet.bytes.begin() + kCellBytes * packet.next, kCellBytes, cell.data.begin());
    const int packet_bytes = kWordBytes * CeilDiv(HeaderBits::kBytes + packet.length, kWordBytes);
    outputs_.cell_bytes[p] = std::min(kCellBytes, packet_bytes - kCellBytes * packet.next);
    ++packet.next;
    if (!cell.eop) continue;
    const auto frame = packet.bytes.begin() + HeaderBits::kBytes;
    outputs_.left.push_back({static_cast<int>(p), packet.header, {frame, frame + packet.length}});
    if (packet.input != ResultRow::kCredits)
      freed_.push_back({static_cast<std::uint8_t>(p), static_cast<RedLane>(packet.input), cell.cells});
    crossing_[p].pop_front();
  }
}

/// What the ports show in the next cycle.
void GoldenRing::ShowReports(PortMask live) {
  for (std::size_t p = 0; p < outputs_.reports.size(); ++p) {
    outputs_.reports[p] = RedReport{};
    outputs_.reports[p].live = (live & Bit(static_cast<int>(p))) != 0;
  }
  for (const RedEvent& event : reductions_.reported()) {
    RedReport& report = outputs_.reports[event.port];
    report.ev = static_cast<std::uint8_t>(event.ev);
    report.slot = event.slot != 0;
    report.group = event.group;
    report.engine = event.engine;
    report.wants = event.wants;
    report.ends = event.ends;
    report.code = static_cast<std::uint8_t>(event.code);
    report.credit = event.credit;
  }
  for (const RedRoom& room : freed_) {
    RedReport& report = outputs_.reports[room.port];
    report.free_valid = true;
    report.free_lane = static_cast<std::uint8_t>(room.lane);
    report.free_cells = room.cells;
  }
  freed_.clear();
}

}  // namespace tilefly::golden
