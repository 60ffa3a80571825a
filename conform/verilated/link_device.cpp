// SPDX-License-Identifier: Apache-2.0
// A Verilated switch whose ports are Tilefly's links behind tilefly_device.h. `tilefly conform` compiles it with the
// wrapper that it wrote; @PORTS@, @NAME@ and the other words between @ stand for what capability file and wire formats say.
#include <tilefly_device.h>
#include <verilated.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "Vdevice.h"

namespace {

constexpr std::uint32_t kPorts = @PORTS@;
constexpr std::uint32_t kTiles = @TILES@;
constexpr std::size_t kLinkBytes = @LINK_BYTES@;      // of the wire formats' version @VERSION@
constexpr std::size_t kRecordBytes = @RECORD_BYTES@;

std::uint64_t Bits(const std::uint8_t* bytes, int lsb, int width) {
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i) value |= static_cast<std::uint64_t>(bytes[(lsb + i) / 8] >> (lsb + i) % 8 & 1) << i;
  return value;
}

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
  using Counter = std::pair<std::uint32_t, std::uint32_t>;  // port, index
  struct Read {
    std::uint64_t due;
    bool counter;
    Counter of;
  };

  std::string message;
  std::uint32_t power_up_seed = 0;
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vdevice> top;
  std::uint64_t cycle = 0;
  std::deque<Read> reads;  // not yet answered
  std::map<Counter, std::uint64_t> answers;

  void Clock() {
    top->clk = 0;
    top->eval();
    top->clk = 1;
    top->eval();
  }

  /// What stands in registers without reset stays there.
  void Reset() {
    std::memset(&top->link_in, 0, sizeof top->link_in);
    std::memset(&top->cfg, 0, sizeof top->cfg);
    top->link_up = 0;
    top->cycle = 0;
    top->rst = 1;
    for (int i = 0; i < @RESET_CYCLES@; ++i) Clock();
    top->rst = 0;
    cycle = 0;
    reads.clear();
    answers.clear();
  }

  void Start() {
    context = std::make_unique<VerilatedContext>();
    context->threads(1);
    context->randReset(power_up_seed != 0 ? 2 : 0);
    context->randSeed(static_cast<int>(power_up_seed));
    Verilated::threadContextp(context.get());
    top = std::make_unique<Vdevice>(context.get(), "conform");
    Reset();
  }

  void Watch(const std::uint8_t* cfg) {
    if (!@COUNTS@ || Bits(cfg, @CFG_VALID@, 1) == 0 || Bits(cfg, @CFG_READ@, 1) == 0) return;
    reads.push_back({cycle + @ANSWER_CYCLES@, Bits(cfg, @CFG_SPACE@, 4) == @COUNTERS@,
                     {static_cast<std::uint32_t>(Bits(cfg, @CFG_PORT@, 7)),
                      static_cast<std::uint32_t>(Bits(cfg, @CFG_INDEX@, 11))}});
  }

  void TakeAnswer() {
    if (reads.empty() || reads.front().due != cycle) return;
    const Read read = reads.front();
    reads.pop_front();
    const auto* const rdata = reinterpret_cast<const std::uint8_t*>(&top->rdata);
    if (Bits(rdata, @ANSWER_VALID@, 1) == 0)
      throw std::runtime_error("the read of register " + std::to_string(read.of.second) + " of port " +
                               std::to_string(read.of.first) + " is not answered");
    if (read.counter) answers[read.of] = Bits(rdata, 0, 64);
  }
};

namespace {

template <typename Act>
int Guarded(tfd_device* device, Act act) {
  try {
    act();
    return 0;
  } catch (const std::exception& error) {
    device->message = error.what();
    return 1;
  }
}

}  // namespace

extern "C" {

uint32_t tfd_version(void) { return @VERSION@; }

int tfd_create(const tfd_setup* setup, tfd_device** device) {
  *device = new tfd_device;
  (*device)->power_up_seed = setup->power_up_seed;
  return Guarded(*device, [&] { (*device)->Start(); });
}

void tfd_destroy(tfd_device* device) { delete device; }

const char* tfd_message(tfd_device* device) { return device->message.c_str(); }

int tfd_about(tfd_device*, tfd_about_info* info) {
  info->style = TFD_LINK;
  info->ports = kPorts;
  info->beat_bytes = 0;
  info->flags = TFD_CHECKS_DRAINED | (@OBSERVES@ ? TFD_OBSERVES : 0) | (@COUNTS@ ? TFD_COUNTS : 0) | (@TELLS@ ? TFD_TELLS_CHANGES : 0);
  info->name = "@NAME@";
  return 0;
}

int tfd_reset(tfd_device* device) {
  return Guarded(device, [&] { device->Reset(); });
}

int tfd_link_outputs(tfd_device* device, uint8_t* links) {
  std::memcpy(links, &device->top->link_out, kPorts * kLinkBytes);
  return 0;
}

int tfd_link_step(tfd_device* device, const uint8_t* links, const uint8_t* link_up, const uint8_t* cfg) {
  return Guarded(device, [&] {
    Vdevice& top = *device->top;
    std::memcpy(&top.link_in, links, kPorts * kLinkBytes);
    std::memcpy(&top.cfg, cfg, TFD_CFG_BYTES);
    std::uint64_t up = 0;
    for (std::uint32_t port = 0; port < kPorts; ++port) up |= std::uint64_t{link_up[port] != 0} << port;
    top.link_up = up;
    top.cycle = device->cycle;
    device->Watch(cfg);
    device->Clock();
    ++device->cycle;
    device->TakeAnswer();
  });
}

int tfd_observe(tfd_device* device, tfd_observation* record) {
  const Vdevice& top = *device->top;
  std::memcpy(record->ports, &top.record_ports, kPorts * kRecordBytes);
  std::memcpy(record->turns, &top.record_turns, std::size_t{kTiles} * TFD_TURN_RECORD_BYTES);
  std::memcpy(record->reds, &top.record_reds, std::size_t{kPorts} * TFD_RED_RECORD_BYTES);
  std::memcpy(record->cfu, &top.record_cfu, TFD_CFU_RECORD_BYTES);
  return 0;
}

int tfd_counter(tfd_device* device, uint32_t port, uint32_t index, uint64_t* value) {
  const auto found = device->answers.find({port, index});
  if (found == device->answers.end()) {
    device->message = "counter " + std::to_string(index) + " of port " + std::to_string(port) + " was never read";
    return 1;
  }
  *value = found->second;
  return 0;
}

int tfd_drained(tfd_device* device) {
  return Guarded(device, [&] {
    const char* drained = "+tilefly_drained";
    device->context->commandArgs(1, &drained);
    Verilated::threadContextp(device->context.get());
    device->top->final();
  });
}

int tfd_next_change(tfd_device* device, uint64_t* cycle) {
  *cycle = device->top->quiescent ? UINT64_MAX : device->cycle;
  return 0;
}

}  // extern "C"
