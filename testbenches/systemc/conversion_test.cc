// SPDX-License-Identifier: Apache-2.0
// Frames that are converted on the way to a standard port, against the words that golden's framer sends.
#include <gtest/gtest.h>

#include "golden/link/check.h"
#include "golden/link/framer.h"
#include "support/random.h"
#include "systemc/egress/conversion.h"

namespace tilefly::systemc {
namespace {

/// The bytes that golden's words carry.
std::vector<std::uint8_t> BytesOf(const golden::Departure& departure, const EthHeader& eth, const golden::Frame& frame) {
  const golden::Framer framer(departure, eth);
  std::vector<std::uint8_t> bytes;
  for (int k = 0; k < departure.format.words; ++k) {
    const Word word = framer.MakeWord(k, frame);
    bytes.insert(bytes.end(), word.data.begin(), word.data.end());
  }
  bytes.resize(departure.format.bytes);
  return bytes;
}

TEST(Conversion, GivesTheBytesOfGoldensWords) {
  Stream random(1, 0, 0, Purpose::kPayload);
  EthHeader eth{};
  random.Fill(eth.data(), eth.size());
  int converted = 0;
  for (const Kind kind : {Kind::kStd, Kind::kEnhEth, Kind::kEnhIp}) {
    for (int length = 64 - (kind == Kind::kStd ? 0 : 32); length < 400; ++length) {
      golden::Departure departure{};
      departure.format = golden::FrameFormat::Of(true, kind, length);
      departure.length = static_cast<std::uint16_t>(length);
      golden::Frame frame{};
      frame.bytes.resize(static_cast<std::size_t>(length));
      random.Fill(frame.bytes.data(), frame.bytes.size());
      const auto given = std::make_shared<const fabric::Frame>(frame.bytes.begin(), frame.bytes.end());
      const auto got = Convert(given, departure.format, eth);
      EXPECT_EQ(*got, BytesOf(departure, eth, frame)) << length;
      converted += got != given;
    }
  }
  EXPECT_GT(converted, 300);
}

TEST(Conversion, ARunOfLengthsStaysOne) {
  EXPECT_EQ(Convert(nullptr, golden::FrameFormat::Of(true, Kind::kEnhIp, 40), {}), nullptr);
}

}  // namespace
}  // namespace tilefly::systemc
