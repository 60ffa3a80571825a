// SPDX-License-Identifier: Apache-2.0
// The device that golden runs beside, in the child of a reference with links: tilefly_device.h, each call of which is
// answered by the program that drives the simulator.
#include <tilefly_device.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "conform/reference/link_channel.h"
#include "cosim/library/wire_version.h"

using tilefly::conform::kChannel;
using tilefly::conform::ReceiveAll;
using tilefly::conform::Request;
using tilefly::conform::SendAll;

namespace {

const tilefly::cosim::WireVersion& Wire() {
  const char* const number = std::getenv(tilefly::conform::kWireVariable);
  return *tilefly::cosim::FindWireVersion(number != nullptr && std::strcmp(number, "1") == 0 ? 1 : TILEFLY_DEVICE_VERSION);
}

}  // namespace

struct tfd_device {
  std::uint32_t ports = 0;
  std::uint32_t tiles = 0;
  bool observes = false;
  std::string message;

  /// A status: the program is gone.
  int Gone() {
    message = "the program that shows the device has ended";
    return 1;
  }
  bool Ask(Request request) { return SendAll(kChannel, &request, sizeof request); }
};

extern "C" {

uint32_t tfd_version(void) { return Wire().number; }

int tfd_create(const tfd_setup* setup, tfd_device** device) {
  *device = new (std::nothrow) tfd_device;
  if (*device == nullptr) return 1;
  (*device)->ports = setup->ports;
  (*device)->tiles = setup->tiles;
  const char* const shows = std::getenv(tilefly::conform::kShowsVariable);
  (*device)->observes = shows != nullptr && std::strcmp(shows, "record") == 0;
  return 0;
}

void tfd_destroy(tfd_device* device) { delete device; }

const char* tfd_message(tfd_device* device) { return device->message.c_str(); }

int tfd_about(tfd_device* device, tfd_about_info* info) {
  info->style = TFD_LINK;
  info->ports = device->ports;
  info->flags = device->observes ? TFD_OBSERVES : 0;
  info->name = "device";
  return 0;
}

int tfd_reset(tfd_device* device) {
  std::uint8_t answer = 0;
  return device->Ask(Request::kReset) && ReceiveAll(kChannel, &answer, sizeof answer) ? 0 : device->Gone();
}

int tfd_link_outputs(tfd_device* device, uint8_t* links) {
  const std::size_t size = device->ports * Wire().link_bytes;
  return device->Ask(Request::kLinks) && ReceiveAll(kChannel, links, size) ? 0 : device->Gone();
}

int tfd_observe(tfd_device* device, tfd_observation* record) {
  const std::size_t ports = device->ports;
  return device->Ask(Request::kRecord) && ReceiveAll(kChannel, record->ports, ports * Wire().record_bytes) &&
                 ReceiveAll(kChannel, record->turns, std::size_t{device->tiles} * TFD_TURN_RECORD_BYTES) &&
                 ReceiveAll(kChannel, record->reds, ports * TFD_RED_RECORD_BYTES) &&
                 ReceiveAll(kChannel, record->cfu, TFD_CFU_RECORD_BYTES)
             ? 0
             : device->Gone();
}

int tfd_link_step(tfd_device* device, const uint8_t* links, const uint8_t* link_up, const uint8_t* cfg) {
  const std::size_t ports = device->ports;
  return device->Ask(Request::kStep) && SendAll(kChannel, links, ports * Wire().link_bytes) &&
                 SendAll(kChannel, link_up, ports) && SendAll(kChannel, cfg, TFD_CFG_BYTES)
             ? 0
             : device->Gone();
}

}  // extern "C"
