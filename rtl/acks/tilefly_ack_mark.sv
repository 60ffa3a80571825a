// SPDX-License-Identifier: Apache-2.0
// The congestion meter at its place: what it sees of a port, and the mark and share of the acks that the port makes. Manual:
// docs/blocks/flow_channel.md, "Meter at the output".
// Latency: mark and share are combinational in the cycle of the ack, on what the cycle before has left. Throughput: requests of
// all rows, a grant and an ack a cycle. Handshake: valid only.

module tilefly_ack_mark (
    /// clock
    input  logic                                                    clk_i,
    /// synchronous reset, active low
    input  logic                                                    rst_ni,
    /// number of the current cycle; right in a cycle with an ack
    input  logic [                                            47:0] cycle_i,
    /// number of this port
    input  logic [                                             5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                                       cfg_i,
    /// the port is an edge port with flow channels
    input  logic                                                    on_i,
    /// a request arrives at the egress from row r
    input  logic [                       tilefly_pkg::OUT_ROWS-1:0] req_valid_i,
    /// requests, row r in bits [r*REQUEST_W +: REQUEST_W]
    input  logic [tilefly_pkg::OUT_ROWS*tilefly_pkg::REQUEST_W-1:0] req_i,
    /// the egress grants a request or takes it back
    input  logic                                                    grant_i,
    /// lane of the request
    input  logic [                                             3:0] grant_vl_i,
    /// cells of the request
    input  logic [                                             6:0] grant_cells_i,
    /// lanes in which a fifo of requests is deep
    input  logic [                            tilefly_pkg::VLS-1:0] deep_i,
    /// an ack is made
    input  logic                                                    made_i,
    /// lane by which its packet left
    input  logic [                                             3:0] vl_i,
    /// source of its packet
    input  logic [                                            19:0] src_i,
    /// the ack is marked; 0 without an ack
    output logic                                                    mark_o,
    /// cells that the source may have in flight; 0 without an ack
    output logic [                                            11:0] share_o
);

  localparam int Rows = tilefly_pkg::OUT_ROWS;
  localparam int RequestW = tilefly_pkg::REQUEST_W;

  logic [4*Rows-1:0] lanes;
  logic [7*Rows-1:0] cells;
  /* verilator lint_off UNUSEDSIGNAL */  // it matters not whose they are
  tilefly_pkg::request_t request;
  /* verilator lint_on UNUSEDSIGNAL */
  always_comb begin
    lanes   = '0;
    cells   = '0;
    request = '0;
    for (int r = 0; r < Rows; r++) begin
      if (req_valid_i[r]) begin
        request       = req_i[r*RequestW+:RequestW];
        lanes[4*r+:4] = request.vl;
        cells[7*r+:7] = request.cells;
      end
    end
  end

  logic [3*tilefly_pkg::VLS-1:0] classes;
  tilefly_lane_classes u_classes (
      .clk_i,
      .cfg_i,
      .classes_o(classes)
  );

  tilefly_congestion_meter u_meter (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .on_i,
      .request_valid_i(req_valid_i),
      .request_vl_i   (lanes),
      .request_cells_i(cells),
      .deep_i,
      .grant_valid_i  (grant_i),
      .grant_vl_i,
      .grant_cells_i,
      .vl_class_i     (classes),
      .made_i,
      .vl_i,
      .src_i,
      .mark_o,
      .share_o
  );

endmodule
