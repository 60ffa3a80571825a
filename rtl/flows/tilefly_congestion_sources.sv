// SPDX-License-Identifier: Apache-2.0
// Sources that an edge output has delivered packets of, by class, in the epoch of the latest ack and in the one before. Manual:
// docs/blocks/flow_channel.md, "Meter at the output".
// Latency: the number is combinational, and does not know of the ack's own source; the source counts from the next cycle on.
// Throughput: an ack a cycle. Handshake: valid only. Nothing changes by time alone: an ack finds out in which epoch it is made.

module tilefly_congestion_sources #(
    /// cycles of an epoch, a power of two
    parameter int EpochCycles = tilefly_pkg::FLOW_EPOCH_CYCLES
) (
    /// clock
    input  logic        clk_i,
    /// synchronous reset, active low
    input  logic        rst_ni,
    /* verilator lint_off UNUSEDSIGNAL */  // an epoch begins where the low bits are 0
    /// number of the current cycle
    input  logic [47:0] cycle_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// an ack is made
    input  logic        made_i,
    /// class of its packet's lane
    input  logic [ 2:0] class_i,
    /// source of its packet
    input  logic [19:0] src_i,
    /// sources of the class; 0 without an ack
    output logic [ 6:0] sources_o
);

  localparam int Classes = tilefly_pkg::CLASSES;
  localparam int Bits = 64;
  localparam int CountW = 7;
  localparam int EpochW = 48 - $clog2(EpochCycles);

  logic [Bits-1:0] seen_q[Classes];  // of this epoch, a bit a source
  logic [CountW-1:0] last_q[Classes];  // of the epoch before
  logic [EpochW-1:0] at_q;  // epoch of the latest ack

  function automatic [CountW-1:0] ones(input [Bits-1:0] bits_of);
    ones = '0;
    for (int b = 0; b < Bits; b++) ones = ones + CountW'(bits_of[b]);
  endfunction

  logic [EpochW-1:0] epoch;
  logic same, next;
  assign epoch = cycle_i[47-:EpochW];
  assign same  = epoch == at_q;
  assign next  = epoch == at_q + 1'b1;

  logic [CountW-1:0] now, last;
  logic [5:0] source;
  always_comb begin
    now       = '0;
    last      = '0;
    source    = '0;
    sources_o = '0;
    if (made_i) begin
      source = src_i[5:0] ^ src_i[11:6] ^ src_i[17:12] ^ {4'd0, src_i[19:18]};
      if (same) begin
        now  = ones(seen_q[class_i]);
        last = last_q[class_i];
      end else if (next) begin
        last = ones(seen_q[class_i]);
      end
      sources_o = now > last ? now : last;
      if (sources_o == '0) sources_o = 7'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      at_q <= '0;
      for (int c = 0; c < Classes; c++) begin
        seen_q[c] <= '0;
        last_q[c] <= '0;
      end
    end else if (made_i) begin
      at_q <= epoch;
      if (!same) begin
        for (int c = 0; c < Classes; c++) begin
          seen_q[c] <= '0;
          last_q[c] <= next ? ones(seen_q[c]) : '0;
        end
      end
      seen_q[class_i][source] <= 1'b1;
    end
  end

  // Assertions: the number is at most the sources of two epochs, by lists of their own.
`ifndef SYNTHESIS
  /* verilator tracing_off */
  logic [Bits-1:0] own_q[2*Classes];  // of {class, last bit of the epoch}
  logic [2*EpochW-1:0] own_at_q;  // epoch of which the lists are, by its last bit
  /* verilator tracing_on */
  logic [CountW:0] own;
  logic [1:0] own_now;  // the lists are of this epoch or of the one before
  always_comb begin
    own_now[epoch[0]]  = own_at_q[EpochW*epoch[0]+:EpochW] == epoch;
    own_now[!epoch[0]] = own_at_q[EpochW*!epoch[0]+:EpochW] == epoch - 1'b1;
    own                = '0;
    if (made_i) begin
      if (own_now[0]) own = own + {1'b0, ones(own_q[{class_i, 1'b0}])};
      if (own_now[1]) own = own + {1'b0, ones(own_q[{class_i, 1'b1}])};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int c = 0; c < 2 * Classes; c++) own_q[c] <= '0;
      own_at_q <= '0;
    end else if (made_i) begin
      own_at_q[EpochW*epoch[0]+:EpochW] <= epoch;
      if (!own_now[epoch[0]]) for (int c = 0; c < Classes; c++) own_q[{3'(c), epoch[0]}] <= '0;
      own_q[{class_i, epoch[0]}][source] <= 1'b1;
    end
    if (rst_ni) METER_2 : assert (!made_i || sources_o == 7'd1 || {1'b0, sources_o} <= own);
  end
`endif

endmodule
