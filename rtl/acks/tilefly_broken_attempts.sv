// SPDX-License-Identifier: Apache-2.0
// Attempts of a retry port that were cut through and broken off: their cells leave the flow account.
// Manual: docs/blocks/link_retry.md, "Flow account".
// Latency: the cells leave in max(a0 + 19, a_last + 5); outputs are flops. Throughput: one attempt a cycle. Handshake: valid only.
//
//   a0 + 4: enters                   a0 + 18: counted       a_last + 4, before or behind that: ends BROKEN

module tilefly_broken_attempts (
    /// clock
    input  logic       clk_i,
    /// synchronous reset, active low
    input  logic       rst_ni,
    /// the port retries
    input  logic       retry_i,
    /// a packet that is cut through enters the pipeline
    input  logic       enters_i,
    /// the packet that entered last ends BROKEN
    input  logic       broken_i,
    /// the packet that entered 14 cycles ago counts in the flow account
    input  logic       counted_i,
    /// flow of the packet
    input  logic [9:0] flow_i,
    /// cells of the packet
    input  logic [6:0] cells_i,
    /// an attempt's cells leave the account (flop)
    output logic       leaves_o,
    /// flow of the attempt
    output logic [9:0] flow_o,
    /// cells of the attempt
    output logic [6:0] cells_o
);

  localparam logic [3:0] Pipeline = 4'd14;  // cycles from the entry to the account

  logic [3:0] age_q, age;  // cycles since the entry of the packet that entered last; saturates behind the account
  logic [14:0] early_q;  // packets that are broken and not yet in the account; bit k: they are there in k cycles
  logic open_q;  // the packet that entered last is in the account
  logic [9:0] flow_q, leaves_flow_q;
  logic [6:0] cells_q, leaves_cells_q;
  logic [14:0] early;
  logic leaves_q, leaves_now;
  always_comb begin
    age        = '0;
    early      = '0;
    leaves_now = 1'b0;
    if (retry_i) begin
      age   = enters_i ? '0 : age_q;
      early = broken_i && age <= Pipeline ? early_q | (15'd1 << (Pipeline - age)) : early_q;
      leaves_now = counted_i && early[0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !retry_i) begin
      age_q    <= '1;
      early_q  <= '0;
      open_q   <= 1'b0;
      leaves_q <= 1'b0;
    end else begin
      age_q    <= age == '1 ? '1 : age + 4'd1;
      early_q  <= early >> 1;
      leaves_q <= leaves_now || (broken_i && open_q);
      if (enters_i || broken_i) open_q <= 1'b0;
      else if (counted_i && age == Pipeline) open_q <= 1'b1;
      if (counted_i && age == Pipeline) begin
        flow_q  <= flow_i;
        cells_q <= cells_i;
      end
      leaves_flow_q  <= leaves_now ? flow_i : flow_q;
      leaves_cells_q <= leaves_now ? cells_i : cells_q;
    end
  end

  assign leaves_o = leaves_q;
  assign flow_o   = leaves_flow_q;
  assign cells_o  = leaves_cells_q;

endmodule
