// SPDX-License-Identifier: Apache-2.0
#include "testbenches/lockstep/random_words.h"

#include <algorithm>
#include <cstring>

namespace tilefly::cosim {

RandomWords::RandomWords(const SwitchSetup& setup, unsigned seed)
    : setup_(setup),
      random_(seed),
      ports_(static_cast<std::size_t>(setup.profile().ports)),
      links_(static_cast<std::size_t>(setup.profile().ports)) {}

RandomWords::Mood RandomWords::NewMood() {
  constexpr std::array<int, 6> kChances = {0, 1, 16, 128, 240, 256};
  const auto any = [&] { return kChances[static_cast<std::size_t>(Below(6))]; };
  return {any(), any(), any(), any(), any() / 8, any(), any(), any() / 2, any() / 4, Below(3) == 0};
}

Word RandomWords::RandomWord(const Mood& mood) {
  Word word;
  word.valid = Chance(mood.valid);
  word.sop = Chance(mood.sop);
  word.eop = Chance(mood.eop);
  word.enh = Chance(mood.enh);
  word.err = Chance(mood.err);
  word.last = static_cast<std::uint8_t>(Below(32));
  for (std::size_t i = 0; i < word.data.size(); i += 4) {
    const std::uint32_t bits = static_cast<std::uint32_t>(random_());
    std::memcpy(word.data.data() + i, &bits, sizeof bits);
  }
  if (word.sop && word.enh && Chance(mood.sane_header)) {
    Header header = Header::UnpackBytes(word.data.data());
    header.kind = static_cast<std::uint8_t>(1 + Below(2));
    header.len = static_cast<std::uint16_t>(32 + Below(Below(8) == 0 ? 4193 : 200));
    header.hop = static_cast<std::uint8_t>(Below(6));
    header.dst = setup_.PortAddress(Below(setup_.profile().ports));
    header.PackBytes(word.data.data());
  }
  return word;
}

/// A control slot: lies now and then; true returns are repeated until they are heard.
Ctrl RandomWords::Control(Port* port, bool wild) {
  Ctrl ctrl;
  const int lane = Below(16);
  const auto at = static_cast<std::size_t>(lane);
  ctrl.credit_vl = static_cast<std::uint8_t>(lane);
  if (wild && Chance(port->mood.lying)) {
    ctrl.credit_valid = true;
    ctrl.credit_cells = static_cast<std::uint16_t>(Below(2) == 0 ? static_cast<int>(random_()) : port->returned[at] + Below(64));
  } else if (!wild || Chance(port->mood.credit)) {
    port->returned[at] = static_cast<std::uint16_t>(port->returned[at] + port->owed[at]);
    port->owed[at] = 0;
    ctrl.credit_valid = true;
    ctrl.credit_cells = port->returned[at];
  }
  if (wild && Chance(port->mood.other_control)) {
    ctrl.retry_valid = Below(2) != 0;
    ctrl.ack_valid = Below(2) != 0;
  }
  return ctrl;
}

/// The framing rules of the link page, for four lanes: counts what begins.
void RandomWords::Watch(Port* port, const Word& word) {
  if (port->words_due > 0) {
    --port->words_due;
    return;
  }
  if (port->bare_words > 0) {
    const bool taken = word.valid && !word.sop;
    port->bare_words = taken && !word.eop && port->bare_words + 1 < setup_.profile().mtu_words_std ? port->bare_words + 1 : 0;
    return;
  }
  if (!word.valid || !word.sop) return;
  ++port->begun;
  if (!word.enh) {
    port->bare_words = word.eop ? 0 : 1;
    return;
  }
  const Header header = Header::UnpackBytes(word.data.data());
  const bool bare_kind = header.kind == static_cast<std::uint8_t>(Kind::kStd);
  const int least = bare_kind ? setup_.profile().min_std_bytes : setup_.profile().min_enh_bytes;
  const bool known = header.kind <= static_cast<std::uint8_t>(Kind::kEnhIp) || header.kind == static_cast<std::uint8_t>(Kind::kRed);
  if (!known || header.len < least || header.len > setup_.profile().mtu_bytes) return;
  port->words_due = (header.len + 16 + kWordBytes - 1) / kWordBytes - 1;
}

Frame RandomWords::MakeGood(int from, int to, int length, std::uint64_t id) {
  Frame frame;
  frame.id = id;
  frame.source = from;
  frame.enh = setup_.kind(from) != PortKind::kStandard;
  frame.bytes.resize(static_cast<std::size_t>(length));
  for (auto& byte : frame.bytes) byte = static_cast<std::uint8_t>(random_());
  if (frame.enh) {
    frame.header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    frame.header.len = static_cast<std::uint16_t>(length);
    frame.header.vl = static_cast<std::uint8_t>(Below(16));
    frame.header.dst = setup_.PortAddress(to);
  } else {
    const Mac mac = setup_.PortMac(to);
    std::copy(mac.begin(), mac.end(), frame.bytes.begin());
    frame.bytes[12] = 0x88;  // an EtherType for experiments
    frame.bytes[13] = 0xB5;
  }
  std::memcpy(frame.bytes.data() + kIdAt, &id, sizeof id);
  Seal(&frame.bytes);
  return frame;
}

void RandomWords::Send(int port, const Frame& frame) {
  auto& words = ports_[static_cast<std::size_t>(port)].words;
  for (int k = 0; k < frame.slots(); ++k) words.push_back(k < frame.words() ? MakeWord(frame, k) : Word{});
}

bool RandomWords::Sending() const {
  return std::any_of(ports_.begin(), ports_.end(), [](const Port& port) { return !port.words.empty() || port.words_due > 0; });
}

const std::vector<Link>& RandomWords::Next(const std::vector<Link>& outputs, bool wild) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    const Word& out = outputs[p].word;
    if (out.valid && out.sop && out.enh) {
      const Header header = Header::UnpackBytes(out.data.data());
      port.owed[header.vl] += (header.len + 16 + kCellBytes - 1) / kCellBytes;
    }
    if (wild && --port.mood_left < 0) {
      port.mood = NewMood();
      port.mood_left = 64 + Below(1500);
      port.words.clear();
    }
    if (wild && port.mood.good && port.words.empty()) {
      const int to = Below(setup_.profile().ports);
      Send(static_cast<int>(p), MakeGood(static_cast<int>(p), to, 64 + Below(Below(8) == 0 ? 4161 : 300), 0));
    }
    Link& link = links_[p];
    link.word = Word{};
    if (!port.words.empty()) {
      link.word = port.words.front();
      port.words.pop_front();
    } else if (wild) {
      link.word = RandomWord(port.mood);
    }
    link.ctrl = Control(&port, wild);
    Watch(&port, link.word);
  }
  return links_;
}

}  // namespace tilefly::cosim
