// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/golden_side.h"

#include <algorithm>
#include <memory>

#include "golden/link/check.h"
#include "golden/link/control_frame.h"
#include "golden/link/framer.h"
#include "golden/reduction/frame_red_bytes.h"
#include "golden/reduction/reductions.h"
#include "golden/switch/switch.h"
#include "testbenches/bench/pause_time.h"

namespace tilefly::systemc {
namespace {

/// Bytes of reduction packets, kept to the end. Their numbers are behind those of offers.
class RedFrames final : public golden::RedBytes {
 public:
  static constexpr golden::Payload kFirst = 1u << 30;

  golden::Payload Add(const fabric::Frame& bytes) {
    const golden::Index id = frames_.Allocate();
    frames_[id].bytes = bytes;
    return kFirst + id;
  }
  FramePointer FrameOf(golden::Payload payload) const {
    return std::make_shared<const fabric::Frame>(frames_[payload - kFirst].bytes);
  }
  Red HeaderOf(golden::Payload payload) const override { return bytes_.HeaderOf(payload - kFirst); }
  const std::uint8_t* DataOf(golden::Payload payload) const override { return bytes_.DataOf(payload - kFirst); }
  golden::Payload Make(const Red& header, int length, const std::vector<std::uint8_t>& data) override {
    return kFirst + bytes_.Make(header, length, data);
  }

 private:
  golden::FrameStore frames_;
  golden::FrameRedBytes bytes_{frames_};
};

class GoldenSide {
 public:
  GoldenSide(const ContractSetup& setup, const Offers& offers, RedPeers* peers)
      : setup_(setup),
        profile_(setup.profile),
        offers_(offers),
        peers_(peers),
        switch_(std::make_unique<golden::Switch>(setup.profile, setup.scheduler)),
        table_(setup.profile),
        partners_(static_cast<std::size_t>(setup.profile.ports)) {
    switch_->KeepRedBytes(&red_frames_);
    for (const Cfg& write : setup.writes) switch_->Write(0, write);
    for (const auto& [cycle, write] : setup.later) switch_->Write(cycle, write);
    for (const auto& of_port : offers) {
      for (const Offer& offer : of_port) frames_.resize(std::max<std::size_t>(frames_.size(), offer.id + 1));
      for (const Offer& offer : of_port) frames_[offer.id].bad = offer.bad;
    }
    outcome_.acks.resize(partners_.size());
  }

  Outcome Run() {
    while (!Over()) {
      Sample();
      const bool sending = Send();
      answers_.Drain(now_, [&](const Answer& answer) { switch_->Ack(answer.port, now_, answer.ack); });
      if (switch_->NextActive() <= now_) {
        switch_->Step(now_);
        Collect();
      }
      told_.Drain(now_, [&](const Told& told) {
        partners_[told.port].paused_until = now_ + bench::PauseTime(told.quanta, kLanes);
      });
      credits_.Drain(now_, [&](const golden::CreditReturn& message) {
        partners_[message.port].credits.Return(message.vl, message.cells, table_);
      });
      heard_.Drain(now_, [&](const Heard& heard) { peers_->Receive(heard.port, heard.first, now_, heard.header, heard.frame); });
      now_ = sending ? now_ + 1 : std::max(now_ + 1, Next());
    }
    outcome_.drained = switch_->packets() == 0;
    for (int p = 0; p < profile_.ports; ++p) {
      outcome_.drained &= switch_->used(p) == 0 && switch_->room(p) == profile_.obuf_cells && switch_->load(p) == 0 &&
                          switch_->credits(p).AllHome() && partners_[p].credits.AllHome();
      auto& counters = outcome_.counters.emplace_back();
      for (int index = 0; index <= static_cast<int>(kCounterValues.back()); ++index) {
        counters.push_back(switch_->ReadCounter(p, index));
      }
    }
    return std::move(outcome_);
  }

 private:
  struct Partner {
    golden::CreditSender credits;
    std::array<std::uint16_t, golden::kMaxLanes> sunk{};
    Cycle next_start = 0;
    std::size_t next = 0;
    Cycle paused_until = 0;
  };
  struct End {
    int port;
    golden::End end;
    FramePointer bare;  ///< null: with header
  };
  struct Answer {
    int port;
    tilefly::Ack ack;
  };

  /// A reduction packet that leaves; its last word is due.
  struct Heard {
    int port;
    Cycle first;
    golden::HeaderBits header;
    FramePointer frame;
  };

  bool Over() const {
    for (std::size_t p = 0; p < partners_.size(); ++p) {
      if (partners_[p].next < offers_[p].size()) return false;
    }
    return Next() == kNever;
  }
  /// The next cycle in which something happens, when no offer waits.
  Cycle Next() const {
    Cycle next = std::min({switch_->NextActive(), credits_.Next(), ends_.Next(), answers_.Next(), heard_.Next(), told_.Next()});
    if (sampled_ < setup_.samples.size()) next = std::min(next, setup_.samples[sampled_]);
    for (int port = 0; peers_ != nullptr && port < profile_.ports; ++port) {
      if (const std::optional<RedNext> red = peers_->Next(port)) next = std::min(next, red->at);
    }
    return next;
  }

  void Sample() {
    if (sampled_ == setup_.samples.size() || now_ < setup_.samples[sampled_]) return;
    ++sampled_;
    for (int g = 0; g < golden::kRedGroups; ++g)
      outcome_.statuses.push_back(switch_->reductions()->cfu().Status(g).ToBits());
  }

  /// A reduction packet of this cycle, if one is ready and its lane has credit.
  bool SendReduction(int port) {
    if (peers_ == nullptr) return false;
    const std::optional<RedNext> next = peers_->Next(port);
    if (!next || now_ < next->at || !partners_[port].credits.LaneOk(next->lane, table_, profile_.mtu_cells))
      return false;
    const RedSend red = peers_->Pop(port);
    const int length = red.header.length();
    Start(port, {true, red.header, red_frames_.Add(*red.frame)}, length, {red.bad ? Drop::kStomped : Drop::kNone, length, {}});
    return true;
  }

  void Start(int port, const golden::Arrival& arrival, int length, const golden::End& end, FramePointer bare = nullptr) {
    Partner& partner = partners_[port];
    if (arrival.enh) partner.credits.Grant(arrival.header.vl(), golden::CellsOf(length), table_);
    switch_->Arrive(port, now_, arrival);
    const int words = golden::CeilDiv(length + (arrival.enh ? golden::HeaderBits::kBytes : 0), golden::kWordBytes);
    partner.next_start = now_ + words;
    ends_.Enter(now_ + words - 1, {port, end, std::move(bare)});
  }

  /// Last word. Ports without credits obey a PAUSE.
  void Finish(const End& end) {
    switch_->Finish(end.port, now_, end.end);
    if (end.end.status != Drop::kControl || switch_->registers().port(end.port).mode.credits) return;
    const golden::PauseRequest request = golden::ParsePause(end.bare->data());
    if (request.obeyed) switch_->Pause(end.port, now_ + golden::kWireToEvent, request.classes, request.quanta);
  }

  /// Credits or PAUSE let it start.
  bool MayStart(const Partner& partner, const Offer& offer) const {
    if (offer.bare == nullptr) return partner.credits.LaneOk(offer.header.vl(), table_, profile_.mtu_cells);
    return now_ >= partner.paused_until || golden::IsControl(offer.bare->data());
  }

  /// The end of a packet, as its MAC tells it.
  static golden::End EndOf(const Offer& offer) {
    Drop status = offer.bad ? Drop::kStomped : Drop::kNone;
    if (offer.bare == nullptr) return {status, offer.header.length(), {}};
    if (!offer.bad && golden::IsControl(offer.bare->data())) status = Drop::kControl;
    return {status, offer.header.length(), golden::BareFields::Parse(offer.bare->data())};
  }

  /// First words of this cycle. Whether an offer is still to be sent.
  bool Send() {
    bool sending = false;
    for (int port = 0; port < profile_.ports; ++port) {
      Partner& partner = partners_[port];
      const bool offers = partner.next < offers_[port].size();
      sending |= offers;
      if (now_ < partner.next_start || SendReduction(port) || !offers) continue;
      const Offer& offer = offers_[port][partner.next];
      const bool enh = offer.bare == nullptr;
      if (now_ < offer.at || !MayStart(partner, offer)) continue;
      ++partner.next;
      frames_[offer.id].bytes = enh ? *MakeFrame(offer.id, offer.header.length()) : *offer.bare;
      Start(port, {enh, offer.header, offer.id}, offer.header.length(), EndOf(offer), offer.bare);
    }
    ends_.Drain(now_, [&](const End& end) { Finish(end); });
    return sending;
  }

  /// The frame of a packet that leaves: the words that golden's MAC makes, without header.
  fabric::Frame SentBy(const golden::Departure& departure, const golden::Framer::EthHeader& eth) {
    golden::Frame& stored = frames_[departure.payload];
    const golden::Framer framer(departure, eth);
    fabric::Frame bytes;
    bytes.reserve(departure.format.words * std::size_t{golden::kWordBytes});
    for (int k = 0; k < departure.format.words; ++k) {
      const Word word = framer.MakeWord(k, stored);
      bytes.insert(bytes.end(), word.data.begin(), word.data.end());
    }
    bytes.resize(departure.format.bytes);
    const bool with_header = departure.format.conversion == golden::Conversion::kHeader;
    if (with_header) bytes.erase(bytes.begin(), bytes.begin() + golden::HeaderBits::kBytes);
    if (departure.last_copy) stored.bytes = {};
    return bytes;
  }

  void Collect() {
    const golden::StepOutput& output = switch_->output();
    for (const golden::Departure& departure : output.links.packets) {
      const Cycle wire = departure.take + golden::kTakeToWire;
      const int vl = departure.header.vl();
      std::uint16_t& sunk = partners_[departure.port].sunk[vl];
      sunk = static_cast<std::uint16_t>(sunk + golden::CellsOf(departure.length));
      switch_->Credit(departure.port, wire, vl, sunk);
      if (departure.header.is_red()) {
        const Cycle last = wire + golden::CeilDiv(departure.length + golden::HeaderBits::kBytes, golden::kWordBytes) - 1;
        heard_.Enter(last, {departure.port, wire, departure.header, red_frames_.FrameOf(departure.payload)});
        continue;
      }
      const fabric::Frame sent = SentBy(departure, output.links.EthOf(departure));
      const bool bad = golden::CheckFrame(sent.data(), sent.size()) != golden::CheckResult::kGood;
      outcome_.deliveries.push_back({departure.payload, departure.port, wire, departure.header, static_cast<int>(sent.size()),
                                     bad, ContentOf(sent, bad)});
      outcome_.end = std::max(outcome_.end, wire);
      if (bad) switch_->Count(departure.port, Counter::kTxStomped);  // the caller's MAC does
      if ((setup_.answering & golden::Bit(departure.port)) != 0) {
        answers_.Enter(wire + kAnswerCycles, {departure.port, AnswerTo(departure.header, departure.payload)});
      }
    }
    for (const golden::PauseFrame& pause : output.links.pauses) {
      const Cycle wire = pause.take + golden::kTakeToWire;
      outcome_.pauses.push_back({pause.port, wire, pause.quanta});
      told_.Enter(wire + golden::CeilDiv(golden::kMinStdBytes, golden::kWordBytes) - 1, {pause.port, wire, pause.quanta});
    }
    for (const golden::CreditReturn& message : output.credits) credits_.Enter(message.wire, message);
    for (const golden::AckReturn& ack : output.acks) outcome_.acks[ack.port].push_back(ack.ack);
    for (const golden::FlowPauseReturn& told : output.flow_pauses) {
      outcome_.flow_pauses.push_back({told.port, told.wire, told.pause});
    }
  }

  const ContractSetup& setup_;
  const Profile& profile_;
  const Offers& offers_;
  RedPeers* const peers_;
  RedFrames red_frames_;
  std::unique_ptr<golden::Switch> switch_;
  golden::CreditTable table_;
  std::vector<Partner> partners_;
  std::vector<golden::Frame> frames_;  ///< of the offers, the bytes of those inside
  golden::Agenda<golden::CreditReturn> credits_;
  golden::Agenda<End> ends_;
  golden::Agenda<Answer> answers_;
  golden::Agenda<Heard> heard_;
  golden::Agenda<Told> told_;  ///< PAUSE frames whose last word is due
  Outcome outcome_;
  std::size_t sampled_ = 0;
  Cycle now_ = 0;
};

}  // namespace

Outcome RunGolden(const ContractSetup& setup, const Offers& offers, RedPeers* peers) {
  return GoldenSide(setup, offers, peers).Run();
}

}  // namespace tilefly::systemc
