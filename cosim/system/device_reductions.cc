// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/device_reductions.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "cosim/library/device_library.h"
#include "cosim/system/link_failure.h"
#include "cosim/system/packet_frame.h"
#include "golden/reduction/red_part.h"
#include "support/errors.h"

namespace tilefly::cosim {

void DeviceReductions::Write(const Cfg& write, const Device& device) {
  const int group = registers_.Write(write);
  if (group < 0 || !registers_.tree(group).valid) return;
  in_tree_ = true;
  if (device.NextChange() != Device::kUnknown) return;
  throw UsageError(fmt::format(
      "--device: switch {} is a node of a job's reduction tree, and device {} does not tell when it acts by "
      "itself ({}); choose another device or switch, or an algorithm of the hosts",
      node_, device.Name(),
      IsLibraryName(device.Name()) ? "flag TFD_TELLS_CHANGES, tfd_next_change" : "Device::NextChange"));
}

/// Trees are such that a packet crosses one link. Packets without bytes have zeros.
std::shared_ptr<Frame> DeviceReductions::Open(golden::Payload payload, const golden::HeaderBits& header) {
  const Red& red = reds_.Of(payload).header;
  if (!in_tree_ || !header.an()) throw std::logic_error("network: a reduction packet that is not for the device");
  if (golden::DataBytes(red) > 0) carries_.at(red.group) = !reds_.Of(payload).data.empty();
  return MakeRedFrame(red, header);
}

void DeviceReductions::Start(const network::LinkPacket& packet, FrameOnLink* in) {
  in->red = Open(packet.payload, packet.header);
  in->frame = in->red;
  in->payload = packet.payload;
}

/// Adds the data of the word that goes in next. The device that sent it may have done so a link's delay ago.
void DeviceReductions::Feed(FrameOnLink* in) {
  const network::RedPacket& packet = reds_.Of(in->payload);
  const DataPart part = DataIn(in->next, packet.header);
  if (!packet.data.empty()) PutData(in->next, part, packet.data.data() + part.offset, in->red.get());
  if (in->next + 1 == in->words) reds_.Release(in->payload);
}

/// The reduction header is taken from the word, because it follows from no earlier packet. The rest of header and frame
/// follows from the registers.
FrameOnLink DeviceReductions::Begin(Cycle now, int port, const Word& word, const golden::Registers& registers) {
  const Red red = Red::UnpackBytes(word.data.data() + kHeaderBytes);
  if (red.group >= golden::kRedGroups || registers_.peer(port, red.group).role == RedRole::kNone) {
    throw LinkFailure(now, node_, port,
                      fmt::format("a reduction packet of group {} leaves, but the group has no member behind this port", red.group));
  }
  const int bytes = golden::DataBytes(red);
  if (bytes > profile_.red_bytes)
    throw LinkFailure(now, node_, port, fmt::format("a reduction packet with {} bytes of data leaves", bytes));
  const Header header = registers_.peer(port, red.group)
                            .HeaderFrom(registers.AddressOf(port), golden::RedFrame::LengthOf(profile_, bytes));
  FrameOnLink out;
  out.red = MakeRedFrame(red, golden::HeaderBits(header));
  out.frame = out.red;
  out.payload = reds_.Make(red, header.len, std::vector<std::uint8_t>(carries_[red.group] ? bytes : 0));
  return out;
}

/// The data of a word that leaves are what it says; whoever gets them is told before he reads them, for he is a link
/// away.
void DeviceReductions::TakeData(const Word& word, FrameOnLink* out) {
  const Red red = Red::UnpackBytes(out->red->bytes.data());
  const DataPart part = DataIn(out->next, red);
  if (part.bytes > 0 && carries_[red.group]) reds_.PutData(out->payload, part.offset, word.data.data(), part.bytes);
  PutData(out->next, part, word.data.data(), out->red.get());
}

}  // namespace tilefly::cosim
