// SPDX-License-Identifier: Apache-2.0
// Keys of the entries of a port's flow channels: which entry has a key, and which is free. Manual: docs/blocks/flow_channel.md, "The
// table".
// Latency: look-ups are combinational on the table as it is in the cycle, and know of the entry that the cycle's packet takes.
// Throughput: a packet, an ack, a sweep, a pause and `Frees` entries that become free a cycle. Handshake: valid only.
// Entry number e = Ways * set + way.

module tilefly_flow_table #(
    /// bits of a set's number
    parameter int SetBits = 6,
    /// entries of a set, a power of two
    parameter int Ways    = 16,
    /// entries that may become free in a cycle
    parameter int Frees   = 6,
    /// bits of an entry's number
    parameter int EntryW  = SetBits + $clog2(Ways)
) (
    /// clock
    input  logic                                clk_i,
    /// synchronous reset, active low
    input  logic                                rst_ni,
    /// no entry is in use from the next cycle on
    input  logic                                clear_i,
    /// a packet looks for its key
    input  logic                                find_i,
    /// the key
    input  logic [tilefly_flows_pkg::KEY_W-1:0] find_key_i,
    /// an entry has it
    output logic                                found_o,
    /// a way of the key's set is free
    output logic                                room_o,
    /// the entry that has it, else the lowest free one of the set
    output logic                   [EntryW-1:0] entry_o,
    /// the free entry becomes the key's
    input  logic                                take_i,
    /// an ack looks for its key
    input  logic                                ack_i,
    /// the key
    input  logic [tilefly_flows_pkg::KEY_W-1:0] ack_key_i,
    /// an entry has it
    output logic                                ack_found_o,
    /// the entry
    output logic                   [EntryW-1:0] ack_entry_o,
    /// entry that is swept
    input  logic                   [EntryW-1:0] sweep_entry_i,
    /// it is in use
    output logic                                sweep_used_o,
    /// the NIC is told of an entry
    input  logic                                tell_i,
    /// the entry
    input  logic                   [EntryW-1:0] tell_entry_i,
    /// its key
    output logic [tilefly_flows_pkg::KEY_W-1:0] tell_key_o,
    /// entries become free; each of them is named once
    input  logic                    [Frees-1:0] free_i,
    /// the entries
    input  logic             [Frees*EntryW-1:0] free_entry_i,
    /// no entry is in use
    output logic                                empty_o
);

  localparam int Sets = 2 ** SetBits;
  localparam int WayW = $clog2(Ways);
  localparam int KeyW = tilefly_flows_pkg::KEY_W;

  logic [KeyW-1:0] key_mem[2**EntryW];  // of entries in use
  logic [Ways-1:0] used_mem[Sets];  // entries in use, a bit a way
  logic [Sets-1:0] known_q;  // sets of which an entry has been taken since the reset; the others are empty
  logic [EntryW:0] count_q;  // of entries in use

  // All bits of the key, so that both neighbours and far groups have different sets.
  function automatic [SetBits-1:0] set_of(input [KeyW-1:0] key);
    set_of = '0;
    for (int b = 0; b < KeyW; b++) set_of[b%SetBits] = set_of[b%SetBits] ^ key[b];
  endfunction

  logic [SetBits-1:0] set, ack_set;
  logic [Ways-1:0] used, ack_used;

  always_comb begin
    found_o = 1'b0;
    room_o  = 1'b0;
    entry_o = '0;
    set     = '0;
    used    = '0;
    if (find_i) begin
      set    = set_of(find_key_i);
      used   = known_q[set] ? used_mem[set] : '0;
      room_o = used != '1;
      for (int w = Ways - 1; w >= 0; w--) begin
        if (!used[w]) entry_o = {set, WayW'(w)};
      end
      for (int w = 0; w < Ways; w++) begin
        if (used[w] && key_mem[{set, WayW'(w)}] == find_key_i) begin
          found_o = 1'b1;
          entry_o = {set, WayW'(w)};
        end
      end
    end
  end

  always_comb begin
    ack_found_o = 1'b0;
    ack_entry_o = '0;
    ack_set     = '0;
    ack_used    = '0;
    if (ack_i) begin
      ack_set  = set_of(ack_key_i);
      ack_used = known_q[ack_set] ? used_mem[ack_set] : '0;
      for (int w = 0; w < Ways; w++) begin
        if (ack_used[w] && key_mem[{ack_set, WayW'(w)}] == ack_key_i) begin
          ack_found_o = 1'b1;
          ack_entry_o = {ack_set, WayW'(w)};
        end
      end
      if (take_i && ack_key_i == find_key_i) begin
        ack_found_o = 1'b1;
        ack_entry_o = entry_o;
      end
    end
  end

  logic [Ways-1:0] sweep_used;
  always_comb begin
    sweep_used = '0;
    if (!empty_o && known_q[sweep_entry_i[EntryW-1:WayW]]) sweep_used = used_mem[sweep_entry_i[EntryW-1:WayW]];
  end
  assign sweep_used_o = sweep_used[sweep_entry_i[WayW-1:0]] || (take_i && entry_o == sweep_entry_i);
  assign empty_o      = count_q == '0;

  always_comb begin
    tell_key_o = '0;
    if (tell_i) tell_key_o = key_mem[tell_entry_i];
  end

  logic [EntryW:0] freed;
  always_comb begin
    freed = '0;
    if (free_i != '0) for (int f = 0; f < Frees; f++) begin
      if (free_i[f]) freed = freed + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      count_q <= '0;
      known_q <= '0;
    end else if (take_i || free_i != '0) begin
      count_q <= count_q + (EntryW + 1)'(take_i) - freed;
      if (take_i) begin
        known_q[set]  <= 1'b1;
        used_mem[set] <= used | (Ways'(1) << entry_o[WayW-1:0]);
      end
      // After the packet's: it may be acknowledged in the cycle that takes the entry.
      for (int f = 0; f < Frees; f++) begin
        if (free_i[f]) used_mem[free_entry_i[f*EntryW+WayW+:SetBits]][free_entry_i[f*EntryW+:WayW]] <= 1'b0;
      end
    end
    if (take_i) key_mem[entry_o] <= find_key_i;
  end

  // Assertions: a key is in use at most once, and in its set.
`ifndef SYNTHESIS
  logic [Ways-1:0] same, ack_same;
  logic [KeyW-1:0] folded;
  always_comb begin
    same     = '0;
    ack_same = '0;
    folded   = '0;
    if (find_i) begin
      for (int b = 0; b < KeyW; b += SetBits) folded = folded ^ (find_key_i >> b);
      for (int w = 0; w < Ways; w++) same[w] = used[w] && key_mem[{set, WayW'(w)}] == find_key_i;
    end
    if (ack_i) begin
      for (int w = 0; w < Ways; w++) ack_same[w] = ack_used[w] && key_mem[{ack_set, WayW'(w)}] == ack_key_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      FLOW_5 : assert ((same & (same - 1'b1)) == '0 && (ack_same & (ack_same - 1'b1)) == '0);
      FLOW_5_set : assert (!take_i || (entry_o[EntryW-1:WayW] == folded[SetBits-1:0] && same == '0 && !used[entry_o[WayW-1:0]]));
    end
  end
`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (Ways < 2 || 2 ** WayW != Ways) $fatal(1, "tilefly_flow_table: Ways %0d; wanted: a power of two, 2 or more", Ways);
  end
`endif
`endif

endmodule
