// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/peers.h"

namespace tilefly::systemc {
namespace {

fabric::ProtocolChecker::Options Silent(fabric::ProtocolChecker::Options options) {
  options.silent = true;
  return options;
}

}  // namespace

CheckedLink::CheckedLink(fabric::ProtocolChecker::Options options) : checker_("checker", Silent(options)) {
  sender_.out.bind(checker_.in);
  checker_.out.bind(receiver_.in);
}

CheckedLink::~CheckedLink() {
  for (fabric::Packet* const packet : made_) {
    while (packet->get_ref_count() > 0) packet->release();
  }
}

fabric::Packet& CheckedLink::Make(int length, int vl) {
  fabric::Packet& packet = *made_.emplace_back(&pool_.Make());
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(length);
  header.vl = static_cast<std::uint8_t>(vl);
  packet.header = golden::HeaderBits(header);
  packet.length = length;
  return packet;
}

void CheckedLink::Begin(Cycle cycle, fabric::Packet& packet, Cycle ahead) {
  At(cycle, [this, &packet, ahead] {
    tlm::tlm_phase phase = fabric::BEGIN_PACKET;
    sc_core::sc_time delay = fabric::TimeOf(ahead);
    sender_.out->nb_transport_fw(packet, phase, delay);
  });
}

void CheckedLink::Open(Cycle cycle, fabric::Packet& packet) {
  packet.enh = false;
  packet.open = true;
  packet.length = 0;
  Begin(cycle, packet);
}

void CheckedLink::Close(Cycle cycle, fabric::Packet& packet) {
  At(cycle, [this, &packet] {
    packet.open = false;
    packet.length = golden::kMinStdBytes;
    packet.frame = std::make_shared<const fabric::Frame>(golden::kMinStdBytes);
    tlm::tlm_phase phase = fabric::LAST_WORD;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    sender_.out->nb_transport_fw(packet, phase, delay);
  });
}

void CheckedLink::BackAt(Cycle cycle, const tlm::tlm_phase& phase, fabric::Packet& packet, sc_core::sc_time delay) {
  At(cycle, [this, &packet, phase, delay] {
    tlm::tlm_phase told = phase;
    sc_core::sc_time annotation = delay;
    receiver_.in->nb_transport_bw(packet, told, annotation);
  });
}

void CheckedLink::Back(Cycle cycle, const tlm::tlm_phase& phase, fabric::Packet& packet, Cycle ahead) {
  BackAt(cycle, phase, packet, fabric::TimeOf(ahead));
}

void CheckedLink::Pass(Cycle cycle, fabric::Packet& packet) {
  Begin(cycle, packet);
  Back(cycle + 4, fabric::END_PACKET, packet);
}

void CheckedLink::Block(Cycle cycle, fabric::Packet& packet) {
  At(cycle, [this, &packet] {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    sender_.out->b_transport(packet, delay);
  });
}

std::string CheckedLink::Run() {
  sc_core::sc_start();
  checker_.Finish();
  std::string rules;
  for (const fabric::Violation& violation : checker_.violations()) rules += (rules.empty() ? "" : " ") + violation.rule;
  return rules;
}

}  // namespace tilefly::systemc
