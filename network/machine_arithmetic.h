// SPDX-License-Identifier: Apache-2.0
// Elements of reductions as numbers of this machine, to compare with what combiners make of them
// (docs/blocks/arithmetic.md, Types and operations). For numbers: no NaN, no -0.
#pragma once

#include <cstdint>
#include <vector>

#include "golden/reduction/arithmetic.h"

namespace tilefly::network {

/// An element: a lane, with records a value and its index.
struct Element {
  std::int64_t whole = 0;   ///< value of an integer
  double real = 0;          ///< of a floating type, which holds it exactly
  std::uint64_t index = 0;  ///< of a record
};

class MachineArithmetic {
 public:
  MachineArithmetic(RedOp op, RedType type) : op_(op), type_(type) {}

  /// An element made of 64 random bits, which the type holds exactly; not 0 when floating.
  Element Drawn(std::uint64_t bits) const;
  /// What the operation makes of two; `number`: the element's place in a word.
  Element Combined(const Element& a, const Element& b, int number) const;
  /// Appends its bytes.
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
