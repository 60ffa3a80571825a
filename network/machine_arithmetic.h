// SPDX-License-Identifier: Apache-2.0
// Computes elements of reductions as numbers of this machine, to compare them with the results of combiners
// (docs/blocks/arithmetic.md, Types and operations). It is for numbers only: no NaN, no -0.
#pragma once

#include <cstdint>
#include <vector>

#include "golden/reduction/arithmetic.h"

namespace tilefly::network {

/// An element: a lane, or a record of a value and its index.
struct Element {
  std::int64_t whole = 0;   ///< value of an integer type
  double real = 0;          ///< value of a floating type, which a double holds exactly
  std::uint64_t index = 0;  ///< index of a record
};

class MachineArithmetic {
 public:
  MachineArithmetic(RedOp op, RedType type) : op_(op), type_(type) {}

  /// An element made from 64 random bits, which the type holds exactly; not 0 for a floating type.
  Element Drawn(std::uint64_t bits) const;
  /// The result of the operation for two elements. `number`: the place of the element in its word.
  Element Combined(const Element& a, const Element& b, int number) const;
  /// Appends the bytes of the element.
  void Put(const Element& element, std::vector<std::uint8_t>* bytes) const;

 private:
  bool is_float() const { return golden::IsFloat(type_); }
  bool TakesLeast(int number) const;
  double Rounded(double value) const;
  std::uint64_t BitsOf(double value) const;
  void PutBits(std::uint64_t bits, std::vector<std::uint8_t>* bytes) const;

  RedOp op_;
  RedType type_;
};

}  // namespace tilefly::network
