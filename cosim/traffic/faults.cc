// SPDX-License-Identifier: Apache-2.0
#include "cosim/traffic/faults.h"

#include <algorithm>

#include "support/random.h"

namespace tilefly::cosim {
namespace {

/// Zeroes what is not sent when the sender stops after word `k`, as the MAC fills it in.
void Break(Frame* frame, int k) {
  frame->break_after = k;
  const std::ptrdiff_t from = (k + 1) * kWordBytes - (frame->enh ? 16 : 0);
  std::fill(frame->bytes.begin() + from, frame->bytes.end(), std::uint8_t{0});
}

/// Frames that are longer than the MTU of their class can be made.
bool HasClassMtu(const SwitchSetup& setup, const Frame& frame) {
  return setup.classes() && setup.classes()->Of(setup.ClassOf(frame)).mtu < setup.profile().mtu_cells;
}

/// A cell more than the class may send. The switch's tables say what becomes of it, as of a good frame.
void Outgrow(const SwitchSetup& setup, Frame* frame) {
  const int mtu = setup.classes()->Of(setup.ClassOf(*frame)).mtu;
  const int length = std::min(LargestFrame(mtu) + 1, setup.profile().mtu_bytes);
  frame->bytes.resize(static_cast<std::size_t>(length), 0xa5);
  if (frame->enh) frame->header.len = static_cast<std::uint16_t>(length);
  Seal(&frame->bytes);
}

void Readdress(const Mac& mac, Frame* frame) { std::copy(mac.begin(), mac.end(), frame->bytes.begin()); }

void DamageEnhanced(const SwitchSetup& setup, std::uint64_t bits, Frame* frame) {
  const bool cut_through = setup.mode(frame->source).cut_through;
  const auto damaged = [&](Drop stored) {
    if (cut_through) {
      frame->expect_stomp = true;
    } else {
      frame->expect_drop = stored;
    }
  };
  // A link with retry sends each word of a frame again until the word has come: none is missing, and none is marked.
  const std::uint64_t drawn = Below(bits, 7);
  const bool of_words = drawn == 2 || drawn == 3;
  switch (of_words && setup.mode(frame->source).retry ? drawn - 2 : drawn) {
    case 0:
      frame->bytes[Below(Mix64(bits), frame->bytes.size())] ^= 0x10;
      damaged(Drop::kFcs);
      return;
    case 1:
      Seal(&frame->bytes, true);
      damaged(Drop::kStomped);
      return;
    case 2:
      frame->err_on_last = true;
      damaged(Drop::kBroken);
      return;
    case 3:
      Break(frame, static_cast<int>(Below(Mix64(bits), static_cast<std::uint64_t>(frame->words() - 1))));
      damaged(Drop::kBroken);
      return;
    case 4:
      frame->header.hop = static_cast<std::uint8_t>(setup.profile().hop_limit);
      frame->expect_drop = Drop::kHopLimit;
      return;
    case 5:
      frame->header.dst = setup.PortAddress(0) ^ 1u << 19;  // a group without a route
      frame->header.via_valid = false;
      frame->expect_drop = Drop::kNoRoute;
      return;
    default:
      frame->header.kind = static_cast<std::uint8_t>(kKindValues.size());  // that of nothing
      frame->expect_drop = Drop::kHeader;
      return;
  }
}

void DamageStandard(const SwitchSetup& setup, std::uint64_t bits, Frame* frame) {
  switch (Below(bits, 7)) {
    case 0:
      frame->bytes[Below(Mix64(bits), frame->bytes.size())] ^= 0x10;
      frame->expect_drop = Drop::kFcs;
      return;
    case 1:
      Seal(&frame->bytes, true);
      frame->expect_drop = Drop::kStomped;
      return;
    case 2:
      frame->err_on_last = true;
      frame->expect_drop = Drop::kBroken;
      return;
    case 3:
      frame->bytes.resize(20 + Below(Mix64(bits), 43));
      Seal(&frame->bytes);
      frame->expect_drop = Drop::kShort;
      return;
    case 4:
      frame->bytes.resize(static_cast<std::size_t>(setup.profile().mtu_bytes) + 8, 0xa5);
      Seal(&frame->bytes);
      frame->expect_drop = Drop::kLong;
      return;
    case 5:
      Readdress({0x06, 0, 0, 0, 0, 1}, frame);  // an address nobody has; unicast is not flooded in synthetic runs
      Seal(&frame->bytes);
      frame->expect_drop = Drop::kUnknownMac;
      return;
    default:
      // A group without a route.
      Readdress(AddressMac(setup.PortAddress(0) ^ 1u << 19), frame);
      Seal(&frame->bytes);
      frame->expect_drop = Drop::kNoRoute;
      return;
  }
}

}  // namespace

void Damage(const SwitchSetup& setup, std::uint64_t bits, Frame* frame) {
  if (HasClassMtu(setup, *frame) && Below(Mix64(bits ^ kGolden64), 8) == 0) {
    Outgrow(setup, frame);
  } else if (frame->enh) {
    DamageEnhanced(setup, bits, frame);
  } else {
    DamageStandard(setup, bits, frame);
  }
}

}  // namespace tilefly::cosim
