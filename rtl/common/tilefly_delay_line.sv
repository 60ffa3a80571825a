// SPDX-License-Identifier: Apache-2.0
// Delay of a fixed number of cycles for payloads that come now and then. Manual: docs/blocks/common.md.
// Latency: a payload that is on `data_i` in cycle t is on `data_o` in cycle t + Depth. Throughput: all of them a cycle.
// Handshake: valid only. The outputs are flops; `data_o` keeps its last value while not valid.
// The payload is written once into a memory and once into the output flop, and the slot pointer moves only while
// something is inside: an idle line costs nothing and does not change.

module tilefly_delay_line #(
    /// bits of a payload
    parameter int Width = 8,
    /// cycles, 1 or more
    parameter int Depth = 4,
    /// payloads side by side, each with its own valid
    parameter int Payloads = 1
) (
    /// clock
    input  logic                      clk_i,
    /// synchronous reset, active low
    input  logic                      rst_ni,
    /// a payload enters
    input  logic [      Payloads-1:0] valid_i,
    /// payload l in bits [l*Width +: Width]
    input  logic [Payloads*Width-1:0] data_i,
    /// a payload leaves
    output logic [      Payloads-1:0] valid_o,
    /// payload l in bits [l*Width +: Width]
    output logic [Payloads*Width-1:0] data_o,
    /// something is inside or leaving
    output logic                      busy_o
);

  logic [Payloads*Depth-1:0] valid_q;  // stage s in bits [s*Payloads +: Payloads], stage Depth-1 is the output
  logic [Payloads*Width-1:0] data_q;

  generate
    if (Depth == 1) begin : gen_flop
      always_ff @(posedge clk_i) begin
        if (!rst_ni) valid_q <= '0;
        else valid_q <= valid_i;
        for (int l = 0; l < Payloads; l++) begin
          if (valid_i[l]) data_q[l*Width+:Width] <= data_i[l*Width+:Width];
        end
      end
    end else begin : gen_memory
      localparam int SlotW = $clog2(Depth);
      localparam int AddressW = SlotW + $clog2(Payloads);
      localparam int Age = Depth - 1;

      logic [Width-1:0] mem[2**AddressW];  // payload l's slots from l * 2**SlotW on
      logic [SlotW-1:0] slot_q, old_slot;
      logic [Payloads-1:0] due;

      // What was written Depth-1 cycles ago goes to the output flop now.
      assign due = valid_q[(Depth-2)*Payloads+:Payloads];
      assign old_slot = slot_q - Age[SlotW-1:0];

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          valid_q <= '0;
          slot_q  <= '0;
        end else if (busy_o || valid_i != '0) begin
          valid_q <= {valid_q[(Depth-1)*Payloads-1:0], valid_i};
          slot_q  <= slot_q + 1'b1;
        end
        for (int l = 0; l < Payloads; l++) begin
          if (valid_i[l]) mem[AddressW'(l*2**SlotW)+AddressW'(slot_q)] <= data_i[l*Width+:Width];
          if (due[l]) data_q[l*Width+:Width] <= mem[AddressW'(l*2**SlotW)+AddressW'(old_slot)];
        end
      end
    end
  endgenerate

  assign valid_o = valid_q[(Depth-1)*Payloads+:Payloads];
  assign data_o  = data_q;
  assign busy_o  = valid_q != '0;

endmodule
