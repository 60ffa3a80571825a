// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/link_acks.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"
#include "golden/acks/ack_route.h"
#include "support/random.h"

namespace tilefly::cosim {
namespace {

constexpr int kMostHops = 5;
constexpr std::uint64_t kLongestAway = 200;  // cycles from a packet to its answer
constexpr double kAnswered = 0.95;           // share of the packets, at least, in a run with flow channels
constexpr std::uint64_t kForged = 16;        // one in so many acks of such a run
constexpr std::uint64_t kSmallShare = 128;   // cells: half of its acks have less

}  // namespace

LinkAcks::LinkAcks(const SwitchSetup& setup, int port, std::uint64_t seed)
    : port_(port),
      answers_(setup.acks() > 0 && setup.mode(port).credits && !setup.mode(port).acks),
      share_(setup.flow_ports() != 0 ? std::max(setup.acks(), kAnswered) : setup.acks()),
      forges_(setup.flow_ports() != 0),
      seed_(seed) {}

void LinkAcks::Answer(Cycle now, const Header& header, int cells) {
  if (!answers_) return;
  const std::uint64_t packet = 2 * packets_++;
  const int hops = (header.hop + 15) % 16;  // with which it came into the switch
  const auto draw = [&](std::uint64_t id) { return Draw(seed_, static_cast<std::uint32_t>(port_), id, Purpose::kAck); };
  if (header.dst == kReplicated || hops > kMostHops || Unit(draw(packet)) >= share_) return;
  const std::uint64_t bits = draw(packet + 1);
  Ack ack;
  ack.share = static_cast<std::uint16_t>(bits >> 12 & 0xfff);
  ack.mark = (bits >> 24 & 1) != 0;
  ack.by_class = header.an;
  ack.gen = header.gen;
  ack.tc = header.tc;
  ack.dst = header.dst;
  ack.load = static_cast<std::uint16_t>(bits & 0xfff);
  ack.flow = header.flow;
  ack.cells = static_cast<std::uint8_t>(cells);
  ack.hops = static_cast<std::uint8_t>(hops);
  ack.port = header.src & 63;
  ack.path = header.path;
  if (forges_) Forge(Mix64(bits), &ack);
  Cycle at = now + 1 + static_cast<Cycle>(Below(bits, kLongestAway));
  if (!waiting_.empty()) at = std::max(at, waiting_.back().at);
  waiting_.push_back({at, ack});
}

/// Small shares throttle; forged fields find another channel, or none.
void LinkAcks::Forge(std::uint64_t bits, Ack* ack) {
  ack->mark = (bits & 3) == 0;
  if ((bits >> 2 & 1) != 0) ack->share = static_cast<std::uint16_t>(ack->share % kSmallShare);
  if (Below(bits, kForged) != 0) return;
  ++forged_;
  if ((bits >> 8 & 1) != 0) ack->gen = !ack->gen;
  else if ((bits >> 9 & 1) != 0) ack->by_class = !ack->by_class;
  else if ((bits >> 10 & 1) != 0) ack->tc ^= 1;
  else ack->dst ^= 1u << (bits >> 12 & 3);
}

void LinkAcks::Drive(Cycle now, Ctrl* ctrl) {
  if (!waiting_.empty() && waiting_.front().at <= now) {
    golden::PutAck(waiting_.front().ack, ctrl);
    waiting_.pop_front();
    ++sent_;
    driven_ = true;
  } else if (driven_) {
    golden::PutAck({}, ctrl);
    ctrl->ack_valid = false;
    driven_ = false;
  }
}

void LinkAcks::Receive(Cycle now, const Ctrl& ctrl) {
  ++received_;
  marked_ += ctrl.ack_mark;
  // One hop less than in the switch, but for the source's own switch.
  const auto way = [&](int hops) {
    return hops == 0 ? int{ctrl.ack_port} : static_cast<int>(ctrl.ack_path >> 6 * (hops - 1) & 63);
  };
  const bool ours =
      ctrl.ack_hops < kMostHops && (way(ctrl.ack_hops + 1) == port_ || (ctrl.ack_hops == 0 && way(0) == port_));
  if (!ours) {
    throw CheckFailure(now, port_, 0,
                       fmt::format("an ack with {} hops left, for port {} by path {:#x}, came to this port",
                                   ctrl.ack_hops, ctrl.ack_port, ctrl.ack_path));
  }
}

}  // namespace tilefly::cosim
