// SPDX-License-Identifier: Apache-2.0
// Virtual lanes of reduction packets on every link (docs/reductions.md, Trees): a switch learns of them by its registers
// alone, those who write the registers and send to it keep these.
#pragma once

namespace tilefly {

/// Of what goes up the trees, to a parent. No other traffic may be on either lane.
inline constexpr int kRedUpLane = 14;
/// Of what goes down the trees, to children.
inline constexpr int kRedDownLane = 15;

}  // namespace tilefly
