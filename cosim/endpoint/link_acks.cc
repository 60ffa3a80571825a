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

}  // namespace

LinkAcks::LinkAcks(const SwitchSetup& setup, int port, std::uint64_t seed)
    : port_(port),
      answers_(setup.acks() > 0 && setup.mode(port).credits && !setup.mode(port).acks),
      share_(setup.acks()),
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
  Cycle at = now + 1 + static_cast<Cycle>(Below(bits, kLongestAway));
  if (!waiting_.empty()) at = std::max(at, waiting_.back().at);
  waiting_.push_back({at, ack});
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
