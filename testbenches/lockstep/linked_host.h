// SPDX-License-Identifier: Apache-2.0
// A host at a port of a switch: sends packets that somebody draws, some of which break off, takes what comes, and returns its
// credits at once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "golden/common/stage_times.h"
#include "golden/credit/credit_sender.h"
#include "testbenches/bench/wire_packet.h"

namespace tilefly::bench {

class LinkedHost {
 public:
  /// At a port with credits and headers, or, `bare`, at a standard port; the host sends on `lanes` SerDes lanes.
  LinkedHost(const Profile& profile, bool bare, int lanes) : profile_(profile), bare_(bare), lanes_(lanes) {}

  bool bare() const { return bare_; }
  /// May start a packet of the lane in cycle `now`.
  bool Ready(Cycle now, int vl) const { return now >= free_ && (bare_ || credits_.LaneOk(vl, table_, profile_.mtu_cells)); }
  /// Starts a packet in cycle `now`. Words from `cut` on do not come; `cut` of no word or more words than there are: all come.
  void Start(Cycle now, WirePacket packet, int cut) {
    packet_ = std::move(packet);
    next_ = 0;
    cut_ = cut;
    began_ = now;
    free_ = now + golden::CeilDiv(4 * packet_.words(), lanes_) + (bare_ ? 2 : 0);
    if (bare_) return;
    const Header header = Header::UnpackBytes(packet_.bytes.data());
    credits_.Grant(header.vl, golden::CellsOf(header.len), table_);
  }
  /// What the host puts on its link in cycle `now`, in which `out` comes from the switch. `take(bytes, header)` is called for
  /// every packet that has come, `header` null for a bare frame.
  template <typename Take>
  Link Step(Cycle now, const Link& out, Take&& take) {
    Link in;
    if (out.ctrl.credit_valid && !bare_) credits_.Return(out.ctrl.credit_vl, out.ctrl.credit_cells, table_);
    if (out.word.valid) Come(out.word, &in.ctrl, take);
    if (next_ < packet_.words() && now == began_ + golden::WordOffset(next_, lanes_)) {
      if (cut_ <= 0 || next_ < cut_) in.word = packet_.MakeWord(next_);
      ++next_;
    }
    return in;
  }

 private:
  template <typename Take>
  void Come(const Word& word, Ctrl* ctrl, Take&& take) {
    if (word.sop) {
      coming_.clear();
      has_header_ = word.enh;
    }
    coming_.insert(coming_.end(), word.data.begin(), word.data.begin() + word.last + 1);
    if (!word.eop) return;
    if (!has_header_) return take(coming_, nullptr);
    const Header header = Header::UnpackBytes(coming_.data());
    freed_[header.vl] = static_cast<std::uint16_t>(freed_[header.vl] + golden::CellsOf(header.len));
    ctrl->credit_valid = true;
    ctrl->credit_vl = header.vl;
    ctrl->credit_cells = freed_[header.vl];
    take(coming_, &header);
  }

  const Profile& profile_;
  const bool bare_;
  const int lanes_;
  golden::CreditTable table_{profile_};
  golden::CreditSender credits_;
  WirePacket packet_;
  int next_ = 0, cut_ = 0;
  Cycle began_ = 0, free_ = 0;
  std::vector<std::uint8_t> coming_;
  bool has_header_ = false;
  std::array<std::uint16_t, golden::kMaxLanes> freed_{};
};

}  // namespace tilefly::bench
