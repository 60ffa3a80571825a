// SPDX-License-Identifier: Apache-2.0
// MAC of one port, outgoing side: takes packets from the output buffer, puts them on the link with a right frame check, and
// sends PAUSE frames, credit returns and acks. Manual: docs/blocks/link.md, docs/blocks/egress.md.
// Latency: word k of a packet taken in cycle x is on `link_o` (flops) in x + 8 + floor(4k/m); a credit return that is on `ret_*`
// in d + 1 is there in d + 6, an ack that is on `ack_*` in t in t + 1. Throughput: one word a cycle. Handshake: `take_o` takes what `ready_i` shows.
//
//   cycle  x     x+1   x+2          x+3            x+4            x+5         x+6  x+7  x+8
//          take        word 0 read  word 0 formed  CRC of word 0  FCS placed            word 0 on link_o

module tilefly_mac_out (
    /// clock
    input  logic                                       clk_i,
    /// synchronous reset, active low
    input  logic                                       rst_ni,
    /// number of the current cycle
    input  logic              [                  47:0] cycle_i,
    /// number of this port
    input  logic              [                   5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                          cfg_i,
    /// the link worked in the cycle before, as decisions see it
    input  logic                                       link_up_i,
    /// the link works in this cycle
    input  logic                                       link_now_i,
    /// how the port retries
    input  tilefly_retry_pkg::settings_t               retry_i,
    /// which SerDes lanes are in use
    input  tilefly_retry_pkg::lanes_t                  serdes_i,
    /// what is heard on `link_i` in this cycle
    input  tilefly_retry_pkg::heard_t                  heard_i,
    /// report for the control slot of the next cycle
    input  tilefly_retry_pkg::report_t                 report_i,
    /// stamp of the control slot in this cycle
    input  tilefly_retry_pkg::stamp_t                  stamp_i,
    /// input buffer, cells accounted
    input  logic              [                  11:0] used_i,
    /// a credit return for the control slot
    input  logic                                       ret_valid_i,
    /// virtual lane of the credit return
    input  logic              [                   3:0] ret_vl_i,
    /// cells freed on the virtual lane since reset
    input  logic              [                  15:0] ret_cells_i,
    /// an ack for the control slot of the next cycle
    input  logic                                       ack_valid_i,
    /// the ack
    input  tilefly_pkg::ack_t                          ack_i,
    /// a pause of a flow for the control slot, decided in this cycle
    input  tilefly_flows_pkg::pause_t                  flow_pause_i,
    /// a packet can be taken
    input  logic                                       ready_i,
    /// row of the packet
    input  logic              [$clog2(tilefly_pkg::OUT_ROWS)-1:0] row_i,
    /// slot of the packet's first cell
    input  logic              [                   8:0] slot_i,
    /// kind of the packet, kind_e
    input  logic              [                   2:0] kind_i,
    /// bytes of the packet's frame
    input  logic              [                  12:0] len_i,
    /// the packet is taken
    output logic                                       take_o,
    /// cells of the packet
    output logic              [                   6:0] take_cells_o,
    /// the packet is discarded, because the link is down
    output logic                                       take_lost_o,
    /// read two cells of the output buffer
    output logic                                       read_o,
    /// row of the bank from which the cells are read
    output logic              [$clog2(tilefly_pkg::OUT_ROWS)-1:0] read_row_o,
    /// slot of the first cell
    output logic              [                   8:0] read_slot_o,
    /// slot of the packet's last cell
    output logic              [                   8:0] last_slot_o,
    /// the packet's last cell says that the packet is damaged
    input  logic                                       bad_i,
    /// cells that were read in the cycle before
    input  logic              [                 639:0] cells_i,
    /// the packet's last word is read: the room of the packet is free
    output logic                                       release_o,
    /// number of cells of that packet
    output logic              [                   6:0] release_cells_o,
    /// that packet is sent
    output logic                                       release_sent_o,
    /// the link
    output tilefly_pkg::link_t                         link_o,
    /// counted: a packet is taken that is sent
    output logic                                       tx_packet_o,
    /// counted: a packet is sent stomped
    output logic                                       tx_stomped_o,
    /// counted: a PAUSE frame is taken
    output logic                                       tx_pause_o,
    /// counted: a packet is taken that cannot be sent
    output logic                                       no_eth_header_o,
    /// a packet started on the link, where the port retries
    output tilefly_retry_pkg::start_t                  start_o,
    /// SerDes lanes in use, outgoing direction
    output logic                                 [2:0] lanes_o,
    /// packets in the replay buffer
    output logic                                 [9:0] held_o,
    /// the replay limit is reached
    output logic                                       failed_o,
    /// counted: of the retry block
    output tilefly_retry_pkg::sent_events_t            events_o,
    /// counted: of the SerDes lanes
    output tilefly_retry_pkg::lane_events_t            lane_events_o,
    /// nothing is being sent or due
    output logic                                       quiescent_o
);

  /* verilator lint_off UNUSEDSIGNAL */  // other fields are for the ingress
  tilefly_pkg::port_mode_t mode;
  /* verilator lint_on UNUSEDSIGNAL */
  logic eth_valid, send_pause;
  logic [111:0] eth_header;
  logic [11:0] xoff_cells, xon_cells;
  logic [13:0] own_address;

  tilefly_port_mode u_mode (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .mode_o(mode)
  );

  tilefly_port_header u_header (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .valid_o (eth_valid),
      .header_o(eth_header)
  );

  tilefly_port_pause u_pause_levels (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .xoff_o(xoff_cells),
      .xon_o (xon_cells),
      .send_o(send_pause)
  );

  tilefly_own_address u_own_address (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .address_o(own_address)
  );

  // Take: the link is up and its time has come; a PAUSE frame goes first. A packet for a link that is down is taken and discarded,
  // where the port does so.
  logic [47:0] next_take_q;
  logic time_ok, pause_due, take_pause, pause_quiescent, retry_ready;
  logic [15:0] quanta, quanta_q;
  logic [13:0] address_q;
  logic [111:0] eth_header_q;

  assign time_ok    = cycle_i >= next_take_q;
  assign take_pause = time_ok && pause_due && link_up_i;
  assign take_o     = time_ok && !pause_due && ready_i && (link_up_i ? retry_ready : retry_i.discards);
  assign take_lost_o = take_o && !link_up_i;

  tilefly_pause_sender u_pause (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .enable_i    (mode.enable && mode.std_format && !mode.credits && send_pause),
      .used_i,
      .xoff_cells_i(xoff_cells),
      .xon_cells_i (xon_cells),
      .due_o       (pause_due),
      .quanta_o    (quanta),
      .taken_i     (take_pause),
      .quiescent_o (pause_quiescent)
  );

  // Its shape: a PAUSE frame is one of 64 bytes whose FCS is new.
  localparam logic [12:0] PauseBytes = 13'd64, PauseDataBytes = 13'd60;
  localparam logic [7:0] PauseWords = 8'd2, PauseSlots = 8'd3;
  logic add_eth, has_eth, lacks_eth, keep_fcs;
  logic [12:0] bytes, data_bytes;
  logic [7:0] words, slots, slots_taken;

  tilefly_frame_shape u_shape (
      .valid_i     (ready_i && time_ok),
      .std_format_i(mode.std_format),
      .kind_i,
      .len_i,
      .add_eth_o   (add_eth),
      .has_eth_o   (has_eth),
      .bytes_o     (bytes),
      .data_bytes_o(data_bytes),
      .keep_fcs_o  (keep_fcs),
      .words_o     (words),
      .slots_o     (slots),
      .cells_o     (take_cells_o)
  );
  assign slots_taken = pause_due ? PauseSlots : slots;
  assign lacks_eth   = add_eth && !(has_eth && eth_valid);

  // Cycles that slots take on m SerDes lanes: ceil(4 * slots / m).
  function automatic [47:0] slot_cycles(input [7:0] count, input [2:0] serdes_lanes);
    case (serdes_lanes)
      3'd1: slot_cycles = {38'b0, count, 2'b0};
      3'd2: slot_cycles = {39'b0, count, 1'b0};
      3'd3: slot_cycles = ({38'b0, count, 2'b0} + 48'd2) / 48'd3;
      default: slot_cycles = {40'b0, count};
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) next_take_q <= '0;
    else if (take_o || take_pause) next_take_q <= cycle_i + slot_cycles(slots_taken, lanes_o);
    // What goes before the data is of the take's cycle; word 0 is formed three cycles later, before the next take.
    if (take_pause) begin
      quanta_q  <= quanta;
      address_q <= own_address;
    end
    if (take_o && add_eth) eth_header_q <= eth_header;
  end

  // Words.
  logic word_valid, sop, eop, word_pause, word_add_eth, word_keep, sent, sequencer_quiescent;
  logic [4:0] last;
  logic [1:0] granule;
  logic [5:0] word_data_bytes, fcs_at;

  tilefly_word_sequencer u_sequencer (
      .clk_i,
      .rst_ni,
      .serdes_lanes_i(lanes_o),
      .take_i        (take_o || take_pause),
      .pause_i       (pause_due),
      .send_i        (pause_due || (!lacks_eth && !take_lost_o)),
      .add_eth_i     (add_eth),
      .keep_fcs_i    (!pause_due && keep_fcs),
      .bytes_i       (pause_due ? PauseBytes : bytes),
      .data_bytes_i  (pause_due ? PauseDataBytes : data_bytes),
      .words_i       (pause_due ? PauseWords : words),
      .cells_i       (take_cells_o),
      .row_i,
      .slot_i,
      .read_o,
      .read_row_o,
      .read_slot_o,
      .last_slot_o,
      .release_o,
      .release_cells_o,
      .sent_o        (sent),
      .word_valid_o  (word_valid),
      .sop_o         (sop),
      .eop_o         (eop),
      .last_o        (last),
      .pause_o       (word_pause),
      .add_eth_o     (word_add_eth),
      .granule_o     (granule),
      .data_bytes_o  (word_data_bytes),
      .fcs_at_o      (fcs_at),
      .keep_fcs_o    (word_keep),
      .quiescent_o   (sequencer_quiescent)
  );

  assign tx_packet_o     = take_o && !lacks_eth && !take_lost_o;
  assign no_eth_header_o = take_o && lacks_eth;
  assign tx_pause_o      = take_pause;
  assign tx_stomped_o    = release_o && sent && bad_i;
  assign release_sent_o  = sent;

  logic [255:0] data;

  tilefly_word_former u_former (
      .valid_i     (word_valid),
      .cells_i,
      .granule_i   (granule),
      .sop_i       (sop),
      .std_format_i(mode.std_format),
      .add_eth_i   (word_add_eth),
      .eth_header_i(eth_header_q),
      .pause_i     (word_pause),
      .quanta_i    (quanta_q),
      .address_i   ({address_q, port_i}),
      .data_bytes_i(word_data_bytes),
      .data_o      (data)
  );

  // Formed word, before its check.
  tilefly_pkg::word_t formed_q, checked;
  logic [5:0] formed_fcs_q;
  logic formed_keep_q, formed_bad_q, bad_q, fcs_quiescent;

  always_ff @(posedge clk_i) begin
    if (read_o) bad_q <= bad_i;
    if (!rst_ni) formed_q.valid <= 1'b0;
    else formed_q.valid <= word_valid;
    if (word_valid) begin
      formed_q.sop  <= sop;
      formed_q.eop  <= eop;
      formed_q.enh  <= !mode.std_format;
      formed_q.err  <= 1'b0;
      formed_q.last <= last;
      formed_q.data <= data;
      formed_fcs_q  <= fcs_at;
      formed_keep_q <= word_keep;
      formed_bad_q  <= bad_q && !word_pause;
    end
  end

  tilefly_fcs_out u_fcs (
      .clk_i,
      .rst_ni,
      .word_i     (formed_q),
      .fcs_at_i   (formed_fcs_q),
      .keep_i     (formed_keep_q),
      .bad_i      (formed_bad_q),
      .word_o     (checked),
      .quiescent_o(fcs_quiescent)
  );

  logic wire_quiescent;

  tilefly_link_out u_link (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .link_up_i  (link_now_i),
      .retry_i,
      .lanes_i    (mode.lanes),
      .serdes_i,
      .take_i     (tx_packet_o),
      .words_i    (words),
      .word_i     (checked),
      .heard_i,
      .report_i,
      .stamp_i,
      .ret_valid_i,
      .ret_vl_i,
      .ret_cells_i,
      .ack_valid_i,
      .ack_i,
      .pause_i    (flow_pause_i),
      .ready_o    (retry_ready),
      .lanes_o,
      .link_o,
      .start_o,
      .held_o,
      .failed_o,
      .events_o,
      .lane_events_o,
      .quiescent_o(wire_quiescent)
  );

  assign quiescent_o = sequencer_quiescent && !formed_q.valid && fcs_quiescent && wire_quiescent && pause_quiescent;

  // Assertions: word k of a frame taken in x is on the link in x + 8 + floor(4k/m), and no other word is. Where the port
  // retries, it is given to the retry block two cycles before, and the block's own assertions say the rest.
`ifndef SYNTHESIS
  localparam int TakeToWire = 8;
  /* verilator tracing_off */
  logic [8*TakeToWire-1:0] taken_q;  // words of the frame taken in the cycle before in the lowest byte, 0: none is sent
  logic [7:0] frame_words, frame_words_q, word_number, word_number_q;
  logic [11:0] elapsed, elapsed_q;  // cycles since word 0
  logic [2:0] serdes_lanes, lanes_q, lanes_before_q;
  logic word_due;
  logic [2:0] given_q, given_before_q, judged;  // {valid, sop, eop}
  /* verilator tracing_on */
  assign judged = retry_i.on ? given_before_q : {link_o.word.valid, link_o.word.sop, link_o.word.eop};
  always_comb begin
    frame_words = frame_words_q;
    word_number = word_number_q;
    elapsed     = elapsed_q;
    if (taken_q[8*TakeToWire-1-:8] != '0) begin
      frame_words = taken_q[8*TakeToWire-1-:8];
      word_number = '0;
      elapsed     = '0;
    end
    serdes_lanes = retry_i.on ? lanes_before_q : lanes_o;
    word_due     = word_number < frame_words && {2'd0, word_number, 2'd0} >= serdes_lanes * elapsed &&
        {2'd0, word_number, 2'd0} < serdes_lanes * (elapsed + 12'd1);
  end
  always_ff @(posedge clk_i) begin
    if (retry_i.on) begin
      given_q        <= checked.valid ? {1'b1, checked.sop, checked.eop} : '0;
      given_before_q <= given_q;
      lanes_q        <= lanes_o;
      lanes_before_q <= lanes_q;
    end
    taken_q       <= {taken_q[8*TakeToWire-9:0], take_pause ? PauseWords : tx_packet_o ? words : 8'd0};
    frame_words_q <= frame_words;
    word_number_q <= word_number + 8'(word_due);
    elapsed_q     <= elapsed + 12'(word_number < frame_words);
    if (!rst_ni) begin
      given_q        <= '0;
      given_before_q <= '0;
      taken_q       <= '0;
      frame_words_q <= '0;
      word_number_q <= '0;
    end else begin
      LINK_2 : assert (judged[2] == word_due);
      LINK_2_ends : assert (!word_due || judged[1:0] == {word_number == '0, word_number + 8'd1 == frame_words});
    end
  end
`endif

endmodule
