// SPDX-License-Identifier: Apache-2.0
#include "conform/device/library_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "cosim/errors.h"
#include "cosim/library/call_watch.h"

namespace tilefly::conform {

LibraryStream::LibraryStream(const std::string& library, const Capability& capability, std::uint32_t power_up_seed,
                             const WaveWindow& waves)
    : library_(cosim::DeviceLibrary::Load(library)),
      functions_(library_.functions()),
      in_(static_cast<std::size_t>(capability.ports)),
      out_(static_cast<std::size_t>(capability.ports)) {
  std::string parameters;
  for (const auto& [name, value] : capability.parameters) parameters += fmt::format("{}={}\n", name, value);
  tfd_setup setup{};
  setup.size = sizeof setup;
  setup.ports = static_cast<std::uint32_t>(capability.ports);
  setup.power_up_seed = power_up_seed;
  setup.profile = "";
  setup.parameters = parameters.c_str();
  setup.waves = waves.file.empty() ? nullptr : waves.file.c_str();
  setup.waves_from = waves.from;
  setup.waves_to = waves.to;
  const int status = Call("tfd_create", functions_.create, &setup, &device_);
  const auto refuse = [&](const std::string& why) {
    const std::string said = device_ != nullptr && status != 0 ? ": " + Message() : "";
    if (device_ != nullptr) functions_.destroy(device_);
    throw UsageError(fmt::format("device lib:{}: {}{}", library_.file(), why, said));
  };
  if (status != 0 || device_ == nullptr) refuse(fmt::format("tfd_create made no device (status {})", status));
  about_.size = sizeof about_;
  if (functions_.about(device_, &about_) != 0) refuse("tfd_about failed");
  try {
    library_.RequireFunctions(about_);
    RequireFit(capability);
  } catch (const UsageError&) {
    functions_.destroy(device_);
    throw;
  }
}

LibraryStream::~LibraryStream() {
  const cosim::CallInProgress call(library_.file().c_str(), "tfd_destroy", cycle_);
  functions_.destroy(device_);
}

void LibraryStream::RequireFit(const Capability& capability) {
  const auto require = [&](bool fits, const std::string& why) {
    if (!fits) throw UsageError(fmt::format("device lib:{}: {}", library_.file(), why));
  };
  require(about_.style == TFD_STREAM, "its ports are links, and the capability file says ports.style: stream");
  require(
      about_.ports == static_cast<std::uint32_t>(capability.ports),
      fmt::format("it has {} ports, and the capability file says {} (ports.count)", about_.ports, capability.ports));
  require(about_.beat_bytes == static_cast<std::uint32_t>(capability.signals.data_bytes),
          fmt::format("its beats have {} bytes, and the capability file says {} (ports.tdata)", about_.beat_bytes,
                      capability.signals.data_bytes));
  require(capability.forwarding.by != Addressing::kTable || (about_.flags & TFD_HAS_TABLE) != 0,
          "it has no table to be written (TFD_HAS_TABLE), and the capability file says forwarding.by: table");
}

template <typename Function, typename... Arguments>
int LibraryStream::Call(const char* call, Function function, Arguments... arguments) const {
  const cosim::CallInProgress in_progress(library_.file().c_str(), call, cycle_);
  try {
    return function(arguments...);
  } catch (const std::exception& error) {
    throw cosim::DeviceError(fmt::format("{} let a C++ exception out: {}", call, error.what()));
  } catch (...) {
    throw cosim::DeviceError(fmt::format("{} let a C++ exception out", call));
  }
}

std::string LibraryStream::Message() const {
  const char* const text = functions_.message(device_);
  return text != nullptr && *text != '\0' ? text : "it gave no message";
}

void LibraryStream::Demand(const char* call, int status) const {
  if (status != 0) throw cosim::DeviceError(fmt::format("{} failed (status {}): {}", call, status, Message()));
}

void LibraryStream::Reset() { Demand("tfd_reset", Call("tfd_reset", functions_.reset, device_)); }

void LibraryStream::Step(const StreamInputs& inputs, StreamOutputs* outputs) {
  for (std::size_t port = 0; port < in_.size(); ++port) {
    const Beat& beat = inputs.in[port];
    tfd_beat& to = in_[port].beat;
    std::copy(beat.data.begin(), beat.data.end(), to.data);
    to.keep = beat.keep;
    to.user = beat.user;
    to.dest = beat.dest;
    to.id = beat.id;
    to.valid = beat.valid;
    to.last = beat.last;
    in_[port].ready = inputs.out_ready[port];
  }
  if (inputs.write.valid) {
    const auto port = static_cast<std::uint32_t>(inputs.write.port);
    const auto index = static_cast<std::uint32_t>(inputs.write.index);
    Demand("tfd_table_write",
           Call("tfd_table_write", functions_.table_write, device_, inputs.write.mac.data(), port, index));
  }
  Demand("tfd_stream_step", Call("tfd_stream_step", functions_.stream_step, device_, in_.data(), out_.data()));
  for (std::size_t port = 0; port < out_.size(); ++port) {
    const tfd_beat& from = out_[port].beat;
    Beat& beat = outputs->out[port];
    beat.valid = from.valid != 0;
    beat.last = from.last != 0;
    beat.keep = from.keep;
    beat.user = static_cast<std::uint32_t>(from.user);
    beat.dest = from.dest;
    beat.id = from.id;
    std::copy(std::begin(from.data), std::end(from.data), beat.data.begin());
    outputs->in_ready[port] = out_[port].ready != 0;
  }
  if ((about_.flags & TFD_COUNTS) != 0)
    Demand("tfd_counter", Call("tfd_counter", functions_.counter, device_, 0u, 0u, &outputs->drops));
  ++cycle_;
}

}  // namespace tilefly::conform
