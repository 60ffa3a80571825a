// SPDX-License-Identifier: Apache-2.0
#include "cosim/library_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cosim/errors.h"

namespace tilefly::cosim {
namespace {

// The header for C and the wire formats are one.
static_assert(TFD_LINK_BITS == Link::kWidth && TFD_LINK_BYTES == Link::kBytes);
static_assert(TFD_CFG_BITS == Cfg::kWidth && TFD_CFG_BYTES == Cfg::kBytes);
static_assert(TFD_PORT_RECORD_BITS == Portobs::kWidth && TFD_PORT_RECORD_BYTES == Portobs::kBytes);
static_assert(TFD_TURN_RECORD_BITS == Turnobs::kWidth && TFD_TURN_RECORD_BYTES == Turnobs::kBytes);
static_assert(TFD_RED_RECORD_BITS == RedObs::kWidth && TFD_RED_RECORD_BYTES == RedObs::kBytes);
static_assert(TFD_CFU_RECORD_BITS == CfuObs::kWidth && TFD_CFU_RECORD_BYTES == CfuObs::kBytes);

std::size_t Count(int number) { return static_cast<std::size_t>(number); }

bool IsName(const char* text) {
  constexpr std::size_t kLongest = 32;
  const std::size_t length = text == nullptr ? 0 : strnlen(text, kLongest + 1);
  return length > 0 && length <= kLongest && std::all_of(text, text + length, [](char letter) {
           return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
         });
}

DeviceCalls CallsOf(const LibraryName& library, const Profile& profile, const DeviceOptions& options) {
  tfd_setup setup{};
  setup.size = sizeof setup;
  setup.ports = static_cast<std::uint32_t>(profile.ports);
  setup.tiles = static_cast<std::uint32_t>(profile.tiles);
  setup.power_up_seed = static_cast<std::uint32_t>(options.random_reset);
  setup.profile = profile.name;
  setup.parameters = library.parameters.c_str();
  return DeviceCalls(library.file, setup);
}

}  // namespace

LibraryDevice::LibraryDevice(const std::string& name, const Profile& profile, const DeviceOptions& options)
    : LibraryDevice(ParseLibraryName(name), profile, options) {}

LibraryDevice::LibraryDevice(const LibraryName& library, const Profile& profile, const DeviceOptions& options)
    : profile_(profile),
      calls_(CallsOf(library, profile, options)),
      packed_outputs_(Count(profile.ports) * calls_.wire().link_bytes),
      packed_ports_(Count(profile.ports) * calls_.wire().record_bytes),
      packed_turns_(Count(profile.tiles) * TFD_TURN_RECORD_BYTES),
      packed_reds_(Count(profile.ports) * TFD_RED_RECORD_BYTES),
      packed_cfu_(TFD_CFU_RECORD_BYTES),
      outputs_(Count(profile.ports)),
      inputs_(Count(profile.ports)),
      inputs_bytes_(Count(profile.ports) * calls_.wire().link_bytes),
      link_up_(Count(profile.ports), 1),
      link_fail_(Count(profile.ports)) {
  RequireFit();
  observation_.ports.resize(Count(profile.ports));
  observation_.turns.resize(Count(profile.tiles));
  observation_.reds.resize(Count(profile.ports));
  calls_.Rename(fmt::format("{}{}", kLibraryPrefix, calls_.about().name));
}

void LibraryDevice::RequireFit() const {
  const tfd_about_info& about = calls_.about();
  if (about.style == TFD_STREAM)
    calls_.Refuse("its ports are AXI-Stream (TFD_STREAM); cosim and net take devices with the words of links (TFD_LINK)");
  if (about.ports != static_cast<std::uint32_t>(profile_.ports)) {
    calls_.Refuse(fmt::format("it has {} ports, and profile '{}' has {}; give --profile of a switch with {}", about.ports,
                              profile_.name, profile_.ports, about.ports));
  }
  if (!IsName(about.name))
    calls_.Refuse("tfd_about gives it no name of 1 to 32 letters, digits, _ and -, by which messages and waves call it");
}

/// Element `at` of an array whose elements have the lower `bits` bits of the struct, when it is another than it was.
template <typename Group>
void LibraryDevice::Unpack(Packed* packed, int at, const char* what, Group* group, std::size_t bits) const {
  const std::size_t bytes = (bits + 7) / 8, last = bytes - 1;
  const std::size_t first = Count(at) * bytes;
  const std::uint8_t* const element = &packed->latest[first];
  if (std::memcmp(element, &packed->unpacked[first], bytes) == 0) return;
  if (bits % 8 != 0 && element[last] >> bits % 8 != 0) {
    throw DeviceError(fmt::format("{}: {} {}: a bit is set beyond the {} bits of the struct (byte {} is {:#04x})", calls_.name(),
                                  what, at, bits, last, element[last]));
  }
  std::array<std::uint8_t, Group::kBytes> whole{};
  std::memcpy(whole.data(), element, bytes);
  *group = Group::UnpackBytes(whole.data());
  std::memcpy(&packed->unpacked[first], element, bytes);
}

const std::vector<Link>& LibraryDevice::Outputs() {
  if (outputs_of_ == calls_.cycle()) return outputs_;
  calls_.Demand("tfd_link_outputs", calls_.functions().link_outputs, packed_outputs_.latest.data());
  for (int port = 0; port < profile_.ports; ++port)
    Unpack(&packed_outputs_, port, "link_o of port", &outputs_[Count(port)], calls_.wire().link_bits);
  outputs_of_ = calls_.cycle();
  return outputs_;
}

std::uint64_t LibraryDevice::LinkFails() {
  std::uint64_t fails = 0;
  if (!FailsLinks()) return fails;
  calls_.Demand("tfd_link_fail", calls_.functions().link_fail, link_fail_.data());
  for (int port = 0; port < profile_.ports; ++port) {
    const std::uint8_t fail = link_fail_[Count(port)];
    if (fail > 1) throw DeviceError(fmt::format("{}: link_fail of port {} is {}; 0 and 1 are possible", calls_.name(), port, fail));
    fails |= std::uint64_t{fail} << port;
  }
  return fails;
}

const Observation& LibraryDevice::Observe() {
  if (!Observes() || observed_of_ == calls_.cycle()) return observation_;
  tfd_observation record{};
  record.size = sizeof record;
  record.ports = packed_ports_.latest.data();
  record.turns = packed_turns_.latest.data();
  record.reds = packed_reds_.latest.data();
  record.cfu = packed_cfu_.latest.data();
  calls_.Demand("tfd_observe", calls_.functions().observe, &record);
  for (int port = 0; port < profile_.ports; ++port) {
    Unpack(&packed_ports_, port, "record of port", &observation_.ports[Count(port)], calls_.wire().record_bits);
    Unpack(&packed_reds_, port, "record of reduction port", &observation_.reds[Count(port)]);
  }
  for (int tile = 0; tile < profile_.tiles; ++tile)
    Unpack(&packed_turns_, tile, "record of turn tile", &observation_.turns[Count(tile)]);
  Unpack(&packed_cfu_, 0, "record of CFU", &observation_.cfu);
  observed_of_ = calls_.cycle();
  return observation_;
}

void LibraryDevice::Step(const Inputs& inputs) {
  for (int port = 0; port < profile_.ports; ++port) {
    const std::size_t at = Count(port);
    link_up_[at] = inputs.link_up[at] ? 1 : 0;
    if (inputs.links[at] == inputs_[at]) continue;
    inputs_[at] = inputs.links[at];
    std::array<std::uint8_t, Link::kBytes> whole{};
    inputs_[at].PackBytes(whole.data());
    std::memcpy(&inputs_bytes_[at * calls_.wire().link_bytes], whole.data(), calls_.wire().link_bytes);
  }
  std::array<std::uint8_t, TFD_CFG_BYTES> cfg{};
  inputs.cfg.PackBytes(cfg.data());
  const std::uint8_t* const links = inputs_bytes_.data();
  const std::uint8_t* const up = link_up_.data();
  calls_.Demand("tfd_link_step", calls_.functions().link_step, links, up, static_cast<const std::uint8_t*>(cfg.data()));
  calls_.NextCycle();
}

Cycle LibraryDevice::NextChange() const {
  if (!calls_.Has(TFD_TELLS_CHANGES)) return kUnknown;
  std::uint64_t next = 0;
  calls_.Demand("tfd_next_change", calls_.functions().next_change, &next);
  return next > static_cast<std::uint64_t>(kNever) ? kNever : std::max(calls_.cycle(), static_cast<Cycle>(next));
}

std::uint64_t LibraryDevice::Counter(int port, int index) {
  std::uint64_t value = 0;
  calls_.Demand("tfd_counter", calls_.functions().counter, static_cast<std::uint32_t>(port),
                static_cast<std::uint32_t>(index), &value);
  return value;
}

void LibraryDevice::CheckDrained() {
  if (!calls_.Has(TFD_CHECKS_DRAINED)) return;
  calls_.Demand("tfd_drained", calls_.functions().drained);
}

void LibraryDevice::Reset() {
  calls_.Reset();
  outputs_of_ = observed_of_ = -1;
}

}  // namespace tilefly::cosim
