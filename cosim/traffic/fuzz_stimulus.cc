// SPDX-License-Identifier: Apache-2.0
#include "cosim/traffic/fuzz_stimulus.h"

#include <algorithm>

namespace tilefly::cosim {

FuzzStimulus::FuzzStimulus(const Profile& profile, unsigned seed) : profile_(profile), random_(seed), ports_(profile.ports) {
  inputs_.links.resize(ports_.size());
  inputs_.link_up.assign(ports_.size(), true);
  calm_ = 1 << Below(7);
  busy_ = 1 << Below(8);
  for (int i = 0; i < 12; ++i) macs_.push_back((std::uint64_t{random_()} << 16 ^ random_()) & 0xFFFFFFFFFFFF);
}

std::uint64_t FuzzStimulus::RandomMac() {
  switch (Below(8)) {
    case 0:
      return 0xFFFFFFFFFFFF;
    case 1:
      return 0x0180C2000001;
    case 2:
      return macs_[Below(12)];
    case 3:
      return std::uint64_t{random_()} << 16;
    default: {
      const int group = OneIn(6) ? Below(OneIn(4) ? 512 : kGroups) : kGroup;
      const int switch_number = OneIn(6) ? Below(32) : kSwitch;
      const int port = OneIn(16) ? Below(64) : Below(profile_.ports);
      return ToBits(AddressMac(Address(group, switch_number, port)));
    }
  }
}

Header FuzzStimulus::RandomHeader(int length) {
  Header header;
  header.kind = static_cast<std::uint8_t>(OneIn(4 * calm_) ? Below(8) : Below(3));
  header.len = static_cast<std::uint16_t>(OneIn(8 * calm_) ? Below(8192) : length);
  header.tc = static_cast<std::uint8_t>(Below(8));
  header.vl = static_cast<std::uint8_t>(Below(16));
  header.hop = static_cast<std::uint8_t>(OneIn(8) ? Below(16) : Below(OneIn(2) ? 2 : 5));
  header.path = random_() & 0x3FFFFFFF;
  header.flow = RandomFlow();
  header.gen = header.path & 1;
  header.ordered = OneIn(2);
  header.mode = static_cast<std::uint8_t>(Below(8));
  header.src = Address(OneIn(2) ? kGroup : Below(kGroups), OneIn(4) ? kSwitch : Below(32), Below(64));
  header.via = static_cast<std::uint16_t>((OneIn(3) ? kGroup : Below(kGroups)) << 5 | (OneIn(3) ? kSwitch : Below(32)));
  header.via_valid = OneIn(2);
  header.dst = OneIn(16) ? kReplicated : static_cast<std::uint32_t>(RandomMac() & 0xFFFFF);
  if (OneIn(3)) {
    header.dst = Address(OneIn(3) ? kGroup : Below(kGroups), Below(32), Below(64));
  } else if (!OneIn(6)) {
    header.dst = Address(kGroup, kSwitch, Below(profile_.ports));
  }
  if (OneIn(8)) {  // for the switch itself, which is no aggregation node of any group
    header.kind = static_cast<std::uint8_t>(Kind::kRed);
    header.an = !OneIn(8);
  }
  return header;
}

Bytes FuzzStimulus::MakeFrame(bool enh, int length) {
  Bytes bytes(length);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_());
  if (!enh && length >= 24) {
    const std::uint64_t mac = RandomMac();
    for (int i = 0; i < 6; ++i) bytes[i] = static_cast<std::uint8_t>(mac >> 8 * (5 - i));
    constexpr std::array<std::uint16_t, 6> kTypes = {0x0800, 0x86DD, 0x8100, 0x88A8, 0x8808, 0x1234};
    const std::uint16_t type = mac == 0x0180C2000001 ? kTypes[4] : kTypes[Below(6)];
    const std::uint16_t inner = kTypes[Below(6)];
    bytes[12] = static_cast<std::uint8_t>(type >> 8);
    bytes[13] = static_cast<std::uint8_t>(type);
    bytes[16] = static_cast<std::uint8_t>(inner >> 8);
    bytes[17] = static_cast<std::uint8_t>(inner);
    if (type == kTypes[4]) {
      bytes[14] = static_cast<std::uint8_t>(OneIn(2));
      bytes[15] = static_cast<std::uint8_t>(!OneIn(8));
      if (bytes[14] == 0 || OneIn(2)) bytes[16] = 0;
      for (int i = 18; i < std::min(34, length - 4); i += 2) bytes[i] = 0;
    }
  }
  if (length >= 5) Seal(&bytes, OneIn(8 * calm_));
  if (OneIn(8 * calm_)) bytes[Below(length)] ^= static_cast<std::uint8_t>(1 + Below(255));
  return bytes;
}

void FuzzStimulus::MakePacket(Port* port) {
  Frame frame;
  frame.enh = port->mode.cut_through ? !OneIn(8) : OneIn(2);
  constexpr std::array<int, 5> kLongest = {16, 64, 256, 1000, 4300};
  const int least = OneIn(4 * calm_) ? 1 : frame.enh ? 32 : 64;
  const bool too_long = OneIn(16 * calm_);
  const int length = too_long ? profile_.mtu_bytes + 1 + Below(600)
                              : std::min(least + Below(kLongest[Below(5)]), profile_.mtu_bytes);
  frame.header = RandomHeader(length);
  if (frame.enh && frame.header.kind == 0 && !OneIn(2 * calm_)) frame.header.kind = 1;
  frame.bytes = MakeFrame(frame.enh, length);
  std::vector<Word> words;
  for (int k = 0; k < frame.words(); ++k) words.push_back(MakeWord(frame, k));
  if (OneIn(4 * calm_)) Damage(&words);
  port->words.assign(words.begin(), words.end());
}

void FuzzStimulus::Damage(std::vector<Word>* words) {
  const std::size_t at = random_() % words->size();
  Word& word = (*words)[at];
  switch (Below(9)) {
    case 0:
      word.valid = false;
      break;
    case 1:
      word.err = true;
      break;
    case 2:
      word.eop = !word.eop;
      break;
    case 3:
      word.sop = !word.sop;
      break;
    case 4:
      word.last = static_cast<std::uint8_t>(Below(32));
      break;
    case 5:
      words->resize(at + 1);
      break;
    case 6:
      words->insert(words->begin() + static_cast<std::ptrdiff_t>(at), word);
      break;
    case 7:
      for (auto& byte : word.data) byte = static_cast<std::uint8_t>(random_());
      break;
    default:
      word.enh = !word.enh;
      break;
  }
}

void FuzzStimulus::SendWord(Cycle now, int port_number, bool traffic) {
  Port& port = ports_[port_number];
  Word& word = inputs_.links[port_number].word;
  word = Word{};
  if (port.words.empty() && traffic && OneIn(busy_)) {
    MakePacket(&port);
    port.packet_start = now;
    port.word_number = 0;
  }
  if (port.words.empty()) {
    if (!traffic || !OneIn(40 * calm_)) return;
    for (auto& byte : word.data) byte = static_cast<std::uint8_t>(random_());
    word.valid = true;
    word.sop = OneIn(4);
    word.eop = OneIn(4);
    word.enh = OneIn(2);
    word.last = static_cast<std::uint8_t>(Below(32));
    return;
  }
  if (now < port.packet_start + WordOffset(port.word_number, port.mode.lanes)) {
    if (OneIn(100 * calm_)) word = port.words.front();
    return;
  }
  word = port.words.front();
  port.words.pop_front();
  ++port.word_number;
}

/// Acks of packets that nobody has sent: for ports that there are, mostly, or of random bits.
void FuzzStimulus::SendAck(int port, bool traffic) {
  Ctrl& ctrl = inputs_.links[port].ctrl;
  if (!traffic || !OneIn(4 * busy_)) return;
  ctrl.ack_valid = true;
  ctrl.ack_mark = OneIn(2);
  ctrl.ack_load = random_() & 0xfff;
  ctrl.ack_flow = RandomFlow();
  ctrl.ack_cells = static_cast<std::uint8_t>(Below(OneIn(4) ? 128 : 8));
  ctrl.ack_hops = static_cast<std::uint8_t>(Below(OneIn(8) ? 8 : 6));
  ctrl.ack_port = static_cast<std::uint8_t>(Below(OneIn(8 * calm_) ? 64 : profile_.ports));
  for (int hop = 0; hop < 5; ++hop) {
    ctrl.ack_path |= static_cast<std::uint32_t>(Below(OneIn(8 * calm_) ? 64 : profile_.ports)) << 6 * hop;
  }
  // Bits of what is drawn: the fields have any value, and the draws of a run stay what they were without them.
  ctrl.ack_share = ctrl.ack_load ^ 0x5a5;
  ctrl.ack_by_class = ctrl.ack_flow >> 1 & 1;
  ctrl.ack_gen = ctrl.ack_load & 1;
  ctrl.ack_tc = ctrl.ack_load >> 1 & 7;
  ctrl.ack_dst = ctrl.ack_path & 0xfffff;
}

/// Few flows mostly, so that they have several packets in flight.
std::uint16_t FuzzStimulus::RandomFlow() { return static_cast<std::uint16_t>(OneIn(8) ? Below(1024) : Below(3)); }

/// Cells of what leaves are owed to the switch.
void FuzzStimulus::Collect(int port, const Link& link) {
  if (!link.word.valid || !link.word.sop || !link.word.enh) return;
  const Header header = Header::UnpackBytes(link.word.data.data());
  ports_[port].owed[header.vl] += (header.len + 16 + kCellBytes - 1) / kCellBytes;
}

void FuzzStimulus::SendCredit(int port_number, bool traffic) {
  Port& port = ports_[port_number];
  Ctrl& ctrl = inputs_.links[port_number].ctrl;
  ctrl = Ctrl{};
  if (traffic && OneIn(500 * calm_)) {
    ctrl.credit_valid = true;
    ctrl.credit_vl = static_cast<std::uint8_t>(Below(16));
    ctrl.credit_cells = static_cast<std::uint16_t>(random_());
    // A number that happens to make sense would let the sender send too much for ever: stay behind what was returned.
    ctrl.credit_cells = static_cast<std::uint16_t>(port.returned[ctrl.credit_vl] - 1 - Below(1000));
    return;
  }
  if (traffic && OneIn(3)) return;
  const int v = Below(16);
  if (port.owed[v] == 0 && traffic) return;  // later repeated: what came while the link was down was not heard
  port.returned[v] = static_cast<std::uint16_t>(port.returned[v] + port.owed[v]);
  port.owed[v] = 0;
  ctrl.credit_valid = true;
  ctrl.credit_vl = static_cast<std::uint8_t>(v);
  ctrl.credit_cells = port.returned[v];
}

const Device::Inputs& FuzzStimulus::Next(Cycle now, const std::vector<Link>& outputs, bool traffic) {
  inputs_.cfg = traffic && OneIn(50 * calm_) ? RandomWrite() : Cfg{};
  for (int p = 0; p < profile_.ports; ++p) {
    if (traffic && inputs_.link_up[p] && OneIn(3000 * calm_)) {
      inputs_.link_up[p] = false;
    } else if (!inputs_.link_up[p] && (!traffic || OneIn(200))) {
      inputs_.link_up[p] = true;
    }
    Collect(p, outputs[p]);
    SendWord(now, p, traffic);
    SendCredit(p, traffic);
    SendAck(p, traffic);
  }
  return inputs_;
}

}  // namespace tilefly::cosim
