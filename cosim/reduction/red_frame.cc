// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/red_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/common/check_failure.h"

namespace tilefly::cosim {
namespace {

int LengthOf(const SwitchSetup& setup, std::size_t data) {
  return std::max(setup.profile().min_enh_bytes, Red::kBytes + kFcsBytes + static_cast<int>(data));
}

}  // namespace

std::shared_ptr<Frame> MakeRedFrame(const SwitchSetup& setup, int port, const RedAddress& from, int vl, const RedPacket& packet) {
  auto frame = std::make_shared<Frame>();
  frame->source = port;
  frame->enh = true;
  Header& header = frame->header;
  header.kind = static_cast<std::uint8_t>(Kind::kRed);
  header.an = true;
  header.len = static_cast<std::uint16_t>(LengthOf(setup, packet.data.size()));
  header.tc = static_cast<std::uint8_t>(from.tc);
  header.vl = static_cast<std::uint8_t>(vl);
  header.mode = static_cast<std::uint8_t>(RouteMode::kInOrder);
  header.ordered = true;
  header.src = from.address;
  header.dst = setup.PortAddress(port);
  frame->bytes.resize(header.len);
  packet.red.PackBytes(frame->bytes.data());
  std::copy(packet.data.begin(), packet.data.end(), frame->bytes.begin() + Red::kBytes);
  Seal(&frame->bytes);
  return frame;
}

RedPacket ParseRedFrame(const SwitchSetup& setup, const RedAddress& peer, const Reception& reception) {
  const auto expect = [&](bool holds, const char* what) {
    if (!holds) throw CheckFailure(reception.last, reception.port, 0, fmt::format("a reduction packet leaves {}", what));
  };
  const Header& header = reception.header;
  expect(reception.check == Check::kGood, "damaged");
  expect(header.src == setup.PortAddress(reception.port), "with another source than its port");
  expect(header.dst == peer.address && header.an == peer.node, "for somebody else than the port's peer");
  expect(header.vl == peer.vl && header.tc == peer.tc, "on another lane or in another class than the peer's");
  expect(header.ordered && header.mode == static_cast<std::uint8_t>(RouteMode::kInOrder), "out of order");
  expect(header.hop == 1 && header.flow == 0 && header.path == 0 && !header.via_valid, "with fields of routed packets");
  RedPacket packet;
  packet.red = Red::UnpackBytes(reception.bytes.data());
  packet.data.resize(packet.red.empty ? 0 : packet.red.bytes);
  expect(header.len == LengthOf(setup, packet.data.size()), "with a length that is not that of its data");
  const auto data = reception.bytes.begin() + Red::kBytes;
  std::copy_n(data, packet.data.size(), packet.data.begin());
  expect(std::all_of(data + static_cast<std::ptrdiff_t>(packet.data.size()), reception.bytes.end() - kFcsBytes,
                     [](std::uint8_t byte) { return byte == 0; }),
         "with bytes behind its data");
  return packet;
}

}  // namespace tilefly::cosim
