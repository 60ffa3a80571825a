// SPDX-License-Identifier: Apache-2.0
#include "testbenches/cosim/fake_switch.h"

#include <algorithm>
#include <utility>

#include "cosim/errors.h"

namespace tilefly::cosim {

FakeSwitch::FakeSwitch(const Profile& profile, Bug bug, const char* name)
    : profile_(profile),
      bug_(bug),
      name_(name),
      ports_(static_cast<std::size_t>(profile.ports)),
      outputs_(ports_.size()) {
  observation_.ports.resize(ports_.size());
  observation_.turns.resize(static_cast<std::size_t>(profile.tiles));
  observation_.reds.resize(static_cast<std::size_t>(profile.ports));
}

const std::vector<Link>& FakeSwitch::Outputs() {
  if (shown_ == cycle_) return outputs_;
  shown_ = cycle_;
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    outputs_[p] = Link{};
    if (!port.leaving.empty() && port.leaving.front().ready <= cycle_) {
      Packet& packet = port.leaving.front();
      const int k = port.next_word++;
      if (!(packet.hole && k == 1)) outputs_[p].word = MakeWord(packet.frame, k);
      if (port.next_word == packet.frame.words()) {
        port.next_word = 0;
        Port& from = ports_[static_cast<std::size_t>(packet.input)];
        from.freed[static_cast<std::size_t>(packet.lane_in)] += static_cast<std::uint16_t>(packet.frame.cells());
        if (!packet.keep_credit) from.returns.push_back(packet.lane_in);
        port.leaving.pop_front();
      }
    }
  }
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    if (port.returns.empty()) continue;
    const int lane = port.returns.front();
    port.returns.pop_front();
    Ctrl& ctrl = outputs_[p].ctrl;
    ctrl.credit_valid = true;
    ctrl.credit_vl = static_cast<std::uint8_t>(lane);
    ctrl.credit_cells = port.freed[static_cast<std::size_t>(lane)];
    if (bug_ == Bug::kExtraCredit && packets_ > kVictim) ctrl.credit_cells += 500;
  }
  return outputs_;
}

const Observation& FakeSwitch::Observe() {
  const bool wrong = bug_ == Bug::kObservation && packets_ > kVictim;
  observation_.ports[3].obuf_room = static_cast<std::uint16_t>(profile_.obuf_cells - (wrong ? 1 : 0));
  return observation_;
}

void FakeSwitch::Step(const Inputs& inputs) {
  if (bug_ == Bug::kBreaks && cycle_ == kBreaksAt) throw DeviceError("broken");
  Outputs();
  for (int p = 0; p < profile_.ports; ++p) {
    const Word& word = inputs.links[static_cast<std::size_t>(p)].word;
    if (word.valid) Arrive(p, word);
  }
  ++cycle_;
}

void FakeSwitch::Arrive(int p, const Word& word) {
  Port& port = ports_[static_cast<std::size_t>(p)];
  port.arriving.insert(port.arriving.end(), word.data.begin(),
                       word.data.begin() + (word.eop ? word.last + 1 : kWordBytes));
  if (word.eop) Forward(p);
}

void FakeSwitch::Forward(int p) {
  Port& port = ports_[static_cast<std::size_t>(p)];
  Packet packet;
  packet.input = p;
  packet.ready = cycle_ + kLatency;
  packet.frame.enh = true;
  packet.frame.header = Header::UnpackBytes(port.arriving.data());
  packet.frame.bytes.assign(port.arriving.begin() + 16, port.arriving.end());
  port.arriving.clear();
  packet.lane_in = packet.frame.header.vl;
  Header& header = packet.frame.header;
  std::size_t output = header.dst & 0x3f;
  if (header.hop >= 1 && header.hop <= 5) {
    const int at = 6 * (header.hop - 1);
    header.path = (header.path & ~(0x3fu << at)) | static_cast<std::uint32_t>(p) << at;
  }
  header.hop = static_cast<std::uint8_t>(header.hop + 1);
  const bool victim = ++packets_ == kVictim;
  if (victim) {
    if (bug_ == Bug::kCorrupt || bug_ == Bug::kBadCheck) packet.frame.bytes[30] ^= 1;
    if (bug_ == Bug::kCorrupt) Seal(&packet.frame.bytes);
    if (bug_ == Bug::kLose) return;
    if (bug_ == Bug::kWrongPort) output = (output + 1) % ports_.size();
    if (bug_ == Bug::kWrongHeader) --header.hop;
    if (bug_ == Bug::kLate) packet.ready += 100;
    packet.hole = bug_ == Bug::kHole;
    packet.keep_credit = bug_ == Bug::kLostCredit;
  }
  packet.keep_credit |= bug_ == Bug::kCreditsEnd && packets_ >= kVictim;
  auto& leaving = ports_[output].leaving;
  if (victim && bug_ == Bug::kRepeat) leaving.push_back(packet);
  leaving.push_back(std::move(packet));
  if (bug_ != Bug::kReorder || packets_ < kVictim || leaving.size() < 3) return;
  Packet& last = leaving.back();
  Packet& before = leaving[leaving.size() - 2];
  if (last.input == before.input && last.lane_in == before.lane_in) std::swap(last.frame, before.frame);
}

void FakeSwitch::CheckDrained() {
  if (bug_ == Bug::kKeepsRoom) throw DeviceError("fake: not all room is home");
}

}  // namespace tilefly::cosim
