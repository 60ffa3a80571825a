// SPDX-License-Identifier: Apache-2.0
#include "conform/device/library_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace tilefly::conform {
namespace {

cosim::DeviceCalls CallsOf(const std::string& library, const Capability& capability, std::uint32_t power_up_seed,
                           const WaveWindow& waves) {
  const std::string parameters = ParametersOf(capability);
  tfd_setup setup{};
  setup.size = sizeof setup;
  setup.ports = static_cast<std::uint32_t>(capability.ports);
  setup.power_up_seed = power_up_seed;
  setup.profile = "";
  setup.parameters = parameters.c_str();
  setup.waves = waves.file.empty() ? nullptr : waves.file.c_str();
  setup.waves_from = waves.from;
  setup.waves_to = waves.to;
  return cosim::DeviceCalls(library, setup);
}

}  // namespace

std::string ParametersOf(const Capability& capability) {
  std::string parameters;
  for (const auto& [name, value] : capability.parameters) parameters += fmt::format("{}={}\n", name, value);
  return parameters;
}

LibraryStream::LibraryStream(const std::string& library, const Capability& capability, std::uint32_t power_up_seed,
                             const WaveWindow& waves)
    : calls_(CallsOf(library, capability, power_up_seed, waves)),
      in_(static_cast<std::size_t>(capability.ports)),
      out_(static_cast<std::size_t>(capability.ports)) {
  RequireFit(capability);
  calls_.Rename(std::string(cosim::kLibraryPrefix) + capability.device);
}

void LibraryStream::RequireFit(const Capability& capability) const {
  const tfd_about_info& about = calls_.about();
  const auto require = [&](bool fits, const std::string& why) {
    if (!fits) calls_.Refuse(why);
  };
  require(about.style == TFD_STREAM, "its ports are links, and the capability file says ports.style: stream");
  require(about.ports == static_cast<std::uint32_t>(capability.ports),
          fmt::format("it has {} ports, and the capability file says {} (ports.count)", about.ports, capability.ports));
  require(about.beat_bytes == static_cast<std::uint32_t>(capability.signals.data_bytes),
          fmt::format("its beats have {} bytes, and the capability file says {} (ports.tdata)", about.beat_bytes,
                      capability.signals.data_bytes));
  require(capability.forwarding.by != Addressing::kTable || calls_.Has(TFD_HAS_TABLE),
          "it has no table to be written (TFD_HAS_TABLE), and the capability file says forwarding.by: table");
}

void LibraryStream::Reset() { calls_.Demand("tfd_reset", calls_.functions().reset); }

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
    calls_.Demand("tfd_table_write", calls_.functions().table_write, inputs.write.mac.data(), port, index);
  }
  calls_.Demand("tfd_stream_step", calls_.functions().stream_step, in_.data(), out_.data());
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
  if (calls_.Has(TFD_COUNTS)) calls_.Demand("tfd_counter", calls_.functions().counter, 0u, 0u, &outputs->drops);
  calls_.NextCycle();
}

}  // namespace tilefly::conform
