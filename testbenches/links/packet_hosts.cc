// SPDX-License-Identifier: Apache-2.0
#include "testbenches/links/packet_hosts.h"

#include <functional>
#include <string_view>
#include <utility>

namespace tilefly::bench {
namespace {

/// A hash: a long run sends more frames than memory holds. The bytes of different frames are random.
std::size_t KeyOfFrame(const std::vector<std::uint8_t>& bytes, std::size_t from) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::hash<std::string_view>()(all.substr(from));
}

}  // namespace

void PacketBooks::Sent(const WirePacket& packet) {
  ++sent_;
  ++out_[KeyOfFrame(packet.bytes, packet.enh ? Header::kBytes : 0)];
}

void PacketBooks::Came(const std::vector<std::uint8_t>& frame, Cycle cycle) {
  const auto known = out_.find(KeyOfFrame(frame, 0));
  if (known == out_.end()) {
    ++strange_;
    return;
  }
  if (--known->second < 0 && wrong_.empty()) wrong_ = "a packet came twice in cycle " + std::to_string(cycle);
  ++received_;
}

bool PacketReader::Take(const Word& word) {
  if (!word.valid) return false;
  if (word.sop) {
    bytes_.clear();
    enh_ = word.enh;
    header_ = enh_ ? Header::UnpackBytes(word.data.data()) : Header();
  }
  bytes_.insert(bytes_.end(), word.data.begin(), word.data.begin() + word.last + 1);
  return word.eop;
}

std::vector<std::uint8_t> PacketReader::frame() const { return {bytes_.begin() + (enh_ ? Header::kBytes : 0), bytes_.end()}; }

PacketHost::PacketHost(HostSetup setup, const Stimulus& random, std::uint32_t number, PacketBooks* books)
    : setup_(std::move(setup)), random_(random), number_(number), books_(books), table_(setup_.profile) {}

void PacketHost::Step(Cycle cycle, const Link& out, Link* in) {
  *in = Link();
  Take(cycle, out.word, &in->ctrl);
  if (out.ctrl.credit_valid) credits_.Return(out.ctrl.credit_vl, out.ctrl.credit_cells, table_);
  if (next_ == packet_.words()) Start(cycle);
  if (next_ < packet_.words()) in->word = packet_.MakeWord(next_++);
}

void PacketHost::Take(Cycle cycle, const Word& word, Ctrl* slot) {
  if (!reader_.Take(word)) return;
  const Header& header = reader_.header();
  freed_[header.vl] = static_cast<std::uint16_t>(freed_[header.vl] + golden::CellsOf(header.len));
  slot->credit_valid = true;
  slot->credit_vl = header.vl;
  slot->credit_cells = freed_[header.vl];
  books_->Came(reader_.frame(), cycle);
}

void PacketHost::Start(Cycle cycle) {
  if (asked_.empty() && (stopped_ || !random_.Spell("packet", cycle, number_))) return;
  const auto vl = static_cast<std::uint8_t>(random_.Below(static_cast<std::uint64_t>(setup_.classes), "class", cycle, number_));
  if (!credits_.LaneOk(vl, table_, setup_.profile.mtu_cells)) return;
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(random_.Between(64, setup_.longest, "length", cycle, number_));
  header.tc = header.vl = vl;
  header.src = setup_.address;
  header.dst = setup_.peers[random_.Below(setup_.peers.size(), "peer", cycle, number_)];
  if (!asked_.empty()) {
    header.dst = asked_.front();
    asked_.pop_front();
  }
  header.flow = vl;
  packet_ = MakeWithHeader(random_, cycle << 8 | number_, header);
  next_ = 0;
  credits_.Grant(vl, golden::CellsOf(header.len), table_);
  books_->Sent(packet_);
}

}  // namespace tilefly::bench
