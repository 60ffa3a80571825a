// SPDX-License-Identifier: Apache-2.0
// The order of combination (docs/blocks/reduction.md, Collect lanes): the parts of the ports go along two half rings,
// which meet at the CFU. Golden's arithmetic combines the words.
#pragma once

#include <array>
#include <vector>

#include "golden/reduction/red_part.h"

namespace tilefly::systemc {

/// What a launch brings to the CFU.
struct Collection {
  RedCollect word;                 ///< fields
  std::vector<std::uint8_t> data;  ///< as many bytes as the fields say, none without operands
};

class HalfRings {
 public:
  /// Half rings of a switch with `ports` ports. `combines`: lane UP. `small`: the group uses the small-operand engine,
  /// whose codes tell of flags.
  HalfRings(int ports, bool combines, bool small) : ports_(ports), combines_(combines), small_(small) {}

  /// Passes the part of `port`. Ports come in ascending order.
  void Pass(int port, const golden::RedPart& part) {
    Step(part.record, HasOperands(part.record), part.data, &halves_[port >= ports_ / 2]);
  }
  /// Combines the two halves.
  Collection CombineHalves();

 private:
  struct Half {
    RedCollect word;
    std::vector<std::uint8_t> data;  ///< whole words
  };
  static bool HasOperands(const RedCollect& part) { return part.full && part.bytes > 0; }
  /// A part or a half, with operands or without, meets what came before.
  void Step(const RedCollect& fields, bool operands, const std::vector<std::uint8_t>& data, Half* into) const;
  void MergeFields(const RedCollect& from, bool operands, RedCollect* into) const;
  void CombineData(const RedCollect& from, const std::vector<std::uint8_t>& data, Half* into) const;

  int ports_;
  bool combines_;
  bool small_;
  std::array<Half, 2> halves_;
};

}  // namespace tilefly::systemc
