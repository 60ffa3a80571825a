// SPDX-License-Identifier: Apache-2.0
// Registers of the switch that routing compares and weighs with. Manual: docs/blocks/routing.md,
// docs/reference/registers.md.
// Latency: a write that is on `cfg_i` in cycle t is on the outputs (flops) from t + 1.

module tilefly_route_regs (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// register bus: a write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; the switch's registers have no port
    input  tilefly_pkg::cfg_t cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// own address: group 9, switch 5
    output logic       [13:0] own_address_o,
    /// SIZE: switches of the own group 6, groups 10
    output logic       [15:0] size_o,
    /// LENGTH: 16 nibbles
    output logic       [63:0] lengths_o,
    /// BIAS: 12 bits each of four modes
    output logic       [47:0] biases_o
);

  localparam logic [63:0] OneLink = 64'h1111_1111_1111_1111;

  logic [13:0] own_address_q;
  logic [15:0] size_q;
  logic [63:0] lengths_q;
  logic [47:0] biases_q;

  logic write;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_SWITCH;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_address_q <= '0;
      size_q        <= '0;
      lengths_q     <= OneLink;
      biases_q      <= '0;
    end else if (write) begin
      case (cfg_i.index)
        11'(tilefly_pkg::SWITCH_REG_ADDRESS): own_address_q <= cfg_i.data[13:0];
        11'(tilefly_pkg::SWITCH_REG_SIZE): size_q <= cfg_i.data[15:0];
        11'(tilefly_pkg::SWITCH_REG_LENGTH): lengths_q <= cfg_i.data;
        11'(tilefly_pkg::SWITCH_REG_BIAS): biases_q <= cfg_i.data[47:0];
        default: ;
      endcase
    end
  end

  assign own_address_o = own_address_q;
  assign size_o        = size_q;
  assign lengths_o     = lengths_q;
  assign biases_o      = biases_q;

endmodule
