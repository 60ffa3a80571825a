// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/frame_type.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

#include "conform/bench/class_field.h"
#include "support/random.h"

namespace tilefly::conform {
namespace {

constexpr int kRoomForHeaders = 128;         // bytes of a frame that has room for each of them
constexpr std::uint64_t kMostLength = 1500;  // a larger field is a type
constexpr std::uint64_t kFirstType = 0x600;
/// Types that have a meaning of their own here, and MAC control, which ends at a port.
constexpr std::uint64_t kKnown[] = {0x0800, 0x0806, 0x8100, 0x86dd, 0x8808, 0x88a8, 0x88b5};

class Field {
 public:
  void Put(std::initializer_list<std::uint64_t> values) {
    for (const std::uint64_t byte : values) bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  void Put16(std::uint64_t value) { Put({value >> 8, value}); }
  void Draw(Stream* draw, std::size_t count) {
    while (count-- > 0) Put({draw->Next()});
  }

  std::vector<std::uint8_t> bytes;
};

/// `length`: bytes from the header on.
void PutIpv4(Stream* draw, std::size_t length, Field* field) {
  field->Put16(0x0800);
  const std::size_t begin = field->bytes.size();
  field->Put({0x45, draw->Below(4)});  // DSCP 0
  field->Put16(length);
  field->Put16(draw->Next());
  field->Put({0x40, 0, 64, draw->Below(2) == 0 ? 6u : 17u, 0, 0});
  field->Draw(draw, 8);
  std::uint32_t sum = 0;
  for (std::size_t at = begin; at < field->bytes.size(); at += 2)
    sum += static_cast<std::uint32_t>(field->bytes[at]) << 8 | field->bytes[at + 1];
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  field->bytes[begin + 10] = static_cast<std::uint8_t>(~sum >> 8);
  field->bytes[begin + 11] = static_cast<std::uint8_t>(~sum);
}

void PutIpv6(Stream* draw, std::size_t length, Field* field) {
  constexpr std::size_t kHeader = 40;
  field->Put16(0x86dd);
  field->Put({0x60, draw->Below(64), draw->Next(), draw->Next()});  // DSCP 0
  field->Put16(length - std::min(length, kHeader));
  field->Put({draw->Below(2) == 0 ? 6u : 17u, 64});
  field->Draw(draw, 32);
}

void PutOther(Stream* draw, Field* field) {
  std::uint64_t type = kKnown[0];
  while (std::find(std::begin(kKnown), std::end(kKnown), type) != std::end(kKnown))
    type = kFirstType + draw->Below(0x10000 - kFirstType);
  field->Put16(type);
}

/// Priority 0; VID 0, which is none, or 1, which a bridge has from the beginning (IEEE 802.1Q, 6.9 and 8.6.2).
void PutTag(std::uint64_t type, Stream* draw, Field* field) {
  field->Put16(type);
  field->Put16(draw->Below(2));
}

/// The field of `type`; of a tag what follows it is drawn, too.
void PutType(FrameType type, Stream* draw, std::size_t payload, Field* field) {
  const std::uint64_t length = std::min<std::uint64_t>(payload, kMostLength);
  switch (type) {
    case FrameType::kLocal:
      field->Put16(0x88b5);
      break;
    case FrameType::kIpv4:
      PutIpv4(draw, payload, field);
      break;
    case FrameType::kIpv6:
      PutIpv6(draw, payload, field);
      break;
    case FrameType::kArp:
      field->Put16(0x0806);
      break;
    case FrameType::kServiceVlan:
      PutTag(0x88a8, draw, field);
      payload -= std::min<std::size_t>(payload, 4);
      [[fallthrough]];
    case FrameType::kVlan: {
      PutTag(0x8100, draw, field);
      constexpr FrameType kInner[] = {FrameType::kLocal, FrameType::kIpv4, FrameType::kIpv6, FrameType::kOther};
      PutType(kInner[draw->Below(std::size(kInner))], draw, payload - std::min<std::size_t>(payload, 4), field);
      break;
    }
    case FrameType::kLength:
      field->Put16(length);
      break;
    case FrameType::kPadded:
      field->Put16(draw->Below(std::max<std::uint64_t>(length, 1)));
      break;
    case FrameType::kOther:
      PutOther(draw, field);
  }
}

}  // namespace

TypeField DrawType(Stream* draw, std::size_t room, std::size_t payload) {
  TypeField drawn;
  drawn.type = static_cast<FrameType>(draw->Below(kFrameTypes));
  Field field;
  PutType(drawn.type, draw, payload, &field);
  if (field.bytes.size() > room) return {};
  drawn.bytes = std::move(field.bytes);
  return drawn;
}

std::string WhyNoTypes(const Capability& it) {
  if (it.forwarding.by == Addressing::kTdest) return "forwarding.by is tdest: frames have no EtherType";
  if (ClassHeaderBytes(it.classes) > 0) return "classes.by: the type of a frame says its class";
  return it.frames.longest < kRoomForHeaders ? "frames.longest: there is no room for an IPv6 header behind VLAN tags"
                                             : "";
}

}  // namespace tilefly::conform
