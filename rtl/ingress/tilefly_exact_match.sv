// SPDX-License-Identifier: Apache-2.0
// Exact-match table: MAC address to port mask. Manual: docs/blocks/ingress.md, docs/reference/registers.md.
// Latency: a search in cycle t answers in t + 1 (flops), with the table as it is in t. Throughput: one search a cycle
// and tile port. Handshake: valid only; an answer stays until the tile port's next search.
// Set = XOR of the six bytes of the address; all ways are compared, the lowest that matches wins.

module tilefly_exact_match (
    /// clock
    input  logic              clk_i,
    /// register bus: a write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; the tables have no use for its port
    input  tilefly_pkg::cfg_t cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// search, one bit a tile port
    input  logic [       1:0] search_i,
    /// address, tile port l in bits [l*48 +: 48], first byte highest
    input  logic [    2*48-1:0] mac_i,
    /// found, one bit a tile port
    output logic [       1:0] hit_o,
    /// ports of the address, tile port l in bits [l*64 +: 64]
    output logic [    2*64-1:0] ports_o
);

  localparam int Sets = tilefly_pkg::MAC_SETS;
  localparam int Ways = tilefly_pkg::MAC_WAYS;
  localparam int SetW = $clog2(Sets);
  localparam int WayW = $clog2(Ways);
  localparam int IndexW = SetW + WayW;

  logic [tilefly_pkg::MAC_KEY_W-1:0] key_mem[Sets*Ways];  // {valid, address}
  logic [63:0] ports_mem[Sets*Ways];
  logic [1:0] hit_q;
  logic [127:0] ports_q;

  // An empty table at power-up; the contents survive a reset.
  initial begin
    for (int i = 0; i < Sets * Ways; i++) begin
      key_mem[i] = '0;
      ports_mem[i] = '0;
    end
  end

  function automatic [SetW-1:0] set_of(input [47:0] mac);
    reg [7:0] folded;
    folded = mac[47:40] ^ mac[39:32] ^ mac[31:24] ^ mac[23:16] ^ mac[15:8] ^ mac[7:0];
    set_of = SetW'(folded);
  endfunction

  // Ways are looked at from the highest down, so that the lowest match stays. {hit, index}.
  logic [2*(IndexW+1)-1:0] found;
  logic [SetW-1:0] set;
  always_comb begin
    found = '0;
    set = '0;
    for (int l = 0; l < 2; l++) begin
      if (search_i[l]) begin
        set = set_of(mac_i[l*48+:48]);
        for (int w = Ways - 1; w >= 0; w--) begin
          if (key_mem[{set, WayW'(w)}] == {1'b1, mac_i[l*48+:48]}) begin
            found[l*(IndexW+1)+:IndexW+1] = {1'b1, set, WayW'(w)};
          end
        end
      end
    end
  end

  logic write;
  tilefly_pkg::mac_key_t key;
  assign key = tilefly_pkg::get_mac_key(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && 32'(cfg_i.index) < Sets * Ways;

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < 2; l++) begin
      if (search_i[l]) begin
        hit_q[l] <= found[l*(IndexW+1)+IndexW];
        ports_q[l*64+:64] <= ports_mem[found[l*(IndexW+1)+:IndexW]];
      end
    end
    if (write && cfg_i.space == tilefly_pkg::CFG_MAC_KEY) key_mem[IndexW'(cfg_i.index)] <= key;
    if (write && cfg_i.space == tilefly_pkg::CFG_MAC_PORTS) ports_mem[IndexW'(cfg_i.index)] <= cfg_i.data;
  end

  assign hit_o   = hit_q;
  assign ports_o = ports_q;

endmodule
