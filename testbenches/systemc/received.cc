// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/received.h"

namespace tilefly::systemc {
namespace {

/// The frame with one bit changed, in the middle.
fabric::Frame Changed(fabric::Frame frame) {
  frame[frame.size() / 2] ^= 1;
  return frame;
}

}  // namespace

Delivery Received(const ContractSetup& setup, int port, Cycle first_word, const fabric::Packet& packet) {
  const fabric::Frame& frame = *packet.frame;
  const std::uint32_t id = IdOf(frame);
  const std::uint64_t content =
      id == setup.changed ? ContentOf(Changed(frame), packet.bad) : ContentOf(frame, packet.bad);
  return {id, static_cast<std::uint8_t>(port), first_word, packet.header, packet.length, packet.bad, content};
}

}  // namespace tilefly::systemc
