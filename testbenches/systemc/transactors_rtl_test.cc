// SPDX-License-Identifier: Apache-2.0
// Transactors by themselves: the cycle of every word and control slot, which packets returns and acks are of, and what is
// said when words break law 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "golden/acks/ack_route.h"
#include "golden/link/check.h"
#include "systemc/rtl/fabric_to_pins.h"
#include "systemc/rtl/pins_to_fabric.h"
#include "testbenches/systemc/peers.h"
#include "testbenches/systemc/simulation.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Pins of a port as a test says, and as they are: in the middle of each cycle.
template <typename T>
class PinScript final : public sc_core::sc_module {
 public:
  PinScript(sc_core::sc_module_name name, const sc_core::sc_clock& clock, sc_core::sc_signal<Pins<T>>* pins)
      : sc_module(name), pins_(pins) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&clock.posedge_event());
    sc_core::sc_spawn([this] { Edge(); }, sc_core::sc_gen_unique_name("edge"), &options);
  }
  std::map<Cycle, T> at;

 private:
  void Edge() {
    const auto found = at.find(fabric::CycleAt(sc_core::sc_time_stamp()));
    pins_->write(ToPins(found == at.end() ? T{} : found->second));
  }
  sc_core::sc_signal<Pins<T>>* pins_;
};

/// What was on pins, by cycle.
template <typename T>
class PinLog final : public sc_core::sc_module {
 public:
  PinLog(sc_core::sc_module_name name, const sc_core::sc_clock& clock, const sc_core::sc_signal<Pins<T>>& pins)
      : sc_module(name) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&clock.negedge_event());
    sc_core::sc_spawn(
        [this, &pins] {
          const T value = FromPins<T>(pins.read());
          if (value != T{}) seen[fabric::CycleAt(sc_core::sc_time_stamp()) - 1] = value;
        },
        sc_core::sc_gen_unique_name("middle"), &options);
  }
  std::map<Cycle, T> seen;
};

PortMode ModeOf(int lanes, bool credits = true) {
  PortMode mode;
  mode.lanes = static_cast<std::uint8_t>(lanes);
  mode.credits = credits;
  return mode;
}

/// A call backward: "END 0 in 35".
struct Heard {
  std::string phase;
  int id;
  Cycle cycle;
  bool operator==(const Heard& o) const { return phase == o.phase && id == o.id && cycle == o.cycle; }
};
void PrintTo(const Heard& heard, std::ostream* out) { *out << heard.phase << " " << heard.id << " in " << heard.cycle; }

/// Sends packets that it is told, numbered from 0, to a FabricToPins.
class Sender final : public Script {
 public:
  Sender(sc_core::sc_module_name name) : Script(name) { out.register_nb_transport_bw(this, &Sender::Hear); }
  tlm_utils::simple_initiator_socket<Sender, 32, fabric::Types> out{"out"};
  fabric::PacketPool pool;
  std::vector<Heard> heard;
  std::vector<golden::FlowPause> pauses;

  void Send(Cycle cycle, int length, int vl, int flow = 0, bool bytes = true) {
    At(cycle, [=] {
      fabric::Packet& packet = pool.Make();
      ids_[&packet] = static_cast<int>(ids_.size());
      Header header;
      header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
      header.len = static_cast<std::uint16_t>(length);
      header.vl = static_cast<std::uint8_t>(vl);
      header.flow = static_cast<std::uint16_t>(flow);
      packet.header = golden::HeaderBits(header);
      packet.length = length;
      if (bytes) packet.frame = std::make_shared<const fabric::Frame>(static_cast<std::size_t>(length), std::uint8_t{0x5A});
      tlm::tlm_phase phase = fabric::BEGIN_PACKET;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      out->nb_transport_fw(packet, phase, delay);
      packet.release();
    });
  }

 private:
  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == fabric::FLOW_PAUSE) {
      heard.push_back({"PAUSE", static_cast<int>(packet.pause.destination), fabric::CycleOfCall(delay)});
      pauses.push_back(packet.pause);
      return tlm::TLM_ACCEPTED;
    }
    heard.push_back({phase == fabric::ACK ? "ACK" : "END", ids_.at(&packet), fabric::CycleOfCall(delay)});
    return tlm::TLM_ACCEPTED;
  }
  std::map<const fabric::Packet*, int> ids_;
};

/// Sender - FabricToPins - pins.
struct ToPinsRig {
  ToPinsRig() {
    sender.out.bind(transactor.in);
    transactor.clk_i(clock);
    transactor.word_o(words);
    transactor.ctrl_i(ctrl);
  }
  void Credit(Cycle cycle, int vl, int cells) {
    slots.at[cycle].credit_valid = true;
    slots.at[cycle].credit_vl = static_cast<std::uint8_t>(vl);
    slots.at[cycle].credit_cells = static_cast<std::uint16_t>(cells);
  }
  void Acked(Cycle cycle, int flow, int cells) {
    Ack ack;
    ack.flow = static_cast<std::uint16_t>(flow);
    ack.cells = static_cast<std::uint8_t>(cells);
    golden::PutAck(ack, &slots.at[cycle]);
  }
  std::vector<Cycle> WordCycles() const {
    std::vector<Cycle> cycles;
    for (const auto& [cycle, word] : log.seen) cycles.push_back(cycle);
    return cycles;
  }

  sc_core::sc_clock clock{"clock", fabric::TimeOf(1)};
  sc_core::sc_signal<Pins<Word>> words{"words"};
  sc_core::sc_signal<Pins<Ctrl>> ctrl{"ctrl"};
  PinScript<Ctrl> slots{"slots", clock, &ctrl};
  PinLog<Word> log{"log", clock, words};
  Sender sender{"sender"};
  FabricToPins transactor{"transactor"};
};

TEST(FabricToPins, PutsWordsOnThePinsAsTheLanesHaveRoom) {
  const std::map<int, std::vector<Cycle>> expected = {
      {4, {20, 21, 22}}, {3, {20, 21, 22}}, {2, {20, 22, 24}}, {1, {20, 24, 28}}};
  for (const auto& [lanes, cycles] : expected) {
    InChild([&, lanes = lanes, cycles = cycles] {
      ToPinsRig rig;
      rig.transactor.set_mode(ModeOf(lanes));
      rig.sender.Send(20, 64, 0);
      sc_core::sc_start(fabric::TimeOf(60));
      EXPECT_EQ(rig.WordCycles(), cycles) << lanes;
      EXPECT_TRUE(rig.log.seen.at(20).sop && rig.log.seen.at(20).enh);
      EXPECT_TRUE(rig.log.seen.at(cycles.back()).eop);
      EXPECT_EQ(rig.log.seen.at(cycles.back()).last, 15);
      EXPECT_EQ(rig.log.seen.at(cycles[1]).data[0], 0x5A);
    });
  }
}

TEST(FabricToPins, GivesAPacketWithoutBytesZerosWithTheirCheck) {
  InChild([] {
    ToPinsRig rig;
    rig.sender.Send(5, 64, 0, 0, false);
    sc_core::sc_start(fabric::TimeOf(40));
    ASSERT_EQ(rig.log.seen.size(), 3u);
    std::vector<std::uint8_t> bytes;
    for (const auto& [cycle, word] : rig.log.seen) bytes.insert(bytes.end(), word.data.begin(), word.data.end());
    EXPECT_EQ(golden::CheckFrame(bytes.data() + 16, 64), golden::CheckResult::kGood);
  });
}

/// Cells of 48 B: packets of 2, 6 and 2 cells on lane 1, one of 2 on lane 3.
TEST(FabricToPins, EndsThePacketsWhoseCellsAreReturned) {
  InChild([] {
    ToPinsRig rig;
    rig.sender.Send(10, 64, 1);
    rig.sender.Send(20, 256, 1);
    rig.sender.Send(40, 64, 1);
    rig.sender.Send(50, 64, 3);
    rig.Credit(60, 1, 2);
    rig.Credit(61, 1, 4);  // the third, before the second
    rig.Credit(62, 3, 2);
    rig.Credit(63, 3, 2);  // the same again
    rig.Credit(70, 1, 10);
    sc_core::sc_start(fabric::TimeOf(100));
    EXPECT_THAT(rig.sender.heard, ElementsAre(Heard{"END", 0, 60}, Heard{"END", 2, 61}, Heard{"END", 3, 62}, Heard{"END", 1, 70}));
    EXPECT_EQ(rig.transactor.open(), 0u);
  });
}

TEST(FabricToPins, GivesAnAckToTheOldestPacketOfItsFlow) {
  InChild([] {
    ToPinsRig rig;
    rig.sender.Send(10, 64, 0, 7);
    rig.sender.Send(20, 64, 0, 8);
    rig.sender.Send(30, 64, 0, 7);
    rig.Credit(50, 0, 6);
    rig.Acked(45, 8, 2);  // before its end
    rig.Acked(60, 7, 2);
    rig.Acked(61, 7, 3);  // of nobody
    rig.Acked(62, 7, 2);
    rig.Acked(63, 7, 2);  // one too many
    sc_core::sc_start(fabric::TimeOf(100));
    EXPECT_THAT(rig.sender.heard, ElementsAre(Heard{"ACK", 1, 45}, Heard{"END", 0, 50}, Heard{"END", 1, 50}, Heard{"END", 2, 50},
                                              Heard{"ACK", 0, 60}, Heard{"ACK", 2, 62}));
    EXPECT_EQ(rig.sender.pool.held(), 0u);
  });
}

/// A pause belongs to no packet: it comes with a packet inside, and without.
TEST(FabricToPins, TellsPausesOfFlows) {
  InChild([] {
    ToPinsRig rig;
    golden::FlowPause pause;
    pause.destination = 0x12345;
    pause.tc = 5;
    pause.period = 64;
    pause.credit = 89;
    rig.sender.Send(10, 64, 0, 7);
    golden::PutPause(pause, &rig.slots.at[15]);
    rig.Credit(20, 0, 2);
    rig.Acked(30, 7, 2);
    golden::PutPause(pause, &rig.slots.at[40]);
    sc_core::sc_start(fabric::TimeOf(100));
    EXPECT_THAT(rig.sender.heard, ElementsAre(Heard{"PAUSE", 0x12345, 15}, Heard{"END", 0, 20}, Heard{"ACK", 0, 30},
                                              Heard{"PAUSE", 0x12345, 40}));
    EXPECT_THAT(rig.sender.pauses, ElementsAre(pause, pause));
    EXPECT_EQ(rig.sender.pool.held(), 0u);
  });
}

TEST(FabricToPins, EndsAPacketWithItsLastWordWhereThereAreNoCredits) {
  InChild([] {
    ToPinsRig rig;
    rig.transactor.set_mode(ModeOf(4, false));
    rig.sender.Send(10, 64, 0);
    rig.sender.Send(13, 64, 0);
    sc_core::sc_start(fabric::TimeOf(40));
    EXPECT_THAT(rig.sender.heard, ElementsAre(Heard{"END", 0, 12}, Heard{"END", 1, 15}));
    EXPECT_EQ(rig.sender.pool.held(), 0u);
  });
}

TEST(FabricToPins, RefusesAnOpenPacket) {
  InChild([] {
    ToPinsRig rig;
    fabric::Packet& packet = rig.sender.pool.Make();
    packet.open = true;
    tlm::tlm_phase phase = fabric::BEGIN_PACKET;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    try {
      rig.sender.out->nb_transport_fw(packet, phase, delay);
      ADD_FAILURE() << "nothing was said";
    } catch (const sc_core::sc_report& report) {
      EXPECT_THAT(report.get_msg(), HasSubstr("transactor: an open packet"));
    }
    packet.release();
  });
}

TEST(FabricToPins, RefusesALooselyTimedPacket) {
  InChild([] {
    ToPinsRig rig;
    fabric::Packet& packet = rig.sender.pool.Make();
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    try {
      rig.sender.out->b_transport(packet, delay);
      ADD_FAILURE() << "nothing was said";
    } catch (const sc_core::sc_report& report) {
      EXPECT_THAT(report.get_msg(), HasSubstr("transactor: b_transport: pins have words in every cycle"));
    }
    packet.release();
  });
}

/// Takes packets, and answers in the cycles that it is told.
class Taker final : public Script {
 public:
  explicit Taker(sc_core::sc_module_name name) : Script(name) { in.register_nb_transport_fw(this, &Taker::Receive); }
  tlm_utils::passthrough_target_socket<Taker, 32, fabric::Types> in{"in"};
  std::vector<fabric::Packet*> packets;  ///< with a reference
  std::vector<Cycle> begins;

  void Say(Cycle cycle, const tlm::tlm_phase& phase, std::size_t packet, int flow = 0) {
    At(cycle, [=] {
      packets.at(packet)->ack.flow = static_cast<std::uint16_t>(flow);
      tlm::tlm_phase told = phase;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      in->nb_transport_bw(*packets.at(packet), told, delay);
    });
  }

 private:
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
    packet.acquire();
    packets.push_back(&packet);
    begins.push_back(fabric::CycleOfCall(delay));
    return tlm::TLM_ACCEPTED;
  }
};

/// Pins - PinsToFabric - Taker.
struct FromPinsRig {
  explicit FromPinsRig(Cycle cable) {
    transactor.out.bind(taker.in);
    transactor.set_cable(cable);
    transactor.clk_i(clock);
    transactor.word_i(words);
    transactor.ctrl_o(ctrl);
  }
  /// A packet of `length` bytes from `cycle` on; `wrong` in its last byte.
  void Put(Cycle cycle, int length, int vl = 0, bool wrong = false) {
    golden::Departure departure{};
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(length);
    header.vl = static_cast<std::uint8_t>(vl);
    departure.header = golden::HeaderBits(header);
    departure.length = header.len;
    departure.format = golden::FrameFormat::Of(false, Kind::kEnhEth, length);
    golden::Frame frame;
    frame.bytes.assign(static_cast<std::size_t>(length - 4), 0x33);
    const std::uint32_t crc = golden::Crc32(0, frame.bytes.data(), frame.bytes.size());
    for (int i = 0; i < 4; ++i) frame.bytes.push_back(static_cast<std::uint8_t>(crc >> 8 * i));
    if (wrong) frame.bytes.back() ^= 1;
    const golden::Framer framer(departure, {});
    for (int k = 0; k < departure.format.words; ++k) script.at[cycle + k] = framer.MakeWord(k, frame);
  }

  sc_core::sc_clock clock{"clock", fabric::TimeOf(1)};
  sc_core::sc_signal<Pins<Word>> words{"words"};
  sc_core::sc_signal<Pins<Ctrl>> ctrl{"ctrl"};
  fabric::PacketPool pool;
  PinScript<Word> script{"script", clock, &words};
  PinLog<Ctrl> log{"log", clock, ctrl};
  Taker taker{"taker"};
  PinsToFabric transactor{"transactor", &pool};
};

TEST(PinsToFabric, TellsAPacketInTheCycleOfItsFirstWordWhereTheCableIsLongEnough) {
  InChild([] {
    FromPinsRig rig(100);
    rig.Put(20, 64, 2);
    rig.Put(23, 64, 1, true);
    rig.Put(30, 4000);
    sc_core::sc_start(fabric::TimeOf(400));
    EXPECT_THAT(rig.taker.begins, ElementsAre(120, 123, 30 + 125 + 100));  // the last of 126 words, at the far end
    ASSERT_EQ(rig.taker.packets.size(), 3u);
    EXPECT_FALSE(rig.taker.packets[0]->whole || rig.taker.packets[0]->bad);
    EXPECT_EQ(rig.taker.packets[0]->header.vl(), 2);
    EXPECT_EQ(rig.taker.packets[0]->length, 64);
    EXPECT_EQ(rig.taker.packets[0]->frame->at(30), 0x33);
    EXPECT_TRUE(rig.taker.packets[1]->bad);
    EXPECT_TRUE(rig.taker.packets[2]->whole);
    EXPECT_EQ(rig.taker.packets[2]->Duration(4), 0);
    EXPECT_EQ(rig.transactor.open(), 3u);
  });
}

TEST(PinsToFabric, ReturnsCellsAndAcksOneACycle) {
  InChild([] {
    FromPinsRig rig(10);
    rig.Put(10, 64, 1);
    rig.Put(13, 64, 3);
    rig.Put(16, 256, 1);
    for (const std::size_t packet : {0u, 1u}) rig.taker.Say(100, fabric::END_PACKET, packet);
    rig.taker.Say(103, fabric::DROPPED, 2);
    rig.taker.Say(110, fabric::ACK, 0, 5);
    rig.taker.Say(110, fabric::ACK, 1, 6);
    sc_core::sc_start(fabric::TimeOf(200));
    std::vector<Cycle> cycles;
    for (const auto& [cycle, slot] : rig.log.seen) cycles.push_back(cycle);
    ASSERT_THAT(cycles, ElementsAre(100, 101, 103, 110, 111));
    EXPECT_EQ(rig.log.seen.at(100).credit_vl, 1);
    EXPECT_EQ(rig.log.seen.at(100).credit_cells, 2);
    EXPECT_EQ(rig.log.seen.at(101).credit_vl, 3);
    EXPECT_EQ(rig.log.seen.at(103).credit_cells, 2 + 6);  // cumulative
    EXPECT_TRUE(rig.log.seen.at(110).ack_valid && !rig.log.seen.at(110).credit_valid);
    EXPECT_EQ(rig.log.seen.at(110).ack_flow, 5);
    EXPECT_EQ(rig.log.seen.at(111).ack_flow, 6);
    EXPECT_EQ(rig.transactor.open(), 0u);
  });
}

TEST(PinsToFabric, SaysThatAWordIsMissing) {
  for (const Cycle gone : {20, 21, 22}) {
    InChild([gone] {
      FromPinsRig rig(100);
      rig.Put(20, 64);
      rig.script.at.erase(gone);
      try {
        sc_core::sc_start(fabric::TimeOf(60));
        ADD_FAILURE() << "nothing was said";
      } catch (const sc_core::sc_report& report) {
        EXPECT_THAT(report.get_msg(), HasSubstr("law 2"));
        EXPECT_TRUE(rig.taker.packets.empty());
      }
    });
  }
}

}  // namespace
}  // namespace tilefly::systemc
