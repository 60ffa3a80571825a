// SPDX-License-Identifier: Apache-2.0
// tilefly_mac_out, with the output buffer that it reads, against golden's OutputBuffer and MacOut (docs/blocks/link.md, Out
// and PAUSE; docs/blocks/egress.md, Output buffer: LINK-2, LINK-3, EGR-5).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>

#include "Vrtl_mac_out.h"
#include "golden/egress/output_buffer.h"
#include "golden/link/mac_out.h"
#include "testbenches/bench/cell_source.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

using Message = golden::CreditReturner::Message;
const Profile& kProfile = kTile8;
constexpr int kPort = 4;
constexpr int kRows = 3;  // two of tiles, and row R

struct Inputs {
  std::array<const CellSource::Packet*, kRows> first_cells{};  ///< by row
  int used = 0;
  bool link_up = true;
  Cfg write;
  std::optional<Message> credit;  ///< decided by the input side in this cycle
};

/// What happens in a cycle.
struct Events {
  Link link;
  bool take = false, packet = false, stomped = false, pause = false, no_header = false;
  int released = 0;
};

/// Golden's output buffer and MAC of one port, without what grants.
class GoldenOut {
 public:
  GoldenOut() : context_(kProfile), buffer_(context_), mac_(frames_) {}

  Events Step(Cycle now, const Inputs& inputs) {
    Events events;
    events.link = mac_.Output(now);
    departures_.Clear();
    if (context_.registers.port(kPort).sends_pause()) buffer_.Wake(golden::Bit(kPort));
    buffer_.Decide(now, [&](int) { return inputs.used; }, &departures_);
    for (const golden::Departure& departure : departures_.packets) {
      events.take = true;
      events.packet = departure.has_words();
      events.no_header = !departure.has_words();
      mac_.Queue(departure, departures_.EthOf(departure));
      frames_.DropUse(departure.payload);
    }
    for (const golden::PauseFrame& pause : departures_.pauses) {
      events.pause = true;
      mac_.Queue(pause);
    }
    if (inputs.credit) mac_.Queue(now + 6, *inputs.credit);
    for (const CellSource::Packet* packet : inputs.first_cells) {
      if (packet != nullptr) Arrive(now, *packet);
    }
    buffer_.FreeRoom(now, [&](const golden::Packet& packet) { events.released = packet.cells; });
    events.stomped = mac_.StompedRead(now);
    context_.links_up = inputs.link_up ? ~golden::PortMask{0} : 0;
    context_.registers.Apply(inputs.write);
    buffer_.Wake(golden::Bit(kPort));
    return events;
  }
  const golden::PortRegisters& registers() const { return context_.registers.port(kPort); }

 private:
  void Arrive(Cycle now, const CellSource::Packet& arriving) {
    const golden::Index id = context_.packets.Allocate();
    golden::Packet& packet = context_.packets[id];
    packet = golden::Packet{};
    packet.header = golden::HeaderBits(arriving.header);
    packet.payload = frames_.Allocate();
    frames_[packet.payload].bytes = arriving.frame;
    frames_[packet.payload].bad = arriving.bad;
    packet.parent = id;
    packet.length = arriving.header.len;
    packet.cells = static_cast<std::uint8_t>(golden::CellsOf(packet.length));
    packet.input = static_cast<std::uint8_t>(arriving.input);
    packet.output = kPort;
    packet.copies_left = packet.holds = 1;
    buffer_.FirstCell(now, id);
  }

  golden::Context context_;
  golden::FrameStore frames_;
  golden::OutputBuffer buffer_;
  golden::MacOut mac_;
  golden::Departures departures_;
};

Cfg WritePort(PortReg reg, std::uint64_t data) {
  Cfg cfg;
  cfg.valid = true;
  cfg.port = kPort;
  cfg.index = static_cast<std::uint16_t>(reg);
  cfg.data = data;
  return cfg;
}

/// What may be written only while the port is idle (docs/blocks/switch.md): write `number` of kIdleWrites.
constexpr int kIdleWrites = 4;
Cfg IdleWrite(const Stimulus& random, Cycle now, int number) {
  const std::uint64_t data = random.Bits("write: data", now);
  if (number == 0) return WritePort(PortReg::kEthLo, data);
  if (number == 1) {
    PortEthHi eth_hi = PortEthHi::FromBits(data);
    eth_hi.valid = random.Chance(192, "write: valid", now);
    return WritePort(PortReg::kEthHi, eth_hi.ToBits());
  }
  if (number == 2) {
    Cfg own = WritePort(PortReg::kMode, OwnAddress::FromBits(data).ToBits());
    own.space = static_cast<std::uint8_t>(CfgSpace::kSwitch);
    return own;
  }
  PortMode mode = PortMode::FromBits(data);
  mode.acks = false;
  mode.enable = true;
  if (random.Chance(128, "four lanes", now)) mode.lanes = 4;
  return WritePort(PortReg::kMode, mode.ToBits());
}

/// Packets of all sizes on all rows, as far as there is room for them.
class Rows {
 public:
  explicit Rows(const Stimulus& random) : random_(random), sources_{CellSource(kProfile, random, 0), CellSource(kProfile, random, 1),
                                                           CellSource(kProfile, random, 2)} {}

  void Grant(Cycle now, bool busy) {
    for (int row = 0; row < kRows; ++row) {
      const auto index = static_cast<std::uint32_t>(row);
      if (!busy || room_ < kProfile.mtu_cells || !random_.Spell("grant", now, index)) continue;
      const bool large = random_.Chance(24, "large", now, index);
      const int cells = large ? random_.Between(1, kProfile.mtu_cells, "cells", now, index) : random_.Between(1, 4, "cells", now, index);
      const int input = row * kProfile.row_in + random_.Between(0, kProfile.row_in - 1, "input", now, index);
      sources_[index].Granted(now, input, random_.Between(0, 15, "lane", now, index), cells);
      room_ -= cells;
    }
  }
  std::optional<CellSource::Arrival> Next(Cycle now, int row) { return sources_[static_cast<std::size_t>(row)].Next(now, true); }
  void Release(int cells) { room_ += cells; }
  bool idle() const { return room_ == kProfile.obuf_cells; }
  bool full() const { return room_ < kProfile.mtu_cells; }

 private:
  const Stimulus& random_;
  std::array<CellSource, kRows> sources_;
  int room_ = kProfile.obuf_cells;
};

struct Bins {
  explicit Bins(Comparison* run)
      : full(run->AddBin("no room for another MTU", 100)),
        tie(run->AddBin("first cells on two rows together", 10)),
        stomped(run->AddBin("a packet leaves stomped", 5)),
        pause(run->AddBin("a PAUSE frame is sent", 5)),
        no_header(run->AddBin("no Ethernet header", 2)),
        padded(run->AddBin("a short frame is padded", 5)),
        credit(run->AddBin("a credit message", 100)) {}
  Bin full, tie, stomped, pause, no_header, padded, credit;
};

void CompareMacs(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_mac_out> dut(&run);
  Clear(&dut->cfg_i);
  Clear(&dut->cell_i);
  dut->port_i = kPort;
  dut->cycle_i = 0;
  dut->link_up_i = 1;
  dut->used_i = 0;
  dut->ret_valid_i = dut->cell_valid_i = 0;
  dut.Reset();

  const Bins bins(&run);
  const Cycle first = FirstCycle(power_up);
  GoldenOut golden;
  const Stimulus& random = run.stimulus();
  Rows rows(random);
  std::optional<Message> decided_before;
  bool up_before = true, speaks = false;
  Cycle segment_end = 0, still = 0;
  int idle_write = 0;
  while (run.Next()) {
    const Cycle now = run.cycle();
    Inputs inputs;
    const bool quiet = now >= segment_end;  // then MODE changes
    still = quiet && rows.idle() && !speaks ? still + 1 : 0;
    if (still > 20) {
      inputs.write = IdleWrite(random, now, idle_write);
      idle_write = (idle_write + 1) % kIdleWrites;
      if (idle_write == 0) {
        segment_end = now + 700;
        still = 0;
      }
    } else if (!quiet && random.Chance(3, "write", now)) {
      inputs.write = WritePort(PortReg::kPause, PortPause::Of(1500, 1000, random.Chance(192, "send", now)).ToBits());
    }
    inputs.used = quiet ? 0 : random.Between(0, 2400, "used", now / 200);
    inputs.link_up = quiet || !random.Chance(24, "down", now / 64);
    if (random.Spell("credit", now)) {
      inputs.credit = Message{static_cast<std::uint8_t>(random.Below(16, "credit: lane", now)),
                              static_cast<std::uint16_t>(random.Bits("credit: cells", now))};
    }
    rows.Grant(now, !quiet);

    dut->cycle_i = static_cast<QData>(first + now);
    PutStruct(&dut->cfg_i, 0, inputs.write);
    dut->link_up_i = up_before;  // the port keeps the link's state for a cycle
    dut->used_i = static_cast<SData>(inputs.used);
    dut->ret_valid_i = decided_before.has_value();
    dut->ret_vl_i = decided_before ? decided_before->vl : 0;
    dut->ret_cells_i = decided_before ? decided_before->cells : 0;
    dut->cell_valid_i = 0;
    for (int row = 0; row < kRows; ++row) {
      const auto arrival = rows.Next(now, row);
      if (!arrival) continue;
      Put(&dut->cell_valid_i, row, 1, 1);
      PutStruct(&dut->cell_i, row * Cell::kWidth, arrival->cell);
      if (arrival->starts == nullptr) continue;
      inputs.first_cells[static_cast<std::size_t>(row)] = arrival->starts;
      const Header& header = arrival->starts->header;
      run.Event("first cell: row, bytes, kind, bad", {row, header.len, header.kind, arrival->starts->bad});
      const bool padded = golden.registers().mode.std_format && header.kind != static_cast<int>(Kind::kStd) && header.len < 50;
      run.Hit(bins.padded, padded);
    }
    dut.Settle();

    const Events events = golden.Step(first + now, inputs);
    run.CompareStruct("link_o.word", GetStruct<Word>(dut->link_o), events.link.word);
    run.CompareStruct("link_o.ctrl", GetStruct<Ctrl>(dut->link_o, Word::kWidth), events.link.ctrl);
    run.Compare("take", dut->take_o, events.take);
    run.Compare("tx_packet", dut->tx_packet_o, events.packet);
    run.Compare("tx_stomped", dut->tx_stomped_o, events.stomped);
    run.Compare("tx_pause", dut->tx_pause_o, events.pause);
    run.Compare("no_eth_header", dut->no_eth_header_o, events.no_header);
    run.Compare("release", dut->release_o, events.released != 0);
    if (events.released != 0) run.Compare("release_cells", dut->release_cells_o, static_cast<std::uint64_t>(events.released));
    rows.Release(events.released);

    speaks = events.link.word.valid;
    if (speaks) run.Busy();
    if (events.take) run.Event("take", {});
    run.Hit(bins.full, rows.full());
    run.Hit(bins.tie, std::count(inputs.first_cells.begin(), inputs.first_cells.end(), nullptr) < kRows - 1);
    run.Hit(bins.stomped, events.stomped);
    run.Hit(bins.pause, events.pause);
    run.Hit(bins.no_header, events.no_header);
    run.Hit(bins.credit, events.link.ctrl.credit_valid);
    decided_before = inputs.credit;
    up_before = inputs.link_up;
    dut.Edge();
  }
}

TEST(MacOut, EqualsGoldenInEveryCycle) { CompareMacs(kZeros, 3); }

TEST(MacOut, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareMacs(power_up, 0.1); });
}

TEST(MacOut, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareMacs(power_up, 0.2); });
}

}  // namespace
}  // namespace tilefly::bench
