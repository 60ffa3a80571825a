/* SPDX-License-Identifier: Apache-2.0 */
/* A library that says its version, and no more. */
#include <tilefly_device.h>

uint32_t tfd_version(void) { return TILEFLY_DEVICE_VERSION; }
