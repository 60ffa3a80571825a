/* SPDX-License-Identifier: Apache-2.0 */
/* A device with the fault that its parameter names, `fault=NAME`: in cycle AT where the fault has a cycle. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilefly_device.h>

#define AT 40

struct tfd_device {
  uint32_t ports;
  uint64_t cycle;
  char fault[32];
  char message[256];
};

static int has(const tfd_device *device, const char *fault) { return strcmp(device->fault, fault) == 0; }

/* Whether this is the fault, and its cycle. */
static int now(const tfd_device *device, const char *fault) { return device->cycle >= AT && has(device, fault); }

uint32_t tfd_version(void) { return TILEFLY_DEVICE_VERSION; }

int tfd_create(const tfd_setup *setup, tfd_device **made) {
  tfd_device *device = calloc(1, sizeof *device);
  *made = device;
  if (device == NULL) return 1;
  device->ports = setup->ports;
  sscanf(setup->parameters, "fault=%31[a-z_]", device->fault);
  if (has(device, "create")) {
    snprintf(device->message, sizeof device->message, "made for %s, %u ports, %u tiles, seed %u, parameters %.14s",
             setup->profile, setup->ports, setup->tiles, setup->power_up_seed, setup->parameters);
    return 7;
  }
  if (has(device, "mute_create")) {
    free(device);
    *made = NULL;
    return 7;
  }
  return 0;
}

void tfd_destroy(tfd_device *device) { free(device); }

const char *tfd_message(tfd_device *device) { return device->message; }

int tfd_about(tfd_device *device, tfd_about_info *info) {
  info->style = has(device, "stream") ? TFD_STREAM : has(device, "style") ? 9 : TFD_LINK;
  info->ports = has(device, "radix") ? 64 : device->ports;
  info->beat_bytes = has(device, "stream") ? 32 : 0;
  info->flags = has(device, "flags") ? TFD_OBSERVES : has(device, "unknown_flag") ? 0x400 : 0;
  info->name = has(device, "name") ? "a b" : "faulty";
  return 0;
}

int tfd_reset(tfd_device *device) {
  device->cycle = 0;
  return 0;
}

int tfd_link_outputs(tfd_device *device, uint8_t *links) {
  memset(links, 0, (size_t)device->ports * TFD_LINK_BYTES);
  if (now(device, "bits")) links[3 * TFD_LINK_BYTES - 1] = 0x80; /* of port 2 */
  return 0;
}

int tfd_link_step(tfd_device *device, const uint8_t *links, const uint8_t *link_up, const uint8_t *cfg) {
  (void)links, (void)link_up, (void)cfg;
  if (now(device, "status")) {
    snprintf(device->message, sizeof device->message, "port 5: cells of lane 3 are below 0");
    return 12;
  }
  if (now(device, "exit")) exit(0);
  if (now(device, "abort")) abort();
  if (now(device, "segv")) raise(SIGSEGV);
  if (now(device, "loop")) {
    volatile int go = 1;
    while (go) {
    }
  }
  ++device->cycle;
  return 0;
}

/* Of the style TFD_STREAM, whose ports nobody here speaks to. */
int tfd_stream_step(tfd_device *device, const tfd_stream_in *in, tfd_stream_out *out) {
  (void)in;
  memset(out, 0, device->ports * sizeof *out);
  return 0;
}
