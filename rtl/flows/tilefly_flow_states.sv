// SPDX-License-Identifier: Apache-2.0
// States of a port's flow channels, entries first, class channels behind them. Manual: docs/blocks/flow_channel.md, "The table".
// Latency: reads are combinational; a write counts from the next cycle on. Throughput: a read for each step of a cycle, and `Writes`
// writes; of two to one channel the later one counts. Handshake: valid only.
// Entries are not reset: their users begin them at 0.

module tilefly_flow_states #(
    /// entries
    parameter int Entries  = 1024,
    /// class channels
    parameter int Classes  = 8,
    /// writes in a cycle
    parameter int Writes   = 6,
    /// bits of a channel's number
    parameter int ChannelW = $clog2(Entries + Classes)
) (
    /// clock
    input  logic                                           clk_i,
    /// synchronous reset, active low
    input  logic                                           rst_ni,
    /// class channels are as after reset from the next cycle on
    input  logic                                           clear_i,
    /// class channels in use (flops)
    output logic                           [ Classes-1:0] class_used_o,
    /// class channels that hold packets (flops)
    output logic                           [ Classes-1:0] class_holds_o,
    /// a packet comes; else its channel is read as 0
    input  logic                                           packet_i,
    /// channel of the packet
    input  logic                            [ChannelW-1:0] packet_channel_i,
    /// its state
    output tilefly_flows_pkg::channel_t                    packet_o,
    /// a packet may be released
    input  logic                                           release_i,
    /// its channel
    input  logic                            [ChannelW-1:0] release_channel_i,
    /// its state
    output tilefly_flows_pkg::channel_t                    release_o,
    /// an ack comes
    input  logic                                           ack_i,
    /// its channel
    input  logic                            [ChannelW-1:0] ack_channel_i,
    /// its state
    output tilefly_flows_pkg::channel_t                    ack_o,
    /// an entry is swept
    input  logic                                           sweep_i,
    /// its number
    input  logic                            [ChannelW-1:0] sweep_channel_i,
    /// its state
    output tilefly_flows_pkg::channel_t                    sweep_o,
    /// a class channel is swept
    input  logic                                           sweep_class_i,
    /// its number
    input  logic                            [ChannelW-1:0] sweep_class_channel_i,
    /// its state
    output tilefly_flows_pkg::channel_t                    sweep_class_o,
    /// the NIC is told of an entry
    input  logic                                           tell_i,
    /// its number
    input  logic                            [ChannelW-1:0] tell_channel_i,
    /// its state
    output tilefly_flows_pkg::channel_t                    tell_o,
    /// writes
    input  logic                            [  Writes-1:0] write_i,
    /// their channels
    input  logic                   [Writes*ChannelW-1:0] write_channel_i,
    /// states written
    input  logic [Writes*tilefly_flows_pkg::CHANNEL_W-1:0] write_state_i
);

  localparam int Channels = Entries + Classes;
  localparam int ClassW = $clog2(Classes);
  localparam int CountW = tilefly_flows_pkg::COUNT_W;
  localparam int TimeW = tilefly_flows_pkg::TIME_W;
  localparam int WindowW = tilefly_flows_pkg::WINDOW_W;
  localparam int PathW = tilefly_flows_pkg::PATH_W;
  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;

  logic [3:0] flags_mem[Channels];  // {gen, throttled, ready, tell}
  logic [CountW-1:0] cells_mem[Channels];
  logic [CountW-1:0] old_mem[Channels];
  logic [TimeW-1:0] age_mem[Channels];
  logic [TimeW-1:0] idle_mem[Channels];
  logic [WindowW-1:0] window_mem[Channels];
  logic [WindowW-1:0] held_mem[Channels];
  logic [PathW-1:0] path_mem[Channels];

  always_comb begin
    packet_o = '0;
    if (packet_i) begin
      packet_o = {flags_mem[packet_channel_i], cells_mem[packet_channel_i], old_mem[packet_channel_i], age_mem[packet_channel_i],
                  idle_mem[packet_channel_i], window_mem[packet_channel_i], held_mem[packet_channel_i], path_mem[packet_channel_i]};
    end
  end
  always_comb begin
    release_o = '0;
    if (release_i) begin
      release_o = {flags_mem[release_channel_i], cells_mem[release_channel_i], old_mem[release_channel_i], age_mem[release_channel_i],
                   idle_mem[release_channel_i], window_mem[release_channel_i], held_mem[release_channel_i], path_mem[release_channel_i]};
    end
  end
  always_comb begin
    ack_o = '0;
    if (ack_i) begin
      ack_o = {flags_mem[ack_channel_i], cells_mem[ack_channel_i], old_mem[ack_channel_i], age_mem[ack_channel_i],
               idle_mem[ack_channel_i], window_mem[ack_channel_i], held_mem[ack_channel_i], path_mem[ack_channel_i]};
    end
  end
  always_comb begin
    sweep_o = '0;
    if (sweep_i) begin
      sweep_o = {flags_mem[sweep_channel_i], cells_mem[sweep_channel_i], old_mem[sweep_channel_i], age_mem[sweep_channel_i],
                 idle_mem[sweep_channel_i], window_mem[sweep_channel_i], held_mem[sweep_channel_i], path_mem[sweep_channel_i]};
    end
  end
  always_comb begin
    sweep_class_o = '0;
    if (sweep_class_i) begin
      sweep_class_o = {flags_mem[sweep_class_channel_i], cells_mem[sweep_class_channel_i], old_mem[sweep_class_channel_i],
                       age_mem[sweep_class_channel_i], idle_mem[sweep_class_channel_i], window_mem[sweep_class_channel_i],
                       held_mem[sweep_class_channel_i], path_mem[sweep_class_channel_i]};
    end
  end
  always_comb begin
    tell_o = '0;
    if (tell_i) begin
      tell_o = {flags_mem[tell_channel_i], cells_mem[tell_channel_i], old_mem[tell_channel_i], age_mem[tell_channel_i],
                idle_mem[tell_channel_i], window_mem[tell_channel_i], held_mem[tell_channel_i], path_mem[tell_channel_i]};
    end
  end

  // What is asked of all class channels at once is kept beside their states.
  logic [Classes-1:0] class_used_q, class_used_d, class_holds_q, class_holds_d;
  logic [ClassW-1:0] tc;
  /* verilator lint_off UNUSEDSIGNAL */  // of a state, what says whether the channel is in use
  tilefly_flows_pkg::channel_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  always_comb begin
    class_used_d  = class_used_q;
    class_holds_d = class_holds_q;
    written       = '0;
    tc            = '0;
    for (int w = 0; w < Writes; w++) begin
      if (write_i[w] && write_channel_i[w*ChannelW+:ChannelW] >= ChannelW'(Entries)) begin
        written           = write_state_i[w*StateW+:StateW];
        tc                = ClassW'(write_channel_i[w*ChannelW+:ChannelW] - ChannelW'(Entries));
        class_used_d[tc]  = tilefly_flows_pkg::in_use(written.throttled, written.cells, written.old, written.held);
        class_holds_d[tc] = written.held != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      class_used_q  <= '0;
      class_holds_q <= '0;
    end else begin
      class_used_q  <= class_used_d;
      class_holds_q <= class_holds_d;
    end
    for (int w = 0; w < Writes; w++) begin
      if (write_i[w]) begin
        {flags_mem[write_channel_i[w*ChannelW+:ChannelW]], cells_mem[write_channel_i[w*ChannelW+:ChannelW]],
         old_mem[write_channel_i[w*ChannelW+:ChannelW]], age_mem[write_channel_i[w*ChannelW+:ChannelW]],
         idle_mem[write_channel_i[w*ChannelW+:ChannelW]], window_mem[write_channel_i[w*ChannelW+:ChannelW]],
         held_mem[write_channel_i[w*ChannelW+:ChannelW]], path_mem[write_channel_i[w*ChannelW+:ChannelW]]} <=
            write_state_i[w*StateW+:StateW];
      end
    end
    if (!rst_ni || clear_i) begin
      for (int c = Entries; c < Channels; c++) begin
        {flags_mem[c], cells_mem[c], old_mem[c], age_mem[c], idle_mem[c], window_mem[c], held_mem[c], path_mem[c]} <= '0;
      end
    end
  end

  assign class_used_o  = class_used_q;
  assign class_holds_o = class_holds_q;

endmodule
