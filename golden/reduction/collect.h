// SPDX-License-Identifier: Apache-2.0
// A launch's way along the collect lanes in one go (docs/blocks/reduction.md, Collect lanes): the parts of the ports in
// the ring's order, half 0 before half 1. When each step is follows from the launch's cycle.
#pragma once

#include <array>
#include <vector>

#include "golden/reduction/combiner.h"
#include "golden/reduction/red_part.h"
#include "golden/state/context.h"

namespace tilefly::golden {

/// What a launch collects.
struct Collected {
  RedCollect word;                       ///< at the CFU; of word 0
  std::vector<std::uint8_t> data;        ///< as many bytes as the word says; none when packets carry none
  PortMask operands = 0;                 ///< ports with operands for word 0
  std::array<std::uint8_t, 2> halves{};  ///< which half has operands for word 0

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(word, data, operands, halves);
  }
};

class Collector {
 public:
  /// `combines`: the launch is on lane UP. `small`: the group uses the small-operand engine, whose codes tell of flags.
  Collector(int ports, bool combines, bool small) : ports_(ports), combines_(combines), small_(small) {}

  /// Adds the part of `port`. Ports come in ascending order.
  void AddPart(int port, const RedPart& part);
  Collected CombineHalves();

 private:
  /// A half ring, and how far its words have come.
  struct Half {
    RedCollect word;
    std::vector<std::uint8_t> data;  ///< whole words
  };

  void Merge(const RedCollect& from, bool operands, RedCollect* into) const;
  void Combine(const RedCollect& word, const std::vector<std::uint8_t>& from, const RedCollect& part, Half* into) const;
  void Step(int k, const RedCollect& word, const Operands& own, const RedCollect& part, Half* into) const;

  int ports_;
  bool combines_;
  bool small_;
  std::array<Half, 2> halves_;
  PortMask operands_ = 0;
};

}  // namespace tilefly::golden
