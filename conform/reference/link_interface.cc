// SPDX-License-Identifier: Apache-2.0
// The functions of tilefly_ref.h for devices with Tilefly's links.
#include <fmt/format.h>
#include <tilefly_device.h>
#include <tilefly_ref.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "conform/reference/calls.h"

static_assert(TFR_LINK_BYTES >= TFD_LINK_BYTES && TFR_RECORD_BYTES >= TFD_PORT_RECORD_BYTES &&
                  TFR_CFG_BYTES >= TFD_CFG_BYTES,
              "vectors of DPI-C have whole words");

namespace {

using tilefly::UsageError;
using tilefly::conform::AskAny;
using tilefly::conform::Require;
using tilefly::conform::RequireOpen;

/// AskAny of a device with links, in a test that is not finished.
template <typename Act>
int AnswerLink(tfr_reference* reference, Act act) {
  return AskAny(reference, [&]() -> int {
    if (!reference->link)
      throw UsageError("the call is of Tilefly's links, and the capability file says ports.style: stream");
    RequireOpen(*reference);
    return act(*reference->link);
  });
}

/// Packed bytes of a struct, with zeros up to the words of DPI-C.
void Widen(const std::uint8_t* from, std::size_t size, std::uint8_t* to, std::size_t whole) {
  std::copy_n(from, size, to);
  std::fill(to + size, to + whole, 0);
}

/// A bit beyond the width of a struct is a mistake of who packed it.
void RequireZeros(const std::uint8_t* bytes, std::size_t bits, std::size_t whole, const char* what) {
  bool zeros = bits % 8 == 0 || bytes[bits / 8] >> bits % 8 == 0;
  for (std::size_t at = (bits + 7) / 8; at < whole; ++at) zeros = zeros && bytes[at] == 0;
  if (!zeros) throw UsageError(fmt::format("{}: a bit is set beyond its {} bits", what, bits));
}

}  // namespace

extern "C" {

int tfr_tiles(tfr_reference* reference) {
  return AnswerLink(reference, [](auto& link) { return link.capability().profile->tiles; });
}

int tfr_show_link(tfr_reference* reference, uint32_t port, const tfr_link* link) {
  return AnswerLink(reference, [&](auto& test) {
    Require(link, "link");
    RequireZeros(link->bytes, test.capability().wire->link_bits, TFR_LINK_BYTES, "link");
    test.ShowLink(port, link->bytes);
    return 0;
  });
}

int tfr_show_record(tfr_reference* reference, int part, uint32_t index, const tfr_record* record) {
  return AnswerLink(reference, [&](auto& test) {
    Require(record, "record");
    using Part = tilefly::conform::LinkReference::Part;
    const struct {
      int part;
      Part of;
      std::size_t bits;
    } parts[] = {{TFR_RECORD_PORT, Part::kPort, test.capability().wire->record_bits},
                 {TFR_RECORD_TURN, Part::kTurn, TFD_TURN_RECORD_BITS},
                 {TFR_RECORD_RED, Part::kRed, TFD_RED_RECORD_BITS},
                 {TFR_RECORD_CFU, Part::kCfu, TFD_CFU_RECORD_BITS}};
    for (const auto& one : parts) {
      if (one.part != part) continue;
      RequireZeros(record->bytes, one.bits, TFR_RECORD_BYTES, "record");
      test.ShowRecord(one.of, index, record->bytes);
      return 0;
    }
    throw UsageError(fmt::format("there is no part {} of a record", part));
  });
}

int tfr_drive_link(tfr_reference* reference, uint32_t port, tfr_link* link) {
  return AnswerLink(reference, [&](auto& test) {
    Require(link, "link");
    Widen(test.Link(port), test.capability().wire->link_bytes, link->bytes, TFR_LINK_BYTES);
    return 0;
  });
}

int tfr_link_up(tfr_reference* reference, uint32_t port) {
  return AnswerLink(reference, [&](auto& test) -> int { return test.LinkUp(port); });
}

int tfr_drive_cfg(tfr_reference* reference, tfr_cfg* cfg) {
  return AnswerLink(reference, [&](auto& test) {
    Require(cfg, "cfg");
    Widen(test.Cfg(), TFD_CFG_BYTES, cfg->bytes, TFR_CFG_BYTES);
    return 0;
  });
}

}  // extern "C"
