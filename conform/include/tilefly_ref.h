/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference and the judge for another simulator: a test of `tilefly conform` that a program drives itself, for a
 * device with AXI-Stream ports or with Tilefly's links; or, with AXI-Stream ports, the program's own traffic. The page
 * is docs/conformance.md.
 *
 * C99 and C++, and DPI-C: conform/include/tilefly_ref_pkg.sv imports the functions as they are here. A program links
 * libtilefly_ref.so. No C++ exception leaves a function.
 *
 *     reference = tfr_create(TILEFLY_REF_VERSION, "switch.yaml", "forwarding.all-pairs", 1);
 *     while ((turn = tfr_next(reference)) != TFR_OVER && turn != TFR_ERROR) {
 *       if (turn == TFR_RESET)  reset the device, its inputs idle, for tfr_reset_cycles(reference) cycles
 *       else {                  a cycle:
 *         for each port: tfr_drive, tfr_ready: what goes into the device; tfr_table_write: its table
 *         settle; for each port: tfr_show: what the device shows; tfr_show_drops: its counter of flow.drops
 *         the clock edge
 *       }
 *     }
 *     verdict = tfr_finish(reference); why = tfr_message(reference);
 *     tfr_destroy(reference);
 *
 * Without a test the program says which frames go in (tfr_send), and ends the traffic (tfr_end). The rest is the same.
 *
 * What is driven in a cycle depends on nothing that the device shows in it; what the device shows may depend on it.
 *
 * A device with links has registered outputs, so its cycle has the other order: what goes in may depend on what the
 * device shows, and what it shows does not depend on what goes in:
 *         for each port: tfr_show_link; at level observed, for each port, tile and the CFU: tfr_show_record
 *         for each port: tfr_drive_link, tfr_link_up; tfr_drive_cfg: the register bus
 *         settle; the clock edge
 * References share nothing. Calls of one reference come from one thread at a time.
 */
#ifndef TILEFLY_REF_H
#define TILEFLY_REF_H

#include <stdint.h>

/* Version of this header. tfr_create refuses any other version. */
#define TILEFLY_REF_VERSION 2u

#if defined(__GNUC__)
#define TFR_EXPORT __attribute__((visibility("default")))
#else
#define TFR_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { TFR_MOST_BEAT_BYTES = 64, TFR_LINK_BYTES = 64, TFR_CFG_BYTES = 12, TFR_RECORD_BYTES = 24 };

/* How the ports of a device speak. */
enum { TFR_STREAM = 1, TFR_LINK = 2 };

/* Parts of the observation record: PORT and RED for each port, TURN for each turn tile, CFU once. */
enum { TFR_RECORD_PORT = 0, TFR_RECORD_TURN = 1, TFR_RECORD_RED = 2, TFR_RECORD_CFU = 3 };

/* What a function returns beside its answer: the call was wrong, and tfr_message says why. The test is over then. */
enum { TFR_ERROR = -1 };

/* What comes next. */
enum { TFR_OVER = 0, TFR_CYCLE = 1, TFR_RESET = 2 };

/* Verdicts. */
enum { TFR_PASS = 0, TFR_FAIL = 1, TFR_UNDECIDED = 2 };

/* A count of 64 bits, `longint unsigned` in SystemVerilog. */
typedef unsigned long long tfr_count;

#ifdef TILEFLY_REF_DPI
/* The types as DPI-C has them: with this the prototypes are compiled beside those that a simulator makes of the
 * package. */
typedef void tfr_reference;
typedef uint32_t tfr_beat, tfr_link, tfr_cfg, tfr_record;
#else
/* A test of a device. */
typedef struct tfr_reference tfr_reference;

/* A beat of AXI-Stream, `tfr_beat` of the package. It keeps its layout in all versions. */
typedef struct tfr_beat {
  uint8_t data[TFR_MOST_BEAT_BYTES]; /* tdata, the first byte of the frame in byte 0 */
  uint64_t keep;                     /* tkeep, bit i for byte i; ones for ports without tkeep */
  uint64_t user;                     /* tuser, tdest, tid; 0 where the ports do not have them */
  uint32_t dest;
  uint32_t id;
  uint8_t valid;                     /* tvalid */
  uint8_t last;                      /* tlast */
  uint8_t reserved[6];               /* 0 */
} tfr_beat;

/* Packed structs of docs/reference/wire.md: bit i is bit i % 8 of byte i / 8; bits beyond the width are 0. With
 * ports.wire: 1 a link has its lower 370 bits, and the record of a port its lower 145. */
typedef struct tfr_link { uint8_t bytes[TFR_LINK_BYTES]; } tfr_link;       /* 503 bits: phy, tag, ctrl, word */
typedef struct tfr_cfg { uint8_t bytes[TFR_CFG_BYTES]; } tfr_cfg;          /* 88 bits */
typedef struct tfr_record { uint8_t bytes[TFR_RECORD_BYTES]; } tfr_record; /* portobs, turnobs, red_obs or cfu_obs */
#endif

/* TILEFLY_REF_VERSION that the library was compiled with. */
TFR_EXPORT uint32_t tfr_version(void);

/* Makes the test `test` of `tilefly conform list` with a seed, for the device that the capability file describes. The
 * keys `top`, `files` and `library` of the file are ignored. `test` NULL or "": there is no test, the program sends its
 * own frames. Returns NULL only when there is no memory. After any other error (no such file, a wrong key, a test that
 * does not apply, another version) each function returns TFR_ERROR, and tfr_message says why. */
TFR_EXPORT tfr_reference* tfr_create(uint32_t version, const char* capability, const char* test, tfr_count seed);
TFR_EXPORT void tfr_destroy(tfr_reference* reference);

/* Values of the capability file: ports.style (TFR_STREAM, TFR_LINK); ports.count, or the ports of the profile; the turn
 * tiles of the profile; the bytes of ports.tdata; reset.cycles. */
TFR_EXPORT int tfr_style(tfr_reference* reference);
TFR_EXPORT int tfr_ports(tfr_reference* reference);
TFR_EXPORT int tfr_tiles(tfr_reference* reference);
TFR_EXPORT int tfr_beat_bytes(tfr_reference* reference);
TFR_EXPORT int tfr_reset_cycles(tfr_reference* reference);

/* The next functions, to tfr_end, are for a reference without a test, before its first turn or during its run. Each
 * returns 0. tfr_send gives a beat of a frame for the device's input `port`, behind earlier beats; `last` ends the
 * frame. The frame goes in when those before it have gone in, at the load that is configured. Its outputs follow from
 * the capability file. */
TFR_EXPORT int tfr_send(tfr_reference* reference, uint32_t port, const tfr_beat* beat);
/* Entry `index` of the device's table: `mac` is at `port`. The entry is written when all frames sent before have come
 * out. Frames sent after this call go in when the entry is written. */
TFR_EXPORT int tfr_write_table(tfr_reference* reference, tfr_count mac, uint32_t port, uint32_t index);
/* How ports behave from the next cycle on:
 *   "load": share of the cycles in which an input has a beat; 1 at first
 *   "gaps.share", "gaps.most": after this share of the beats an input stops for 1 to gaps.most cycles; 0, 1 at first
 *   "stalls.share", "stalls.most": the same for cycles, in which tready of an output falls; 0, 1 at first
 *   "stopped": number of an output that takes nothing; -1, no output, at first */
TFR_EXPORT int tfr_configure(tfr_reference* reference, const char* name, double value);
/* No further frame is sent. The turns end when all frames have come out. */
TFR_EXPORT int tfr_end(tfr_reference* reference);

/* To be called before the first turn: rule `rule` is not judged at output `port`. `port` -1: it is judged at no output.
 * `rule` "": no rule is judged at `port`. Rules: marks, tid, cut-through, drop counter, tvalid, stable, tkeep, tdest,
 * isolation. The verdict for a device that breaks no other rule is TFR_UNDECIDED, and its result has "masked". Returns
 * 0. */
TFR_EXPORT int tfr_mask(tfr_reference* reference, const char* rule, int port);

/* Judges the cycle that was shown, and returns what comes next: TFR_CYCLE, TFR_RESET, or TFR_OVER when the test has
 * ended or the device has broken a rule. The first turn is TFR_RESET. */
TFR_EXPORT int tfr_next(tfr_reference* reference);

/* What goes into the device's input `port` in this cycle. Returns 0. */
TFR_EXPORT int tfr_drive(tfr_reference* reference, uint32_t port, tfr_beat* beat);
/* tready against the device's output `port` in this cycle: 0 or 1. */
TFR_EXPORT int tfr_ready(tfr_reference* reference, uint32_t port);
/* 1: in this cycle entry `index` of the device's table is written: the MAC, 48 bits, the first byte highest, is at
 * `port`. 0: none is written. */
TFR_EXPORT int tfr_table_write(tfr_reference* reference, tfr_count* mac, uint32_t* port, uint32_t* index);

/* What the device shows at `port` in this cycle: `ready`, its tready against the beat that is driven, and the beat of
 * its output. To be called once for each port and cycle. Returns 0. */
TFR_EXPORT int tfr_show(tfr_reference* reference, uint32_t port, int ready, const tfr_beat* beat);
/* The drop counter of a device with flow.drops. To be called once in each cycle. Returns 0. */
TFR_EXPORT int tfr_show_drops(tfr_reference* reference, tfr_count drops);
/* To be called instead of tfr_show when a signal of `port` that counts is X or Z; `signal` is its name. The device
 * fails by rule "unknown". Returns 0. */
TFR_EXPORT int tfr_show_unknown(tfr_reference* reference, uint32_t port, const char* signal);

/* For a device with links: what it shows at output `port` in this cycle, and, with claims.level observed, a part of its
 * observation record. To be called once for each in a cycle, before the functions that tell what goes in. They return
 * 0. */
TFR_EXPORT int tfr_show_link(tfr_reference* reference, uint32_t port, const tfr_link* link);
TFR_EXPORT int tfr_show_record(tfr_reference* reference, int part, uint32_t index, const tfr_record* record);
/* What goes in at `port`, and on the register bus, in this cycle; zeros in the cycle of a divergence. They return 0. */
TFR_EXPORT int tfr_drive_link(tfr_reference* reference, uint32_t port, tfr_link* link);
TFR_EXPORT int tfr_drive_cfg(tfr_reference* reference, tfr_cfg* cfg);
/* 1: the link of `port` works in this cycle; 0: it is down. */
TFR_EXPORT int tfr_link_up(tfr_reference* reference, uint32_t port);

/* For AXI-Stream ports: beat `k` of the frame that has to come out next at output `port`, of the frames that came in at
 * `input`. Returns 1; 0: there is no such frame, or it has no beat `k`. A frame is due from its first beat on. */
TFR_EXPORT int tfr_expect(tfr_reference* reference, uint32_t port, uint32_t input, uint32_t k, tfr_beat* beat);
/* What a counter of the device must have counted at `port` since the latest reset: "frames_in", "bytes_in",
 * "frames_out", "bytes_out"; "dropped": frames that came in there and must be dropped; "lost": copies of other frames
 * that a lossy device has dropped, as far as is known; "due": copies that still have to come out there. Returns 0. */
TFR_EXPORT int tfr_counter(tfr_reference* reference, uint32_t port, const char* name, tfr_count* value);
/* The latest frame in and the latest frame out at `port`, as JSON: {"cycle": N, "in": {...}, "out": {...}}, with
 * "frame" (number), "input", "outputs", "bytes", "first" and "last" (cycle of the first and last beat; null: under
 * way); null: there is none since the reset. Returns "" on an error. The text lives until the next call. */
TFR_EXPORT const char* tfr_observe(tfr_reference* reference, uint32_t port);
/* Returns 1 when nothing is in the device, as far as is known; 0 when something is. */
TFR_EXPORT int tfr_drained(tfr_reference* reference);
/* A figure of the result so far: a field of a test in a certificate, such as "cycles", "frames/delivered" or
 * "measured". Returns 1; 0 when it was not measured. */
TFR_EXPORT int tfr_figure(tfr_reference* reference, const char* name, double* value);

/* Ends the test, whose result nothing changes any more. Returns TFR_PASS, TFR_FAIL, or TFR_UNDECIDED when the test was
 * not over, a claim could not be measured, or a rule was left out (tfr_mask). */
TFR_EXPORT int tfr_finish(tfr_reference* reference);
/* Why the latest call failed, or why the device did: the rule, with frames and ports; "" for a pass. The text lives
 * until the next call. */
TFR_EXPORT const char* tfr_message(tfr_reference* reference);
/* The result as JSON, with the fields of a test in a certificate, after tfr_finish; "" before. The text lives until
 * tfr_destroy. */
TFR_EXPORT const char* tfr_result(tfr_reference* reference);

#ifdef __cplusplus
}
#endif

#endif /* TILEFLY_REF_H */
