// SPDX-License-Identifier: Apache-2.0
// Reduction packets at a device of a system: those that come end in it, those that leave it has made
// (docs/network.md, Devices).
#include <fmt/format.h>

#include "cosim/system/device_node.h"
#include "golden/reduction/red_part.h"
#include "support/errors.h"

namespace tilefly::cosim {

void DeviceNode::WriteReduction(const Cfg& write) {
  const int group = red_registers_.Write(write);
  if (group < 0 || !red_registers_.tree(group).valid) return;
  in_tree_ = true;
  if (devices_.a().NextChange() != Device::kUnknown) return;
  throw UsageError(fmt::format(
      "--device: switch {} is a node of a job's reduction tree, and device {} does not tell when it acts by "
      "itself (Device::NextChange); choose another device or switch, or an algorithm of the hosts",
      index_, devices_.a().Name()));
}

/// Trees are such that a packet crosses one link. Packets without bytes have zeros.
void DeviceNode::StartReduction(const network::LinkPacket& packet, Sending* in) {
  const Red& red = context_->reds.Of(packet.payload).header;
  if (!in_tree_ || !packet.header.an())
    throw std::logic_error("network: a reduction packet that is not for the device");
  in->red = MakeRedFrame(red, packet.header);
  in->frame = in->red;
  in->payload = packet.payload;
  if (golden::DataBytes(red) > 0) carries_.at(red.group) = !context_->reds.Of(packet.payload).data.empty();
}

/// The next word goes in: its data, which a device before this one may have sent a link's delay ago.
void DeviceNode::FeedReduction(Sending* in) {
  const network::RedPacket& packet = context_->reds.Of(in->payload);
  const DataPart part = DataIn(in->next, packet.header);
  if (!packet.data.empty()) PutData(in->next, part, packet.data.data() + part.offset, in->red.get());
  if (in->next + 1 == in->words) context_->reds.Release(in->payload);
}

/// What the reduction header says follows from no packet before; all else of header and frame does.
void DeviceNode::BeginReduction(int port, const Word& word) {
  const Red red = Red::UnpackBytes(word.data.data() + kHeaderBytes);
  if (red.group >= golden::kRedGroups || red_registers_.peer(port, red.group).role == RedRole::kNone)
    Fail(port, fmt::format("a reduction packet of group {} leaves, which has nobody there", red.group));
  const int bytes = golden::DataBytes(red);
  if (bytes > profile_.red_bytes) Fail(port, fmt::format("a reduction packet with {} bytes of data leaves", bytes));
  const Header header = red_registers_.peer(port, red.group)
                            .HeaderFrom(registers_.AddressOf(port), golden::RedFrame::LengthOf(profile_, bytes));
  Sending out;
  out.red = MakeRedFrame(red, golden::HeaderBits(header));
  out.frame = out.red;
  out.payload = context_->reds.Make(red, header.len, std::vector<std::uint8_t>(carries_[red.group] ? bytes : 0));
  Send(port, std::move(out));
}

/// The data of a word that leaves are what it says; whoever gets them is told before he reads them, for he is a link
/// away.
void DeviceNode::TakeData(const Word& word, Sending* out) {
  const Red red = Red::UnpackBytes(out->red->bytes.data());
  const DataPart part = DataIn(out->next, red);
  if (part.bytes > 0 && carries_[red.group])
    context_->reds.PutData(out->payload, part.offset, word.data.data(), part.bytes);
  PutData(out->next, part, word.data.data(), out->red.get());
}

/// The NIC is told when the last word leaves, with which the data are there.
void DeviceNode::BringReduction(int port, golden::Payload, Cycle last) {
  ports_[static_cast<std::size_t>(port)].brought = last;
}

void DeviceNode::EndReduction(int port) {
  Port& own = ports_[static_cast<std::size_t>(port)];
  if (far(port).node < 0) Node::BringReduction(port, own.out.payload, own.brought);
  own.out = {};
}

}  // namespace tilefly::cosim
