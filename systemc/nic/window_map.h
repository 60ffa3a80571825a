// SPDX-License-Identifier: Apache-2.0
// Which addresses of a processor are which bytes of which remote memory (docs/systemc.md, Address windows).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tilefly::systemc {

/// Addresses of a processor that are bytes of a remote memory.
struct Window {
  std::uint64_t base;    ///< first address
  std::uint64_t size;    ///< bytes
  std::uint64_t remote;  ///< the address of `base` for a NIC: System::AddressOf(endpoint, offset)
  bool operator==(const Window& other) const {
    return base == other.base && size == other.size && remote == other.remote;
  }
};

class WindowMap {
 public:
  /// Why a window is not possible, with the remedy; empty: it is possible. A window has at least one byte, ends before
  /// the last address and within the 40 bits of the remote memory, and overlaps no other window.
  std::string Problem(const Window& window) const;
  /// Adds a window for which Problem returns nothing.
  void Add(const Window& window) { windows_.emplace(window.base, window); }
  /// Removes the window that begins at `base`. Returns false when none does.
  bool Remove(std::uint64_t base) { return windows_.erase(base) != 0; }
  bool Has(const Window& window) const;
  /// The remote address of the `bytes` bytes from `address` on; empty when they are not within one window.
  std::optional<std::uint64_t> Find(std::uint64_t address, std::uint64_t bytes) const;

 private:
  /// The last window that begins at `address` or before; null: none does.
  const Window* Before(std::uint64_t address) const;

  std::map<std::uint64_t, Window> windows_;  ///< by base; they do not overlap
};

}  // namespace tilefly::systemc
