/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference and the judge for somebody else's simulator: a test of `tilefly conform` that a program drives itself, of a
 * device with AXI-Stream ports or with Tilefly's links; or, of AXI-Stream ports, traffic of the program's own. The page is
 * docs/conformance.md.
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
 * Without a test the program says which frames go in (tfr_send), and ends the traffic (tfr_end); all else is the same.
 *
 * What is driven in a cycle depends on nothing that the device shows in it; what the device shows may depend on it.
 *
 * A cycle of a device with links, whose outputs are registered, is the other way round: what goes in may depend on what it
 * shows, which does not depend on what goes in:
 *         for each port: tfr_show_link; at level observed, for each port, tile and the CFU: tfr_show_record
 *         for each port: tfr_drive_link, tfr_link_up; tfr_drive_cfg: the register bus
 *         settle; the clock edge
 * References have nothing in common; calls of one of them come from one thread at a time.
 */
#ifndef TILEFLY_REF_H
#define TILEFLY_REF_H

#include <stdint.h>

/* Of this header; tfr_create refuses another one. */
#define TILEFLY_REF_VERSION 1u

#if defined(__GNUC__)
#define TFR_EXPORT __attribute__((visibility("default")))
#else
#define TFR_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { TFR_MOST_BEAT_BYTES = 64, TFR_LINK_BYTES = 48, TFR_CFG_BYTES = 12, TFR_RECORD_BYTES = 20 };

/* How the ports of a device speak. */
enum { TFR_STREAM = 1, TFR_LINK = 2 };

/* Parts of the observation record: one a port, turn tile, port, and one. */
enum { TFR_RECORD_PORT = 0, TFR_RECORD_TURN = 1, TFR_RECORD_RED = 2, TFR_RECORD_CFU = 3 };

/* What a function returns beside its answer: the call was wrong, and tfr_message says why. The test is over then. */
enum { TFR_ERROR = -1 };

/* What comes next. */
enum { TFR_OVER = 0, TFR_CYCLE = 1, TFR_RESET = 2 };

/* Verdicts. */
enum { TFR_PASS = 0, TFR_FAIL = 1, TFR_UNDECIDED = 2 };

/* 64 bits, `longint unsigned` of SystemVerilog. */
typedef unsigned long long tfr_count;

#ifdef TILEFLY_REF_DPI
/* The types as DPI-C has them: with this the prototypes are compiled beside those that a simulator makes of the package. */
typedef void tfr_reference;
typedef uint32_t tfr_beat, tfr_link, tfr_cfg, tfr_record;
#else
/* A test of a device. */
typedef struct tfr_reference tfr_reference;

/* A beat of AXI-Stream, `tfr_beat` of the package. It keeps its layout in all versions. */
typedef struct tfr_beat {
  uint8_t data[TFR_MOST_BEAT_BYTES]; /* tdata, the first byte of the frame in byte 0 */
  uint64_t keep;                     /* tkeep, bit i of byte i; ports without tkeep: ones */
  uint64_t user;                     /* tuser, tdest, tid; 0 where the ports do not have them */
  uint32_t dest;
  uint32_t id;
  uint8_t valid;                     /* tvalid */
  uint8_t last;                      /* tlast */
  uint8_t reserved[6];               /* 0 */
} tfr_beat;

/* Packed structs of docs/reference/wire.md: bit i is bit i % 8 of byte i / 8; bits beyond the width are 0. */
typedef struct tfr_link { uint8_t bytes[TFR_LINK_BYTES]; } tfr_link;       /* 370 bits, `ctrl` above `word` */
typedef struct tfr_cfg { uint8_t bytes[TFR_CFG_BYTES]; } tfr_cfg;          /* 88 bits */
typedef struct tfr_record { uint8_t bytes[TFR_RECORD_BYTES]; } tfr_record; /* portobs, turnobs, red_obs or cfu_obs */
#endif

/* TILEFLY_REF_VERSION that the library was compiled with. */
TFR_EXPORT uint32_t tfr_version(void);

/* The test `test` of `tilefly conform list` with a seed, of a device that the capability file describes; `top`, `files`
 * and `library` of the file are not looked at. `test` NULL or "": none, the frames are the program's own. Returns NULL
 * only when memory ends. On an error each function returns TFR_ERROR, and tfr_message says why: no such file, a key
 * that is wrong, a test that does not apply, another version. */
TFR_EXPORT tfr_reference* tfr_create(uint32_t version, const char* capability, const char* test, tfr_count seed);
TFR_EXPORT void tfr_destroy(tfr_reference* reference);

/* Of the capability file: ports.style (TFR_STREAM, TFR_LINK); ports.count, or of the profile; turn tiles of the
 * profile; bytes of ports.tdata; reset.cycles. */
TFR_EXPORT int tfr_style(tfr_reference* reference);
TFR_EXPORT int tfr_ports(tfr_reference* reference);
TFR_EXPORT int tfr_tiles(tfr_reference* reference);
TFR_EXPORT int tfr_beat_bytes(tfr_reference* reference);
TFR_EXPORT int tfr_reset_cycles(tfr_reference* reference);

/* A reference without a test, before its first turn or amid its run; each returns 0. A beat of a frame that goes in at
 * the device's input `port`, behind those before it; with `last` the frame is whole. It goes in as soon as those before
 * it have, with the load that is configured. Outputs follow from the capability file. */
TFR_EXPORT int tfr_send(tfr_reference* reference, uint32_t port, const tfr_beat* beat);
/* Entry `index` of the device's table: `mac` is at `port`. It is written when all that was sent before has come out,
 * and what is sent after it goes in when it is written. */
TFR_EXPORT int tfr_write_table(tfr_reference* reference, tfr_count mac, uint32_t port, uint32_t index);
/* How ports behave from the next cycle on: "load", the share of the cycles in which an input has a beat, 1 at first;
 * "gaps.share" and "gaps.most": in this share of the beats an input stops behind one, for 1 to so many cycles, 0 and 1
 * at first; "stalls.share" and "stalls.most", the same of cycles and tready of outputs; "stopped": an output that takes
 * nothing, -1, none, at first. */
TFR_EXPORT int tfr_configure(tfr_reference* reference, const char* name, double value);
/* No frame is sent any more: the turns come to their end when all has come out. */
TFR_EXPORT int tfr_end(tfr_reference* reference);

/* Before the first turn: rule `rule` is not judged at output `port`. `port` -1: at no output. `rule` "": nothing of
 * what comes out at `port` is. Rules: marks, tid, cut-through, drop counter, tvalid, stable, tkeep, tdest, isolation. A
 * device that breaks no other one is TFR_UNDECIDED, and its result has "masked". Returns 0. */
TFR_EXPORT int tfr_mask(tfr_reference* reference, const char* rule, int port);

/* Judges the cycle that was shown, and says what comes next: TFR_CYCLE, TFR_RESET, or TFR_OVER: the test came to its
 * end, or the device broke a rule. The first one is TFR_RESET. */
TFR_EXPORT int tfr_next(tfr_reference* reference);

/* What goes into the device's input `port` in this cycle. Returns 0. */
TFR_EXPORT int tfr_drive(tfr_reference* reference, uint32_t port, tfr_beat* beat);
/* tready against the device's output `port` in this cycle: 0 or 1. */
TFR_EXPORT int tfr_ready(tfr_reference* reference, uint32_t port);
/* 1: in this cycle entry `index` of the device's table is written: the MAC, 48 bits, the first byte highest, is at
 * `port`. 0: none is written. */
TFR_EXPORT int tfr_table_write(tfr_reference* reference, tfr_count* mac, uint32_t* port, uint32_t* index);

/* What the device shows at `port` in this cycle: tready against what is driven, and the beat of its output. Once a port
 * and cycle. Returns 0. */
TFR_EXPORT int tfr_show(tfr_reference* reference, uint32_t port, int ready, const tfr_beat* beat);
/* Its drop counter, of a device with flow.drops; once a cycle. Returns 0. */
TFR_EXPORT int tfr_show_drops(tfr_reference* reference, tfr_count drops);
/* Instead of tfr_show: a signal of `port` that counts is X or Z, and `signal` names it. The device fails by rule
 * "unknown". Returns 0. */
TFR_EXPORT int tfr_show_unknown(tfr_reference* reference, uint32_t port, const char* signal);

/* A device with links. What it shows at output `port` in this cycle, and, of claims.level observed, a part of its
 * record: each once a cycle, before what goes in is asked for. Return 0. */
TFR_EXPORT int tfr_show_link(tfr_reference* reference, uint32_t port, const tfr_link* link);
TFR_EXPORT int tfr_show_record(tfr_reference* reference, int part, uint32_t index, const tfr_record* record);
/* What goes in at `port` in this cycle, and on the register bus. In the cycle of a divergence: zeros. Return 0. */
TFR_EXPORT int tfr_drive_link(tfr_reference* reference, uint32_t port, tfr_link* link);
TFR_EXPORT int tfr_drive_cfg(tfr_reference* reference, tfr_cfg* cfg);
/* 1: the link of `port` works in this cycle; 0: it is down. */
TFR_EXPORT int tfr_link_up(tfr_reference* reference, uint32_t port);

/* Of AXI-Stream ports. Beat `k` of the frame that has to come out at output `port` before all others that came in at
 * `input`: 1. 0: there is none, or it has no more beats. A frame is due from its first beat on. */
TFR_EXPORT int tfr_expect(tfr_reference* reference, uint32_t port, uint32_t input, uint32_t k, tfr_beat* beat);
/* What a counter of the device has to say at `port` since the latest reset, as it stands: "frames_in", "bytes_in",
 * "frames_out", "bytes_out"; "dropped": frames that came in there and must be dropped; "lost": copies of others, of a
 * lossy device, that were, as far as is known; "due": copies that have to come out there still. Returns 0. */
TFR_EXPORT int tfr_counter(tfr_reference* reference, uint32_t port, const char* name, tfr_count* value);
/* The latest frame in and the latest frame out at `port`, as JSON: {"cycle": N, "in": {...}, "out": {...}}, with
 * "frame" (number), "input", "outputs", "bytes", "first" and "last" (cycle of the first and last beat; null: under
 * way); null: none since the reset. "" on an error. Stands until the next call. */
TFR_EXPORT const char* tfr_observe(tfr_reference* reference, uint32_t port);
/* 1: nothing is in the device, as far as is known; 0: something is. */
TFR_EXPORT int tfr_drained(tfr_reference* reference);
/* A figure of the result, as it stands: a field of a certificate's test, "cycles", "frames/delivered", "measured".
 * Returns 1, or 0: there is none, it was not measured. */
TFR_EXPORT int tfr_figure(tfr_reference* reference, const char* name, double* value);

/* Ends the test, which nothing changes any more: TFR_PASS, TFR_FAIL, or TFR_UNDECIDED: it was not over, a claim could
 * not be measured, or something was left out (tfr_mask). */
TFR_EXPORT int tfr_finish(tfr_reference* reference);
/* Why the latest call failed, or why the device did: a rule, in frames and ports; "" of a pass. Stands until the next
 * call. */
TFR_EXPORT const char* tfr_message(tfr_reference* reference);
/* The result as JSON, the fields of a certificate's test, after tfr_finish; "" before. Stands until tfr_destroy. */
TFR_EXPORT const char* tfr_result(tfr_reference* reference);

#ifdef __cplusplus
}
#endif

#endif /* TILEFLY_REF_H */
