/* SPDX-License-Identifier: Apache-2.0 */
/* A device that takes all and answers nothing, driven from C: reference_user CAPABILITY TEST. */
#include <stdio.h>
#include <string.h>
#include <tilefly_ref.h>

static int cycle(tfr_reference* reference, uint32_t ports) {
  tfr_beat beat;
  for (uint32_t port = 0; port < ports; ++port) {
    if (tfr_drive(reference, port, &beat) == TFR_ERROR || tfr_ready(reference, port) == TFR_ERROR) return TFR_ERROR;
    memset(&beat, 0, sizeof beat);
    if (tfr_show(reference, port, 1, &beat) == TFR_ERROR) return TFR_ERROR;
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  tfr_reference* const reference = tfr_create(TILEFLY_REF_VERSION, argv[1], argv[2], 1);
  const int ports = tfr_ports(reference);
  int turn = tfr_next(reference);
  while (turn == TFR_CYCLE || turn == TFR_RESET) {
    if (turn == TFR_CYCLE && cycle(reference, (uint32_t)ports) == TFR_ERROR) break;
    turn = tfr_next(reference);
  }
  const int verdict = turn == TFR_OVER ? tfr_finish(reference) : TFR_ERROR;
  printf("%d %s\n", verdict, tfr_message(reference));
  tfr_destroy(reference);
  return 0;
}
