// SPDX-License-Identifier: Apache-2.0
// A standard port of the switch as an AXI-Stream Ethernet port: both directions and the PAUSE between them.
// Manual: docs/blocks/axis.md.
// Latency and throughput: those of `tilefly_axis_to_link` and `tilefly_link_to_axis`. Handshake: AXI-Stream on one side,
// link words on the other.

module tilefly_axis_port #(
    /// bits of tdata: 8, 16, 32, 64, 128, 256 or 512
    parameter int DataW = 64,
    /// 1: frames of both streams end with their frame check; 0: the frame check is made and removed here
    parameter int HasFcs = 0,
    /// 1: frames below 64 bytes that come in are padded with zeros; only without HasFcs
    parameter int Pad = 0,
    /// words of 32 bytes that wait for the link
    parameter int StoreWords = 2 * (tilefly_pkg::MTU_WORDS_STD + 1),
    /// words that wait for the stream at which XOFF is sent; XON below half of them
    parameter int XoffWords = 512,
    /// bits of tdest of frames that go out
    parameter int DestW = 1,
    /// bits of tid of frames that go out
    parameter int IdW = 1
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// number of the current cycle
    input  logic [       47:0] cycle_i,
    /// a beat comes in
    input  logic               s_axis_tvalid_i,
    /// the beat is taken
    output logic               s_axis_tready_o,
    /// bytes of the beat, byte i in bits 8i+7..8i
    input  logic [  DataW-1:0] s_axis_tdata_i,
    /// bytes in use, from byte 0 on
    input  logic [DataW/8-1:0] s_axis_tkeep_i,
    /// last beat of a frame
    input  logic               s_axis_tlast_i,
    /// with the last beat: the frame is bad
    input  logic               s_axis_tuser_i,
    /// tdest of frames that go out, as it is in the cycle before a frame's first beat is shown
    input  logic [  DestW-1:0] tdest_i,
    /// tid of frames that go out, as it is in the cycle before a frame's first beat is shown
    input  logic [    IdW-1:0] tid_i,
    /// a beat goes out
    output logic               m_axis_tvalid_o,
    /// the beat is taken
    input  logic               m_axis_tready_i,
    /// bytes of the beat, byte i in bits 8i+7..8i; zero where tkeep is 0
    output logic [  DataW-1:0] m_axis_tdata_o,
    /// bytes in use, from byte 0 on
    output logic [DataW/8-1:0] m_axis_tkeep_o,
    /// last beat of a frame
    output logic               m_axis_tlast_o,
    /// with the last beat: the frame is bad
    output logic               m_axis_tuser_o,
    /// destination, the same in all beats of a frame
    output logic [  DestW-1:0] m_axis_tdest_o,
    /// stream, the same in all beats of a frame
    output logic [    IdW-1:0] m_axis_tid_o,
    /// word to the switch
    output tilefly_pkg::word_t word_o,
    /// word from the switch
    input  tilefly_pkg::word_t word_i,
    /// a frame from the switch ends in this cycle that is not shown
    output logic               lost_o,
    /// nothing inside
    output logic               quiescent_o
);

  logic hold, pause_due, pause_taken, to_link_quiescent, to_axis_quiescent;
  logic [15:0] pause_quanta;

  tilefly_axis_to_link #(
      .DataW     (DataW),
      .HasFcs    (HasFcs),
      .Pad       (Pad),
      .StoreWords(StoreWords)
  ) u_to_link (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid_i,
      .s_axis_tready_o,
      .s_axis_tdata_i,
      .s_axis_tkeep_i,
      .s_axis_tlast_i,
      .s_axis_tuser_i,
      .hold_i        (hold),
      .pause_due_i   (pause_due),
      .pause_quanta_i(pause_quanta),
      .pause_taken_o (pause_taken),
      .word_o,
      .quiescent_o   (to_link_quiescent)
  );

  tilefly_link_to_axis #(
      .DataW    (DataW),
      .KeepFcs  (HasFcs),
      .XoffWords(XoffWords),
      .DestW    (DestW),
      .IdW      (IdW)
  ) u_to_axis (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .word_i,
      .tdest_i,
      .tid_i,
      .m_axis_tvalid_o,
      .m_axis_tready_i,
      .m_axis_tdata_o,
      .m_axis_tkeep_o,
      .m_axis_tlast_o,
      .m_axis_tuser_o,
      .m_axis_tdest_o,
      .m_axis_tid_o,
      .hold_o        (hold),
      .pause_due_o   (pause_due),
      .pause_quanta_o(pause_quanta),
      .pause_taken_i (pause_taken),
      .lost_o,
      .quiescent_o   (to_axis_quiescent)
  );

  assign quiescent_o = to_link_quiescent && to_axis_quiescent;

  // Assertions: the switch obeys PAUSE, so the headroom is enough.
  always_ff @(posedge clk_i) begin
    if (rst_ni) AXIS_13 : assert (!lost_o);
  end

endmodule
