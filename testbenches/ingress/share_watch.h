// SPDX-License-Identifier: Apache-2.0
// What a run met of the class shares: functional bins, found from golden's accounts before and after each cycle.
#pragma once

#include <algorithm>
#include <array>
#include <map>

#include "golden/ports/input_port.h"
#include "testbenches/bench/comparison.h"

namespace tilefly::bench {

class ShareWatch {
 public:
  /// Of port number `number` of a switch whose largest packet has `mtu_cells`.
  ShareWatch(Comparison* run, const golden::InputPort& port, int number, int mtu_cells)
      : run_(*run), port_(port), number_(number), mtu_cells_(mtu_cells) {
    by_cap_ = run_.AddBin("a drop by a class's cap", 1);
    by_sum_ = run_.AddBin("a drop by what the classes share", 1);
    to_cap_ = run_.AddBin("a class holds exactly its cap", 1);
    to_sum_ = run_.AddBin("the classes hold exactly what they share", 1);
    one_below_ = run_.AddBin("a packet is let in one cell below the cap", 1);
    lossless_ = run_.AddBin("a lossless class takes more than its share", 1);
    switched_on_ = run_.AddBin("a class turns lossy while packets are inside", 1);
    switched_off_ = run_.AddBin("the last class turns lossless while cells are accounted", 1);
    in_and_out_ = run_.AddBin("a packet is accounted while another leaves", 1);
    copy_ = run_.AddBin("a copy leaves and its packet's cells stay accounted", 1);
    last_copy_ = run_.AddBin("a replicated packet's last copy ends its account", 1);
    for (const bool cut_through : {false, true}) {
      mtu_[cut_through] = run_.AddBin(cut_through ? "CLASS_MTU of a packet cut through" : "CLASS_MTU of a stored packet", 1);
      full_[cut_through] = run_.AddBin(cut_through ? "CLASS_FULL of a packet cut through" : "CLASS_FULL of a stored packet", 1);
    }
  }

  /// Before a cycle of golden.
  void Before() {
    shares_ = *port_.registers().port(number_).shares;
    for (int c = 0; c < kClasses; ++c) used_[c] = port_.account().used(c);
    inside_ = port_.packets();
  }

  /// After it. `drops` has a bit for each reason for which a packet was dropped; `all_stored` and `all_cut_through` say what is
  /// known of the packets inside.
  void After(const golden::InputPort::Outputs& outputs, unsigned drops, bool all_stored, bool all_cut_through) {
    const bool full = ((drops >> static_cast<int>(Drop::kClassFull)) & 1) != 0;
    const bool mtu = ((drops >> static_cast<int>(Drop::kClassMtu)) & 1) != 0;
    run_.Hit(mtu_[0], mtu && all_stored);
    run_.Hit(mtu_[1], mtu && all_cut_through);
    run_.Hit(full_[0], full && all_stored);
    run_.Hit(full_[1], full && all_cut_through);
    if (full && all_stored) Cause();
    const bool leaves = outputs.cell && outputs.cell->cell.eop;
    Growth(leaves);
    Switches();
    if (outputs.cell) Departure(outputs.cell->cell);
  }

 private:
  static constexpr int kClasses = golden::kMaxClasses;

  /// Cells that the classes take of the shared part, when class `c` has `more`.
  int Taken(int c, int more) const {
    int taken = 0;
    for (int w = 0; w < kClasses; ++w) taken += std::max(0, used_[w] + (w == c ? more : 0) - shares_.classes[w].reserve);
    return taken;
  }

  /// A stored packet was judged too much in this cycle. Of which class is not known: the cause is certain when it can only be
  /// one of the two.
  void Cause() {
    bool cap = false, sum = false;
    for (int c = 0; c < kClasses; ++c) {
      if (!shares_.lossy(c)) continue;
      cap = cap || used_[c] + mtu_cells_ > shares_.classes[c].cap;
      sum = sum || Taken(c, mtu_cells_) > shares_.shared;
    }
    run_.Hit(by_cap_, cap && !sum);
    run_.Hit(by_sum_, sum && !cap);
  }

  void Growth(bool leaves) {
    for (int c = 0; c < kClasses; ++c) {
      const int now = port_.account().used(c);
      if (now <= used_[c]) continue;
      const int cap = shares_.classes[c].cap;
      run_.Hit(in_and_out_, leaves);
      run_.Hit(lossless_, !shares_.lossy(c) && now > cap);
      run_.Hit(to_cap_, shares_.lossy(c) && now == cap);
      run_.Hit(one_below_, shares_.lossy(c) && now == cap - 1);
      run_.Hit(to_sum_, shares_.lossy(c) && !leaves && Taken(c, now - used_[c]) == shares_.shared);
    }
  }

  void Switches() {
    const bool accounts = std::any_of(used_.begin(), used_.end(), [](int used) { return used != 0; });
    const unsigned lossy = port_.registers().port(number_).shares->lossy_classes;
    run_.Hit(switched_on_, shares_.lossy_classes == 0 && lossy != 0 && inside_ > 1);
    run_.Hit(switched_off_, shares_.lossy_classes != 0 && lossy == 0 && accounts);
  }

  /// Copies of a packet with header are told from others by its source, which is random.
  void Departure(const Cell& cell) {
    if (cell.sop) header_ = golden::HeaderBits(cell.data.data()).Unpack();
    if (!cell.eop || header_.dst != golden::HeaderBits::kReplicated || used_[header_.tc] == 0) return;
    const bool ends = port_.account().used(header_.tc) < used_[header_.tc];
    const int copies = ++copies_[header_.src];
    run_.Hit(copy_, !ends);
    run_.Hit(last_copy_, ends && copies > 1);
    if (ends) copies_.erase(header_.src);
  }

  Comparison& run_;
  const golden::InputPort& port_;
  int number_;
  int mtu_cells_;
  Bin by_cap_{}, by_sum_{}, to_cap_{}, to_sum_{}, one_below_{}, lossless_{}, switched_on_{}, switched_off_{}, in_and_out_{};
  Bin copy_{}, last_copy_{};
  std::array<Bin, 2> mtu_{}, full_{};  ///< stored, cut through
  golden::ClassShares shares_;         ///< before the cycle
  std::array<int, kClasses> used_{};   ///< before the cycle
  std::size_t inside_ = 0;             ///< before the cycle
  Header header_{};                    ///< of the packet that leaves
  std::map<std::uint32_t, int> copies_;
};

}  // namespace tilefly::bench
