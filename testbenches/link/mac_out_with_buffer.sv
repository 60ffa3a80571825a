// SPDX-License-Identifier: Apache-2.0
// The sending MAC and the output buffer that it reads, for the conformance test, wired as in the egress port.

module mac_out_with_buffer (
    /// clock
    input  logic                                              clk_i,
    /// synchronous reset, active low
    input  logic                                              rst_ni,
    /// number of the current cycle
    input  logic                [                       47:0] cycle_i,
    /// number of this port
    input  logic                [                        5:0] port_i,
    /// register bus: a write is an event of this cycle
    input  tilefly_pkg::cfg_t                                 cfg_i,
    /// the link worked in the cycle before
    input  logic                                              link_up_i,
    /// input buffer, cells accounted
    input  logic                [                       11:0] used_i,
    /// a credit return decided in the cycle before
    input  logic                                              ret_valid_i,
    input  logic                [                        3:0] ret_vl_i,
    input  logic                [                       15:0] ret_cells_i,
    /// a cell arrives from row r, of reductions too
    input  logic                [  tilefly_pkg::OUT_ROWS-1:0] cell_valid_i,
    input  logic [tilefly_pkg::OUT_ROWS*tilefly_pkg::CELL_W-1:0] cell_i,
    /// the link
    output tilefly_pkg::link_t                                link_o,
    /// a packet is taken
    output logic                                              take_o,
    /// counted
    output logic                                              tx_packet_o,
    output logic                                              tx_stomped_o,
    output logic                                              tx_pause_o,
    output logic                                              no_eth_header_o,
    /// room is free again
    output logic                                              release_o,
    output logic                [                        6:0] release_cells_o,
    /// nothing is being sent
    output logic                                              quiescent_o
);

  localparam int RowW = $clog2(tilefly_pkg::OUT_ROWS);
  logic ready, read, bad;
  logic [RowW-1:0] row, read_row;
  logic [8:0] slot, read_slot, last_slot;
  logic [2:0] kind;
  logic [12:0] len;
  logic [6:0] take_cells;
  logic [639:0] cells;

  /* verilator lint_off PINCONNECTEMPTY */  // room is the test's business
  tilefly_output_buffer u_buffer (
      .clk_i,
      .rst_ni,
      .cell_valid_i,
      .cell_i,
      .first_o        (),
      .first_cells_o  (),
      .reserve_i      (1'b0),
      .reserve_cells_i('0),
      .release_i      (1'b0),
      .release_cells_i('0),
      .room_o         (),
      .ready_o        (ready),
      .row_o          (row),
      .slot_o         (slot),
      .kind_o         (kind),
      .len_o          (len),
      .header_o       (),
      .take_i         (take_o),
      .take_cells_i   (take_cells),
      .read_i         (read),
      .read_row_i     (read_row),
      .read_slot_i    (read_slot),
      .last_slot_i    (last_slot),
      .bad_o          (bad),
      .cells_o        (cells),
      .empty_o        ()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  /* verilator lint_off PINCONNECTEMPTY */  // acks come in beside it, and the port does not retry
  tilefly_mac_out u_mac (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .link_up_i,
      .link_now_i     (link_up_i),
      .retry_i        ('0),
      .serdes_i       ('0),
      .heard_i        ('0),
      .report_i       ('0),
      .stamp_i        ('0),
      .used_i,
      .ret_valid_i,
      .ret_vl_i,
      .ret_cells_i,
      .ack_valid_i    (1'b0),
      .ack_i          ('0),
      .flow_pause_i   ('0),
      .ready_i        (ready),
      .row_i          (row),
      .slot_i         (slot),
      .kind_i         (kind),
      .len_i          (len),
      .take_o,
      .take_cells_o   (take_cells),
      .take_lost_o    (),
      .read_o         (read),
      .read_row_o     (read_row),
      .read_slot_o    (read_slot),
      .last_slot_o    (last_slot),
      .bad_i          (bad),
      .cells_i        (cells),
      .release_o,
      .release_cells_o,
      .release_sent_o (),
      .link_o,
      .tx_packet_o,
      .tx_stomped_o,
      .tx_pause_o,
      .no_eth_header_o,
      .start_o        (),
      .lanes_o        (),
      .held_o         (),
      .failed_o       (),
      .events_o       (),
      .lane_events_o  (),
      .quiescent_o
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
