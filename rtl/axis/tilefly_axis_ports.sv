// SPDX-License-Identifier: Apache-2.0
// AXI-Stream ports for all links of a switch. Manual: docs/blocks/axis.md.
// Latency and throughput: those of `tilefly_axis_port`. Handshake: AXI-Stream on one side, links on the other. Element p of
// a flat vector with elements of W bits is bits [p*W +: W].

module tilefly_axis_ports #(
    /// bits of tdata: 8, 16, 32, 64, 128, 256 or 512
    parameter int DataW = 64,
    /// 1: frames of the streams end with their frame check; 0: the frame check is made and removed here
    parameter int HasFcs = 0,
    /// 1: frames below 64 bytes that come in are padded with zeros; only without HasFcs
    parameter int Pad = 0,
    /// words of 32 bytes of a port that wait for the link
    parameter int StoreWords = 2 * (tilefly_pkg::MTU_WORDS_STD + 1),
    /// words of a port that wait for the stream at which XOFF is sent; XON below half of them
    parameter int XoffWords = 512,
    /// ports
    parameter int Ports = tilefly_pkg::PORTS
) (
    /// clock
    input  logic                                 clk_i,
    /// synchronous reset, active low
    input  logic                                 rst_ni,
    /// number of the current cycle
    input  logic [                         47:0] cycle_i,
    /// a beat comes in
    input  logic [                    Ports-1:0] s_axis_tvalid_i,
    /// the beat is taken
    output logic [                    Ports-1:0] s_axis_tready_o,
    /// bytes of the beat, byte i in bits 8i+7..8i
    input  logic [              Ports*DataW-1:0] s_axis_tdata_i,
    /// bytes in use, from byte 0 on
    input  logic [            Ports*DataW/8-1:0] s_axis_tkeep_i,
    /// last beat of a frame
    input  logic [                    Ports-1:0] s_axis_tlast_i,
    /// with the last beat: the frame is bad
    input  logic [                    Ports-1:0] s_axis_tuser_i,
    /// a beat goes out
    output logic [                    Ports-1:0] m_axis_tvalid_o,
    /// the beat is taken
    input  logic [                    Ports-1:0] m_axis_tready_i,
    /// bytes of the beat, byte i in bits 8i+7..8i; zero where tkeep is 0
    output logic [              Ports*DataW-1:0] m_axis_tdata_o,
    /// bytes in use, from byte 0 on
    output logic [            Ports*DataW/8-1:0] m_axis_tkeep_o,
    /// last beat of a frame
    output logic [                    Ports-1:0] m_axis_tlast_o,
    /// with the last beat: the frame is bad
    output logic [                    Ports-1:0] m_axis_tuser_o,
    /// number of the port
    output logic [                  6*Ports-1:0] m_axis_tid_o,
    /// links to the switch (link_t), with nothing in their control slots
    output logic [Ports*tilefly_pkg::LINK_W-1:0] link_o,
    /// links from the switch
    /* verilator lint_off UNUSEDSIGNAL */  // a port without credits and acks says nothing in its control slots
    input  logic [Ports*tilefly_pkg::LINK_W-1:0] link_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a frame from the switch ends in this cycle that is not shown
    output logic [                    Ports-1:0] lost_o,
    /// nothing inside
    output logic                                 quiescent_o
);

  localparam int LinkW = tilefly_pkg::LINK_W;
  localparam int WordW = tilefly_pkg::WORD_W;

  logic [Ports-1:0] quiescent;

  generate
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      tilefly_pkg::word_t word;

      tilefly_axis_port #(
          .DataW     (DataW),
          .HasFcs    (HasFcs),
          .Pad       (Pad),
          .StoreWords(StoreWords),
          .XoffWords (XoffWords),
          .IdW       (6)
      ) u_port (
          .clk_i,
          .rst_ni,
          .cycle_i,
          .s_axis_tvalid_i(s_axis_tvalid_i[p]),
          .s_axis_tready_o(s_axis_tready_o[p]),
          .s_axis_tdata_i (s_axis_tdata_i[p*DataW+:DataW]),
          .s_axis_tkeep_i (s_axis_tkeep_i[p*(DataW/8)+:DataW/8]),
          .s_axis_tlast_i (s_axis_tlast_i[p]),
          .s_axis_tuser_i (s_axis_tuser_i[p]),
          .tdest_i        (1'b0),
          .tid_i          (6'(p)),
          .m_axis_tvalid_o(m_axis_tvalid_o[p]),
          .m_axis_tready_i(m_axis_tready_i[p]),
          .m_axis_tdata_o (m_axis_tdata_o[p*DataW+:DataW]),
          .m_axis_tkeep_o (m_axis_tkeep_o[p*(DataW/8)+:DataW/8]),
          .m_axis_tlast_o (m_axis_tlast_o[p]),
          .m_axis_tuser_o (m_axis_tuser_o[p]),
          /* verilator lint_off PINCONNECTEMPTY */  // the stream of a port goes to one receiver
          .m_axis_tdest_o (),
          /* verilator lint_on PINCONNECTEMPTY */
          .m_axis_tid_o   (m_axis_tid_o[6*p+:6]),
          .word_o         (word),
          .word_i         (link_i[p*LinkW+:WordW]),
          .lost_o         (lost_o[p]),
          .quiescent_o    (quiescent[p])
      );

      assign link_o[p*LinkW+:LinkW] = LinkW'(word);
    end
  endgenerate

  assign quiescent_o = quiescent == '1;

endmodule
