// SPDX-License-Identifier: Apache-2.0
#include "conform/device/golden_streams.h"

#include <fmt/format.h>

#include "support/errors.h"

namespace tilefly::conform {
namespace {

constexpr int kXoffWords = 512;              // of a port's store, as in rtl/axis
constexpr int kXoffCells = 200;              // of an input buffer, at which the switch sends PAUSE, and ends it
constexpr int kXonCells = 150;
constexpr tilefly::Cycle kRegisterCycles = 16;  // after which a write stands

}  // namespace

GoldenStreams::GoldenStreams(const Capability& capability) : capability_(capability) {
  const Profile& profile = *capability.profile;
  if (capability.ports > profile.ports)
    throw UsageError(fmt::format("{}: ports.profile: {} has {} ports, and the device {}; name a larger profile",
                                 capability.file.string(), profile.name, profile.ports, capability.ports));
  setup_ = std::make_unique<cosim::SwitchSetup>(
      profile, std::vector<cosim::PortKind>(static_cast<std::size_t>(profile.ports), cosim::PortKind::kStandard), 4);
  const std::uint64_t ports = ~std::uint64_t{0} >> (64 - capability.ports);
  const Forwarding& forwarding = capability.forwarding;
  SetAddresses(forwarding.macs);
  setup_->SetFloods(forwarding.unknown == Fate::kFlooded ? ports : 0,
                    forwarding.broadcast == Fate::kFlooded ? ports : 0,
                    forwarding.group == Fate::kFlooded ? ports : 0);
  setup_->SetPause(kXoffCells, kXonCells);
  links_.links.resize(static_cast<std::size_t>(profile.ports));
  links_.link_up.assign(static_cast<std::size_t>(profile.ports), true);
  Reset();
}

/// Addresses that are algorithmic ones of a switch of ours become its own; others stand in the exact-match table.
void GoldenStreams::SetAddresses(const std::vector<Mac>& macs) {
  constexpr std::uint32_t kPorts = 64;
  const auto address = [](const Mac& mac) { return static_cast<std::uint32_t>(cosim::ToBits(mac) & 0xfffff); };
  const auto algorithmic = [&](const Mac& mac) { return cosim::AddressMac(address(mac)) == mac; };
  if (algorithmic(macs.front())) setup_->SetSwitchAddress(address(macs.front()) / kPorts * kPorts);
  for (std::size_t port = 0; port < macs.size(); ++port) {
    if (algorithmic(macs[port]) && setup_->PortMac(static_cast<int>(port)) != macs[port])
      throw UsageError(fmt::format("{}: forwarding: {} is golden's address of another port than {}; give addresses that "
                                   "do not begin with 02:00:00:0, or {} and the following",
                                   capability_.file.string(), cosim::ToString(macs[port]), port,
                                   cosim::ToString(setup_->PortMac(0))));
    if (!algorithmic(macs[port])) setup_->AddHost(macs[port], std::uint64_t{1} << port);
  }
}

void GoldenStreams::Reset() {
  const Profile& profile = *capability_.profile;
  golden_ = std::make_unique<cosim::GoldenDevice>(profile);
  for (Link& link : links_.links) link = Link{};
  for (const Cfg& write : setup_->Writes()) {
    links_.cfg = write;
    golden_->Step(links_);
  }
  links_.cfg = Cfg{};
  for (tilefly::Cycle n = 0; n < kRegisterCycles; ++n) golden_->Step(links_);
  const int bytes = capability_.signals.data_bytes;
  const bool fcs = capability_.frames.fcs;
  const int words = profile.mtu_words_std;
  now_ = golden_->cycle();
  ports_.clear();
  for (int port = 0; port < capability_.ports; ++port)
    ports_.push_back(std::unique_ptr<Port>(
        new Port{ToLinkReading({bytes, fcs, false, 2 * (words + 1), words}), {profile, {bytes, fcs, kXoffWords}, 0}}));
}

StreamBeat GoldenStreams::TakenOf(const Beat& beat) const {
  StreamBeat taken;
  for (int i = 0; i < capability_.signals.data_bytes; ++i) {
    if ((beat.keep >> i & 1) != 0) taken.bytes.push_back(beat.data[static_cast<std::size_t>(i)]);
  }
  taken.last = beat.last;
  taken.bad = capability_.frames.bad != Fate::kUndefined && beat.last && (beat.user >> capability_.frames.bad_bit & 1) != 0;
  return taken;
}

Beat GoldenStreams::ShownOf(const StreamBeat& from) const {
  Beat beat;
  beat.valid = true;
  beat.last = from.last;
  for (std::size_t i = 0; i < from.bytes.size(); ++i) {
    beat.data[i] = from.bytes[i];
    beat.keep |= std::uint64_t{1} << i;
  }
  if (from.bad && capability_.frames.bad == Fate::kMarked) beat.user = 1u << capability_.frames.bad_bit;
  return beat;
}

void GoldenStreams::Step(const StreamInputs& inputs, StreamOutputs* outputs) {
  const std::vector<Link> words = golden_->Outputs();  // of this cycle
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    Port& port = *ports_[p];
    outputs->in_ready[p] = port.to_link.tready();
    outputs->out[p] = port.to_axis.tvalid() ? ShownOf(port.to_axis.beat()) : Beat{};
    links_.links[p].word = port.to_link.Output(now_);
  }
  golden_->Step(links_);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    Port& port = *ports_[p];
    const bool hold = port.to_axis.hold(now_);
    const bool due = port.to_axis.pause_due(now_);
    const auto quanta = static_cast<std::uint16_t>(port.to_axis.xon() ? 0 : 0xffff);
    const bool pause_taken = port.to_link.TakesPause(now_, due);
    StreamBeat beat;
    const bool taken = inputs.in[p].valid && outputs->in_ready[p];
    if (taken) beat = TakenOf(inputs.in[p]);
    port.to_axis.Step(now_, {words[p].word, inputs.out_ready[p], pause_taken, 0, 0});
    port.to_link.Step(now_, taken ? &beat : nullptr, hold, due, quanta);
  }
  ++now_;
}

}  // namespace tilefly::conform
