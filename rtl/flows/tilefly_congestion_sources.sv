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

  logic [Bits-1:0] seen_mem[Classes];  // of the class's latest epoch with an ack, a bit a source
  logic [CountW-1:0] last_mem[Classes];  // sources of the epoch before that one
  logic [EpochW-1:0] at_q;  // epoch of the latest ack
  logic [Classes-1:0] now_q, before_q;  // what `seen_mem` has is of the epoch at_q, of the epoch before it
  logic [Classes-1:0] kept_q;  // what `last_mem` has is of the epoch before at_q

  function automatic [CountW-1:0] ones(input [Bits-1:0] bits_of);
    ones = '0;
    for (int b = 0; b < Bits; b++) ones = ones + CountW'(bits_of[b]);
  endfunction

  logic [EpochW-1:0] epoch;
  logic same, next;

  logic [Bits-1:0] seen;
  logic [CountW-1:0] last;
  logic [5:0] source;
  always_comb begin
    seen      = '0;
    last      = '0;
    source    = '0;
    sources_o = '0;
    epoch     = '0;
    same      = 1'b0;
    next      = 1'b0;
    if (made_i) begin
      epoch  = cycle_i[47-:EpochW];
      same   = epoch == at_q;
      next   = epoch == at_q + 1'b1;
      source = src_i[5:0] ^ src_i[11:6] ^ src_i[17:12] ^ {4'd0, src_i[19:18]};
      if (same && now_q[class_i]) seen = seen_mem[class_i];
      if (same && kept_q[class_i]) last = last_mem[class_i];
      else if ((same && before_q[class_i]) || (next && now_q[class_i])) last = ones(seen_mem[class_i]);
      sources_o = ones(seen) > last ? ones(seen) : last;
      if (sources_o == '0) sources_o = 7'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      at_q     <= '0;
      now_q    <= '0;
      before_q <= '0;
      kept_q   <= '0;
    end else if (made_i) begin
      at_q              <= epoch;
      now_q             <= same ? now_q : '0;
      before_q          <= same ? before_q : next ? now_q : '0;
      kept_q            <= same ? kept_q : '0;
      now_q[class_i]    <= 1'b1;
      before_q[class_i] <= 1'b0;
      kept_q[class_i]   <= 1'b1;
    end
    if (made_i) begin
      seen_mem[class_i] <= seen | (Bits'(1) << source);
      last_mem[class_i] <= last;
    end
  end

  // Assertions: the number is at most the sources of two epochs, by lists of their own.
`ifndef SYNTHESIS
  /* verilator tracing_off */
  logic [Bits-1:0] own_mem[2*Classes];  // of {class, last bit of the epoch}
  logic [EpochW-1:0] own_at_mem[2*Classes];  // epoch of which the list is
  logic [2*Classes-1:0] own_known_q;
  /* verilator tracing_on */
  logic [CountW:0] own;
  logic [3:0] list;
  logic [Bits-1:0] own_seen;  // the list of this epoch
  always_comb begin
    own      = '0;
    list     = '0;
    own_seen = '0;
    if (made_i) begin
      list = {class_i, !epoch[0]};
      if (own_known_q[list] && own_at_mem[list] == epoch - 1'b1) own = own + {1'b0, ones(own_mem[list])};
      list = {class_i, epoch[0]};
      if (own_known_q[list] && own_at_mem[list] == epoch) own_seen = own_mem[list];
      own = own + {1'b0, ones(own_seen)};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) own_known_q <= '0;
    else if (made_i) own_known_q[list] <= 1'b1;
    if (made_i) begin
      own_mem[list]    <= own_seen | (Bits'(1) << source);
      own_at_mem[list] <= epoch;
    end
    if (rst_ni) METER_2 : assert (!made_i || sources_o == 7'd1 || {1'b0, sources_o} <= own);
  end
`endif

endmodule
