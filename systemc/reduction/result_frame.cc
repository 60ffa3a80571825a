// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/result_frame.h"

#include <algorithm>

#include "golden/link/check.h"

namespace tilefly::systemc {
namespace {

bool GoesUp(const Launch& launch) { return !launch.down() && !launch.root; }

void PutOperands(const RedCollect& word, Red* header) {
  header->op = word.op;
  header->dtype = word.dtype;
  header->bytes = word.bytes;
  header->empty = !word.full;
}

FramePointer StreamFrame(const Profile& profile, const Launch& launch, const Collection& collected, Red header) {
  if (collected.word.mismatch) return nullptr;
  header.what = static_cast<std::uint8_t>(GoesUp(launch) ? RedWhat::kSegment : RedWhat::kResult);
  PutOperands(collected.word, &header);
  header.ends = collected.word.ends;
  header.wants = GoesUp(launch);
  header.seq = launch.segment;
  return MakeRedFrame(profile, header, header.empty ? std::vector<std::uint8_t>() : collected.data);
}

FramePointer ShortFrame(const Profile& profile, const Launch& launch, const Collection& collected, RedCode code,
                        Red header) {
  const RedCollect& word = collected.word;
  header.what = static_cast<std::uint8_t>(GoesUp(launch) ? RedWhat::kShort : RedWhat::kShortResult);
  PutOperands(word, &header);
  header.action = word.action;
  header.rnd = word.rnd;
  header.ftz = word.ftz;
  header.seq = word.seq;
  header.count = word.count;
  header.contributions = word.contributions;
  header.code = static_cast<std::uint8_t>(code);
  header.empty = header.empty || code != RedCode::kOk;
  return MakeRedFrame(profile, header, header.empty ? std::vector<std::uint8_t>() : collected.data);
}

FramePointer SmallFrame(const Profile& profile, const Launch& launch, const Collection& collected) {
  RedCollect told = collected.word;
  golden::Operands operands{};
  if (told.mismatch) {
    told.code = static_cast<std::uint8_t>(RedRc::kDiffers);
    told.rep = 0;
  } else {
    std::copy_n(collected.data.begin(), std::min(collected.data.size(), operands.size()), operands.begin());
  }
  Red header;
  header.what = static_cast<std::uint8_t>(GoesUp(launch) ? RedWhat::kSmall : RedWhat::kSmallResult);
  header.group = static_cast<std::uint8_t>(launch.group);
  header.bytes = golden::small::kBytes;
  return MakeRedFrame(profile, header, golden::small::PacketOf(told, operands.data()));
}

}  // namespace

FramePointer MakeRedFrame(const Profile& profile, const Red& header, const std::vector<std::uint8_t>& data) {
  const int length = golden::RedFrame::LengthOf(profile, static_cast<int>(data.size()));
  auto frame = std::make_shared<fabric::Frame>(static_cast<std::size_t>(length));
  header.PackBytes(frame->data());
  std::copy(data.begin(), data.end(), frame->begin() + Red::kBytes);
  const std::size_t checked = frame->size() - golden::kFcsBytes;
  const std::uint32_t crc = golden::Crc32(0, frame->data(), checked);
  for (std::size_t i = 0; i < golden::kFcsBytes; ++i) (*frame)[checked + i] = static_cast<std::uint8_t>(crc >> 8 * i);
  return frame;
}

FramePointer ResultFrame(const Profile& profile, const Launch& launch, const Collection& collected, RedCode code,
                         std::uint8_t tag) {
  Red header;
  header.group = static_cast<std::uint8_t>(launch.group);
  header.tag = tag;
  if (launch.is_notice()) {
    header.what = static_cast<std::uint8_t>(RedWhat::kFail);
    header.code = static_cast<std::uint8_t>(code);
    return MakeRedFrame(profile, header, {});
  }
  if (launch.streams()) return StreamFrame(profile, launch, collected, header);
  return launch.small ? SmallFrame(profile, launch, collected) : ShortFrame(profile, launch, collected, code, header);
}

}  // namespace tilefly::systemc
