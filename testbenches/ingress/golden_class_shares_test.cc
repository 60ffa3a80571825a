// SPDX-License-Identifier: Apache-2.0
// Class shares, MTU and routing of docs/blocks/ingress.md at one golden input port, to the cycle.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "golden/ingress/lookup.h"
#include "golden/link/check.h"
#include "golden/link/framer.h"
#include "golden/ports/input_port.h"

namespace tilefly::golden {
namespace {

constexpr int kInput = 1;
constexpr Cycle kFirst = 40;  // registers are written before

/// A port, its register writes, packets that start in given cycles, and what was seen of them.
class Rig {
 public:
  explicit Rig(bool cut_through) {
    PortMode mode;
    mode.enable = true;
    mode.cut_through = mode.credits = cut_through;
    mode.std_format = !cut_through;
    mode.pclass = cut_through ? 1 : 0;  // lanes go on, or are the class
    mode.trust = static_cast<std::uint8_t>(Trust::kNone);
    mode.default_tc = 2;
    Write(0, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    Write(1, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast), 0xE1);
  }

  void Write(Cycle w, CfgSpace space, int index, std::uint64_t data) {
    Cfg& cfg = writes_[w];
    cfg.valid = true;
    cfg.port = kAllPorts;
    cfg.space = static_cast<std::uint8_t>(space);
    cfg.index = static_cast<std::uint16_t>(index);
    cfg.data = data;
  }
  void Share(Cycle w, int c, std::uint64_t reserve, std::uint64_t cap, bool lossy) {
    Write(w, CfgSpace::kClass, IndexOf(c, ClassReg::kShare), ClassShare::Of(reserve, cap, lossy).ToBits());
  }
  void Shared(Cycle w, std::uint64_t cells) { Write(w, CfgSpace::kClass, IndexOf(TableReg::kClassShared), cells); }
  void Mtu(Cycle w, int c, std::uint64_t cells) {
    Write(w, CfgSpace::kClass, IndexOf(c, ClassReg::kMtu), cells);
  }

  /// A packet with header, of `cells` full cells, from `a0` on.
  void Header(Cycle a0, int tc, int cells, std::uint32_t dst = FabricAddress(0, 0, 6)) {
    tilefly::Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(48 * cells - 16);
    header.tc = static_cast<std::uint8_t>(tc);
    header.dst = dst;
    std::vector<std::uint8_t> packet(static_cast<std::size_t>(48 * cells));
    header.PackBytes(packet.data());
    Put(a0, packet, true);
  }
  /// A bare frame to port 6.
  void Bare(Cycle a0, int bytes) {
    std::vector<std::uint8_t> frame(static_cast<std::size_t>(bytes));
    const std::uint64_t mac = MacOfAddress(FabricAddress(0, 0, 6));
    for (int i = 0; i < 6; ++i) frame[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(mac >> 8 * (5 - i));
    Put(a0, frame, false);
  }
  void Grant(Cycle at, int output, int vl) { grants_[at] = {output, vl}; }

  void Run(Cycle end) {
    for (Cycle now = 0; now < end; ++now) {
      InputPort::Inputs inputs;
      if (words_.count(now) != 0) inputs.word = words_[now];
      if (writes_.count(now) != 0) inputs.cfg = writes_[now];
      if (grants_.count(now) != 0) inputs.grant = inputs.request_credit = grants_[now];
      const InputPort::Outputs& outputs = port_.Step(now, inputs);
      for (const DropRecord& drop : outputs.drops) drops[now] = drop.reason;
      if (outputs.request) requests.push_back(now);
      if (outputs.cell && outputs.cell->cell.sop) headers.push_back(tilefly::Header::UnpackBytes(outputs.cell->cell.data.data()));
      Audit audit;
      port_.Check(now, &audit);
      ASSERT_TRUE(audit.broken().empty()) << now;
      used.push_back(port_.used());
    }
  }

  std::map<Cycle, Drop> drops;
  std::vector<Cycle> requests;
  std::vector<tilefly::Header> headers;
  std::vector<int> used;  ///< after each cycle

 private:
  void Put(Cycle a0, std::vector<std::uint8_t> packet, bool enh) {
    const std::size_t from = enh ? 16 : 0;
    const std::size_t to = packet.size() - kFcsBytes;
    const std::uint32_t crc = Crc32(0, packet.data() + from, static_cast<int>(to - from));
    for (int i = 0; i < kFcsBytes; ++i) packet[to + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(crc >> 8 * i);
    const int size = static_cast<int>(packet.size());
    for (int k = 0; 32 * k < size; ++k) {
      Word word = WordOf(packet.data(), size, k);
      word.enh = enh;
      words_[a0 + k] = word;
    }
  }

  InputPort port_{kTile8, kInput};
  std::map<Cycle, Cfg> writes_;
  std::map<Cycle, Word> words_;
  std::map<Cycle, InputPort::QueueName> grants_;
};

TEST(ClassShares, APacketAboveItsClassesMtuIsDroppedAtTheEndOfThePipeline) {
  Rig rig(true);
  rig.Mtu(2, 5, 4);
  rig.Header(kFirst, 5, 4);        // at the MTU
  rig.Header(kFirst + 10, 5, 5);
  rig.Header(kFirst + 20, 6, 30);  // another class
  rig.Run(120);
  EXPECT_EQ(rig.drops, (std::map<Cycle, Drop>{{kFirst + 10 + 18, Drop::kClassMtu}}));
  EXPECT_EQ(rig.requests, (std::vector<Cycle>{kFirst + 21, kFirst + 20 + 21}));
  EXPECT_EQ(rig.used.back(), 34);
}

TEST(ClassShares, ALossyClassIsDroppedAboveItsCapAndALosslessOneNever) {
  Rig rig(true);
  rig.Share(2, 5, 0, 7, true);
  rig.Share(3, 6, 0, 7, false);
  rig.Shared(4, 1000);
  rig.Header(kFirst, 5, 4);
  rig.Header(kFirst + 10, 5, 4);  // 8 > 7
  rig.Header(kFirst + 20, 5, 3);  // 7
  rig.Header(kFirst + 30, 6, 9);
  rig.Run(120);
  EXPECT_EQ(rig.drops, (std::map<Cycle, Drop>{{kFirst + 10 + 18, Drop::kClassFull}}));
  EXPECT_EQ(rig.used.back(), 16);
}

TEST(ClassShares, LossyClassesMayOnlyTakeWhatIsShared) {
  Rig rig(true);
  rig.Share(2, 5, 2, 100, true);
  rig.Share(3, 6, 3, 100, false);
  rig.Shared(4, 6);
  rig.Header(kFirst, 6, 8);       // 5 beyond its reserve
  rig.Header(kFirst + 20, 5, 4);  // 2 beyond: 7 > 6
  rig.Header(kFirst + 40, 5, 3);  // 1 beyond: 6
  rig.Run(120);
  EXPECT_EQ(rig.drops, (std::map<Cycle, Drop>{{kFirst + 20 + 18, Drop::kClassFull}}));
}

/// The last cell of 4 leaves in pick + 7 = grant + 8; a packet judged in that cycle does not see it yet.
TEST(ClassShares, CellsAreFreeInTheCycleAfterTheLastOneLeft) {
  constexpr Cycle kGrant = 100;
  for (const int late : {0, 1}) {
    Rig rig(true);
    rig.Share(2, 5, 0, 4, true);
    rig.Shared(3, 1000);
    rig.Header(kFirst, 5, 4);
    rig.Grant(kGrant, 6, 0);
    rig.Header(kGrant + 8 - 18 + late, 5, 1);
    rig.Run(160);
    EXPECT_EQ(rig.drops.size(), late == 0 ? 1u : 0u);
    if (late == 0) {
      EXPECT_EQ(rig.drops.begin()->first, kGrant + 8);
    }
  }
}

TEST(ClassShares, ALongPacketThatIsDroppedGoesFreeWithItsLastWord) {
  Rig rig(true);
  rig.Share(2, 5, 0, 39, true);
  rig.Shared(3, 1000);
  rig.Header(kFirst, 5, 40);  // 60 words
  rig.Run(160);
  EXPECT_EQ(rig.drops, (std::map<Cycle, Drop>{{kFirst + 59 + 6, Drop::kClassFull}}));
  EXPECT_EQ(rig.used[kFirst + 59 + 5], 40);
  EXPECT_EQ(rig.used[kFirst + 59 + 6], 0);
}

TEST(ClassShares, AReplicatedPacketIsOneAccountUntilItsLastCopyLeft) {
  Rig rig(true);
  rig.Share(2, 5, 0, 4, true);
  rig.Shared(3, 1000);
  rig.Header(kFirst, 5, 4, HeaderBits::kReplicated);  // to ports 0, 5, 6, 7
  for (const int output : {0, 5, 6, 7}) rig.Grant(100 + 10 * (output & 3), output, 0);
  rig.Header(115, 5, 1);  // judged in 133: three copies have left
  rig.Header(125, 5, 1);  // judged in 143: all
  rig.Run(180);
  EXPECT_EQ(rig.headers.size(), 4u);
  EXPECT_EQ(rig.drops, (std::map<Cycle, Drop>{{133, Drop::kClassFull}}));
}

TEST(ClassShares, PacketsThatCameBeforeAnyClassWasLossyAreNotAccounted) {
  Rig rig(true);
  rig.Shared(2, 1000);
  rig.Header(kFirst, 5, 4);
  rig.Share(kFirst + 4 - 7, 5, 0, 4, true);  // its event is that of the packet's description
  rig.Header(kFirst + 10, 5, 4);
  rig.Header(kFirst + 20, 5, 1);
  rig.Run(120);
  EXPECT_EQ(rig.drops, (std::map<Cycle, Drop>{{kFirst + 20 + 18, Drop::kClassFull}}));
}

TEST(ClassShares, ABareFrameHasItsClassesRoutingAndAccount) {
  Rig rig(false);
  rig.Share(2, 2, 0, 3, true);
  rig.Shared(3, 1000);
  rig.Write(4, CfgSpace::kClass, IndexOf(2, ClassReg::kRouting),
            ClassRouting::Of(static_cast<std::uint64_t>(RouteMode::kMinHash), /*ordered=*/true).ToBits());
  rig.Bare(kFirst, 64);       // 2 cells, its last word in kFirst + 1
  rig.Bare(kFirst + 10, 64);
  rig.Grant(100, 6, 2);
  rig.Run(140);
  EXPECT_EQ(rig.drops, (std::map<Cycle, Drop>{{kFirst + 11 + 18, Drop::kClassFull}}));
  ASSERT_EQ(rig.headers.size(), 1u);
  EXPECT_EQ(rig.headers[0].mode, static_cast<int>(RouteMode::kMinHash));
  EXPECT_TRUE(rig.headers[0].ordered);
}

}  // namespace
}  // namespace tilefly::golden
