// SPDX-License-Identifier: Apache-2.0
// What the parts of an input port say to each other: the word as the MAC delivers it, the descriptor of a packet in the
// pipeline, the look-up in the tile's shared tables. Manual: docs/blocks/ingress.md.
// Sets of ports have a bit for each of the 64 numbers that the wire formats can say, and numbers of cells 12 bits, whatever
// the profile's size.

package tilefly_ingress_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no part needs all of them

  // A word from the MAC, four cycles after it was on the wire.
  typedef struct packed {
    logic        take;     // a word is delivered
    logic        sop;      // it is the packet's first
    logic        upper;    // its upper 16 bytes are in use
    logic        enh;      // the packet has the internal header
    logic        ends;     // the packet ends in this cycle, with this word or without one
    logic [3:0]  status;   // at the end: drop_e; NONE is good
    logic [12:0] len;      // bytes of the frame: of the header, or at the end of a bare frame the bytes seen
    logic [6:0]  cells;    // cells of a packet with header
    logic        refused;  // a packet with an impossible header was refused
    logic        stray;    // a word outside any packet
  } rx_t;
  localparam int RX_W = 31;

  // A packet when it enters the pipeline, in cycle a + 4.
  typedef struct packed {
    logic [6:0]   cells;        // its cells
    logic [12:0]  len;          // bytes of the frame
    logic         reserved;     // an MTU is still accounted for it: a bare frame that was bad
    logic         shares;       // a class of the port is lossy: its cells count in its class's share
    logic         again;        // it was taken back, and has been counted where a packet is counted
    logic [3:0]   reason;       // drop_e
    logic         cut_through;  // it may still be arriving
    logic         enh;          // it has the internal header
    logic [1:0]   trust;        // trust_e of the port
    logic [2:0]   default_tc;   // class of frames that say nothing
    logic [1:0]   in_class;     // class of the port
    logic [255:0] word;         // its first word
  } descriptor_t;
  localparam int DESCRIPTOR_W = 292;

  // What the parser finds in the first word of a bare frame.
  typedef struct packed {
    logic [47:0] mac;          // destination, first byte highest
    logic        algorithmic;  // it is 02:00:00:0x:xx:xx, a fabric address
    logic        broadcast;    // all ones
    logic        multicast;    // group bit, also of a broadcast
    logic        vlan;         // has a VLAN tag
    logic [2:0]  pcp;          // its priority
    logic        ip;           // IPv4 or IPv6
    logic [5:0]  dscp;         // its DSCP
  } parsed_t;
  localparam int PARSED_W = 62;

  // Look-up request of a packet, in cycle a + 10; and questions to the route tables of another one, in its cycle a + 13.
  typedef struct packed {
    logic        valid;
    logic [47:0] mac;       // searched in the exact-match table
    logic        use_dscp;  // class by DSCP
    logic [5:0]  dscp;
    logic        use_pcp;   // class by VLAN priority
    logic [2:0]  pcp;
    logic [2:0]  tc;        // class otherwise
    logic [3:0]  vl_in;     // virtual lane it came on
    logic [1:0]  in_class;  // class of the port it came by
    logic [2:0]  ask;       // questions that are asked
    logic [29:0] questions; // question q in bits [10*q +: 10]: {by switch of the own group, else by group; number}
  } lk_req_t;
  localparam int LK_REQ_W = 102;

  // The answers, in cycle a + 12, masks in a + 14; all as of cycle a + 4.
  typedef struct packed {
    logic [2:0]   tc;           // class
    logic [15:0]  vls;          // VL for output class c in bits [4*c +: 4]
    logic         hit;          // found in the exact-match table
    logic [63:0]  ports;        // its ports
    logic [13:0]  own_address;  // group 9, switch 5
    logic [15:0]  size;         // switches of the own group 6, groups 10
    logic [63:0]  lengths;      // register LENGTH
    logic [47:0]  biases;       // register BIAS
    logic [63:0]  enabled;      // ports that exist and are enabled
    logic [127:0] out_class;    // class of port p in bits [2*p +: 2]
    logic [191:0] masks;        // ports towards what question q asked, in bits [64*q +: 64]
  } lk_rsp_t;
  localparam int LK_RSP_W = 610;

  // Where a packet goes.
  typedef struct packed {
    logic [3:0]   reason;      // drop_e
    logic [63:0]  ports;       // outputs, one copy each
    logic [6:0]   copies;      // how many
    logic [15:0]  vls;         // VL for output class c in bits [4*c +: 4]
    logic [127:0] out_class;   // class of port p in bits [2*p +: 2]
    logic [127:0] header;      // header to store
    logic         decides;     // between minimal and non-minimal paths, here
    logic         nonminimal;  // and takes a non-minimal one
    logic [5:0]   port;        // output of a routed packet
    logic [5:0]   pair_port;   // output of an ordered one that may not choose
    logic         came_to_via; // header's via_valid and via as they came
    logic [13:0]  came_via;
  } route_t;
  localparam int ROUTE_W = 376;

  // A packet whose cells go free; all zero while none does.
  typedef struct packed {
    logic        valid;
    logic [11:0] first;   // its first cell, which is its number
    logic [11:0] last;    // its last cell
    logic [6:0]  cells;   // its cells
    logic [6:0]  used;    // cells in use for it: an MTU when that is reserved
    logic [3:0]  vl;      // virtual lane on which it came
    logic        shares;  // its cells counted in its class's share
    logic [2:0]  tc;      // its class, when they did
  } release_t;
  localparam int RELEASE_W = 47;

  // Packets that may be released in one cycle, from the highest bits of a vector of release_t down: ended because their last copy
  // was taken back, waited for until they had arrived, dropped, sent.
  localparam int RELEASES = 4;

  /* verilator lint_on UNUSEDPARAM */

  // floor(x / 3), exact below 2048.
  function automatic [9:0] third(input [10:0] x);
    third = 10'((22'(x) * 22'd683) >> 11);
  endfunction

  // Cells of a frame of `len` bytes with its header: ceil((len + 16) / 48).
  function automatic [6:0] cells_of(input [12:0] len);
    cells_of = 7'(third(11'((14'(len) + 14'd63) >> 4)));
  endfunction

  // Cycles from a packet's first word to word k at `serdes_lanes` SerDes lanes: floor(4k / serdes_lanes).
  function automatic [9:0] word_cycle(input [7:0] k, input [2:0] serdes_lanes);
    case (serdes_lanes)
      3'd1: word_cycle = {k, 2'b00};
      3'd2: word_cycle = {1'b0, k, 1'b0};
      3'd3: word_cycle = third({1'b0, k, 2'b00});
      default: word_cycle = {2'b00, k};
    endcase
  endfunction

  // Cycles from a packet's first word to the first pick when it is cut through: the transfer may begin four cycles
  // later. A cell leaves no earlier than 6 cycles after its last word was on the wire. The bound is set by the
  // packet's last cell, or by the one before it when one word completes both.
  function automatic [9:0] pick_offset(input [12:0] len, input [6:0] cells, input [2:0] serdes_lanes);
    reg [7:0] last_word;
    reg [7:0] word_before;
    last_word = 8'((14'(len) + 14'd15) >> 5);
    word_before = 8'((14'(cells) * 14'd48 - 14'd49) >> 5);
    pick_offset = word_cycle(last_word, serdes_lanes) + 10'd3 - 10'(cells);
    if (cells > 7'd1 && last_word == word_before) pick_offset = pick_offset + 10'd1;
  endfunction

  // Number of ones.
  function automatic [6:0] count_ones(input [63:0] bits);
    reg [63:0] x;
    x = bits - ((bits >> 1) & 64'h5555_5555_5555_5555);
    x = (x & 64'h3333_3333_3333_3333) + ((x >> 2) & 64'h3333_3333_3333_3333);
    x = (x + (x >> 4)) & 64'h0f0f_0f0f_0f0f_0f0f;
    x = x + (x >> 8);
    x = x + (x >> 16);
    x = x + (x >> 32);
    count_ones = 7'(x);
  endfunction

  // Number of the one in a one-hot set.
  function automatic [5:0] number_of(input [63:0] one_hot);
    number_of[0] = (one_hot & 64'haaaa_aaaa_aaaa_aaaa) != 64'd0;
    number_of[1] = (one_hot & 64'hcccc_cccc_cccc_cccc) != 64'd0;
    number_of[2] = (one_hot & 64'hf0f0_f0f0_f0f0_f0f0) != 64'd0;
    number_of[3] = (one_hot & 64'hff00_ff00_ff00_ff00) != 64'd0;
    number_of[4] = (one_hot & 64'hffff_0000_ffff_0000) != 64'd0;
    number_of[5] = (one_hot & 64'hffff_ffff_0000_0000) != 64'd0;
  endfunction

endpackage
