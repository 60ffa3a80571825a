// SPDX-License-Identifier: Apache-2.0
// PAUSE and PFC frames received on a port without credits. Manual: docs/blocks/link.md, "PAUSE".
// Latency: a frame that ends in cycle e (event) is on `pause_until_o` (flops) from e + 1. Throughput: as the link.
// Handshake: valid only. A class is paused in cycle t iff t < until.

module tilefly_mac_in_pause (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// number of the current cycle
    input  logic                    [47:0] cycle_i,
    /// the port has credits: it obeys no PAUSE
    input  logic                           credits_i,
    /// SerDes lanes in use
    input  logic                    [ 2:0] serdes_lanes_i,
    /// word from the MAC
    /* verilator lint_off UNUSEDSIGNAL */  // only frame, not packet, matters here
    input  tilefly_ingress_pkg::rx_t       rx_i,
    /// bytes of the word
    input  logic                   [255:0] data_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// cycle until which class c is paused, in bits [c*48 +: 48]
    output logic                [8*48-1:0] pause_until_o,
    /// a frame is obeyed in this cycle
    output logic                           obeyed_o
);

  localparam logic [15:0] OpPause = 16'h0001;
  localparam logic [15:0] OpClassPause = 16'h0101;

  // Bytes 14 to 33 of the current frame. The last two are in its second word, which may be the word that ends it.
  logic second_q;  // the next word is the second
  logic [143:0] head_q;  // bytes 14..31, first byte lowest
  logic [15:0] tail_q;  // bytes 32, 33
  logic [15:0] tail;
  assign tail = second_q ? data_i[15:0] : tail_q;

  logic [15:0] opcode;
  assign opcode = {head_q[7:0], head_q[15:8]};

  logic control, single, by_class;
  assign control  = rx_i.ends && rx_i.status == tilefly_pkg::DROP_CONTROL && !credits_i;
  assign single   = control && opcode == OpPause;
  assign by_class = control && opcode == OpClassPause;
  assign obeyed_o = single || by_class;

  // Quanta in bytes 16 + 2i, 17 + 2i; class c's in i = c + 1.
  function automatic [15:0] quanta(input [159:0] bytes, input integer i);
    quanta = {bytes[16+16*i+:8], bytes[24+16*i+:8]};
  endfunction

  // A quantum is 512 bit times, at m SerDes lanes 8/m cycles: floor(8q/m).
  function automatic [47:0] cycles_of(input [15:0] q, input [2:0] serdes_lanes);
    case (serdes_lanes)
      3'd1: cycles_of = {29'd0, q, 3'd0};
      3'd2: cycles_of = {30'd0, q, 2'd0};
      3'd3: cycles_of = 48'((41'({q, 3'd0}) * 41'd699051) >> 21);  // a third, exact below 2**21
      default: cycles_of = {31'd0, q, 1'd0};
    endcase
  endfunction

  logic [159:0] bytes;  // 14..33
  assign bytes = {tail, head_q};

  logic [383:0] until_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      until_q  <= '0;
    end else begin
      if (rx_i.take) second_q <= rx_i.sop;
      if (single) until_q <= {8{cycle_i + cycles_of(quanta(bytes, 0), serdes_lanes_i)}};
      if (by_class) begin
        for (int c = 0; c < 8; c++) begin
          if (bytes[24+c]) until_q[c*48+:48] <= cycle_i + cycles_of(quanta(bytes, c + 1), serdes_lanes_i);
        end
      end
    end
    if (rx_i.take && rx_i.sop) head_q <= data_i[255:112];
    if (rx_i.take && second_q) tail_q <= data_i[15:0];
  end

  assign pause_until_o = until_q;

endmodule
