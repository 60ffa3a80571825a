// SPDX-License-Identifier: Apache-2.0
// Fields of a Verilated model's ports, which are integers up to 64 bits and arrays of 32-bit words beyond.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "generated/wire.h"

namespace tilefly::bench {

/// Bits [lsb +: width] of a port, width at most 64.
template <typename Port>
std::uint64_t Get(const Port& port, int lsb, int width) {
  if constexpr (std::is_integral_v<Port>) {
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    return (static_cast<std::uint64_t>(port) >> lsb) & mask;
  } else {
    return GetBits(&port[0], lsb, width);
  }
}

/// Sets bits [lsb +: width] of a port, width at most 64; the other bits stay.
template <typename Port>
void Put(Port* port, int lsb, int width, std::uint64_t value) {
  if constexpr (std::is_integral_v<Port>) {
    const std::uint64_t mask = (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1) << lsb;
    *port = static_cast<Port>((static_cast<std::uint64_t>(*port) & ~mask) | ((value << lsb) & mask));
  } else {
    PutBits(&(*port)[0], lsb, width, value);
  }
}

/// The packed struct at bit `lsb` of a port.
template <typename T, typename Port>
T GetStruct(const Port& port, int lsb = 0) {
  if constexpr (std::is_integral_v<Port>) {
    return T::FromBits(Get(port, lsb, T::kWidth));
  } else {
    return T::UnpackAt(&port[0], lsb);
  }
}

/// Puts a packed struct at bit `lsb` of a port; the other bits stay.
template <typename T, typename Port>
void PutStruct(Port* port, int lsb, const T& value) {
  if constexpr (std::is_integral_v<Port>) {
    Put(port, lsb, T::kWidth, value.ToBits());
  } else {
    value.PackAt(&(*port)[0], lsb);
  }
}

/// Sets all bits of a port to zero.
template <typename Port>
void Clear(Port* port) {
  if constexpr (std::is_integral_v<Port>) {
    *port = 0;
  } else {
    std::memset(&(*port)[0], 0, sizeof *port);
  }
}

}  // namespace tilefly::bench
