// SPDX-License-Identifier: Apache-2.0
// Paces the words of the packets that leave: says in which cycle which word is read from the output buffer, and what is to be
// done with it. Manual: docs/blocks/link.md, "Out".
// Latency: word k of a packet taken in cycle x is read in x + 2 + floor(4k/m); its control is on the outputs of the next stage (flops)
// one cycle later. Throughput: one word a cycle. Handshake: valid only; takes are as far apart as their slots.

module tilefly_word_sequencer (
    /// clock
    input  logic                                  clk_i,
    /// synchronous reset, active low
    input  logic                                  rst_ni,
    /// SerDes lanes in use, 1 to 4
    input  logic [                           2:0] serdes_lanes_i,
    /// the link takes a frame
    input  logic                                  take_i,
    /// the frame is a PAUSE frame of the port itself
    input  logic                                  pause_i,
    /// the words of the frame are sent; if not, the time of the frame passes without words
    input  logic                                  send_i,
    /// the configured Ethernet header goes before the frame's data
    input  logic                                  add_eth_i,
    /// the frame keeps its FCS
    input  logic                                  keep_fcs_i,
    /// bytes of the frame on the wire
    input  logic [                          12:0] bytes_i,
    /// bytes of the frame before the padding
    input  logic [                          12:0] data_bytes_i,
    /// words of the frame
    input  logic [                           7:0] words_i,
    /// cells of the frame
    input  logic [                           6:0] cells_i,
    /// row of the frame
    input  logic [$clog2(tilefly_pkg::OUT_ROWS)-1:0] row_i,
    /// slot of the frame's first cell
    input  logic [                           8:0] slot_i,
    /// read two cells of the output buffer
    output logic                                  read_o,
    /// row of the bank from which the cells are read
    output logic [$clog2(tilefly_pkg::OUT_ROWS)-1:0] read_row_o,
    /// slot of the first cell
    output logic [                           8:0] read_slot_o,
    /// slot of the packet's last cell
    output logic [                           8:0] last_slot_o,
    /// the packet's last word is read: the room of the packet is free
    output logic                                  release_o,
    /// number of cells of that packet
    output logic [                           6:0] release_cells_o,
    /// that packet is sent
    output logic                                  sent_o,
    /// a word was read in the cycle before, and is sent
    output logic                                  word_valid_o,
    /// the word is the first of its packet
    output logic                                  sop_o,
    /// the word is the last of its packet
    output logic                                  eop_o,
    /// index of the word's last byte
    output logic [                           4:0] last_o,
    /// the word is a part of a PAUSE frame
    output logic                                  pause_o,
    /// the configured Ethernet header goes before the data
    output logic                                  add_eth_o,
    /// granule of the first cell in which the word begins
    output logic [                           1:0] granule_o,
    /// bytes of the word before the padding: 32 when there is no padding
    output logic [                           5:0] data_bytes_o,
    /// place of the FCS, as in tilefly_fcs_out
    output logic [                           5:0] fcs_at_o,
    /// the frame keeps its FCS
    output logic                                  keep_fcs_o,
    /// nothing is being sent
    output logic                                  quiescent_o
);

  localparam int Cells = tilefly_pkg::OBUF_CELLS;
  localparam int RowW = $clog2(tilefly_pkg::OUT_ROWS);

  // Slot of a packet's cell number `cells`, in a bank that wraps.
  function automatic [8:0] slot_after(input [8:0] slot, input [6:0] cells);
    slot_after = {1'b0, slot} + 10'(cells) >= 10'(Cells) ? slot + 9'(cells) - 9'(Cells) : slot + 9'(cells);
  endfunction

  // What is the same for all words of a frame.
  typedef struct packed {
    logic [2:0]      serdes_lanes;
    logic            pause;
    logic            send;
    logic            add_eth;
    logic            keep_fcs;
    logic [4:0]      last;
    logic [6:0]      cells;
    logic [RowW-1:0] row;
    logic [8:0]      last_slot;
  } frame_t;

  // A frame taken in x waits one cycle, in which the last word of the frame before may still be read.
  frame_t next_q, frame_q;
  logic next_valid_q;
  logic [12:0] next_data_q, next_fcs_q;
  logic [7:0] next_words_q;
  logic [8:0] next_slot_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) next_valid_q <= 1'b0;
    else next_valid_q <= take_i;
    if (take_i) begin
      next_q <= {
        serdes_lanes_i, pause_i, send_i, add_eth_i, keep_fcs_i, 5'(bytes_i - 13'd1), cells_i, row_i, slot_after(slot_i, cells_i - 7'd1)
      };
      next_data_q  <= data_bytes_i;
      next_fcs_q   <= bytes_i - 13'd4;
      next_words_q <= words_i;
      next_slot_q  <= slot_i;
    end
  end

  // What changes from word to word.
  logic [7:0] words_left_q;  // 0: idle
  logic [1:0] wait_q;  // cycles until the next word
  logic [8:0] slot_q;  // cell in which the word begins
  logic [1:0] granule_q;  // granule of that cell: 0, 2, 1, and over again
  logic [12:0] data_left_q;  // bytes before the padding, from this word on
  logic [13:0] fcs_left_q;  // bytes before the FCS, from this word on; negative when it began in the word before
  logic first_q;
  logic read_word, last_word;
  logic [1:0] gap;

  assign read_word = words_left_q != '0 && wait_q == '0;
  assign last_word = words_left_q == 8'd1;

  // Cycles between this word and the next, less one. At three SerDes lanes every third word waits a cycle longer.
  always_comb begin
    case (frame_q.serdes_lanes)
      3'd1: gap = 2'd3;
      3'd2: gap = 2'd1;
      3'd3: gap = granule_q == 2'd1 ? 2'd1 : 2'd0;
      default: gap = 2'd0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) words_left_q <= '0;
    else if (next_valid_q) words_left_q <= next_words_q;
    else if (read_word) words_left_q <= words_left_q - 1'b1;
    if (next_valid_q) begin
      frame_q     <= next_q;
      wait_q      <= '0;
      slot_q      <= next_slot_q;
      granule_q   <= '0;
      data_left_q <= next_data_q;
      fcs_left_q  <= {1'b0, next_fcs_q};
      first_q     <= 1'b1;
    end else if (read_word) begin
      wait_q <= gap;
      first_q <= 1'b0;
      if (granule_q != '0) slot_q <= slot_after(slot_q, 7'd1);
      granule_q   <= granule_q == 2'd0 ? 2'd2 : granule_q - 2'd1;
      data_left_q <= data_left_q < 13'd32 ? '0 : data_left_q - 13'd32;
      fcs_left_q  <= fcs_left_q - 14'd32;
    end else if (words_left_q != '0) begin
      wait_q <= wait_q - 1'b1;
    end
  end

  assign read_o          = read_word && frame_q.send && !frame_q.pause;
  assign read_row_o      = frame_q.row;
  assign read_slot_o     = slot_q;
  assign last_slot_o     = frame_q.last_slot;
  assign release_o       = read_word && last_word && !frame_q.pause;
  assign release_cells_o = frame_q.cells;
  assign sent_o          = frame_q.send;

  // The next stage: what the word is.
  logic word_valid_q, sop_q, eop_q, word_pause_q, word_add_eth_q, word_keep_q;
  logic [4:0] last_q;
  logic [1:0] word_granule_q;
  logic [5:0] word_data_q, word_fcs_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_valid_q <= 1'b0;
    else word_valid_q <= read_word && frame_q.send;
    if (read_word) begin
      sop_q          <= first_q;
      eop_q          <= last_word;
      last_q         <= last_word ? frame_q.last : 5'd31;
      word_pause_q   <= frame_q.pause;
      word_add_eth_q <= frame_q.add_eth;
      word_keep_q    <= frame_q.keep_fcs;
      word_granule_q <= granule_q;
      word_data_q    <= data_left_q < 13'd32 ? data_left_q[5:0] : 6'd32;
      word_fcs_q     <= !fcs_left_q[13] && fcs_left_q >= 14'd32 ? 6'd36 : fcs_left_q[5:0] + 6'd4;
    end
  end

  assign word_valid_o = word_valid_q;
  assign sop_o        = sop_q;
  assign eop_o        = eop_q;
  assign last_o       = last_q;
  assign pause_o      = word_pause_q;
  assign add_eth_o    = word_add_eth_q;
  assign granule_o    = word_granule_q;
  assign data_bytes_o = word_data_q;
  assign fcs_at_o     = word_fcs_q;
  assign keep_fcs_o   = word_keep_q;
  assign quiescent_o  = !next_valid_q && words_left_q == '0 && !word_valid_q;

  // Assertions: a frame begins only when the one before has been read.
  always_ff @(posedge clk_i) begin
    if (rst_ni && next_valid_q) LINK_2_begins : assert (words_left_q == '0 || (read_word && last_word));
  end

endmodule
