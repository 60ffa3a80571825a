// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/window_map.h"

#include <iterator>
#include <sstream>

#include "systemc/nic/message.h"

namespace tilefly::systemc {
namespace {

constexpr std::uint64_t kBytesOfMemory = std::uint64_t{1} << Message::kOffsetBits;

std::string Named(const Window& window) {
  std::ostringstream text;
  text << "the window of 0x" << std::hex << window.size << " bytes at 0x" << window.base;
  return text.str();
}

}  // namespace

const Window* WindowMap::Before(std::uint64_t address) const {
  const auto after = windows_.upper_bound(address);
  return after == windows_.begin() ? nullptr : &std::prev(after)->second;
}

std::string WindowMap::Problem(const Window& window) const {
  if (window.size == 0) return Named(window) + " has no bytes: give it a size";
  const std::uint64_t last = window.base + (window.size - 1);
  if (last < window.base) return Named(window) + " ends behind the last address of 64 bits: make it smaller";
  if (window.size > kBytesOfMemory - window.remote % kBytesOfMemory) {
    return Named(window) + " ends behind byte 2^40 of the remote memory: make it smaller, or begin it earlier there";
  }
  const Window* const other = Before(last);
  if (other != nullptr && other->base + (other->size - 1) >= window.base) {
    return Named(window) + " overlaps " + Named(*other) + ": windows are apart";
  }
  return "";
}

bool WindowMap::Has(const Window& window) const {
  const auto found = windows_.find(window.base);
  return found != windows_.end() && found->second == window;
}

std::optional<std::uint64_t> WindowMap::Find(std::uint64_t address, std::uint64_t bytes) const {
  const Window* const window = Before(address);
  if (window == nullptr) return std::nullopt;
  const std::uint64_t into = address - window->base;
  if (into >= window->size || bytes > window->size - into) return std::nullopt;
  return window->remote + into;
}

}  // namespace tilefly::systemc
