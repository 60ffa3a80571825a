// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/frames.h"

#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

#include "golden/common/fabric_address.h"
#include "golden/link/check.h"
#include "golden/link/control_frame.h"
#include "golden/link/frame_format.h"
#include "support/random.h"

namespace tilefly::systemc {
namespace {

// Where a frame has its packet's number: one of a packet with header in the first bytes, and zeros in the others; a bare one,
// whose first bytes are an address, has it from 1 there.
constexpr std::size_t kId = 0, kBareId = 20;

/// Random bytes, by the number of the packet.
std::shared_ptr<fabric::Frame> RandomFrame(std::uint32_t id, int length) {
  auto frame = std::make_shared<fabric::Frame>(static_cast<std::size_t>(length));
  Stream(0, 0, id, Purpose::kPayload).Fill(frame->data(), frame->size() - golden::kFcsBytes);
  return frame;
}

void PutNumber(std::size_t at, std::uint32_t number, fabric::Frame* frame) {
  std::memcpy(frame->data() + at, &number, sizeof number);
}

std::uint32_t NumberAt(std::size_t at, const fabric::Frame& frame) {
  std::uint32_t number;
  std::memcpy(&number, frame.data() + at, sizeof number);
  return number;
}

void PutCheck(fabric::Frame* frame) {
  const std::size_t data = frame->size() - golden::kFcsBytes;
  PutNumber(data, golden::Crc32(0, frame->data(), data), frame);
}

}  // namespace

FramePointer MakeFrame(std::uint32_t id, int length) {
  const auto frame = RandomFrame(id, length);
  PutNumber(kId, id, frame.get());
  PutNumber(kBareId, 0, frame.get());
  PutCheck(frame.get());
  return frame;
}

FramePointer MakeBare(std::uint32_t id, int length, std::uint64_t mac, int priority) {
  constexpr std::size_t kMacBytes = 6, kSource = 6, kTag = 12, kType = 16;
  constexpr int kPriorityShift = 5;
  const auto frame = RandomFrame(id, length);
  std::uint8_t* const bytes = frame->data();
  for (std::size_t i = 0; i < kMacBytes; ++i) bytes[i] = static_cast<std::uint8_t>(mac >> 8 * (kMacBytes - 1 - i));
  bytes[kSource] = 0x02;  // a station of nobody's
  bytes[kTag] = 0x81;
  bytes[kTag + 1] = 0x00;
  bytes[kTag + 2] = static_cast<std::uint8_t>(priority << kPriorityShift);
  bytes[kType] = 0x88;  // for local experiments
  bytes[kType + 1] = 0xB5;
  PutNumber(kBareId, id + 1, frame.get());
  PutCheck(frame.get());
  return frame;
}

std::uint32_t IdOf(const fabric::Frame& frame) {
  const std::uint32_t number = NumberAt(kBareId, frame);
  return number != 0 ? number - 1 : NumberAt(kId, frame);
}

FramePointer MakePauseFrame(std::optional<unsigned> classes, std::uint16_t quanta) {
  constexpr int kOpcodeAt = 14, kClassesAt = 17, kQuantaAt = 18;
  const auto pause = golden::MakePause(golden::FabricAddress(0, 0, 0), quanta);
  auto frame = std::make_shared<fabric::Frame>(pause.begin(), pause.end());
  if (!classes) return frame;
  (*frame)[kOpcodeAt] = 1;
  (*frame)[kClassesAt - 1] = 0;
  (*frame)[kClassesAt] = static_cast<std::uint8_t>(*classes);
  for (int c = 0; c < golden::kMaxClasses; ++c) {
    (*frame)[static_cast<std::size_t>(kQuantaAt + 2 * c)] = static_cast<std::uint8_t>((quanta + c) >> 8);
    (*frame)[static_cast<std::size_t>(kQuantaAt + 2 * c + 1)] = static_cast<std::uint8_t>(quanta + c);
  }
  PutCheck(frame.get());
  return frame;
}

std::uint64_t ContentOf(const fabric::Frame& frame, bool bad) {
  const std::size_t size = frame.size() - (bad ? golden::kFcsBytes : 0);
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(frame.data()), size});
}

}  // namespace tilefly::systemc
