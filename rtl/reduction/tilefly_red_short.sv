// SPDX-License-Identifier: Apache-2.0
// Short operations that wait at a reduction port, an entry for each group and engine. Manual: docs/blocks/reduction-trees.md,
// "Short operations", "Small-operand engine".
// Latency: a packet whose last word comes in cycle e is judged in e and there from e + 1; look-ups are combinational. Throughput: a
// word in, a word out on each collect lane a cycle. Handshake: valid only.
//
// A small operation says its engine in its second word: which entries of the group were not valid is kept from the first.

module tilefly_red_short (
    /// clock
    input  logic                                 clk_i,
    /// synchronous reset, active low
    input  logic                                 rst_ni,
    /// entries of a group become invalid: the group fails
    input  logic                                 clear_i,
    /// the group
    input  logic [                          2:0] clear_group_i,
    /// entries of a group become invalid: its tree is written
    input  logic                                 tree_i,
    /// the group
    input  logic [                          2:0] tree_group_i,
    /// a word of a packet for this switch arrives
    input  logic                                 word_i,
    /// number of the word
    input  logic [                          7:0] index_i,
    /// the word
    input  logic [                        255:0] data_i,
    /// header of the packet, from its first word on
    /* verilator lint_off UNUSEDSIGNAL */  // credits and ends are of streams
    input  tilefly_pkg::red_t                    header_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// bytes of the packet's frame
    input  logic [                         12:0] len_i,
    /// the packet ends well, and is a short one of a group of this port
    input  logic                                 ends_i,
    /// the group is one of small operands
    input  logic                                 small_i,
    /// the packet is refused: its kind is not the group's
    output logic                                 refused_o,
    /// the packet is not legal
    output logic                                 format_o,
    /// the packet came before
    output logic                                 stale_o,
    /// the engine of the packet is busy with another operation
    output logic                                 order_o,
    /// the packet is stored
    output logic                                 stored_o,
    /// engine of the packet
    output logic [                          2:0] engine_o,
    /// a word of a launch that the port takes part in passes, ring lane UP, DOWN
    input  logic [                          1:0] read_i,
    /// {group, engine} of the launch, 6 bits each
    input  logic [                         11:0] read_entry_i,
    /// number of the word, 8 bits each
    input  logic [                         15:0] read_index_i,
    /// what the entry says, in the places of a collect word; 0 unless read
    output logic [2*tilefly_red_pkg::SAID_W-1:0] said_o,
    /// {used, data} of the entry; 0 unless read
    output logic [2*tilefly_red_pkg::OPERANDS_W-1:0] operands_o
);

  localparam int Groups = tilefly_pkg::RED_GROUPS;
  localparam int Engines = 8;
  localparam int SaidW = tilefly_red_pkg::SAID_W;
  localparam int OperandsW = tilefly_red_pkg::OPERANDS_W;
  localparam int Words = tilefly_pkg::RED_SHORT_BYTES / 32;
  localparam logic [7:0] LastWord = 8'(Words - 1);
  localparam logic [12:0] SmallBytes = 13'(tilefly_red_pkg::SMALL_BYTES), SmallLen = 13'd69, OperandBytes = 13'd32;

  logic [255:0] mem[Groups*Engines*Words];  // {group, engine, word}
  logic [SaidW-1:0] said_mem[Groups*Engines];
  logic [Groups*Engines-1:0] valid_q, written_q;  // written: ever since reset; else all of it is 0

  // The packet that arrives.
  logic is_small, sets_small;
  logic [2:0] group;
  logic [7:0] open_q, open;  // engines whose entries were not valid in the first word
  logic [255:0] second_q;  // second word of a small operation
  logic [95:0] published;
  assign group    = header_i.group[2:0];
  assign is_small = header_i.what == 5'(tilefly_pkg::RED_WHAT_SMALL) || header_i.what == 5'(tilefly_pkg::RED_WHAT_SMALL_RESULT);
  assign open     = !(word_i || ends_i) || (clear_i && clear_group_i == group) ? '0 : open_q;

  // Header of the published packet: bytes 5 to 16 of the data, byte 5 the highest.
  always_comb begin
    published = '0;
    if (ends_i && is_small) begin
      for (int i = 0; i < 12; i++) published[8*(11-i)+:8] = second_q[8*(5+i)+:8];
    end
  end

  // What the entry will say.
  /* verilator lint_off UNUSEDSIGNAL */  // its operands are in `mem`
  tilefly_pkg::red_collect_t fresh;
  /* verilator lint_on UNUSEDSIGNAL */
  tilefly_pkg::red_collect_t of_small;
  logic illegal;

  tilefly_red_opcode u_opcode (
      .valid_i(ends_i && is_small),
      .header_i(published),
      .part_o (of_small)
  );

  always_comb begin
    fresh   = '0;
    illegal = 1'b0;
    if (ends_i && is_small) begin
      fresh       = of_small;
      fresh.bytes = OperandBytes;
      illegal     = header_i.bytes != SmallBytes || header_i.empty || len_i != SmallLen;
    end else if (ends_i) begin
      fresh.action        = header_i.action;
      fresh.ftz           = header_i.ftz;
      fresh.rnd           = header_i.rnd;
      fresh.bytes         = header_i.bytes;
      fresh.dtype         = header_i.dtype;
      fresh.op            = header_i.op;
      fresh.seq           = header_i.seq;
      fresh.count         = header_i.count;
      fresh.contributions = header_i.contributions;
      fresh.code          = header_i.code;
      fresh.full          = !header_i.empty;
      fresh.tag           = header_i.tag;
      illegal = header_i.action > 3'(tilefly_pkg::RED_ACTION_UNLOCK) || header_i.bytes > 13'(tilefly_pkg::RED_SHORT_BYTES) ||
          tilefly_red_pkg::cuts_lane(header_i.op, header_i.dtype, header_i.bytes[3:0]) ||
          (header_i.bytes != '0 && !tilefly_arith_pkg::is_legal(header_i.op, header_i.dtype)) ||
          (header_i.bytes != '0 && header_i.action != 3'(tilefly_pkg::RED_ACTION_REDUCE)) ||
          len_i != tilefly_red_pkg::frame_bytes(header_i.empty, header_i.bytes);
    end
  end

  // The verdict, the first that applies.
  logic [5:0] entry, writing;
  /* verilator lint_off UNUSEDSIGNAL */  // the number of what is there
  tilefly_pkg::red_collect_t known;
  /* verilator lint_on UNUSEDSIGNAL */
  logic found_open;
  assign sets_small = is_small == small_i;
  assign engine_o   = is_small ? fresh.seq[2:0] : header_i.seq[2:0];
  assign entry      = {group, engine_o};
  assign writing    = {group, header_i.seq[2:0]};
  assign found_open = open[engine_o];

  always_comb begin
    known     = '0;
    refused_o = 1'b0;
    format_o  = 1'b0;
    stale_o   = 1'b0;
    order_o   = 1'b0;
    stored_o  = 1'b0;
    if (ends_i) begin
      if (written_q[entry]) known[OperandsW+:SaidW] = said_mem[entry];
      if (!sets_small) refused_o = 1'b1;
      else if (illegal) format_o = 1'b1;
      else if (found_open) stored_o = 1'b1;
      else if (small_i || known.seq == fresh.seq) stale_o = 1'b1;
      else order_o = 1'b1;
    end
  end

  // Look-ups.
  /* verilator lint_off UNUSEDSIGNAL */  // two fields say what is read
  tilefly_pkg::red_collect_t part;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [5:0] asked;
  logic [Groups*Engines-1:0] done;  // entries whose last word passes

  always_comb begin
    said_o     = '0;
    operands_o = '0;
    part       = '0;
    asked      = '0;
    done       = '0;
    for (int ring_lane = 0; ring_lane < 2; ring_lane++) begin
      if (read_i[ring_lane]) begin
        asked = read_entry_i[ring_lane*6+:6];
        part[OperandsW+:SaidW] = said_mem[asked];
        said_o[ring_lane*SaidW+:SaidW] = part[OperandsW+:SaidW];
        if (part.full && {read_index_i[ring_lane*8+:8], 5'd0} < part.bytes) begin
          operands_o[ring_lane*OperandsW+:OperandsW] = {1'b1, mem[{asked, read_index_i[ring_lane*8+:4]}]};
        end
        if (read_index_i[ring_lane*8+:8] == LastWord) done[asked] = 1'b1;
      end
    end
  end

  function automatic [Groups*Engines-1:0] of_group(input logic some, input [2:0] number);
    of_group = some ? (Groups*Engines)'(8'hff) << {number, 3'd0} : '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) written_q <= '0;
    else if (stored_o) written_q[entry] <= 1'b1;
    if (!rst_ni) valid_q <= '0;
    else if (stored_o || done != '0 || clear_i || tree_i) begin
      valid_q <= (valid_q & ~done | (stored_o ? (Groups*Engines)'(1) << entry : '0)) & ~of_group(clear_i, clear_group_i) &
          ~of_group(tree_i, tree_group_i);
    end
    if (word_i && index_i == '0) open_q <= ~valid_q[{group, 3'd0}+:8] & (clear_i && clear_group_i == group ? '0 : '1);
    else if (clear_i && clear_group_i == group) open_q <= '0;
    if (word_i && is_small && index_i == 8'd1) second_q <= data_i;
    // A small operation's operands lie across its last two words.
    if (stored_o && is_small) mem[{entry, 4'd0}] <= {data_i[135:0], second_q[255:136]};
    else if (word_i && !is_small && index_i != '0 && index_i <= 8'(Words) && open[header_i.seq[2:0]]) begin
      mem[{writing, 4'(index_i - 8'd1)}] <= data_i;
    end
    if (stored_o) said_mem[entry] <= fresh[OperandsW+:SaidW];
  end

  // Assertions.
  logic [1:0] missing;
  always_comb begin
    missing = '0;
    for (int ring_lane = 0; ring_lane < 2; ring_lane++) begin
      if (read_i[ring_lane]) missing[ring_lane] = read_index_i[ring_lane*8+:8] == '0 && !valid_q[read_entry_i[ring_lane*6+:6]];
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) TREE_4 : assert (missing == '0);
  end

endmodule
