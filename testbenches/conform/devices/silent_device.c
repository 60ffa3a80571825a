/* SPDX-License-Identifier: Apache-2.0 */
/* The least device of links there is, in C99: it takes all that comes in, and says nothing. */
#include <stdlib.h>
#include <string.h>
#include <tilefly_device.h>

struct tfd_device {
  uint32_t ports;
};

uint32_t tfd_version(void) { return TILEFLY_DEVICE_VERSION; }

int tfd_create(const tfd_setup *setup, tfd_device **device) {
  *device = malloc(sizeof **device);
  if (*device == NULL) return 1;
  (*device)->ports = setup->ports;
  return 0;
}

void tfd_destroy(tfd_device *device) { free(device); }

const char *tfd_message(tfd_device *device) {
  (void)device;
  return "";
}

int tfd_about(tfd_device *device, tfd_about_info *info) {
  info->style = TFD_LINK;
  info->ports = device->ports;
  info->flags = 0;
  info->name = "silent";
  return 0;
}

int tfd_reset(tfd_device *device) {
  (void)device;
  return 0;
}

int tfd_link_outputs(tfd_device *device, uint8_t *links) {
  memset(links, 0, (size_t)device->ports * TFD_LINK_BYTES);
  return 0;
}

int tfd_link_step(tfd_device *device, const uint8_t *links, const uint8_t *link_up, const uint8_t *cfg) {
  (void)device, (void)links, (void)link_up, (void)cfg;
  return 0;
}
