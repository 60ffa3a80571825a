// SPDX-License-Identifier: Apache-2.0
// A Verilated switch with AXI-Stream ports behind tilefly_device.h. `tilefly conform` compiles it with the wrapper that
// it wrote; @PORTS@, @BEAT_BYTES@, @RESET_CYCLES@, @NAME@, @COUNTS@ and @TABLE@ stand for what the capability file says.
#include <tilefly_device.h>
#include <verilated.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "Vdevice.h"

namespace {

constexpr std::uint32_t kPorts = @PORTS@;
constexpr std::size_t kBytes = kPorts * sizeof(tfd_beat);

}  // namespace

// Verilator's runtime ends the program in these; here the call ends.
void vl_fatal(const char* file, int line, const char*, const char* message) {
  throw std::runtime_error(std::string(message) + " (" + file + ":" + std::to_string(line) + ")");
}
void vl_stop(const char* file, int line, const char*) {
  throw std::runtime_error("the device called $stop, or an assertion of it failed (" + std::string(file) + ":" + std::to_string(line) + ")");
}
void vl_finish(const char* file, int line, const char*) {
  throw std::runtime_error("the device called $finish (" + std::string(file) + ":" + std::to_string(line) + ")");
}

struct tfd_device {
  std::string message;
  tfd_setup setup{};
  std::string waves;
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vdevice> top;
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> fst;
#endif
  std::uint64_t cycle = 0;  ///< of the tests: those of a reset are not counted
  bool resets = false;

  ~tfd_device() {
#if VM_TRACE
    if (fst) fst->close();
#endif
    if (!top) return;
    try {
      top->final();
    } catch (const std::exception&) {  // what a device checks in `final` blocks is not judged: it ends in any state
    }
  }

  /// Only a device that was built for waves has any: their code is half of all on a large one. A reset takes no time of
  /// the waves, so that cycle c of a report is at time 2c.
  void Dump([[maybe_unused]] bool edge) {
#if VM_TRACE
    if (fst && !resets && cycle >= setup.waves_from && cycle <= setup.waves_to) fst->dump(2 * cycle + edge);
#endif
  }

  void Clock() {
    top->clk = 1;
    top->eval();
    Dump(true);
    top->clk = 0;
    if (!resets) ++cycle;
  }

  void Idle(bool reset) {
    top->rst = reset;
    top->eval();
    Dump(false);
    Clock();
  }

  void Reset() {
    resets = true;
    std::memset(&top->in_beats, 0, kBytes);
    top->out_ready = 0;
    top->write_valid = 0;
    for (int i = 0; i < @RESET_CYCLES@; ++i) Idle(true);
    top->rst = 0;
    resets = false;
  }

  void Start() {
    context = std::make_unique<VerilatedContext>();
    context->randReset(setup.power_up_seed != 0 ? 2 : 0);
    context->randSeed(static_cast<int>(setup.power_up_seed));
    const char* const arguments[] = {"conform"};  // for $test$plusargs and its like
    context->commandArgs(1, const_cast<char**>(arguments));
    context->traceEverOn(!waves.empty());
    top = std::make_unique<Vdevice>(context.get(), "conform");
#if VM_TRACE
    if (!waves.empty()) {
      fst = std::make_unique<VerilatedFstC>();
      top->trace(fst.get(), 99);
      fst->open(waves.c_str());
    }
#endif
    top->clk = 0;
    Reset();
  }
};

namespace {

template <typename Act>
int Guarded(tfd_device* device, Act act) {
  try {
    act();
    return 0;
  } catch (const std::exception& error) {
    device->message = (device->resets ? "while it is reset: " : "") + std::string(error.what());
    return 1;
  }
}

}  // namespace

extern "C" {

uint32_t tfd_version(void) { return TILEFLY_DEVICE_VERSION; }

int tfd_create(const tfd_setup* setup, tfd_device** device) {
  *device = new tfd_device;
  (*device)->setup = *setup;
  if (setup->waves != nullptr) (*device)->waves = setup->waves;
  return Guarded(*device, [&] { (*device)->Start(); });
}

void tfd_destroy(tfd_device* device) { delete device; }

const char* tfd_message(tfd_device* device) { return device->message.c_str(); }

int tfd_about(tfd_device*, tfd_about_info* info) {
  info->style = TFD_STREAM;
  info->ports = kPorts;
  info->beat_bytes = @BEAT_BYTES@;
  info->flags = (VM_TRACE ? TFD_WRITES_WAVES : 0) | (@COUNTS@ ? TFD_COUNTS : 0) | (@TABLE@ ? TFD_HAS_TABLE : 0);
  info->name = "@NAME@";
  return 0;
}

int tfd_reset(tfd_device* device) {
  return Guarded(device, [&] { device->Reset(); });
}

int tfd_stream_step(tfd_device* device, const tfd_stream_in* in, tfd_stream_out* out) {
  return Guarded(device, [&] {
    Vdevice& top = *device->top;
    auto* const in_beats = reinterpret_cast<std::uint8_t*>(&top.in_beats);
    std::uint64_t ready = 0;
    for (std::uint32_t port = 0; port < kPorts; ++port) {
      std::memcpy(in_beats + port * sizeof(tfd_beat), &in[port].beat, sizeof(tfd_beat));
      ready |= std::uint64_t{in[port].ready != 0} << port;
    }
    top.out_ready = static_cast<std::decay_t<decltype(top.out_ready)>>(ready);
    top.eval();
    device->Dump(false);
    const auto* const out_beats = reinterpret_cast<const std::uint8_t*>(&top.out_beats);
    const auto in_ready = static_cast<std::uint64_t>(top.in_ready);
    for (std::uint32_t port = 0; port < kPorts; ++port) {
      std::memcpy(&out[port].beat, out_beats + port * sizeof(tfd_beat), sizeof(tfd_beat));
      out[port].ready = in_ready >> port & 1;
    }
    device->Clock();
    top.write_valid = 0;
  });
}

int tfd_counter(tfd_device* device, uint32_t, uint32_t, uint64_t* value) {
  *value = device->top->drops;
  return 0;
}

int tfd_table_write(tfd_device* device, const uint8_t* mac, uint32_t port, uint32_t index) {
  Vdevice& top = *device->top;
  std::uint64_t bits = 0;
  for (int i = 0; i < 6; ++i) bits = bits << 8 | mac[i];
  top.write_valid = 1;
  top.write_mac = bits;
  top.write_port = port;
  top.write_index = index;
  return 0;
}

}  // extern "C"
