/* SPDX-License-Identifier: Apache-2.0 */
/* A library of another version of the header. */
#include <tilefly_device.h>

uint32_t tfd_version(void) { return TILEFLY_DEVICE_VERSION + 6; }
