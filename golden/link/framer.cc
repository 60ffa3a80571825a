// SPDX-License-Identifier: Apache-2.0
#include "golden/link/framer.h"

#include <algorithm>
#include <cstring>

#include "golden/link/check.h"

namespace tilefly::golden {
namespace {

/// Word `k` of a packet of `bytes` bytes, without data.
Word EmptyWord(int k, int words, int bytes) {
  Word word;
  word.valid = true;
  word.sop = k == 0;
  word.eop = k == words - 1;
  word.last = static_cast<std::uint8_t>(word.eop ? (bytes - 1) % kWordBytes : kWordBytes - 1);
  return word;
}

}  // namespace

Framer::Framer(const Departure& departure, const EthHeader& eth)
    : format_(departure.format), length_(departure.length) {
  if (format_.conversion == Conversion::kHeader) {
    prefix_bytes_ = HeaderBits::kBytes;
    departure.header.CopyTo(prefix_.data());
  } else if (format_.conversion == Conversion::kEthernet) {
    prefix_bytes_ = kEthBytes;
    checks_prefix_ = true;
    std::copy(eth.begin(), eth.end(), prefix_.begin());
  }
}

Word Framer::MakeWord(int k, const Frame& frame) const {
  Word word = EmptyWord(k, format_.words, format_.bytes);
  word.enh = format_.conversion == Conversion::kHeader;
  const int start = kWordBytes * k;
  std::uint8_t* data = word.data.data();
  Place(prefix_.data(), prefix_bytes_, 0, start, data);
  const int arrived = static_cast<int>(frame.bytes.size());
  const int data_bytes = length_ - kFcsBytes;
  Place(frame.bytes.data(), std::min(arrived, data_bytes), prefix_bytes_, start, data);

  const int check_at = format_.bytes - kFcsBytes;
  if (start + kWordBytes <= check_at) return word;
  std::array<std::uint8_t, kFcsBytes> check;
  const bool keep = format_.conversion == Conversion::kHeader || format_.conversion == Conversion::kNone;
  if (keep && !frame.bad) {
    std::copy_n(frame.bytes.begin() + data_bytes, kFcsBytes, check.begin());
  } else {
    const std::uint32_t crc = frame.bad ? ~NewCheck(frame) : NewCheck(frame);
    for (int i = 0; i < kFcsBytes; ++i) check[i] = static_cast<std::uint8_t>(crc >> 8 * i);
  }
  Place(check.data(), kFcsBytes, check_at, start, data);
  return word;
}

void Framer::Place(const std::uint8_t* source, int size, int at, int word_start, std::uint8_t* word) {
  const int from = std::max(at, word_start);
  const int to = std::min(at + size, word_start + kWordBytes);
  if (from < to) std::memcpy(word + (from - word_start), source + (from - at), to - from);
}

/// Check of the frame as it leaves: prefix if it is part of it, data, zeros up to the check.
std::uint32_t Framer::NewCheck(const Frame& frame) const {
  static constexpr std::array<std::uint8_t, kMinStdBytes> kZeros{};
  std::uint32_t crc = checks_prefix_ ? Crc32(0, prefix_.data(), prefix_bytes_) : 0;
  crc = Crc32(crc, frame.bytes.data(), length_ - kFcsBytes);
  return Crc32(crc, kZeros.data(), format_.bytes - prefix_bytes_ - length_);
}

Word WordOf(const std::uint8_t* bytes, int size, int k) {
  Word word = EmptyWord(k, CeilDiv(size, kWordBytes), size);
  const int start = kWordBytes * k;
  std::memcpy(word.data.data(), bytes + start, std::min(kWordBytes, size - start));
  return word;
}

}  // namespace tilefly::golden
