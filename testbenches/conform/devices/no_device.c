/* SPDX-License-Identifier: Apache-2.0 */
/* A library that has nothing to do with devices. */
int one(void);

int one(void) { return 1; }
