// SPDX-License-Identifier: Apache-2.0
// The internal header as 128 bits: fields are read and replaced in place, because a hop touches few of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// A field of the header by its name in profiles/wire.yaml.
constexpr FieldInfo HeaderField(std::string_view name) {
  for (const FieldInfo& field : Header::kFields) {
    if (name == field.name) return field;
  }
  throw "no such field of the header";
}

class HeaderBits {
  __extension__ using Bits = unsigned __int128;

  static constexpr FieldInfo kKind = HeaderField("kind"), kLen = HeaderField("len"), kTc = HeaderField("tc"), kVl = HeaderField("vl");
  static constexpr FieldInfo kHop = HeaderField("hop"), kSrc = HeaderField("src"), kDst = HeaderField("dst"), kPath = HeaderField("path");
  static constexpr FieldInfo kFlow = HeaderField("flow"), kMode = HeaderField("mode"), kOrdered = HeaderField("ordered");
  static constexpr FieldInfo kVia = HeaderField("via"), kViaValid = HeaderField("via_valid"), kAn = HeaderField("an");
  static constexpr FieldInfo kGen = HeaderField("gen");

 public:
  static constexpr int kBytes = Header::kBytes;
  /// Destination of a packet that switches replicate.
  static constexpr std::uint32_t kReplicated = (1u << kDst.width) - 1;

  HeaderBits() = default;
  explicit HeaderBits(const Header& header) { header.PackBytes(reinterpret_cast<std::uint8_t*>(&bits_)); }
  /// Reads the header from the 16 bytes that start a word.
  explicit HeaderBits(const std::uint8_t* bytes) { std::memcpy(&bits_, bytes, kBytes); }

  void CopyTo(std::uint8_t* bytes) const { std::memcpy(bytes, &bits_, kBytes); }
  Header Unpack() const { return Header::UnpackBytes(reinterpret_cast<const std::uint8_t*>(&bits_)); }

  int kind() const { return static_cast<int>(Get(kKind)); }
  int length() const { return static_cast<int>(Get(kLen)); }
  int tc() const { return static_cast<int>(Get(kTc)); }
  int vl() const { return static_cast<int>(Get(kVl)); }
  int hop() const { return static_cast<int>(Get(kHop)); }
  int mode() const { return static_cast<int>(Get(kMode)); }
  bool ordered() const { return Get(kOrdered) != 0; }
  std::uint32_t flow() const { return static_cast<std::uint32_t>(Get(kFlow)); }
  std::uint32_t source() const { return static_cast<std::uint32_t>(Get(kSrc)); }
  std::uint32_t destination() const { return static_cast<std::uint32_t>(Get(kDst)); }
  std::uint32_t via() const { return static_cast<std::uint32_t>(Get(kVia)); }
  bool via_valid() const { return Get(kViaValid) != 0; }
  bool is_red() const { return kind() == static_cast<int>(Kind::kRed); }
  /// Of a packet of kind RED: it is for the aggregation node of its destination's switch. Of others: the class channel
  /// of its class counts it (docs/blocks/flow_channel.md).
  bool an() const { return Get(kAn) != 0; }
  bool gen() const { return Get(kGen) != 0; }

  void set_length(int bytes) { Set(kLen, static_cast<unsigned>(bytes)); }
  void set_tc(int tc) { Set(kTc, static_cast<unsigned>(tc)); }
  void set_destination(std::uint32_t address) { Set(kDst, address); }
  void set_via(std::uint32_t target) { Set(kVia, target); }
  void set_via_valid(bool valid) { Set(kViaValid, valid); }
  void set_an(bool an) { Set(kAn, an); }
  void set_gen(bool gen) { Set(kGen, gen); }

  /// Writes the fields that a switch changes when a copy that came in at `input` leaves on lane `vl`
  /// (docs/blocks/ingress.md).
  void Leave(int input, int vl) {
    constexpr int kPathHops = kPath.width / kPortBits;
    const int hop_now = hop();
    Set(kVl, static_cast<unsigned>(vl));
    if (hop_now >= 1 && hop_now <= kPathHops) {
      Set({"", kPath.lsb + kPortBits * (hop_now - 1), kPortBits}, static_cast<unsigned>(input));
    }
    Set(kHop, static_cast<unsigned>(hop_now + 1));
  }

 private:
  Bits Get(FieldInfo field) const { return (bits_ >> field.lsb) & ((Bits{1} << field.width) - 1); }
  void Set(FieldInfo field, unsigned value) {
    const Bits mask = ((Bits{1} << field.width) - 1) << field.lsb;
    bits_ = (bits_ & ~mask) | ((Bits{value} << field.lsb) & mask);
  }

  Bits bits_;
};

static_assert(sizeof(HeaderBits) == Header::kBytes);

}  // namespace tilefly::golden
