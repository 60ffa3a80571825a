// SPDX-License-Identifier: Apache-2.0
// States of a port's flow channels, entries first, class channels behind them. Manual: docs/blocks/flow_channel.md, "The table".
// Latency: reads are combinational; a write counts from the next cycle on. Throughput: `Accesses` reads and writes a cycle; of two writes
// to one channel the later one counts. Handshake: valid only.
// The memory is not reset: users begin entries at 0, and a class channel's state counts once it has been written.

module tilefly_flow_states #(
    /// entries
    parameter int Entries  = 1024,
    /// class channels
    parameter int Classes  = 8,
    /// channels that are read and written in a cycle
    parameter int Accesses = 6,
    /// bits of a channel's number
    parameter int ChannelW = $clog2(Entries + Classes)
) (
    /// clock
    input  logic                                           clk_i,
    /// synchronous reset, active low
    input  logic                                           rst_ni,
    /// class channels are as after reset from the next cycle on
    input  logic                                           clear_i,
    /// channels are read; else 0 is the answer
    input  logic                                [Accesses-1:0] read_i,
    /// channels that are read and written
    input  logic                       [Accesses*ChannelW-1:0] channel_i,
    /// their states
    output logic [Accesses*tilefly_flows_pkg::CHANNEL_W-1:0]   state_o,
    /// channels are written
    input  logic                                [Accesses-1:0] write_i,
    /// states written
    input  logic [Accesses*tilefly_flows_pkg::CHANNEL_W-1:0]   state_i,
    /// class channels in use (flops)
    output logic                                 [Classes-1:0] class_used_o,
    /// class channels that hold packets (flops)
    output logic                                 [Classes-1:0] class_holds_o
);

  localparam int Channels = Entries + Classes;
  localparam int ClassW = $clog2(Classes);
  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;

  logic [StateW-1:0] state_mem[Channels];

  // Class of a channel that is no entry.
  function automatic [ClassW-1:0] class_of(input [ChannelW-1:0] number);
    class_of = ClassW'(number - ChannelW'(Entries));
  endfunction

  logic [Classes-1:0] class_known_q;  // class channels that have been written since the reset; the others are 0
  logic [ChannelW-1:0] channel;
  always_comb begin
    state_o = '0;
    channel = '0;
    for (int a = 0; a < Accesses; a++) begin
      if (read_i[a]) begin
        channel = channel_i[a*ChannelW+:ChannelW];
        if (channel < ChannelW'(Entries) || class_known_q[class_of(channel)]) state_o[a*StateW+:StateW] = state_mem[channel];
      end
    end
  end

  // What is asked of all class channels at once is kept beside their states.
  logic [Classes-1:0] class_used_q, class_used_d, class_holds_q, class_holds_d, class_known_d;
  logic [ClassW-1:0] tc;
  /* verilator lint_off UNUSEDSIGNAL */  // of a state, what says whether the channel is in use
  tilefly_flows_pkg::channel_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  always_comb begin
    class_used_d  = class_used_q;
    class_holds_d = class_holds_q;
    class_known_d = class_known_q;
    written       = '0;
    tc            = '0;
    if (write_i != '0) for (int w = 0; w < Accesses; w++) begin
      if (write_i[w] && channel_i[w*ChannelW+:ChannelW] >= ChannelW'(Entries)) begin
        written           = state_i[w*StateW+:StateW];
        tc                = class_of(channel_i[w*ChannelW+:ChannelW]);
        class_known_d[tc] = 1'b1;
        class_used_d[tc]  = tilefly_flows_pkg::in_use(written.throttled, written.cells, written.old, written.held);
        class_holds_d[tc] = written.held != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      class_used_q  <= '0;
      class_holds_q <= '0;
      class_known_q <= '0;
    end else if (write_i != '0) begin
      class_used_q  <= class_used_d;
      class_holds_q <= class_holds_d;
      class_known_q <= class_known_d;
    end
    for (int w = 0; w < Accesses; w++) begin
      if (write_i[w]) state_mem[channel_i[w*ChannelW+:ChannelW]] <= state_i[w*StateW+:StateW];
    end
  end

  assign class_used_o  = class_used_q;
  assign class_holds_o = class_holds_q;

endmodule
