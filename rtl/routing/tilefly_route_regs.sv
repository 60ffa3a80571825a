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
    /// own address
    output tilefly_pkg::own_address_t own_address_o,
    /// SIZE
    output tilefly_pkg::switch_size_t size_o,
    /// LENGTH
    output tilefly_pkg::switch_length_t lengths_o,
    /// BIAS
    output tilefly_pkg::switch_bias_t biases_o
);

  tilefly_pkg::own_address_t own_address_q;
  tilefly_pkg::switch_size_t size_q;
  tilefly_pkg::switch_length_t lengths_q;
  tilefly_pkg::switch_bias_t biases_q;

  logic write;
  tilefly_pkg::own_address_t own_address;
  tilefly_pkg::switch_size_t size;
  tilefly_pkg::switch_length_t lengths;
  tilefly_pkg::switch_bias_t biases;
  assign own_address = tilefly_pkg::get_own_address(cfg_i.data);
  assign size        = tilefly_pkg::get_switch_size(cfg_i.data);
  assign lengths     = tilefly_pkg::get_switch_length(cfg_i.data);
  assign biases      = tilefly_pkg::get_switch_bias(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_SWITCH;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_address_q <= '0;
      size_q        <= '0;
      lengths_q     <= tilefly_pkg::SWITCH_LENGTH_RESET;
      biases_q      <= '0;
    end else if (write) begin
      case (cfg_i.index)
        11'(tilefly_pkg::SWITCH_REG_ADDRESS): own_address_q <= own_address;
        11'(tilefly_pkg::SWITCH_REG_SIZE): size_q <= size;
        11'(tilefly_pkg::SWITCH_REG_LENGTH): lengths_q <= lengths;
        11'(tilefly_pkg::SWITCH_REG_BIAS): biases_q <= biases;
        default: ;
      endcase
    end
  end

  assign own_address_o = own_address_q;
  assign size_o        = size_q;
  assign lengths_o     = lengths_q;
  assign biases_o      = biases_q;

endmodule
