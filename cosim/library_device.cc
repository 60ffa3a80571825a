// SPDX-License-Identifier: Apache-2.0
#include "cosim/library_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>

#include "cosim/errors.h"
#include "cosim/library/call_watch.h"

namespace tilefly::cosim {
namespace {

// The header for C and the wire formats are one.
static_assert(TFD_LINK_BITS == Link::kWidth && TFD_LINK_BYTES == Link::kBytes);
static_assert(TFD_CFG_BITS == Cfg::kWidth && TFD_CFG_BYTES == Cfg::kBytes);
static_assert(TFD_PORT_RECORD_BITS == Portobs::kWidth && TFD_PORT_RECORD_BYTES == Portobs::kBytes);
static_assert(TFD_TURN_RECORD_BITS == Turnobs::kWidth && TFD_TURN_RECORD_BYTES == Turnobs::kBytes);
static_assert(TFD_RED_RECORD_BITS == RedObs::kWidth && TFD_RED_RECORD_BYTES == RedObs::kBytes);
static_assert(TFD_CFU_RECORD_BITS == CfuObs::kWidth && TFD_CFU_RECORD_BYTES == CfuObs::kBytes);

/// Bits of the last byte of a packed struct that are beyond its width.
template <typename Group>
constexpr std::uint8_t Beyond() {
  return Group::kWidth % 8 == 0 ? 0 : static_cast<std::uint8_t>(0xff << Group::kWidth % 8);
}

std::size_t Count(int number) { return static_cast<std::size_t>(number); }

bool IsName(const char* text) {
  constexpr std::size_t kLongest = 32;
  const std::size_t length = text == nullptr ? 0 : strnlen(text, kLongest + 1);
  return length > 0 && length <= kLongest && std::all_of(text, text + length, [](char letter) {
           return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
         });
}

}  // namespace

LibraryDevice::LibraryDevice(const std::string& name, const Profile& profile, const DeviceOptions& options)
    : profile_(profile),
      library_(DeviceLibrary::Load(ParseLibraryName(name).file)),
      functions_(library_.functions()),
      name_(fmt::format("{}{}", kLibraryPrefix, library_.file())),
      packed_outputs_(Count(profile.ports) * TFD_LINK_BYTES),
      packed_ports_(Count(profile.ports) * TFD_PORT_RECORD_BYTES),
      packed_turns_(Count(profile.tiles) * TFD_TURN_RECORD_BYTES),
      packed_reds_(Count(profile.ports) * TFD_RED_RECORD_BYTES),
      packed_cfu_(TFD_CFU_RECORD_BYTES),
      outputs_(Count(profile.ports)),
      inputs_(Count(profile.ports)),
      inputs_bytes_(Count(profile.ports) * TFD_LINK_BYTES),
      link_up_(Count(profile.ports), 1) {
  observation_.ports.resize(Count(profile.ports));
  observation_.turns.resize(Count(profile.tiles));
  observation_.reds.resize(Count(profile.ports));
  try {
    Create(options, ParseLibraryName(name).parameters);
    ReadAbout();
  } catch (const DeviceError& error) {
    Destroy();
    throw UsageError(fmt::format("device {}", error.what()));
  } catch (...) {
    Destroy();
    throw;
  }
}

LibraryDevice::~LibraryDevice() { Destroy(); }

void LibraryDevice::Destroy() {
  if (device_ == nullptr) return;
  const CallInProgress call(library_.file().c_str(), "tfd_destroy", cycle_);
  try {
    functions_.destroy(device_);
  } catch (...) {  // what it holds against its end changes nothing any more
  }
}

void LibraryDevice::Create(const DeviceOptions& options, const std::string& parameters) {
  tfd_setup setup{};
  setup.size = sizeof setup;
  setup.ports = static_cast<std::uint32_t>(profile_.ports);
  setup.tiles = static_cast<std::uint32_t>(profile_.tiles);
  setup.power_up_seed = static_cast<std::uint32_t>(options.random_reset);
  setup.profile = profile_.name;
  setup.parameters = parameters.c_str();
  const int status = Call("tfd_create", functions_.create, &setup, &device_);
  if (status != 0) {
    throw UsageError(fmt::format("device {}: tfd_create makes none for profile '{}' (status {}): {}", name_, profile_.name,
                                 status, device_ != nullptr ? Message() : "it gave no message"));
  }
  if (device_ == nullptr) throw UsageError(fmt::format("device {}: tfd_create returned 0 and no device", name_));
}

/// Throws UsageError for a device that does not fit.
void LibraryDevice::ReadAbout() {
  const auto refuse = [&](const std::string& why) { throw UsageError(fmt::format("device {}: {}", name_, why)); };
  about_.size = sizeof about_;
  if (const int status = Call("tfd_about", functions_.about, device_, &about_); status != 0)
    refuse(fmt::format("tfd_about failed (status {}): {}", status, Message()));
  if (about_.style != TFD_LINK && about_.style != TFD_STREAM)
    refuse(fmt::format("tfd_about says style {}; there are TFD_LINK ({}) and TFD_STREAM ({})", about_.style,
                       static_cast<int>(TFD_LINK), static_cast<int>(TFD_STREAM)));
  constexpr std::uint32_t kFlags = TFD_OBSERVES | TFD_COUNTS | TFD_CHECKS_DRAINED | TFD_TELLS_CHANGES | TFD_WRITES_WAVES;
  if ((about_.flags & ~kFlags) != 0) refuse(fmt::format("tfd_about sets flags {:#x}, which the header does not have", about_.flags & ~kFlags));
  library_.RequireFunctions(about_);
  if (about_.style == TFD_STREAM)
    refuse("its ports are AXI-Stream (TFD_STREAM); cosim and net take devices with the words of links (TFD_LINK)");
  if (about_.ports != static_cast<std::uint32_t>(profile_.ports)) {
    refuse(fmt::format("it has {} ports, and profile '{}' has {}; give --profile of a switch with {}", about_.ports,
                       profile_.name, profile_.ports, about_.ports));
  }
  if (!IsName(about_.name))
    refuse("tfd_about gives it no name of 1 to 32 letters, digits, _ and -, by which messages and waves call it");
  name_ = fmt::format("{}{}", kLibraryPrefix, about_.name);
}

template <typename Function, typename... Arguments>
int LibraryDevice::Call(const char* call, Function function, Arguments... arguments) const {
  const CallInProgress in_progress(library_.file().c_str(), call, cycle_);
  try {
    return function(arguments...);
  } catch (const std::exception& error) {
    throw DeviceError(fmt::format("{}: {} let a C++ exception out: {}", name_, call, error.what()));
  } catch (...) {
    throw DeviceError(fmt::format("{}: {} let a C++ exception out", name_, call));
  }
}

std::string LibraryDevice::Message() const {
  const char* text = nullptr;
  Call("tfd_message", [&] { return text = functions_.message(device_), 0; });
  return text != nullptr && *text != '\0' ? text : "it gave no message";
}

void LibraryDevice::Demand(const char* call, int status) const {
  if (status != 0) throw DeviceError(fmt::format("{}: {} failed (status {}): {}", name_, call, status, Message()));
}

/// Element `at` of an array, when it is another than it was.
template <typename Group>
void LibraryDevice::Unpack(Packed* packed, int at, const char* what, Group* group) const {
  const std::size_t first = Count(at) * Group::kBytes;
  const std::uint8_t* const element = &packed->latest[first];
  if (std::memcmp(element, &packed->unpacked[first], Group::kBytes) == 0) return;
  constexpr std::size_t kLast = Group::kBytes - 1;
  if ((element[kLast] & Beyond<Group>()) != 0) {
    throw DeviceError(fmt::format("{}: {} {}: a bit is set beyond the {} bits of the struct (byte {} is {:#04x})", name_,
                                  what, at, int{Group::kWidth}, kLast, element[kLast]));
  }
  *group = Group::UnpackBytes(element);
  std::memcpy(&packed->unpacked[first], element, Group::kBytes);
}

const std::vector<Link>& LibraryDevice::Outputs() {
  if (outputs_of_ == cycle_) return outputs_;
  Demand("tfd_link_outputs", Call("tfd_link_outputs", functions_.link_outputs, device_, packed_outputs_.latest.data()));
  for (int port = 0; port < profile_.ports; ++port)
    Unpack(&packed_outputs_, port, "link_o of port", &outputs_[Count(port)]);
  outputs_of_ = cycle_;
  return outputs_;
}

const Observation& LibraryDevice::Observe() {
  if (!Observes() || observed_of_ == cycle_) return observation_;
  tfd_observation record{};
  record.size = sizeof record;
  record.ports = packed_ports_.latest.data();
  record.turns = packed_turns_.latest.data();
  record.reds = packed_reds_.latest.data();
  record.cfu = packed_cfu_.latest.data();
  Demand("tfd_observe", Call("tfd_observe", functions_.observe, device_, &record));
  for (int port = 0; port < profile_.ports; ++port) {
    Unpack(&packed_ports_, port, "record of port", &observation_.ports[Count(port)]);
    Unpack(&packed_reds_, port, "record of reduction port", &observation_.reds[Count(port)]);
  }
  for (int tile = 0; tile < profile_.tiles; ++tile)
    Unpack(&packed_turns_, tile, "record of turn tile", &observation_.turns[Count(tile)]);
  Unpack(&packed_cfu_, 0, "record of CFU", &observation_.cfu);
  observed_of_ = cycle_;
  return observation_;
}

void LibraryDevice::Step(const Inputs& inputs) {
  for (int port = 0; port < profile_.ports; ++port) {
    const std::size_t at = Count(port);
    link_up_[at] = inputs.link_up[at] ? 1 : 0;
    if (inputs.links[at] == inputs_[at]) continue;
    inputs_[at] = inputs.links[at];
    inputs_[at].PackBytes(&inputs_bytes_[at * TFD_LINK_BYTES]);
  }
  std::array<std::uint8_t, TFD_CFG_BYTES> cfg{};
  inputs.cfg.PackBytes(cfg.data());
  const std::uint8_t* const links = inputs_bytes_.data();
  const std::uint8_t* const up = link_up_.data();
  Demand("tfd_link_step", Call("tfd_link_step", functions_.link_step, device_, links, up,
                               static_cast<const std::uint8_t*>(cfg.data())));
  ++cycle_;
}

Cycle LibraryDevice::NextChange() const {
  if ((about_.flags & TFD_TELLS_CHANGES) == 0) return kUnknown;
  std::uint64_t next = 0;
  Demand("tfd_next_change", Call("tfd_next_change", functions_.next_change, device_, &next));
  return next > static_cast<std::uint64_t>(kNever) ? kNever : std::max(cycle_, static_cast<Cycle>(next));
}

std::uint64_t LibraryDevice::Counter(int port, int index) {
  std::uint64_t value = 0;
  Demand("tfd_counter", Call("tfd_counter", functions_.counter, device_, static_cast<std::uint32_t>(port),
                             static_cast<std::uint32_t>(index), &value));
  return value;
}

void LibraryDevice::CheckDrained() {
  if ((about_.flags & TFD_CHECKS_DRAINED) == 0) return;
  Demand("tfd_drained", Call("tfd_drained", functions_.drained, device_));
}

void LibraryDevice::Reset() {
  Demand("tfd_reset", Call("tfd_reset", functions_.reset, device_));
  cycle_ = 0;
  outputs_of_ = observed_of_ = -1;
}

}  // namespace tilefly::cosim
