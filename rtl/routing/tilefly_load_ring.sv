// SPDX-License-Identifier: Apache-2.0
// Load ring of the switch: shows every input the loads of all ports, as they were at the last epoch but one. Manual:
// docs/blocks/routing.md, "Load".
// Latency: loads that are on `loads_i` in cycle m, a multiple of LOAD_EPOCH_CYCLES E, are on `loads_o` (flops) from m + E to
// m + 2E - 1. Throughput: a report of every port an epoch. Handshake: none.
// While all loads are and were zero nothing changes. Else registers change in the cycles m and m + E - 1 only: in the others
// the ring need not be evaluated.

module tilefly_load_ring (
    /// clock
    input  logic                             clk_i,
    /// synchronous reset, active low
    input  logic                             rst_ni,
    /// number of the current cycle
    input  logic [                     47:0] cycle_i,
    /// loads of all ports as the tiles show them, port p in bits [12*p +: 12]
    input  logic [12*tilefly_pkg::PORTS-1:0] loads_i,
    /// what all inputs see
    output logic [12*tilefly_pkg::PORTS-1:0] loads_o,
    /// while all loads are zero nothing here will change
    output logic                             quiescent_o
);

  localparam int Epoch = tilefly_pkg::LOAD_EPOCH_CYCLES;
  localparam int EpochW = $clog2(Epoch);
  localparam int Width = 12 * tilefly_pkg::PORTS;

  logic [Width-1:0] caught_q, shown_q;
  logic [47-EpochW:0] epoch, caught_epoch_q, shown_epoch_q;  // epochs in which what is not zero was caught
  logic first, last;

  assign epoch = cycle_i[47:EpochW];
  assign first = cycle_i[EpochW-1:0] == '0;
  assign last = cycle_i[EpochW-1:0] == '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      caught_q <= '0;
      shown_q  <= '0;
    end else begin
      if (first) caught_q <= loads_i;
      if (last) shown_q <= caught_q;
    end
    if (first && loads_i != '0) caught_epoch_q <= epoch;
    if (last && caught_q != '0) shown_epoch_q <= caught_epoch_q;
  end

  assign loads_o     = shown_q;
  assign quiescent_o = caught_q == '0 && shown_q == '0;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ROUTE_3 : assert (shown_q == '0 || epoch == shown_epoch_q + 1'b1);
    end
  end

endmodule
