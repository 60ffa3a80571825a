// SPDX-License-Identifier: Apache-2.0
// Structs of the link and the register bus as vectors of bits, in the order of their SystemVerilog types
// (docs/reference/wire.md).
#pragma once

#include <systemc>

#include "generated/wire.h"

namespace tilefly::systemc {

/// The pins of a packed struct.
template <typename T>
using Pins = sc_dt::sc_bv<T::kWidth>;

template <typename T>
Pins<T> ToPins(const T& value) {
  std::uint32_t words[T::kWords] = {};
  value.PackAt(words, 0);
  Pins<T> pins;
  for (int i = 0; i < T::kWords; ++i) pins.set_word(i, words[i]);
  return pins;
}

template <typename T>
T FromPins(const Pins<T>& pins) {
  std::uint32_t words[T::kWords];
  std::uint32_t any = 0;
  for (int i = 0; i < T::kWords; ++i) any |= words[i] = pins.get_word(i);
  return any == 0 ? T{} : T::UnpackAt(words, 0);
}

}  // namespace tilefly::systemc
