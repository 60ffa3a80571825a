// SPDX-License-Identifier: Apache-2.0
// Receiving half of the MAC: framing, frame check, PAUSE. Manual: docs/blocks/link.md.
// Latency: a word on the wire in cycle c is on `rx_o` in c + 4, the end of a packet with its status.
// Throughput: a word a cycle. Handshake: valid only; packets are delivered contiguously.

module tilefly_mac_in (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// number of the current cycle
    input  logic                    [47:0] cycle_i,
    /// the port is enabled and the link works
    input  logic                           live_i,
    /// the port has credits: it obeys no PAUSE
    input  logic                           credits_i,
    /// SerDes lanes in use
    input  logic                    [ 2:0] serdes_lanes_i,
    /// word on the wire
    input  tilefly_pkg::word_t             word_i,
    /// the word of four cycles ago
    output tilefly_ingress_pkg::rx_t       rx_o,
    /// bytes of the word
    output logic                   [255:0] data_o,
    /// cycle until which class c is paused, in bits [c*48 +: 48]
    output logic                [8*48-1:0] pause_until_o,
    /// a PAUSE or PFC frame is obeyed in this cycle
    output logic                           obeyed_o,
    /// nothing inside
    output logic                           quiescent_o
);

  tilefly_mac_in_pkg::framed_t framed;
  logic [255:0] framed_data;
  logic framer_quiescent, check_quiescent, line_busy;

  tilefly_mac_in_framer u_framer (
      .clk_i,
      .rst_ni,
      .live_i,
      .serdes_lanes_i,
      .word_i,
      .framed_o   (framed),
      .data_o     (framed_data),
      .quiescent_o(framer_quiescent)
  );

  tilefly_mac_in_check u_check (
      .clk_i,
      .rst_ni,
      .framed_i   (framed),
      .data_i     (framed_data),
      .rx_o,
      .quiescent_o(check_quiescent)
  );

  tilefly_delay_line #(
      .Width(256),
      .Depth(3)
  ) u_data (
      .clk_i,
      .rst_ni,
      .valid_i(framed.take),
      .data_i (framed_data),
      /* verilator lint_off PINCONNECTEMPTY */  // rx_o says when it counts
      .valid_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .data_o,
      .busy_o (line_busy)
  );

  tilefly_mac_in_pause u_pause (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .credits_i,
      .serdes_lanes_i,
      .rx_i  (rx_o),
      .data_i(data_o),
      .pause_until_o,
      .obeyed_o
  );

  assign quiescent_o = framer_quiescent && check_quiescent && !line_busy;

endmodule
