// SPDX-License-Identifier: Apache-2.0
// A device that lets a C++ exception out, against the rule.
#include <tilefly_device.h>

#include <cstring>
#include <stdexcept>

struct tfd_device {
  std::uint32_t ports;
};

std::uint32_t tfd_version(void) { return TILEFLY_DEVICE_VERSION; }

int tfd_create(const tfd_setup* setup, tfd_device** device) {
  if (std::strcmp(setup->parameters, "early=yes\n") == 0) throw std::runtime_error("there is no licence");
  *device = new tfd_device{setup->ports};
  return 0;
}

void tfd_destroy(tfd_device* device) { delete device; }
const char* tfd_message(tfd_device*) { return ""; }

int tfd_about(tfd_device* device, tfd_about_info* info) {
  info->style = TFD_LINK;
  info->ports = device->ports;
  info->flags = 0;
  info->name = "throwing";
  return 0;
}

int tfd_reset(tfd_device*) { return 0; }

int tfd_link_outputs(tfd_device* device, std::uint8_t* links) {
  std::memset(links, 0, device->ports * std::size_t{TFD_LINK_BYTES});
  return 0;
}

int tfd_link_step(tfd_device*, const std::uint8_t*, const std::uint8_t*, const std::uint8_t*) {
  throw std::runtime_error("a queue is full");
}
