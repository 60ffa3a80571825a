// SPDX-License-Identifier: Apache-2.0
// Frame check and end status of received packets. Manual: docs/blocks/link.md, "Frame check" and "End status".
// Latency: what the framing says in c + 1 is on the outputs (flops) in c + 4, at the end of a packet with its status.
// Throughput: a word a cycle. Handshake: valid only.
//
//   c + 1: CRC over the word    c + 2: CRC judged    c + 3: status
//
// The CRC register runs over the whole frame, the check included: after a good frame it holds a constant, after a
// stomped one (the check is the complement of the right one) zero.

module tilefly_mac_in_check (
    /// clock
    input  logic                              clk_i,
    /// synchronous reset, active low
    input  logic                              rst_ni,
    /// what the framing found
    input  tilefly_mac_in_pkg::framed_t       framed_i,
    /// bytes of the word
    input  logic                      [255:0] data_i,
    /// the word as the ingress sees it, without its bytes
    output tilefly_ingress_pkg::rx_t          rx_o,
    /// nothing inside
    output logic                              quiescent_o
);

  localparam int MinStd = tilefly_pkg::MIN_STD_BYTES;
  localparam logic [31:0] GoodResidue = 32'hdebb20e3;
  localparam logic [47:0] ControlMac = 48'h0100_00c2_8001;  // 01:80:C2:00:00:01, first byte lowest
  localparam logic [15:0] ControlType = 16'h0888;  // 0x8808, first byte lowest

  tilefly_mac_in_pkg::framed_t second_q, third_q;
  logic [31:0] crc_q;
  logic control_q, crc_good_q, crc_stomped_q, third_control_q;
  tilefly_ingress_pkg::rx_t rx_q, rx_d;

  // A word is moved to the end of the 32 bytes: zero bytes in front of a zero register do not change it. A register
  // that is longer than the rest of the frame keeps its upper bytes.
  function automatic [31:0] crc_over(input [31:0] crc, input [255:0] data, input logic sop, input logic enh,
                                     input [4:0] last);
    reg [255:0] mixed;
    if (sop && enh) mixed = {data[255:160], ~data[159:128], 128'd0};
    else mixed = {data[255:32], data[31:0] ^ crc};
    if (last != 5'd31) begin
      mixed = mixed << {5'd31 - last, 3'd0};
      crc_over = tilefly_crc_pkg::crc32_word(mixed) ^ (crc >> {6'(last) + 6'd1, 3'd0});
    end else begin
      crc_over = tilefly_crc_pkg::crc32_word(mixed);
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (framed_i.take) begin
      crc_q <= crc_over(framed_i.sop ? 32'hffff_ffff : crc_q, data_i, framed_i.sop, framed_i.enh, framed_i.last);
      if (framed_i.sop) begin
        control_q <= !framed_i.enh && data_i[47:0] == ControlMac && data_i[111:96] == ControlType;
      end
    end
    if (second_q.ends) begin
      crc_good_q      <= crc_q == GoodResidue;
      crc_stomped_q   <= crc_q == '0;
      third_control_q <= control_q;
    end
    if (!rst_ni) begin
      second_q <= '0;
      third_q  <= '0;
      rx_q     <= '0;
    end else begin
      second_q <= framed_i;
      third_q  <= second_q;
      rx_q     <= rx_d;
    end
  end

  // The first that applies
  always_comb begin
    rx_d = '0;
    rx_d.take    = third_q.take;
    rx_d.sop     = third_q.sop;
    rx_d.upper   = third_q.last[4];
    rx_d.enh     = third_q.enh;
    rx_d.ends    = third_q.ends;
    rx_d.len     = third_q.len;
    rx_d.cells   = third_q.cells;
    rx_d.refused = third_q.refused;
    rx_d.stray   = third_q.stray;
    if (third_q.ends) begin
      if (third_q.broken) rx_d.status = tilefly_pkg::DROP_BROKEN;
      else if (third_q.too_long) rx_d.status = tilefly_pkg::DROP_LONG;
      else if (!third_q.enh && third_q.len < 13'(MinStd)) rx_d.status = tilefly_pkg::DROP_SHORT;
      else if (crc_stomped_q) rx_d.status = tilefly_pkg::DROP_STOMPED;
      else if (!crc_good_q) rx_d.status = tilefly_pkg::DROP_FCS;
      else if (third_control_q) rx_d.status = tilefly_pkg::DROP_CONTROL;
      else rx_d.status = tilefly_pkg::DROP_NONE;
    end
  end

  assign rx_o = rx_q;
  assign quiescent_o = second_q == '0 && third_q == '0 && rx_q == '0;

endmodule
