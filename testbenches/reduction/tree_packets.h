// SPDX-License-Identifier: Apache-2.0
// A tree of three hosts in a node of eight ports, and what its peers say, for the tests of locks and failures.
#pragma once

#include <gtest/gtest.h>

#include "testbenches/reduction/red_rig.h"

namespace tilefly::golden {

inline constexpr PortMask kChildren = 0b0010'0101;  // ports 0, 2, 5
inline constexpr int kParent = 6;

inline Red Answer(int group, int seq, RedAction action, RedCode code, int tag, int count) {
  Red red = ShortHeader(group, seq, action);
  red.what = static_cast<std::uint8_t>(RedWhat::kShortResult);
  red.code = static_cast<std::uint8_t>(code);
  red.tag = static_cast<std::uint8_t>(tag);
  red.count = static_cast<std::uint16_t>(count);
  red.empty = true;
  return red;
}

inline Red Lock(int group, int seq, int count) {
  Red red = ShortHeader(group, seq, RedAction::kLock);
  red.count = static_cast<std::uint16_t>(count);
  red.empty = true;
  return red;
}

/// The same packet of all children, now.
inline Cycle SendAll(RedRig* rig, PortMask children, const Red& red) {
  Cycle last = 0;
  ForEachBit(children, [&](int p) { last = rig->Send(p, rig->now(), red, {}); });
  return last;
}

inline int StateOf(const RedRig& rig, int group) { return static_cast<int>(rig.state(group)); }
inline constexpr int kIdle = static_cast<int>(RedState::kIdle);
inline constexpr int kLocking = static_cast<int>(RedState::kLocking);
inline constexpr int kActive = static_cast<int>(RedState::kActive);
inline constexpr int kDrain = static_cast<int>(RedState::kDrain);

/// Group 1 has a lock without limit, tag 4, behind `kParent`.
inline void MakeActive(RedRig* rig, std::uint32_t timeout) {
  rig->SetTree(1, {kChildren, 0, kParent, false, timeout});
  SendAll(rig, kChildren, Lock(1, 0, 0));
  rig->RunTo(rig->now() + 300);
  rig->Send(kParent, rig->now(), Answer(1, 0, RedAction::kLock, RedCode::kOk, 4, 0), {});
  rig->RunTo(rig->now() + 300);
  ASSERT_EQ(StateOf(*rig, 1), kActive);
}

/// What all children were told last, by a packet of this kind.
inline void ExpectTold(const RedRig& rig, PortMask children, RedWhat what, RedCode code) {
  ForEachBit(children, [&](int p) {
    const auto told = rig.GotAt(p, what);
    ASSERT_FALSE(told.empty()) << "port " << p;
    EXPECT_EQ(told.back().red.code, static_cast<int>(code)) << "port " << p;
  });
}

inline Red Sum16(int seq) { return SegmentHeader(1, 4, seq, RedOp::kSum, RedType::kInt16, 2); }

}  // namespace tilefly::golden
