/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic of a program's own through tilefly_ref.h, in C99: three frames through a device that delays each of them. The device
 * looks at the last byte of the destination MAC only. */
#include <stdio.h>
#include <string.h>
#include <tilefly_ref.h>

enum { PORTS = 4, BEATS = 8, BYTES = 8 };

/* An output: a frame that waits, and the beat that it shows. */
typedef struct {
  tfr_beat beats[BEATS];
  int held, shown;
} output;

static output outputs[PORTS];
static tfr_beat inputs[PORTS][BEATS];
static int taken[PORTS];

static void send(tfr_reference* reference, uint32_t port, uint8_t to, uint8_t mark) {
  for (int k = 0; k < BEATS; ++k) {
    tfr_beat beat = {.keep = 0xff, .valid = 1, .last = k == BEATS - 1};
    memset(beat.data, mark + k, BYTES);
    if (k == 0) memcpy(beat.data, (const uint8_t[]){2, 0, 0, 0, 0, to}, 6);
    tfr_send(reference, port, &beat);
  }
}

/* A cycle of the device: a frame goes to its output when it is whole. */
static void cycle(tfr_reference* reference) {
  for (uint32_t port = 0; port < PORTS; ++port) {
    output* const out = &outputs[port];
    const tfr_beat none = {0};
    tfr_show(reference, port, 1, out->shown < out->held ? &out->beats[out->shown] : &none);
    if (out->shown < out->held && tfr_ready(reference, port) == 1) ++out->shown;
  }
  for (uint32_t port = 0; port < PORTS; ++port) {
    tfr_beat beat;
    tfr_drive(reference, port, &beat);
    if (!beat.valid) continue;
    inputs[port][taken[port]++] = beat;
    if (!beat.last) continue;
    output* const out = &outputs[inputs[port][0].data[5]];
    memcpy(out->beats, inputs[port], sizeof out->beats);
    out->held = taken[port];
    out->shown = taken[port] = 0;
  }
}

int main(int argc, char** argv) {
  tfr_reference* const reference = argc == 2 ? tfr_create(TILEFLY_REF_VERSION, argv[1], NULL, 1) : NULL;
  tfr_mask(reference, "tkeep", -1);
  tfr_configure(reference, "load", 0.5);
  send(reference, 0, 1, 10);
  send(reference, 2, 3, 30);
  int turn, due = 0;
  while ((turn = tfr_next(reference)) == TFR_CYCLE || turn == TFR_RESET) {
    if (turn == TFR_RESET) continue;
    tfr_beat beat;
    tfr_count in = 0;
    due += tfr_expect(reference, 1, 0, 0, &beat) == 1 && beat.data[5] == 1;
    cycle(reference);
    tfr_counter(reference, 2, "frames_in", &in);
    if (in == 1 && strstr(tfr_observe(reference, 2), "\"outputs\":[3]") != NULL && tfr_drained(reference) == 0) {
      send(reference, 0, 3, 50);
      tfr_end(reference);
      while (tfr_next(reference) == TFR_CYCLE) cycle(reference);
      break;
    }
  }
  double out = 0;
  tfr_figure(reference, "frames/delivered", &out);
  const int verdict = tfr_finish(reference);
  const int right = verdict == TFR_UNDECIDED && strstr(tfr_message(reference), "left out: rule tkeep") != NULL && due > 0;
  printf("%s: %.0f frames out; %s\n", right ? "pass" : "fail", out, tfr_message(reference));
  tfr_destroy(reference);
  return right ? 0 : 1;
}
