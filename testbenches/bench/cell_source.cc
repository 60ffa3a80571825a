// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/cell_source.h"

#include <algorithm>

namespace tilefly::bench {
namespace {

constexpr int kCellBytes = 48;

}  // namespace

/// A packet of the size that was requested, of a kind that can be that small.
void CellSource::Start(Cycle now, const Waiting& grant) {
  const auto index = static_cast<std::uint32_t>(row_);
  const int least = std::max(profile_.min_enh_bytes, kCellBytes * (grant.cells - 1) - Header::kBytes + 1);
  const int most = std::min(profile_.mtu_bytes, kCellBytes * grant.cells - Header::kBytes);
  const int length = random_.Between(least, most, "length", now, index);
  Header header;
  header.len = static_cast<std::uint16_t>(length);
  header.vl = static_cast<std::uint8_t>(grant.vl);
  header.tc = static_cast<std::uint8_t>(random_.Below(8, "tc", now, index));
  header.kind = static_cast<std::uint8_t>(length < profile_.min_std_bytes ? random_.Between(1, 2, "kind", now, index)
                                                                          : random_.Between(0, 2, "kind", now, index));
  if (of_ring_) header.kind = static_cast<std::uint8_t>(Kind::kRed);
  header.src = static_cast<std::uint32_t>(random_.Below(1 << 20, "src", now, index));
  header.dst = static_cast<std::uint32_t>(random_.Below(1 << 20, "dst", now, index));
  header.path = static_cast<std::uint32_t>(random_.Below(1 << 30, "path", now, index));
  bytes_ = MakeWithHeader(random_, now * profile_.out_rows + row_, header).bytes;
  packet_.bad = !of_ring_ && random_.Chance(24, "bad", now, index);
  if (packet_.bad) bytes_[bytes_.size() - 1 - random_.Below(20, "bad byte", now, index)] ^= 0x55;  // its check may be anything
  packet_.input = grant.input;
  packet_.header = header;
  packet_.frame.assign(bytes_.begin() + Header::kBytes, bytes_.end());
  bytes_.resize(static_cast<std::size_t>(kCellBytes * grant.cells));
  // What stands behind the frame in its last cell does not matter.
  for (std::size_t i = packet_.frame.size() + Header::kBytes; i < bytes_.size(); ++i) {
    bytes_[i] = static_cast<std::uint8_t>(random_.Bits("rest", now, static_cast<std::uint32_t>(i)));
  }
  vl_ = grant.vl;
  cells_ = grant.cells;
  next_cell_ = 0;
}

std::optional<CellSource::Arrival> CellSource::Next(Cycle now, bool slow) {
  const auto index = static_cast<std::uint32_t>(row_);
  bool starts = false;
  if (next_cell_ == cells_) {
    if (waiting_.empty() || waiting_.front().earliest > now) return std::nullopt;
    if (slow && !of_ring_ && !random_.Spell("transfer", now, index)) return std::nullopt;
    // A packet that still arrives at its input lets others of the same input pass.
    std::size_t due = 1;
    while (due < waiting_.size() && due < 4 && waiting_[due].earliest <= now && waiting_[due].input == waiting_[0].input) ++due;
    const std::size_t which = !of_ring_ && random_.Chance(32, "pass", now, index) ? random_.Below(due, "which", now, index) : 0;
    const Waiting grant = waiting_[which];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(which));
    Start(now, grant);
    starts = true;
  }
  Arrival arrival{{}, starts ? &packet_ : nullptr};
  Cell& cell = arrival.cell;
  cell.sop = next_cell_ == 0;
  cell.eop = next_cell_ == cells_ - 1;
  cell.bad = cell.eop && packet_.bad;
  cell.src = static_cast<std::uint8_t>(packet_.input);
  cell.vl = static_cast<std::uint8_t>(vl_);
  cell.cells = static_cast<std::uint8_t>(cells_);
  std::copy_n(bytes_.begin() + kCellBytes * next_cell_, kCellBytes, cell.data.begin());
  ++next_cell_;
  return arrival;
}

}  // namespace tilefly::bench
