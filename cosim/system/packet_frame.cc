// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/packet_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "golden/reduction/red_part.h"
#include "support/random.h"

namespace tilefly::cosim {
namespace {

/// A frame begins with its key; the first word has room for it behind the header.
constexpr int kSentBits = 46;
constexpr int kCopyBits = 11;  ///< of these, the highest
static_assert(kCopies == 1 << kCopyBits);
static_assert(kHeaderBytes + static_cast<int>(sizeof(PacketKey)) <= kWordBytes);

}  // namespace

PacketKey KeyOf(const network::PacketRecord& record, int copy) {
  return static_cast<PacketKey>(record.source) << kSentBits |
         static_cast<PacketKey>(copy) << (kSentBits - kCopyBits) | static_cast<PacketKey>(record.sent);
}

FramePtr MakeFrame(std::uint64_t seed, const network::PacketRecord& record, const golden::HeaderBits& header,
                   const FrameForm& form) {
  auto frame = std::make_shared<Frame>();
  frame->enh = true;
  frame->header = header.Unpack();
  frame->bytes.resize(static_cast<std::size_t>(header.length()));
  Stream(seed, static_cast<std::uint32_t>(record.source), KeyOf(record), Purpose::kPayload)
      .Fill(frame->bytes.data(), frame->bytes.size());
  const PacketKey key = KeyOf(record, form.copy);
  std::memcpy(frame->bytes.data(), &key, sizeof key);
  Seal(&frame->bytes, form.stomped);
  return frame;
}

FramePtr CutFrame(const Frame& frame, int words) {
  auto cut = std::make_shared<Frame>(frame);
  const auto kept = static_cast<std::ptrdiff_t>(std::max(0, kWordBytes * words - kHeaderBytes));
  if (kept < static_cast<std::ptrdiff_t>(cut->bytes.size())) std::fill(cut->bytes.begin() + kept, cut->bytes.end(), 0);
  Seal(&cut->bytes, true);
  return cut;
}

std::shared_ptr<Frame> MakeRedFrame(const Red& red, const golden::HeaderBits& header) {
  auto frame = std::make_shared<Frame>();
  frame->enh = true;
  frame->header = header.Unpack();
  frame->bytes.resize(static_cast<std::size_t>(header.length()));
  red.PackBytes(frame->bytes.data());
  Seal(&frame->bytes);
  return frame;
}

/// Word 0 has the two headers.
DataPart DataIn(int k, const Red& red) {
  const int offset = kWordBytes * (k - 1);
  const int rest = golden::DataBytes(red) - offset;
  if (k < 1 || rest <= 0) return {};
  return {offset, std::min(rest, kWordBytes)};
}

void PutData(int k, const DataPart& part, const std::uint8_t* data, Frame* frame) {
  std::copy_n(data, part.bytes, frame->bytes.begin() + Red::kBytes + part.offset);
  const int end = kWordBytes * (k + 1) - kHeaderBytes;
  if (end > static_cast<int>(frame->bytes.size()) - kFcsBytes) Seal(&frame->bytes);
}

PacketKey KeyIn(const Word& first) {
  PacketKey key;
  std::memcpy(&key, first.data.data() + kHeaderBytes, sizeof key);
  return key;
}

std::string NameOf(const network::PacketRecord& record) {
  if (record.red >= 0 && record.source < 0) return "a reduction packet of a switch";
  return fmt::format("the packet that endpoint {} sent to {} in cycle {}", record.source, record.destination,
                     record.sent);
}

}  // namespace tilefly::cosim
