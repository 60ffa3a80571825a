// SPDX-License-Identifier: Apache-2.0
// Framing of received words: makes contiguity (law 2) true whatever is on the wire. Manual: docs/blocks/link.md, "In".
// Latency: what the wire says in cycle c is on the outputs (flops) in c + 1. Throughput: a word a cycle.
// Handshake: valid only.
//
// At m SerDes lanes word k is due in a0 + floor(4k/m). A packet with header is delivered with exactly the words that its
// header says: what is missing is filled with zeros. A bare frame ends where a word is missing.

module tilefly_mac_in_framer (
    /// clock
    input  logic                              clk_i,
    /// synchronous reset, active low
    input  logic                              rst_ni,
    /// the port is enabled and the link works
    input  logic                              live_i,
    /// SerDes lanes of a packet that begins now; it keeps them to its end
    input  logic                        [2:0] serdes_lanes_i,
    /// word on the wire
    input  tilefly_pkg::word_t                word_i,
    /// what the framing found about the word
    output tilefly_mac_in_pkg::framed_t       framed_o,
    /// bytes of the word; zeros when it was filled in
    output logic                      [255:0] data_o,
    /// no packet in progress and nothing on the outputs
    output logic                              quiescent_o
);

  localparam int MinStd = tilefly_pkg::MIN_STD_BYTES;
  localparam int MinEnh = tilefly_pkg::MIN_ENH_BYTES;
  localparam int MtuBytes = tilefly_pkg::MTU_BYTES;
  localparam logic [7:0] LastBareWord = 8'(tilefly_pkg::MTU_WORDS_STD - 1);

  logic open_q;  // a packet is in progress
  logic enh_q;
  logic bad_q;
  logic [7:0] index_q;  // word that is due next
  logic [7:0] final_q;  // last word of a packet with header
  logic [12:0] len_q;  // bytes of its frame
  logic [2:0] lanes, lanes_q;  // SerDes lanes of the packet
  logic [1:0] phase_q;  // 4 * index mod SerDes lanes
  logic [1:0] wait_q;  // cycles until the word is due

  tilefly_mac_in_pkg::framed_t framed_q, framed_d;
  logic [255:0] data_q;

  // The wire now
  logic valid, starts, due, hit, early, fills;
  assign valid  = word_i.valid && live_i;
  assign starts = valid && word_i.sop && !open_q;
  assign due    = open_q && wait_q == '0;
  assign hit    = due && valid && !word_i.sop;
  assign early  = open_q && !due && valid;
  assign fills  = due && !hit && enh_q;

  /* verilator lint_off UNUSEDSIGNAL */  // the MAC looks at two fields of the header
  tilefly_pkg::header_t header;
  /* verilator lint_on UNUSEDSIGNAL */
  logic header_ok;
  logic [13:0] span;  // bytes with header, less one
  assign header = word_i.data[127:0];
  assign span = 14'(header.len) + 14'd15;

  always_comb begin
    header_ok = 1'b0;
    if (starts && word_i.enh) begin
      case (header.kind)
        tilefly_pkg::KIND_STD: header_ok = header.len >= 13'(MinStd);
        tilefly_pkg::KIND_ENH_ETH, tilefly_pkg::KIND_ENH_IP, tilefly_pkg::KIND_RED: header_ok = header.len >= 13'(MinEnh);
        default: header_ok = 1'b0;
      endcase
      if (header.len > 13'(MtuBytes)) header_ok = 1'b0;
    end
  end

  // The packet's end as this cycle sees it
  logic accepts, is_final, right_end, ends_bare, ends_enh, cut, too_long, bad;
  logic [4:0] final_last;  // index of the last byte of the final word, by the header
  assign accepts = starts && (!word_i.enh || header_ok);
  assign is_final = index_q == final_q;
  assign final_last = 5'(len_q + 13'd15);
  assign right_end = word_i.eop == is_final && (!word_i.eop || word_i.last == final_last);
  assign too_long = hit && !enh_q && !word_i.eop && index_q == LastBareWord;
  assign cut = due && !hit && !enh_q;
  assign ends_bare = cut || too_long || (hit && !enh_q && word_i.eop);
  assign ends_enh = due && enh_q && is_final;
  always_comb begin
    if (open_q) bad = bad_q || early || fills || (hit && (word_i.err || (enh_q && !right_end)));
    else bad = word_i.err || (word_i.enh && word_i.eop);
  end

  always_comb begin
    framed_d = '0;
    if (accepts || hit || fills) begin
      framed_d.take = 1'b1;
      framed_d.sop  = accepts;
      framed_d.enh  = open_q ? enh_q : word_i.enh;
      framed_d.last = 5'd31;
      if (ends_enh) framed_d.last = final_last;
      else if (!framed_d.enh && word_i.eop) framed_d.last = word_i.last;
    end
    if (accepts && word_i.enh) begin
      framed_d.len   = header.len;
      framed_d.cells = tilefly_ingress_pkg::cells_of(header.len);
    end else if (accepts) begin
      framed_d.ends = word_i.eop;
      framed_d.len  = 13'(framed_d.last) + 13'd1;
    end else if (open_q && enh_q) begin
      framed_d.ends = ends_enh;
      framed_d.len  = len_q;
    end else if (open_q) begin
      framed_d.ends = ends_bare;
      framed_d.len  = {index_q, 5'd0} + (hit ? 13'(framed_d.last) + 13'd1 : 13'd0);
    end
    framed_d.broken   = framed_d.ends && (bad || cut);
    framed_d.too_long = too_long;
    framed_d.refused  = starts && !accepts;
    framed_d.stray    = valid && !word_i.sop && !open_q;
  end

  // Pace: cycles from the word with this phase to the next one, less one, and the next one's phase
  logic [1:0] gap, phase, next_phase;
  always_comb begin
    phase = open_q ? phase_q : 2'd0;
    lanes = open_q ? lanes_q : serdes_lanes_i;
    next_phase = 2'd0;
    case (lanes)
      3'd1: gap = 2'd3;
      3'd2: gap = 2'd1;
      3'd3: begin
        gap = (phase == 2'd2) ? 2'd1 : 2'd0;
        next_phase = (phase == 2'd2) ? 2'd0 : phase + 2'd1;
      end
      default: gap = 2'd0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q   <= 1'b0;
      enh_q    <= 1'b0;
      bad_q    <= 1'b0;
      index_q  <= '0;
      final_q  <= '0;
      len_q    <= '0;
      lanes_q  <= '0;
      phase_q  <= '0;
      wait_q   <= '0;
      framed_q <= '0;
    end else begin
      framed_q <= framed_d;
      if (accepts) begin
        open_q  <= !framed_d.ends;
        enh_q   <= word_i.enh;
        index_q <= 8'd1;
        final_q <= 8'(span >> 5);
        len_q   <= header.len;
        lanes_q <= serdes_lanes_i;
      end else if (due) begin
        open_q  <= !framed_d.ends;
        index_q <= index_q + 8'd1;
      end
      if (accepts || open_q) bad_q <= bad;
      if (accepts || due) begin
        phase_q <= next_phase;
        wait_q  <= gap;
      end else if (open_q) begin
        wait_q <= wait_q - 2'd1;
      end
    end
    if (framed_d.take) data_q <= fills ? '0 : word_i.data;
  end

  assign framed_o = framed_q;
  assign data_o = data_q;
  assign quiescent_o = !open_q && framed_q == '0;

  // Assertion: what was delivered is counted by itself.
  logic inside_q;  // a packet was begun and did not end
  logic [7:0] count_q;  // its words

  always_ff @(posedge clk_i) begin
    if (!rst_ni) inside_q <= 1'b0;
    else if (framed_q.ends) inside_q <= 1'b0;
    else if (framed_q.sop) inside_q <= 1'b1;
    if (framed_q.take) count_q <= framed_q.sop ? 8'd1 : count_q + 8'd1;
    if (rst_ni) begin
      LINK_1 : assert (!(framed_q.take && framed_q.sop && inside_q) && !(framed_q.take && !framed_q.sop && !inside_q));
      if (framed_q.ends && framed_q.enh) begin
        LINK_1_words : assert (framed_q.take && 14'(count_q) + 14'd1 == (14'(framed_q.len) + 14'd47) >> 5);
      end
    end
  end

endmodule
