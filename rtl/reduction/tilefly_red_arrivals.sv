// SPDX-License-Identifier: Apache-2.0
// Segments that came to the ports for one slot: how many, and what the last ones say. Manual: docs/blocks/reduction.md,
// "CFU: launches". Ports lie side by side: bit b of all counts is a word, and all are counted at once.
// Latency: a segment of cycle t counts from t + 1 on; answers are combinational. Throughput: a segment a port and cycle.

module tilefly_red_arrivals #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// segments of a port that are remembered
    parameter int Entries = tilefly_pkg::RED_STORE
) (
    /// clock
    input  logic             clk_i,
    /// synchronous reset, active low
    input  logic             rst_ni,
    /// the slot is bound; else all is 0
    input  logic             bound_i,
    /// ports with a segment
    input  logic [Ports-1:0] segment_i,
    /// those of these ports whose sender wants the result
    input  logic [Ports-1:0] wants_i,
    /// those of these ports whose segment is the last of an operation
    input  logic [Ports-1:0] ends_i,
    /// number of the next segment upwards
    input  logic [     15:0] ups_i,
    /// number of the next result downwards
    input  logic [     15:0] downs_i,
    /// ports that have segment number `ups_i`
    output logic [Ports-1:0] up_here_o,
    /// those of these ports whose sender wants the result
    output logic [Ports-1:0] up_wants_o,
    /// those of these ports whose segment is the last of its operation
    output logic [Ports-1:0] up_ends_o,
    /// ports that have result number `downs_i`
    output logic [Ports-1:0] down_here_o,
    /// those of these ports whose result is the last of its operation
    output logic [Ports-1:0] down_ends_o
);

  localparam int EntryW = $clog2(Entries);

  logic [Ports-1:0] arrived_q[16], arrived_d[16];  // bit b of the ports' counts
  logic [Ports-1:0] wants_q[Entries], ends_q[Entries];  // of the segments whose numbers end so
  logic [Ports-1:0] enters[Entries];
  logic [Ports-1:0] carry;

  always_comb begin
    carry = segment_i;
    for (int b = 0; b < 16; b++) begin
      arrived_d[b] = arrived_q[b] ^ carry;
      carry = carry & arrived_q[b];
    end
    for (int e = 0; e < Entries; e++) begin
      enters[e] = segment_i;
      for (int b = 0; b < EntryW; b++) enters[e] = enters[e] & (arrived_q[b] ^ {Ports{((e >> b) & 1) == 0}});
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !bound_i) begin
      for (int b = 0; b < 16; b++) arrived_q[b] <= '0;
      for (int e = 0; e < Entries; e++) begin
        wants_q[e] <= '0;
        ends_q[e]  <= '0;
      end
    end else if (segment_i != '0) begin
      for (int b = 0; b < 16; b++) arrived_q[b] <= arrived_d[b];
      for (int e = 0; e < Entries; e++) begin
        wants_q[e] <= wants_q[e] & ~enters[e] | wants_i & enters[e];
        ends_q[e]  <= ends_q[e] & ~enters[e] | ends_i & enters[e];
      end
    end
  end

  always_comb begin
    up_here_o   = '0;
    down_here_o = '0;
    for (int b = 0; b < 16; b++) begin
      up_here_o   = up_here_o | arrived_q[b] ^ {Ports{ups_i[b]}};
      down_here_o = down_here_o | arrived_q[b] ^ {Ports{downs_i[b]}};
    end
  end
  assign up_wants_o  = wants_q[ups_i[EntryW-1:0]];
  assign up_ends_o   = ends_q[ups_i[EntryW-1:0]];
  assign down_ends_o = ends_q[downs_i[EntryW-1:0]];

endmodule
