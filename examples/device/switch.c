/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small switch of one's own as a device of Tilefly, in C99: store and forward, a queue at each output, credits both ways.
 * It forwards frames with internal header (fabric ports of four lanes) to the port that their address names.
 *
 *     tilefly cosim --profile tile8 --devices lib:./switch.so           its books are right: PASS
 *     tilefly cosim --profile tile8 --devices lib:./switch.so,golden    and its cycles are not golden's
 *     tilefly conform run examples/conform/c_switch.yaml                what it has passes L0 (docs/conformance.md)
 *
 * Fields of words, control slots and headers: docs/reference/wire.md. Credits: docs/blocks/credit.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilefly_device.h>

enum {
  LANES = 16,
  RESERVE = 89,     /* cells that a link partner keeps for each lane: never more are out */
  WORD_BYTES = 34,  /* the `word` of a link: bits 265..0 */
  MOST_WORDS = 133, /* of the largest frame with its header */
  CELL_BYTES = 48,
  PORT_MASK = 63
};

/* Bits of a link's bytes. */
enum { ERR = 0x20, ENH = 0x40, EOP = 0x80 }; /* byte 32, above `last` */
enum { SOP = 0x01, VALID = 0x02 };           /* byte 33 */
enum { CREDIT_VALID = 0x10 };                /* byte 44, above credit_vl; credit_cells are bytes 42 and 43 */

typedef struct packet {
  struct packet *next;
  unsigned input, lane, cells, words;
  uint8_t word[MOST_WORDS][WORD_BYTES];
} packet;

typedef struct port {
  packet *arriving;            /* on link_i */
  packet *first, *last;        /* for link_o */
  unsigned sent;               /* words of `first` that have left */
  uint16_t freed[LANES];       /* cells of this input that are free again, since reset */
  uint16_t pending;            /* lanes that are still to say so */
  unsigned turn;               /* lane that says so next */
  uint16_t used[LANES];        /* cells sent to the link partner, since reset */
  uint16_t returned[LANES];    /* of these, those that it has given back */
} port;

struct tfd_device {
  uint32_t ports;
  port *port;
  uint8_t *links; /* what is on link_o */
  char message[128];
};

static int fail(tfd_device *device, unsigned number, const char *what) {
  snprintf(device->message, sizeof device->message, "port %u: %s", number, what);
  return 1;
}

static void free_queue(packet *first) {
  while (first != NULL) {
    packet *next = first->next;
    free(first);
    first = next;
  }
}

static void clear(tfd_device *device) {
  for (uint32_t p = 0; p < device->ports; ++p) {
    free(device->port[p].arriving);
    free_queue(device->port[p].first);
  }
  memset(device->port, 0, device->ports * sizeof *device->port);
  memset(device->links, 0, (size_t)device->ports * TFD_LINK_BYTES);
}

/* The input's cells are free: its sender is told. */
static void give_back(tfd_device *device, const packet *packet) {
  port *input = &device->port[packet->input];
  input->freed[packet->lane] = (uint16_t)(input->freed[packet->lane] + packet->cells);
  input->pending |= (uint16_t)(1u << packet->lane);
}

/* A switch passed: header.hop counts it, and header.path notes the port by which the packet came into it. */
static void mark_hop(uint8_t *header, unsigned input) {
  const unsigned hop = (header[2] >> 7 | header[3] << 1) & 15u; /* bits 26..23 */
  if (hop >= 1 && hop <= 5) {
    for (unsigned i = 0; i < 6; ++i) { /* bits 125..96, six a switch */
      const unsigned bit = 96 + 6 * (hop - 1) + i;
      header[bit / 8] = (uint8_t)((header[bit / 8] & ~(1u << bit % 8)) | (input >> i & 1u) << bit % 8);
    }
  }
  header[2] = (uint8_t)((header[2] & 0x7f) | ((hop + 1) & 1u) << 7);
  header[3] = (uint8_t)((header[3] & ~7u) | ((hop + 1) >> 1 & 7u));
}

/* The whole packet is there: it joins the queue of its output. */
static void forward(tfd_device *device, packet *arrived) {
  uint8_t *header = arrived->word[0];
  const unsigned output = (header[5] >> 6 | header[6] << 2) & PORT_MASK; /* the port in dst, bits 51..46 */
  const unsigned length = (header[0] >> 3 | header[1] << 5) & 0x1fffu;   /* len, bits 15..3 */
  arrived->lane = (header[2] >> 3) & 15u;                                /* vl, bits 22..19 */
  arrived->cells = (length + 16 + CELL_BYTES - 1) / CELL_BYTES;
  if (output >= device->ports) { /* nobody is there */
    give_back(device, arrived);
    free(arrived);
    return;
  }
  mark_hop(header, arrived->input);
  port *to = &device->port[output];
  if (to->first == NULL) to->first = arrived; else to->last->next = arrived;
  to->last = arrived;
}

static int receive(tfd_device *device, unsigned number, const uint8_t *link) {
  port *own = &device->port[number];
  if (link[44] & CREDIT_VALID) own->returned[link[44] & 15] = (uint16_t)(link[42] | link[43] << 8);
  if (!(link[33] & VALID)) return 0;
  if (link[33] & SOP) {
    if (own->arriving != NULL) return fail(device, number, "a packet begins inside of another");
    if (!(link[32] & ENH)) return fail(device, number, "a frame without internal header: this switch has fabric ports only");
    own->arriving = calloc(1, sizeof *own->arriving);
    if (own->arriving == NULL) return fail(device, number, "no memory for a packet");
    own->arriving->input = number;
  }
  packet *packet = own->arriving;
  if (packet == NULL) return fail(device, number, "a word of no packet");
  if (packet->words == MOST_WORDS) return fail(device, number, "a packet is longer than the largest frame");
  memcpy(packet->word[packet->words], link, WORD_BYTES);
  packet->word[packet->words++][WORD_BYTES - 1] &= SOP | VALID; /* the control slot is the next link's own */
  if (!(link[32] & EOP)) return 0;
  own->arriving = NULL;
  forward(device, packet);
  return 0;
}

static void send(tfd_device *device, unsigned number, int up, uint8_t *link) {
  port *own = &device->port[number];
  packet *packet = own->first;
  memset(link, 0, TFD_LINK_BYTES);
  if (packet != NULL && own->sent == 0) {
    const unsigned out = (uint16_t)(own->used[packet->lane] - own->returned[packet->lane]);
    if (!up || out + packet->cells > RESERVE) packet = NULL; /* it waits */
    else own->used[packet->lane] = (uint16_t)(own->used[packet->lane] + packet->cells);
  }
  if (packet != NULL) {
    memcpy(link, packet->word[own->sent], WORD_BYTES);
    if (++own->sent == packet->words) {
      own->sent = 0;
      own->first = packet->next;
      give_back(device, packet);
      free(packet);
    }
  }
  for (unsigned i = 0; i < LANES && own->pending != 0; ++i) {
    const unsigned lane = (own->turn + i) % LANES;
    if (!(own->pending >> lane & 1u)) continue;
    own->pending &= (uint16_t)~(1u << lane);
    own->turn = lane + 1;
    link[42] = (uint8_t)own->freed[lane];
    link[43] = (uint8_t)(own->freed[lane] >> 8);
    link[44] = (uint8_t)(CREDIT_VALID | lane);
    break;
  }
}

uint32_t tfd_version(void) { return TILEFLY_DEVICE_VERSION; }

int tfd_create(const tfd_setup *setup, tfd_device **made) {
  tfd_device *device = calloc(1, sizeof *device);
  *made = device;
  if (device == NULL) return 1;
  device->port = calloc(setup->ports, sizeof *device->port);
  device->links = calloc(setup->ports, TFD_LINK_BYTES);
  if (device->port == NULL || device->links == NULL) return fail(device, 0, "no memory for the ports");
  device->ports = setup->ports;
  return 0;
}

void tfd_destroy(tfd_device *device) {
  if (device->ports != 0) clear(device);
  free(device->port);
  free(device->links);
  free(device);
}

const char *tfd_message(tfd_device *device) { return device->message; }

int tfd_about(tfd_device *device, tfd_about_info *info) {
  info->style = TFD_LINK;
  info->ports = device->ports;
  info->flags = TFD_CHECKS_DRAINED;
  info->name = "small_switch";
  return 0;
}

int tfd_reset(tfd_device *device) {
  clear(device);
  return 0;
}

int tfd_link_outputs(tfd_device *device, uint8_t *links) {
  memcpy(links, device->links, (size_t)device->ports * TFD_LINK_BYTES);
  return 0;
}

int tfd_link_step(tfd_device *device, const uint8_t *links, const uint8_t *link_up, const uint8_t *cfg) {
  (void)cfg; /* it has no registers */
  for (uint32_t p = 0; p < device->ports; ++p) {
    if (receive(device, p, links + (size_t)p * TFD_LINK_BYTES) != 0) return 1;
  }
  for (uint32_t p = 0; p < device->ports; ++p) send(device, p, link_up[p], device->links + (size_t)p * TFD_LINK_BYTES);
  return 0;
}

int tfd_drained(tfd_device *device) {
  for (uint32_t p = 0; p < device->ports; ++p) {
    if (device->port[p].first != NULL) return fail(device, p, "a packet is still in the queue of link_o");
    if (device->port[p].arriving != NULL) return fail(device, p, "a packet came in without its end");
  }
  return 0;
}
