// SPDX-License-Identifier: Apache-2.0
// Our switch in RTL between AXI-Streams, as a device of the conformance kit: the Verilated tiles that `--devices rtl` has,
// a Verilated tilefly_axis_port at each port, and the register writes of docs/blocks/axis.md, "A switch of streams". It is what
// examples/conform/stream_switch.sv is, without a flat switch of its own, which takes minutes to compile at 8 ports and
// hours at 64. A reset is a new device. Parameters: PROFILE (tile8, rosetta64).
#include <tilefly_device.h>
#include <verilated.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vrtl_axis_port_conform.h"
#include "cosim/verilated/verilated_array.h"
#include "generated/registers.h"
#include "golden/common/register_write.h"
#include "support/text.h"
#include "testbenches/bench/port_bits.h"

namespace {

using tilefly::Cfg;
using tilefly::CfgSpace;
using tilefly::Link;
using tilefly::Word;
using tilefly::bench::Get;
using tilefly::bench::GetStruct;
using tilefly::bench::Put;
using tilefly::bench::PutStruct;
using tilefly::golden::kAllPorts;
using tilefly::golden::WriteRegister;
using PortModel = Vrtl_axis_port_conform;

constexpr int kBeatBytes = 32;
constexpr int kSettle = 32;    // cycles, for writes to be in force
constexpr int kPortReset = 4;  // cycles

/// The profile that the parameters name.
tilefly::Profile ProfileOf(const std::string& parameters) {
  for (const std::string& line : tilefly::Split(parameters, '\n')) {
    const std::size_t at = line.find('=');
    if (at == std::string::npos) continue;
    if (line.substr(0, at) != "PROFILE") throw std::runtime_error("parameter " + line.substr(0, at) + " is unknown; it has PROFILE");
    const tilefly::Profile* const profile = tilefly::FindProfile(line.substr(at + 1));
    if (profile == nullptr) throw std::runtime_error("PROFILE " + line.substr(at + 1) + " is none");
    return *profile;
  }
  throw std::runtime_error("parameters: {PROFILE: tile8} is missing");
}

/// What a user of the switch writes: ports, PAUSE and broadcasts.
std::vector<Cfg> Writes(const tilefly::Profile& profile) {
  using tilefly::PortReg;
  const auto port = [](PortReg reg, std::uint64_t data) { return WriteRegister(kAllPorts, CfgSpace::kPort, static_cast<int>(reg), data); };
  const auto pause = tilefly::PortPause::Of(static_cast<std::uint64_t>(profile.pause_xoff_cells), static_cast<std::uint64_t>(profile.pause_xon_cells), true);
  tilefly::PortMode mode;
  mode.enable = mode.std_format = true;
  mode.lanes = 4;
  return {port(PortReg::kPause, pause.ToBits()), port(PortReg::kFloodBroadcast, ~std::uint64_t{0}), port(PortReg::kMode, mode.ToBits())};
}

}  // namespace

struct tfd_device {
  tfd_device(const tilefly::Profile& of, std::uint32_t power_up) : profile(of), seed(static_cast<int>(power_up)) { Begin(); }

  /// Power-up and reset, and what is written before traffic.
  void Begin() {
    ports.clear();
    inside.reset();
    auto next = std::make_unique<VerilatedContext>();
    Verilated::threadContextp(next.get());  // before the one goes that it may stand for
    context = std::move(next);
    tilefly::cosim::DeviceOptions options;
    options.random_reset = seed;
    inside = std::make_unique<tilefly::cosim::VerilatedArray>(profile, options);
    context->randReset(seed != 0 ? 2 : 0);
    context->randSeed(seed);
    for (int port = 0; port < profile.ports; ++port) {
      ports.push_back(std::make_unique<PortModel>(context.get()));
      PortModel& model = *ports.back();
      model.rst_ni = model.tdest_i = model.m_axis_tready_i = model.s_axis_tvalid_i = 0;
      model.cycle_i = 0;
      model.tid_i = static_cast<CData>(port);
      for (int cycle = 0; cycle < kPortReset; ++cycle) Clock(&model);
      model.rst_ni = 1;
    }
    idle_in.assign(ports.size(), tfd_stream_in{});
    idle_out.assign(ports.size(), tfd_stream_out{});
    links.links.assign(ports.size(), Link{});
    links.link_up.assign(ports.size(), true);
    for (const Cfg& write : Writes(profile)) Configure(write);
    for (int cycle = 0; cycle < kSettle; ++cycle) Configure({});
  }

  /// A cycle with idle streams.
  void Configure(const Cfg& cfg) {
    links.cfg = cfg;
    Step(idle_in.data(), idle_out.data());
    links.cfg = {};
  }

  static void Clock(PortModel* model) {
    model->clk_i = 0;
    model->eval();
    model->clk_i = 1;
    model->eval();
  }

  void Step(const tfd_stream_in* in, tfd_stream_out* out) {
    Verilated::threadContextp(context.get());
    const std::vector<Link>& from_switch = inside->Outputs();
    for (std::size_t port = 0; port < ports.size(); ++port) {
      PortModel& model = *ports[port];
      const tfd_beat& beat = in[port].beat;
      model.clk_i = 0;
      model.cycle_i = static_cast<QData>(inside->cycle());
      model.s_axis_tvalid_i = beat.valid;
      model.s_axis_tlast_i = beat.last;
      model.s_axis_tuser_i = static_cast<CData>(beat.user);
      model.s_axis_tkeep_i = static_cast<IData>(beat.keep);
      std::memcpy(&model.s_axis_tdata_i, beat.data, kBeatBytes);
      model.m_axis_tready_i = in[port].ready;
      PutStruct(&model.word_i, 0, from_switch[port].word);
      model.eval();
      tfd_beat& shown = out[port].beat;
      shown = tfd_beat{};
      shown.valid = model.m_axis_tvalid_o;
      shown.last = model.m_axis_tlast_o;
      shown.user = model.m_axis_tuser_o;
      shown.keep = model.m_axis_tkeep_o;
      std::memcpy(shown.data, &model.m_axis_tdata_o, kBeatBytes);
      out[port].ready = model.s_axis_tready_o;
      links.links[port].word = GetStruct<Word>(model.word_o);
      if (model.lost_o != 0) throw std::runtime_error("port " + std::to_string(port) + " lost a frame of the switch (lost_o)");
      model.clk_i = 1;
      model.eval();
    }
    inside->Step(links);
  }

  const tilefly::Profile profile;
  const int seed;
  std::string message;
  std::unique_ptr<tilefly::cosim::VerilatedArray> inside;
  std::unique_ptr<VerilatedContext> context;
  std::vector<std::unique_ptr<PortModel>> ports;
  tilefly::cosim::Device::Inputs links;
  std::vector<tfd_stream_in> idle_in;
  std::vector<tfd_stream_out> idle_out;
};

namespace {

std::string failed;  // of a device that was not made

template <typename Act>
int Guarded(std::string* message, Act act) {
  try {
    act();
    return 0;
  } catch (const std::exception& error) {
    *message = error.what();
    return 1;
  }
}

}  // namespace

extern "C" {

TFD_EXPORT uint32_t tfd_version(void) { return TILEFLY_DEVICE_VERSION; }

TFD_EXPORT int tfd_create(const tfd_setup* setup, tfd_device** device) {
  *device = nullptr;
  return Guarded(&failed, [&] { *device = new tfd_device(ProfileOf(setup->parameters), setup->power_up_seed); });
}

TFD_EXPORT void tfd_destroy(tfd_device* device) { delete device; }

TFD_EXPORT const char* tfd_message(tfd_device* device) { return device != nullptr ? device->message.c_str() : failed.c_str(); }

TFD_EXPORT int tfd_about(tfd_device* device, tfd_about_info* info) {
  info->style = TFD_STREAM;
  info->ports = static_cast<uint32_t>(device->profile.ports);
  info->beat_bytes = kBeatBytes;
  info->flags = 0;
  info->name = "rtl_streams";
  return 0;
}

TFD_EXPORT int tfd_reset(tfd_device* device) {
  return Guarded(&device->message, [&] { device->Begin(); });
}

TFD_EXPORT int tfd_stream_step(tfd_device* device, const tfd_stream_in* in, tfd_stream_out* out) {
  return Guarded(&device->message, [&] { device->Step(in, out); });
}

}  // extern "C"
