// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/class_field.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "cosim/setup/frame.h"

namespace tilefly::conform {
namespace {

constexpr std::size_t kMacHeader = 14;
constexpr std::size_t kTypeAt = kMacHeader - 2;
constexpr std::size_t kVlanTag = 4;
constexpr std::size_t kIpv4Header = 20;
constexpr std::uint32_t kVlanType = 0x8100;  // IEEE 802.1Q
constexpr std::uint32_t kIpv4Type = 0x0800;

std::optional<std::uint32_t> ValueIn(const Classes& classes, const Frame& frame) {
  const std::vector<std::uint8_t>& bytes = frame.bytes;
  if (classes.by == ClassField::kUser) return (frame.user & ClassBits(classes)) >> classes.user_bit;
  if (bytes.size() < kMacHeader + 2) return std::nullopt;
  const std::uint32_t type = static_cast<std::uint32_t>(bytes[kTypeAt]) << 8 | bytes[kTypeAt + 1];
  if (classes.by == ClassField::kPcp && type == kVlanType) return bytes[kMacHeader] >> 5;
  if (classes.by == ClassField::kDscp && type == kIpv4Type) return bytes[kMacHeader + 1] >> 2;
  return std::nullopt;
}

}  // namespace

std::size_t ClassHeaderBytes(const Classes& classes) {
  return classes.by == ClassField::kPcp ? kVlanTag : classes.by == ClassField::kDscp ? kIpv4Header : 0;
}

std::uint32_t ClassBits(const Classes& classes) {
  std::uint32_t bits = 0;
  if (classes.by != ClassField::kUser) return bits;
  for (const std::uint32_t value : classes.values) bits |= value << classes.user_bit;
  return bits;
}

void SayClass(const Capability& capability, Frame* frame) {
  const Classes& classes = capability.classes;
  if (classes.by == ClassField::kNone) return;
  const std::uint32_t value = classes.values[static_cast<std::size_t>(frame->traffic_class)];
  std::vector<std::uint8_t>& bytes = frame->bytes;
  const auto put = [&bytes](std::size_t at, std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t byte : values) bytes[at++] = static_cast<std::uint8_t>(byte);
  };
  switch (classes.by) {
    case ClassField::kNone:
      break;
    case ClassField::kUser:
      frame->user = value << classes.user_bit;
      break;
    case ClassField::kPcp:
      put(kTypeAt, {kVlanType >> 8, kVlanType & 0xff, value << 5, 1, 0x88, 0xb5});
      break;
    case ClassField::kDscp: {
      const std::size_t check = capability.frames.fcs ? cosim::kFcsBytes : 0;
      const auto length = static_cast<std::uint32_t>(bytes.size() - kMacHeader - check);
      put(kTypeAt, {kIpv4Type >> 8, 0, 0x45, value << 2, length >> 8, length, 0, 0, 0, 0, 64, 253, 0, 0});
      std::uint32_t sum = 0;
      for (std::size_t at = kMacHeader; at < kMacHeader + kIpv4Header; at += 2) sum += bytes[at] << 8 | bytes[at + 1];
      while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
      put(kMacHeader + 10, {~sum >> 8, ~sum});
    }
  }
}

int ClassSaid(const Capability& capability, const Frame& frame) {
  const Classes& classes = capability.classes;
  if (classes.by == ClassField::kNone) return 0;
  const std::optional<std::uint32_t> value = ValueIn(classes, frame);
  if (!value) return -1;
  const auto at = std::find(classes.values.begin(), classes.values.end(), *value);
  return at == classes.values.end() ? -1 : static_cast<int>(at - classes.values.begin());
}

}  // namespace tilefly::conform
