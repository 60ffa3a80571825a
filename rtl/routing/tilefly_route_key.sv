// SPDX-License-Identifier: Apache-2.0
// Key of a port's draws: G(G(SEED) ^ the port's fabric address). Manual: docs/blocks/routing.md, "Draws".
// Latency: of a write that is on `cfg_i` in cycle t the own address counts from t + 4, the key from t + 5 on (flops): for a
// packet in its cycles a + 7 and a + 8 they are as of a + 4. Throughput: a write a cycle.
//
//   t + 1          t + 2         t + 3     t + 4          t + 5
//   SEED, address  first half    G(SEED)   first half     key
//
// A stage is loaded only behind a write, and in reset, so that nothing moves else.

module tilefly_route_key (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// number of the port
    input  logic        [5:0] port_i,
    /// register bus: a write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; the switch's registers have no port
    input  tilefly_pkg::cfg_t cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// own address: group 9, switch 5
    output logic       [13:0] own_address_o,
    /// the key
    output logic       [31:0] key_o,
    /// no write under way
    output logic              quiescent_o
);

  logic [31:0] seed_q, half_q, seeded_q, address_half_q, key_q;
  logic [13:0] address_q, address2_q, address3_q, address4_q;
  logic [3:0] written_q;  // bit i: the registers of t + 1 + i are new

  logic write;
  tilefly_pkg::switch_seed_t seed;
  tilefly_pkg::own_address_t own_address;
  assign seed        = tilefly_pkg::get_switch_seed(cfg_i.data);
  assign own_address = tilefly_pkg::get_own_address(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_SWITCH &&
      (cfg_i.index == 11'(tilefly_pkg::SWITCH_REG_SEED) || cfg_i.index == 11'(tilefly_pkg::SWITCH_REG_ADDRESS));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      seed_q    <= '0;
      address_q <= '0;
      written_q <= '1;
    end else begin
      if (write && cfg_i.index == 11'(tilefly_pkg::SWITCH_REG_SEED)) seed_q <= seed;
      if (write && cfg_i.index == 11'(tilefly_pkg::SWITCH_REG_ADDRESS)) address_q <= own_address;
      if (write || !quiescent_o) written_q <= {written_q[2:0], write};
    end
    if (written_q[0]) begin
      half_q     <= tilefly_routing_pkg::first_half(seed_q);
      address2_q <= address_q;
    end
    if (written_q[1]) begin
      seeded_q   <= tilefly_routing_pkg::second_half(half_q);
      address3_q <= address2_q;
    end
    if (written_q[2]) begin
      address_half_q <= tilefly_routing_pkg::first_half(seeded_q ^ {12'd0, address3_q, port_i});
      address4_q     <= address3_q;
    end
    if (written_q[3]) key_q <= tilefly_routing_pkg::second_half(address_half_q);
  end

  assign own_address_o = address4_q;
  assign key_o         = key_q;
  assign quiescent_o   = written_q == '0;

endmodule
