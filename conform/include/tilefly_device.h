/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A switch as a device of Tilefly's programs: what a shared library exports, so that `tilefly cosim --devices
 * lib:FILE.so` and `tilefly net --device N=lib:FILE.so` run it. The page is docs/conformance.md.
 *
 * C99 and C++. A library includes this header and defines the functions of its style; a function with another signature
 * does not compile. No C++ exception may leave a function. Calls come from one thread at a time. A program may have
 * several devices of one library, which share nothing.
 *
 * Bits: bit i of a packed struct of docs/reference/wire.md is bit i % 8 of byte i / 8. Bits beyond its width are 0.
 *
 * A cycle of the style TFD_LINK:
 *     tfd_link_outputs   what is on link_o: registered, so it does not depend on this cycle's inputs
 *     tfd_link_fail      (flag TFD_FAILS_LINKS) what is on link_fail_o, registered likewise
 *     tfd_observe        (flag TFD_OBSERVES) the record: events of the cycle before, levels of this one
 *     tfd_link_step      applies link_i, link_up_i and the register bus, and goes to the next cycle
 * All but the last of them change nothing: they may be called more than once in a cycle, or not at all.
 *
 * A cycle of the style TFD_STREAM is one call of tfd_stream_step.
 */
#ifndef TILEFLY_DEVICE_H
#define TILEFLY_DEVICE_H

#include <stdint.h>

/* Version of this header. A program runs libraries of versions 1 and 2, and names the version of others. In version 1 a
 * link has 370 bits in 47 bytes, and the record of a port 145 bits in 19 bytes: the lower bits of version 2, whose other
 * bits are 0 then. All else is the same. */
#define TILEFLY_DEVICE_VERSION 2u

#if defined(__GNUC__)
#define TFD_EXPORT __attribute__((visibility("default")))
#else
#define TFD_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TFD_LINK_BITS = 503, TFD_LINK_BYTES = 63, /* `phy`, `tag`, `ctrl`, `word`, the first highest */
  TFD_CFG_BITS = 88, TFD_CFG_BYTES = 11,    /* `cfg` */
  TFD_PORT_RECORD_BITS = 189, TFD_PORT_RECORD_BYTES = 24, /* `portobs` */
  TFD_TURN_RECORD_BITS = 40, TFD_TURN_RECORD_BYTES = 5,   /* `turnobs` */
  TFD_RED_RECORD_BITS = 22, TFD_RED_RECORD_BYTES = 3,     /* `red_obs` */
  TFD_CFU_RECORD_BITS = 27, TFD_CFU_RECORD_BYTES = 4,     /* `cfu_obs` */
  TFD_MOST_BEAT_BYTES = 64
};

/* How the ports of a device speak. */
enum {
  TFD_LINK = 1,  /* words and control slots of docs/blocks/link.md */
  TFD_STREAM = 2 /* AXI-Stream beats of Ethernet frames without preamble */
};

/* What a device has in addition to its ports; each flag needs the function in brackets. */
enum {
  TFD_OBSERVES = 1,        /* the observation record (tfd_observe) */
  TFD_COUNTS = 2,          /* counters (tfd_counter) */
  TFD_CHECKS_DRAINED = 4,  /* its own checks when nothing is inside any more (tfd_drained) */
  TFD_TELLS_CHANGES = 8,   /* the cycle in which it next acts by itself (tfd_next_change) */
  TFD_WRITES_WAVES = 16,   /* the file that tfd_setup.waves names */
  TFD_HAS_TABLE = 32,      /* TFD_STREAM: a forwarding table (tfd_table_write) */
  TFD_FAILS_LINKS = 64     /* TFD_LINK, from version 2 on: ports give links up (tfd_link_fail) */
};

/* A device. The library defines the struct. */
typedef struct tfd_device tfd_device;

/* What a device is made for. `size` is sizeof(tfd_setup) of the program's header: later versions add members at the
 * end. */
typedef struct tfd_setup {
  uint32_t size;
  uint32_t ports;          /* ports of the profile */
  uint32_t tiles;          /* tiles of the profile: the number of records of turn tiles */
  uint32_t power_up_seed;  /* not 0: registers without reset start with random bits drawn from this seed */
  const char* profile;     /* name of the profile, "tile8" */
  const char* parameters;  /* "KEY=VALUE\n" for each parameter of the user; "": none */
  const char* waves;       /* file for waves of the device's own signals; NULL: none wanted */
  uint64_t waves_from;     /* first and last cycle of the waves */
  uint64_t waves_to;
} tfd_setup;

/* What a device is. The program sets `size`, the device sets the rest. `name` must live as long as the device. */
typedef struct tfd_about_info {
  uint32_t size;
  uint32_t style;       /* TFD_LINK, TFD_STREAM */
  uint32_t ports;
  uint32_t beat_bytes;  /* TFD_STREAM: bytes of tdata, 1 to TFD_MOST_BEAT_BYTES */
  uint32_t flags;
  const char* name;     /* letters, digits, _ and -: how messages and waves call the device */
} tfd_about_info;

/* Where an observation record goes: arrays of the program, which the device fills. An element takes TFD_..._BYTES
 * bytes. */
typedef struct tfd_observation {
  uint32_t size;
  uint8_t* ports;  /* an element for each port */
  uint8_t* turns;  /* an element for each tile, by row and column */
  uint8_t* reds;   /* an element for each port; zeros: nothing of a reduction happens there */
  uint8_t* cfu;    /* one element */
} tfd_observation;

/* A beat of AXI-Stream. Beats are elements of arrays, so they keep their layout in all versions. */
typedef struct tfd_beat {
  uint8_t data[TFD_MOST_BEAT_BYTES]; /* tdata, the first byte of the frame in byte 0 */
  uint64_t keep;                     /* tkeep, bit i for byte i */
  uint64_t user;                     /* tuser, tdest, tid */
  uint32_t dest;
  uint32_t id;
  uint8_t valid;                     /* tvalid */
  uint8_t last;                      /* tlast */
  uint8_t reserved[6];               /* 0 */
} tfd_beat;

/* What the bench shows at a port in a cycle, and what the device shows there. */
typedef struct tfd_stream_in {
  tfd_beat beat;        /* into the device */
  uint8_t ready;        /* tready against the device's beat */
  uint8_t reserved[7];  /* 0 */
} tfd_stream_in;

typedef struct tfd_stream_out {
  tfd_beat beat;        /* out of the device */
  uint8_t ready;        /* tready against the bench's beat; it may depend on this cycle's inputs */
  uint8_t reserved[7];  /* 0 */
} tfd_stream_out;

/*
 * A function that returns int returns 0, or, when it fails, a status of the device's choice. Then tfd_message says why,
 * with port and packet where it can. After a failure only tfd_message and tfd_destroy are called.
 */

/* TILEFLY_DEVICE_VERSION of the header that the library was compiled with. */
TFD_EXPORT uint32_t tfd_version(void);
/* Makes a device in cycle 0, after its reset. On failure *device is NULL, or a device that has only a message. */
TFD_EXPORT int tfd_create(const tfd_setup* setup, tfd_device** device);
TFD_EXPORT void tfd_destroy(tfd_device* device);
/* Why the latest call failed. The text must live until the next call. */
TFD_EXPORT const char* tfd_message(tfd_device* device);
TFD_EXPORT int tfd_about(tfd_device* device, tfd_about_info* info);
/* Sets the device back to cycle 0, as after tfd_create with the same setup. */
TFD_EXPORT int tfd_reset(tfd_device* device);

/* Style TFD_LINK. `links`: ports * TFD_LINK_BYTES bytes. `link_up`: a byte for each port, 0 or 1. `cfg`: TFD_CFG_BYTES
 * bytes. */
TFD_EXPORT int tfd_link_outputs(tfd_device* device, uint8_t* links);
TFD_EXPORT int tfd_link_step(tfd_device* device, const uint8_t* links, const uint8_t* link_up, const uint8_t* cfg);

/* TFD_FAILS_LINKS: what is on link_fail_o (docs/blocks/link_retry.md), a byte for each port, 0 or 1. Registered as the
 * links are; it changes nothing. */
TFD_EXPORT int tfd_link_fail(tfd_device* device, uint8_t* link_fail);

/* Style TFD_STREAM. `in` and `out` have an element for each port. Applies `in`, settles, fills `out`, then makes the
 * clock edge. */
TFD_EXPORT int tfd_stream_step(tfd_device* device, const tfd_stream_in* in, tfd_stream_out* out);

/* TFD_HAS_TABLE: entry `index` of the table says that the MAC `mac`, 6 bytes, is at `port`; it is written in the cycle
 * of the next tfd_stream_step. */
TFD_EXPORT int tfd_table_write(tfd_device* device, const uint8_t* mac, uint32_t port, uint32_t index);

/* TFD_OBSERVES: fills the observation record of the current cycle. */
TFD_EXPORT int tfd_observe(tfd_device* device, tfd_observation* record);
/* TFD_COUNTS: reads a counter or drop reason of docs/reference/counters.md. The program has read it on the register bus
 * a few cycles before, so a device may return the answer that it gave there. TFD_STREAM: port 0, index 0 counts all
 * frames dropped. */
TFD_EXPORT int tfd_counter(tfd_device* device, uint32_t port, uint32_t index, uint64_t* value);
/* TFD_CHECKS_DRAINED: the program calls it when nothing should be inside any more. A device that finds something
 * fails. */
TFD_EXPORT int tfd_drained(tfd_device* device);
/* TFD_TELLS_CHANGES: the first cycle from the current one on whose step, with idle inputs, may change something that a
 * link shows sooner or later; UINT64_MAX: there is none. */
TFD_EXPORT int tfd_next_change(tfd_device* device, uint64_t* cycle);

#ifdef __cplusplus
}
#endif

#endif /* TILEFLY_DEVICE_H */
