// SPDX-License-Identifier: Apache-2.0
// The bytes of a system's packets. Golden switches carry none, so they are made where a device needs words, everywhere
// the same: they are a function of (seed, source, cycle in which the source sent it).
#pragma once

#include <cstdint>
#include <string>

#include "cosim/setup/frame.h"
#include "network/messages.h"

namespace tilefly::cosim {

/// Names a packet: a source sends one a cycle at most.
using PacketKey = std::uint64_t;
PacketKey KeyOf(const network::PacketRecord& record);

/// The packet with `header` before it.
FramePtr MakeFrame(std::uint64_t seed, const network::PacketRecord& record, const golden::HeaderBits& header);
/// A reduction packet with `header` before it and zeros for data, which come by PutData.
std::shared_ptr<Frame> MakeRedFrame(const Red& red, const golden::HeaderBits& header);
/// What word `k` of a reduction packet has of its data.
struct DataPart {
  int offset = 0;
  int bytes = 0;
};
DataPart DataIn(int k, const Red& red);
/// The data of word `k`, from where `data` points, and the check, when the word has some of it.
void PutData(int k, const DataPart& part, const std::uint8_t* data, Frame* frame);

/// The packet whose first word this is. Of a word that no frame begins with: anything.
PacketKey KeyIn(const Word& first);
/// "the packet that endpoint 3 sent to 17 in cycle 812".
std::string NameOf(const network::PacketRecord& record);

}  // namespace tilefly::cosim
