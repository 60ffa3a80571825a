// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/stream_hosts.h"

namespace tilefly::golden {

int StreamHosts::Lock(int number, int count) {
  Red lock = ShortHeader(group_, number, RedAction::kLock);
  lock.count = static_cast<std::uint16_t>(count);
  lock.empty = true;
  ForEachBit(ports_, [&](int p) { rig_.Send(p, rig_.now(), lock, {}); });
  const std::size_t before = rig_.got.size();
  int answers = 0;
  int tag = -1;
  for (int i = 0; i < 2000 && answers < __builtin_popcountll(ports_); ++i) {
    rig_.Step();
    answers = 0;
    for (std::size_t k = before; k < rig_.got.size(); ++k) {
      const Red& red = rig_.got[k].red;
      if (red.what != static_cast<std::uint8_t>(RedWhat::kShortResult) || red.group != group_) continue;
      ++answers;
      tag = red.code == 0 ? red.tag : -1;
    }
  }
  if (tag >= 0) set_tag(tag);
  seen_ = rig_.got.size();
  return tag;
}

void StreamHosts::Step() {
  ForEachBit(ports_, [&](int p) {
    Host& host = hosts_[p];
    while (host.sent < segments_ && host.sent < rig_.profile().red_segments + static_cast<int>(host.credit)) {
      Red red = what_;
      red.seq = static_cast<std::uint16_t>(host.sent);
      red.ends = Ends(host.sent);
      const std::vector<std::uint8_t> data = operands_(p, host.sent);
      red.empty = data.empty();
      rig_.Send(p, rig_.now(), red, data);
      ++host.sent;
    }
  });
  rig_.Step();
  for (; seen_ < rig_.got.size(); ++seen_) heard_.emplace(rig_.got[seen_].last_word() + 1, rig_.got[seen_]);
  while (!heard_.empty() && heard_.begin()->first <= rig_.now()) {
    const RedRig::Got packet = heard_.begin()->second;
    heard_.erase(heard_.begin());
    if (packet.red.group != group_ || (ports_ & Bit(packet.port)) == 0) continue;
    Host& host = hosts_[packet.port];
    if (packet.red.what == static_cast<std::uint8_t>(RedWhat::kResult)) ++host.results;
    if (packet.red.what == static_cast<std::uint8_t>(RedWhat::kCredit)) {
      host.credit += (packet.red.credit - host.credit) & 0xFF;
    }
  }
}

bool StreamHosts::Run(Cycle most) {
  for (Cycle i = 0; i < most; ++i) {
    Step();
    bool all = true;
    ForEachBit(ports_, [&](int p) { all = all && hosts_[p].results == segments_; });
    if (all) return true;
  }
  return false;
}

}  // namespace tilefly::golden
