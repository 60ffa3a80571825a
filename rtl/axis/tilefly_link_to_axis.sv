// SPDX-License-Identifier: Apache-2.0
// Link words of a standard port to AXI-Stream Ethernet: judges each frame as a MAC does, stores it whole, shows it without
// or with its frame check, obeys PAUSE frames and does not show them, and asks for PAUSE before the store is full.
// Manual: docs/blocks/axis.md, "Link to stream".
// Latency: a frame whose last word is on `word_i` in c can be read in c + 5. Throughput: a word a cycle. Handshake: valid
// only in; AXI-Stream out.

module tilefly_link_to_axis #(
    /// bits of tdata: 8, 16, 32, 64, 128, 256 or 512
    parameter int DataW = 64,
    /// 1: frames are shown with their frame check; 0: without
    parameter int KeepFcs = 0,
    /// words of 32 bytes in the store at which XOFF is sent; XON below half of them
    parameter int XoffWords = 512,
    /// bits of tdest
    parameter int DestW = 1,
    /// bits of tid
    parameter int IdW = 1
) (
    /// clock
    input  logic                       clk_i,
    /// synchronous reset, active low
    input  logic                       rst_ni,
    /// number of the current cycle
    input  logic [               47:0] cycle_i,
    /// word on the wire
    input  tilefly_pkg::word_t         word_i,
    /// tdest of the frames, as it is in the cycle before the frame's first beat is shown
    input  logic [          DestW-1:0] tdest_i,
    /// tid of the frames, as it is in the cycle before the frame's first beat is shown
    input  logic [            IdW-1:0] tid_i,
    /// a beat is shown
    output logic                       m_axis_tvalid_o,
    /// the beat is taken
    input  logic                       m_axis_tready_i,
    /// bytes of the beat, byte i in bits 8i+7..8i; zero where tkeep is 0
    output logic [          DataW-1:0] m_axis_tdata_o,
    /// bytes in use, from byte 0 on
    output logic [        DataW/8-1:0] m_axis_tkeep_o,
    /// last beat of a frame
    output logic                       m_axis_tlast_o,
    /// with the last beat: the frame is bad
    output logic                       m_axis_tuser_o,
    /// destination, the same in all beats of a frame
    output logic [          DestW-1:0] m_axis_tdest_o,
    /// stream, the same in all beats of a frame
    output logic [            IdW-1:0] m_axis_tid_o,
    /// PAUSE by the switch: no frame may begin
    output logic                       hold_o,
    /// a PAUSE frame is to be sent
    output logic                       pause_due_o,
    /// quanta of the PAUSE frame
    output logic [               15:0] pause_quanta_o,
    /// the PAUSE frame is taken
    input  logic                       pause_taken_i,
    /// a frame ends in this cycle that is not shown: the store had no room for it, or it has the internal header
    output logic                       lost_o,
    /// nothing inside
    output logic                       quiescent_o
);

  // What the switch sends after the store has XoffWords words, at most: docs/blocks/axis.md, "Headroom".
  localparam int HeadroomWords = tilefly_pkg::MTU_WORDS_STD + 19 + 2 * tilefly_pkg::OBUF_CELLS;
  localparam int StoreWords = XoffWords + HeadroomWords;
  localparam int MaxBytes = 32 * tilefly_pkg::MTU_WORDS_STD;
  localparam int Classes = 8;  // of PFC

  /* verilator lint_off UNUSEDSIGNAL */  // the ingress of a switch looks at more of it
  tilefly_ingress_pkg::rx_t rx;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [255:0] data;
  logic [Classes*48-1:0] pause_until;
  logic mac_quiescent;

  tilefly_mac_in u_mac (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .live_i        (1'b1),
      .credits_i     (1'b0),
      .serdes_lanes_i(3'd4),
      .word_i,
      .rx_o          (rx),
      .data_o        (data),
      .pause_until_o (pause_until),
      /* verilator lint_off PINCONNECTEMPTY */  // hold_o says what it brought
      .obeyed_o      (),
      /* verilator lint_on PINCONNECTEMPTY */
      .quiescent_o   (mac_quiescent)
  );

  always_comb begin
    hold_o = 1'b0;
    for (int c = 0; c < Classes; c++) if (cycle_i < pause_until[c*48+:48]) hold_o = 1'b1;
  end

  // The store. A frame for which there was no room, and one that is no frame of Ethernet, is given up at its end.
  logic room, missing, missing_q, foreign, control, ready, bad, begins, pop, unpack_quiescent;
  logic [11:0] used;
  logic [12:0] bytes, kept;
  logic [255:0] stored;

  assign missing = missing_q || (rx.take && !room);
  assign foreign = rx.enh;
  assign control = rx.status == tilefly_pkg::DROP_CONTROL;
  assign lost_o  = rx.ends && (missing || foreign) && !control;

  always_comb begin
    kept = rx.len;
    if (KeepFcs == 0) kept = rx.len > 13'd4 ? rx.len - 13'd4 : 13'd1;
    if (missing || foreign || control) kept = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) missing_q <= 1'b0;
    else missing_q <= missing && !rx.ends;
  end

  tilefly_axis_store #(
      .Words(StoreWords)
  ) u_store (
      .clk_i,
      .rst_ni,
      .push_i (rx.take && !missing),
      .data_i (data),
      .end_i  (rx.ends),
      .bytes_i(kept),
      .bad_i  (rx.status != tilefly_pkg::DROP_NONE),
      .room_o (room),
      .used_o (used),
      .ready_o(ready),
      .bytes_o(bytes),
      .bad_o  (bad),
      .begin_i(begins),
      .data_o (stored),
      .pop_i  (pop)
  );

  tilefly_axis_unpack #(
      .DataW(DataW),
      .DestW(DestW),
      .IdW  (IdW)
  ) u_unpack (
      .clk_i,
      .rst_ni,
      .tdest_i,
      .tid_i,
      .ready_i    (ready),
      .bytes_i    (bytes),
      .bad_i      (bad),
      .begin_o    (begins),
      .data_i     (stored),
      .pop_o      (pop),
      .tvalid_o   (m_axis_tvalid_o),
      .tready_i   (m_axis_tready_i),
      .tdata_o    (m_axis_tdata_o),
      .tkeep_o    (m_axis_tkeep_o),
      .tlast_o    (m_axis_tlast_o),
      .tuser_o    (m_axis_tuser_o),
      .tdest_o    (m_axis_tdest_o),
      .tid_o      (m_axis_tid_o),
      .quiescent_o(unpack_quiescent)
  );

  logic sender_quiescent;

  tilefly_pause_sender u_sender (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .enable_i    (1'b1),
      .used_i      (used),
      .xoff_cells_i(12'(XoffWords)),
      .xon_cells_i (12'(XoffWords / 2)),
      .due_o       (pause_due_o),
      .quanta_o    (pause_quanta_o),
      .taken_i     (pause_taken_i),
      .quiescent_o (sender_quiescent)
  );

  assign quiescent_o = mac_quiescent && used == '0 && unpack_quiescent && sender_quiescent;

  tilefly_axis_check #(
      .DataW   (DataW),
      .DestW   (DestW),
      .IdW     (IdW),
      .MaxBytes(MaxBytes)
  ) u_check (
      .clk_i,
      .rst_ni,
      .tvalid_i(m_axis_tvalid_o),
      .tready_i(m_axis_tready_i),
      .tdata_i (m_axis_tdata_o),
      .tkeep_i (m_axis_tkeep_o),
      .tlast_i (m_axis_tlast_o),
      .tuser_i (m_axis_tuser_o),
      .tdest_i (m_axis_tdest_o),
      .tid_i   (m_axis_tid_o)
  );

`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (XoffWords < 2 || StoreWords > 4095)
      $fatal(1, "tilefly_link_to_axis: XoffWords %0d; wanted: 2 to %0d", XoffWords, 4095 - HeadroomWords);
  end
`endif

endmodule
