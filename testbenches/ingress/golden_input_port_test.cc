// SPDX-License-Identifier: Apache-2.0
// One golden input port by itself: the offsets of docs/timing.md up to the row bus, and the stored form of its cells.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "golden/ingress/lookup.h"
#include "golden/link/check.h"
#include "golden/link/framer.h"
#include "golden/ports/input_port.h"

namespace tilefly::golden {
namespace {

Cfg ModeWrite(PortMode mode) {
  Cfg cfg;
  cfg.valid = true;
  cfg.port = kAllPorts;
  cfg.space = static_cast<std::uint8_t>(CfgSpace::kPort);
  cfg.index = static_cast<std::uint16_t>(PortReg::kMode);
  cfg.data = mode.ToBits();
  return cfg;
}

TEST(InputPort, BringsAQuietPacketToTheRowBusInTheCyclesOfTheTimingPage) {
  constexpr int kLength = 100;  // 3 cells, 4 words
  constexpr Cycle kA0 = 50;
  InputPort port(kTile8, 3);
  std::vector<std::uint8_t> packet(16 + kLength);
  for (int i = 0; i < kLength - kFcsBytes; ++i) packet[16 + i] = static_cast<std::uint8_t>(i);
  const std::uint32_t crc = Crc32(0, packet.data() + 16, kLength - kFcsBytes);
  for (int i = 0; i < kFcsBytes; ++i) packet[16 + kLength - kFcsBytes + i] = static_cast<std::uint8_t>(crc >> 8 * i);
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = kLength;
  header.vl = 5;
  header.dst = FabricAddress(0, 0, 6);
  header.PackBytes(packet.data());

  std::map<std::string, std::vector<Cycle>> seen;
  std::vector<std::uint8_t> stored;
  for (Cycle now = 0; now < 150; ++now) {
    InputPort::Inputs inputs;
    if (now == 0) {
      PortMode mode;
      mode.enable = mode.cut_through = mode.credits = true;
      mode.std_format = false;
      mode.pclass = 1;
      inputs.cfg = ModeWrite(mode);
    }
    if (now >= kA0 && now < kA0 + 4) {
      const int k = static_cast<int>(now - kA0);
      inputs.word = WordOf(packet.data(), static_cast<int>(packet.size()), k);
      inputs.word.enh = true;
    }
    if (now == kA0 + 41) inputs.grant = inputs.request_credit = {6, 5};
    const InputPort::Outputs& outputs = port.Step(now, inputs);
    if (outputs.request) {
      seen["request"].push_back(now - kA0);
      EXPECT_EQ(outputs.request->destination, 6);
      EXPECT_EQ(outputs.request->request.vl, 5);
      EXPECT_EQ(outputs.request->request.cells, 3);
      EXPECT_FALSE(outputs.request->request.more);
    }
    if (outputs.pick) seen["pick"].push_back(now - kA0);
    if (outputs.credit) {
      seen["credit"].push_back(now - kA0);
      EXPECT_EQ(outputs.credit->vl, 5);
      EXPECT_EQ(outputs.credit->cells, 3);
    }
    if (outputs.cell) {
      seen["cell"].push_back(now - kA0);
      stored.insert(stored.end(), outputs.cell->cell.data.begin(), outputs.cell->cell.data.end());
      EXPECT_FALSE(outputs.cell->cell.bad);
    }
  }
  const std::map<std::string, std::vector<Cycle>> expected = {
      {"request", {21}}, {"pick", {42}}, {"cell", {46, 47, 48}}, {"credit", {49}}};
  EXPECT_EQ(seen, expected);
  header.path = 0;
  header.hop = 1;
  header.PackBytes(packet.data());
  packet.resize(stored.size());
  EXPECT_EQ(stored, packet);
  EXPECT_EQ(port.used(), 0);
  EXPECT_EQ(port.packets(), 0u);
}

}  // namespace
}  // namespace tilefly::golden
