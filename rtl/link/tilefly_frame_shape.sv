// SPDX-License-Identifier: Apache-2.0
// How a stored packet looks on the wire: bytes, words and slots, by its kind and the format of the port.
// Manual: docs/blocks/link.md, "Out". Combinational; all zero unless asked.

module tilefly_frame_shape (
    /// a shape is wanted
    input  logic        valid_i,
    /// packets leave as standard Ethernet (PORT.MODE.std_format); else with the internal header
    input  logic        std_format_i,
    /// kind of the packet, kind_e
    input  logic [ 2:0] kind_i,
    /// bytes of the packet's frame, FCS included
    input  logic [12:0] len_i,
    /// an Ethernet header goes before the data
    output logic        add_eth_o,
    /// the Ethernet header is the configured one; 0: there is none for this kind
    output logic        has_eth_o,
    /// bytes on the wire
    output logic [12:0] bytes_o,
    /// bytes before the padding, the kept FCS included
    output logic [12:0] data_bytes_o,
    /// the frame keeps its FCS; else a new one is written
    output logic        keep_fcs_o,
    /// words
    output logic [ 7:0] words_o,
    /// words of time on the link: preamble and gap included
    output logic [ 7:0] slots_o,
    /// cells the packet takes in the buffers
    output logic [ 6:0] cells_o
);

  localparam int MinStd = tilefly_pkg::MIN_STD_BYTES;
  localparam int HeaderBytes = 16;
  localparam int EthHeaderBytes = 14;
  localparam int FcsBytes = 4;
  localparam int GapBytes = 20;  // preamble and gap
  localparam int WordBytes = 32;
  localparam int CellBytes = 48;

  function automatic [7:0] words_of(input [12:0] bytes);
    words_of = 8'((bytes + 13'(WordBytes - 1)) / 13'(WordBytes));
  endfunction
  function automatic [12:0] at_least_min(input [12:0] bytes);
    at_least_min = bytes < 13'(MinStd) ? 13'(MinStd) : bytes;
  endfunction

  always_comb begin
    add_eth_o    = 1'b0;
    has_eth_o    = 1'b0;
    bytes_o      = '0;
    data_bytes_o = '0;
    keep_fcs_o   = 1'b1;
    words_o      = '0;
    slots_o      = '0;
    cells_o      = '0;
    if (valid_i) begin
      bytes_o      = len_i + 13'(HeaderBytes);
      cells_o      = 7'((bytes_o + 13'(CellBytes - 1)) / 13'(CellBytes));
      data_bytes_o = bytes_o;
      if (std_format_i) begin
        bytes_o      = len_i;
        data_bytes_o = len_i;
        if (kind_i == tilefly_pkg::KIND_ENH_IP || kind_i == tilefly_pkg::KIND_RED) begin
          add_eth_o    = 1'b1;
          has_eth_o    = kind_i == tilefly_pkg::KIND_ENH_IP;
          bytes_o      = at_least_min(len_i + 13'(EthHeaderBytes));
          data_bytes_o = len_i + 13'(EthHeaderBytes) - 13'(FcsBytes);
          keep_fcs_o   = 1'b0;
        end else if (kind_i == tilefly_pkg::KIND_ENH_ETH && len_i < 13'(MinStd)) begin
          bytes_o      = 13'(MinStd);
          data_bytes_o = len_i - 13'(FcsBytes);
          keep_fcs_o   = 1'b0;
        end
      end
      words_o = words_of(bytes_o);
      slots_o = std_format_i ? words_of(bytes_o + 13'(GapBytes)) : words_o;
    end
  end

endmodule
