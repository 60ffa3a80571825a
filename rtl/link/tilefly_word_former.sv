// SPDX-License-Identifier: Apache-2.0
// Cuts one word out of the cells read from the output buffer and gives it the form of the wire: with the internal header, as
// a standard frame, with the configured Ethernet header, or of a PAUSE frame. Manual: docs/blocks/link.md, "Out".
// Combinational; zero unless asked. Bytes after the data are zero: padding, and the place of a new FCS.

module tilefly_word_former (
    /// a word is wanted
    input  logic         valid_i,
    /// the cell in which the word begins, and two granules of the next cell
    input  logic [639:0] cells_i,
    /// granule of the first cell in which the word begins
    input  logic [  1:0] granule_i,
    /// the word is the first of its packet
    input  logic         sop_i,
    /// packets leave as standard Ethernet; else with the internal header
    input  logic         std_format_i,
    /// the configured Ethernet header goes before the data
    input  logic         add_eth_i,
    /// the configured Ethernet header, byte 0 lowest
    input  logic [111:0] eth_header_i,
    /// the word is a part of a PAUSE frame
    input  logic         pause_i,
    /// quanta of the PAUSE frame
    input  logic [ 15:0] quanta_i,
    /// source address of the PAUSE frame: group, switch, port
    input  logic [ 19:0] address_i,
    /// bytes of the word before the padding: 32 when there is no padding
    input  logic [  5:0] data_bytes_i,
    /// the word
    output logic [255:0] data_o
);

  localparam logic [47:0] PauseMac = 48'h01_80_c2_00_00_01;
  localparam logic [27:0] SourceMacPrefix = 28'h0200000;
  localparam logic [15:0] ControlType = 16'h8808;
  localparam logic [15:0] PauseOpcode = 16'h0001;

  // Fields of a frame are written most significant byte first; byte 0 of a word is its lowest.
  function automatic [143:0] byte_reversed(input [143:0] field);
    for (int i = 0; i < 18; i++) byte_reversed[8*i+:8] = field[8*(17-i)+:8];
  endfunction

  logic [383:0] window;  // granules 2k, 2k+1, 2k+2 of the packet for word k

  always_comb begin
    window = '0;
    data_o = '0;
    if (valid_i) begin
      if (pause_i) begin
        if (sop_i) begin
          data_o[143:0] = byte_reversed({PauseMac, SourceMacPrefix, address_i, ControlType, PauseOpcode, quanta_i});
        end
      end else begin
        case (granule_i)
          2'd0: window = cells_i[383:0];
          2'd1: window = cells_i[511:128];
          default: window = cells_i[639:256];
        endcase
        if (!std_format_i) data_o = window[255:0];
        else if (!add_eth_i) data_o = window[383:128];
        else begin
          // 14 bytes are added where 16 of the internal header go.
          data_o = window[271:16];
          if (sop_i) data_o[111:0] = eth_header_i;
        end
        if (data_bytes_i < 6'd32) data_o = data_o & ~({256{1'b1}} << {data_bytes_i, 3'b0});
      end
    end
  end

endmodule
