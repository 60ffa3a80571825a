// SPDX-License-Identifier: Apache-2.0
// The switch with AXI-Stream Ethernet ports. Its ports are to be set up as docs/blocks/axis.md, "A switch of streams", says.
// Latency: that of the switch, and of `tilefly_axis_port` on both sides. Throughput: a word of 32 bytes a cycle and port.
// Handshake: AXI-Stream. Element p of a flat vector with elements of W bits is bits [p*W +: W].

module tilefly_axis_switch #(
    /// bits of tdata: 8, 16, 32, 64, 128, 256 or 512
    parameter int DataW = 64,
    /// 1: frames of the streams end with their frame check; 0: the frame check is made and removed here
    parameter int HasFcs = 0,
    /// 1: frames below 64 bytes that come in are padded with zeros; only without HasFcs
    parameter int Pad = 0,
    /// words of 32 bytes of a port that wait for the link
    parameter int StoreWords = 2 * (tilefly_pkg::MTU_WORDS_STD + 1),
    /// words of a port that wait for the stream at which XOFF is sent; XON below half of them
    parameter int XoffWords = 512
) (
    /// clock
    input  logic                                  clk_i,
    /// synchronous reset, active low
    input  logic                                  rst_ni,
    /// number of the current cycle
    input  logic [                          47:0] cycle_i,
    /// register bus (cfg_t)
    input  logic [        tilefly_pkg::CFG_W-1:0] cfg_i,
    /// a beat comes in
    input  logic [        tilefly_pkg::PORTS-1:0] s_axis_tvalid_i,
    /// the beat is taken
    output logic [        tilefly_pkg::PORTS-1:0] s_axis_tready_o,
    /// bytes of the beat, byte i in bits 8i+7..8i
    input  logic [  tilefly_pkg::PORTS*DataW-1:0] s_axis_tdata_i,
    /// bytes in use, from byte 0 on
    input  logic [tilefly_pkg::PORTS*DataW/8-1:0] s_axis_tkeep_i,
    /// last beat of a frame
    input  logic [        tilefly_pkg::PORTS-1:0] s_axis_tlast_i,
    /// with the last beat: the frame is bad
    input  logic [        tilefly_pkg::PORTS-1:0] s_axis_tuser_i,
    /// a beat goes out
    output logic [        tilefly_pkg::PORTS-1:0] m_axis_tvalid_o,
    /// the beat is taken
    input  logic [        tilefly_pkg::PORTS-1:0] m_axis_tready_i,
    /// bytes of the beat, byte i in bits 8i+7..8i; zero where tkeep is 0
    output logic [  tilefly_pkg::PORTS*DataW-1:0] m_axis_tdata_o,
    /// bytes in use, from byte 0 on
    output logic [tilefly_pkg::PORTS*DataW/8-1:0] m_axis_tkeep_o,
    /// last beat of a frame
    output logic [        tilefly_pkg::PORTS-1:0] m_axis_tlast_o,
    /// with the last beat: the frame is bad
    output logic [        tilefly_pkg::PORTS-1:0] m_axis_tuser_o,
    /// number of the port
    output logic [      6*tilefly_pkg::PORTS-1:0] m_axis_tid_o,
    /// answer to a register read (read_answer_t)
    output logic [tilefly_pkg::READ_ANSWER_W-1:0] rdata_o,
    /// a frame from the switch ends in this cycle that is not shown
    output logic [        tilefly_pkg::PORTS-1:0] lost_o,
    /// with idle inputs nothing will change
    output logic                                  quiescent_o
);

  logic [tilefly_pkg::PORTS*tilefly_pkg::LINK_W-1:0] to_switch, from_switch;
  logic ports_quiescent, switch_quiescent;

  tilefly_axis_ports #(
      .DataW     (DataW),
      .HasFcs    (HasFcs),
      .Pad       (Pad),
      .StoreWords(StoreWords),
      .XoffWords (XoffWords)
  ) u_ports (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .s_axis_tvalid_i,
      .s_axis_tready_o,
      .s_axis_tdata_i,
      .s_axis_tkeep_i,
      .s_axis_tlast_i,
      .s_axis_tuser_i,
      .m_axis_tvalid_o,
      .m_axis_tready_i,
      .m_axis_tdata_o,
      .m_axis_tkeep_o,
      .m_axis_tlast_o,
      .m_axis_tuser_o,
      .m_axis_tid_o,
      .link_o     (to_switch),
      .link_i     (from_switch),
      .lost_o,
      .quiescent_o(ports_quiescent)
  );

  tilefly_switch u_switch (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .cfg_i,
      .link_i     (to_switch),
      .link_up_i  ('1),
      .link_o     (from_switch),
      .rdata_o,
      /* verilator lint_off PINCONNECTEMPTY */  // streams show what a user's switch shows, and their links are always up
      .link_fail_o(),
      .obs_o      (),
      /* verilator lint_on PINCONNECTEMPTY */
      .quiescent_o(switch_quiescent)
  );

  assign quiescent_o = ports_quiescent && switch_quiescent;

endmodule
