// SPDX-License-Identifier: Apache-2.0
// The data crossbar's column channels as intervals (docs/blocks/crossbar.md): which cells are on them, for the observation of
// the turn tiles and for XBAR-1.
#pragma once

#include <vector>

#include "generated/wire.h"
#include "golden/common/audit.h"

namespace tilefly::golden {

class ColumnChannels {
 public:
  /// A packet's cells, on an output of a turn tile from cycle `first` to `last`.
  struct Passage {
    Cycle first;
    Cycle last;
    std::uint8_t tile;
    std::uint8_t output;
    std::uint8_t input;
  };

  void Carry(const Passage& passage) { passages_.push_back(passage); }
  void Clear() { passages_.clear(); }

  /// Adds the cells of cycle `now` to the observation records of the turn tiles, and forgets passages that are over.
  void Show(Cycle now, std::vector<Turnobs>* turns) {
    std::size_t kept = 0;
    for (const Passage& on : passages_) {
      if (on.first <= now) {
        Turnobs& turn = (*turns)[on.tile];
        turn.valid = static_cast<std::uint8_t>(turn.valid | 1u << on.output);
        turn.inputs |= static_cast<std::uint32_t>(on.input) << 4 * on.output;
      }
      if (on.last > now) passages_[kept++] = on;
    }
    passages_.resize(kept);
  }

  /// Checks XBAR-1: no two packets meet on an output of a turn tile.
  void Check(Audit* audit) const {
    for (std::size_t i = 0; i < passages_.size(); ++i) {
      for (std::size_t j = i + 1; j < passages_.size(); ++j) {
        const Passage& a = passages_[i];
        const Passage& b = passages_[j];
        const bool meet = a.tile == b.tile && a.output == b.output && a.first <= b.last && b.first <= a.last;
        audit->Require("XBAR-1", !meet, a.tile, a.output);
      }
    }
  }

 private:
  std::vector<Passage> passages_;
};

}  // namespace tilefly::golden
