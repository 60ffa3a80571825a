// SPDX-License-Identifier: Apache-2.0
// The bytes of a system's packets. Golden switches carry no bytes, so they are made where a device needs words, and are
// the same everywhere: they are a function of (seed, source, cycle in which the source sent the packet).
#pragma once

#include <cstdint>
#include <string>

#include "cosim/setup/frame.h"
#include "network/messages.h"

namespace tilefly::cosim {

/// Names a packet. A source sends at most one packet in a cycle. An attempt that a link has broken off is a packet of
/// its own at the switches behind the link: `copy` tells it from the packet itself, which is copy 0, and from other
/// attempts.
using PacketKey = std::uint64_t;
inline constexpr int kCopies = 2048;  ///< more than a switch has room for
PacketKey KeyOf(const network::PacketRecord& record, int copy = 0);

/// How a frame begins its life at a device.
struct FrameForm {
  int copy = 0;          ///< of its key
  bool stomped = false;  ///< its check is stomped: a switch before knew it to be damaged
};
/// The frame of a packet, with `header` before it.
FramePtr MakeFrame(std::uint64_t seed, const network::PacketRecord& record, const golden::HeaderBits& header,
                   const FrameForm& form = {});
/// What a switch makes of a frame of which only the first `words` words came: zeros behind them, and a stomped check.
FramePtr CutFrame(const Frame& frame, int words);
/// The frame of a reduction packet, with `header` before it. Its data are zeros until PutData writes them.
std::shared_ptr<Frame> MakeRedFrame(const Red& red, const golden::HeaderBits& header);
/// The part of a reduction packet's data that word `k` carries.
struct DataPart {
  int offset = 0;
  int bytes = 0;
};
DataPart DataIn(int k, const Red& red);
/// Writes the data of word `k`, which begin at `data`, and the frame check if the word carries a part of it.
void PutData(int k, const DataPart& part, const std::uint8_t* data, Frame* frame);

/// The packet that begins with this word. Any value when no frame begins with it.
PacketKey KeyIn(const Word& first);
/// The name of a packet in messages: "the packet that endpoint 3 sent to 17 in cycle 812".
std::string NameOf(const network::PacketRecord& record);

}  // namespace tilefly::cosim
