// SPDX-License-Identifier: Apache-2.0
// Load ring of the switch: shows every input the loads of all ports, each with its neighbour's, as they were at the last epoch
// but one, and the ports whose links were down then. Manual: docs/blocks/routing.md, "Load"; docs/blocks/acks.md, "Neighbour load";
// docs/blocks/link_retry.md, "Link down".
// Latency: reports that are on `reports_i` in cycle m, a multiple of LOAD_EPOCH_CYCLES E, are on `loads_o` (flops) from m + E to
// m + 2E - 1. Throughput: a report of every port an epoch. Handshake: none; a count of acks that differs from the last one is new.
// Registers change in the cycles m and m + E - 1 only: in the others the ring need not be evaluated; in m neither while it is
// quiescent and the reports are those that it saw when it last changed.

module tilefly_load_ring (
    /// clock
    input  logic                             clk_i,
    /// synchronous reset, active low
    input  logic                             rst_ni,
    /// number of the current cycle
    input  logic [                     47:0] cycle_i,
    /// loadreport_t of all tiles as they show them, tile t in bits [t*LOADREPORT_W +: LOADREPORT_W]
    input  logic [tilefly_pkg::TILES*tilefly_pkg::LOADREPORT_W-1:0] reports_i,
    /// what all inputs see: the load of port p in bits [12*p +: 12], and in bit 12*PORTS + p that it is down
    output logic [13*tilefly_pkg::PORTS-1:0] loads_o,
    /// with these reports nothing in the ring will change
    output logic                             quiescent_o
);

  localparam int Ports = tilefly_pkg::PORTS;
  localparam int Epoch = tilefly_pkg::LOAD_EPOCH_CYCLES;
  localparam int EpochW = $clog2(Epoch);
  localparam int Down = 12 * Ports;  // where the ports that are down begin
  localparam int Width = Down + Ports;
  localparam int AgeW = $clog2(tilefly_pkg::NEIGHBOUR_EPOCHS + 1);
  localparam logic [AgeW-1:0] Over = AgeW'(tilefly_pkg::NEIGHBOUR_EPOCHS);

  // A port's part of its tile's report: {down, acks, neighbour, load}.
  localparam int ReportW = tilefly_pkg::LOADREPORT_W / 2;
  localparam int AcksW = 9;

  logic [Width-1:0] caught_q, shown_q, caught_d;
  logic [AcksW*Ports-1:0] seen_q, seen_d;  // counts of acks
  logic [AgeW*Ports-1:0] age_q, age_d;  // epochs since a count was new; Over: the neighbour's load counts no more
  logic [47-EpochW:0] epoch, caught_epoch_q, shown_epoch_q;  // epochs in which what is not zero was caught
  logic [Ports-1:0] fresh, young;
  logic first, last;

  assign epoch = cycle_i[47:EpochW];
  assign first = cycle_i[EpochW-1:0] == '0;
  assign last = cycle_i[EpochW-1:0] == '1;

  function automatic [11:0] saturating_sum(input [11:0] load, input [11:0] neighbour);
    saturating_sum = 13'(load) + 13'(neighbour) > 13'd4095 ? '1 : load + neighbour;
  endfunction

  always_comb begin
    caught_d = '0;
    seen_d   = '0;
    age_d    = '0;
    fresh    = '0;
    young    = '0;
    for (int p = 0; p < Ports; p++) begin
      seen_d[p*AcksW+:AcksW] = reports_i[p*ReportW+24+:AcksW];
      fresh[p] = seen_d[p*AcksW+:AcksW] != seen_q[p*AcksW+:AcksW];
      if (!fresh[p]) age_d[p*AgeW+:AgeW] = age_q[p*AgeW+:AgeW] == Over ? Over : age_q[p*AgeW+:AgeW] + 1'b1;
      young[p] = age_d[p*AgeW+:AgeW] != Over;
      caught_d[p*12+:12] = saturating_sum(reports_i[p*ReportW+:12], young[p] ? reports_i[p*ReportW+12+:12] : '0);
      caught_d[Down+p]   = reports_i[p*ReportW+33];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      caught_q <= '0;
      shown_q  <= '0;
      seen_q   <= '0;
      age_q    <= {Ports{Over}};
    end else begin
      if (first) begin
        caught_q <= caught_d;
        seen_q   <= seen_d;
        age_q    <= age_d;
      end
      if (last) shown_q <= caught_q;
    end
    if (first && caught_d != '0) caught_epoch_q <= epoch;
    if (last && caught_q != '0) shown_epoch_q <= caught_epoch_q;
  end

  assign loads_o     = shown_q;
  assign quiescent_o = caught_q == '0 && shown_q == '0 && caught_d == '0 && fresh == '0 && age_q == {Ports{Over}};

  // Assertions.
`ifndef SYNTHESIS
  logic [47-EpochW:0] fresh_epoch_q[Ports];  // in which a count of acks was new
  logic [Ports-1:0] too_old;
  always_comb begin
    too_old = '0;
    if (first) begin
      for (int p = 0; p < Ports; p++) begin
        too_old[p] = young[p] && !fresh[p] && epoch - fresh_epoch_q[p] >= (48 - EpochW)'(tilefly_pkg::NEIGHBOUR_EPOCHS);
      end
    end
  end
  // L of the epochs, reckoned from the reports and the cycles in which an ack was new.
  /* verilator tracing_off */
  logic [AcksW-1:0] counted_q[Ports];
  logic [47-EpochW:0] heard_epoch_q[Ports];
  logic [Ports-1:0] heard_q;  // ever
  logic [Width-1:0] loads, loads_q, judged_q;  // of this epoch's first cycle; of the epoch; that are to be shown
  logic [12:0] load;
  /* verilator tracing_on */
  always_comb begin
    loads = '0;
    load  = '0;
    if (first) begin
      for (int p = 0; p < Ports; p++) begin
        load = 13'(reports_i[p*ReportW+:12]);
        if (reports_i[p*ReportW+24+:AcksW] != counted_q[p] ||
            (heard_q[p] && epoch - heard_epoch_q[p] < (48 - EpochW)'(tilefly_pkg::NEIGHBOUR_EPOCHS))) begin
          load = load + 13'(reports_i[p*ReportW+12+:12]);
        end
        loads[p*12+:12] = load[12] ? '1 : load[11:0];
        loads[Down+p]   = reports_i[p*ReportW+33];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (first) begin
      for (int p = 0; p < Ports; p++) begin
        if (fresh[p]) fresh_epoch_q[p] <= epoch;
        counted_q[p] <= reports_i[p*ReportW+24+:AcksW];
        if (reports_i[p*ReportW+24+:AcksW] != counted_q[p]) begin
          heard_q[p]       <= 1'b1;
          heard_epoch_q[p] <= epoch;
        end
      end
      loads_q <= loads;
    end
    if (last) judged_q <= loads_q;
    if (!rst_ni) begin
      for (int p = 0; p < Ports; p++) counted_q[p] <= '0;
      heard_q  <= '0;
      loads_q  <= '0;
      judged_q <= '0;
    end else begin
      ROUTE_3 : assert (loads_o == judged_q);
      ROUTE_3_epoch : assert (shown_q == '0 || epoch == shown_epoch_q + 1'b1);
      ROUTE_3_age : assert (too_old == '0);
    end
  end
`endif

endmodule
