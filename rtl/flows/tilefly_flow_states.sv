// SPDX-License-Identifier: Apache-2.0
// States of a port's flow channels, entries first, class channels behind them. Manual: docs/blocks/flow_channel.md, "The table".
// Latency: reads are combinational; a write counts from the next cycle on. Throughput: `Accesses` reads and writes a cycle; of two writes
// to one channel the later one counts. Handshake: valid only.
// Entries are not reset: their users begin them at 0.

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
  localparam int CountW = tilefly_flows_pkg::COUNT_W;
  localparam int TimeW = tilefly_flows_pkg::TIME_W;
  localparam int WindowW = tilefly_flows_pkg::WINDOW_W;
  localparam int PathW = tilefly_flows_pkg::PATH_W;
  localparam int StateW = tilefly_flows_pkg::CHANNEL_W;
  // Where the parts of a state lie in it.
  localparam int HeldAt = PathW;
  localparam int WindowAt = HeldAt + WindowW;
  localparam int IdleAt = WindowAt + WindowW;
  localparam int AgeAt = IdleAt + TimeW;
  localparam int OldAt = AgeAt + TimeW;
  localparam int CellsAt = OldAt + CountW;
  localparam int FlagsAt = CellsAt + CountW;

  logic [4:0] flags_mem[Channels];  // {gen, throttled, begins, ready, tell}
  logic [CountW-1:0] cells_mem[Channels];
  logic [CountW-1:0] old_mem[Channels];
  logic [TimeW-1:0] age_mem[Channels];
  logic [TimeW-1:0] idle_mem[Channels];
  logic [WindowW-1:0] window_mem[Channels];
  logic [WindowW-1:0] held_mem[Channels];
  logic [PathW-1:0] path_mem[Channels];

  logic [ChannelW-1:0] channel;
  always_comb begin
    state_o = '0;
    channel = '0;
    for (int a = 0; a < Accesses; a++) begin
      if (read_i[a]) begin
        channel = channel_i[a*ChannelW+:ChannelW];
        state_o[a*StateW+:StateW] = {flags_mem[channel], cells_mem[channel], old_mem[channel], age_mem[channel], idle_mem[channel],
                                     window_mem[channel], held_mem[channel], path_mem[channel]};
      end
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
    for (int w = 0; w < Accesses; w++) begin
      if (write_i[w] && channel_i[w*ChannelW+:ChannelW] >= ChannelW'(Entries)) begin
        written           = state_i[w*StateW+:StateW];
        tc                = ClassW'(channel_i[w*ChannelW+:ChannelW] - ChannelW'(Entries));
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
    for (int w = 0; w < Accesses; w++) begin
      if (write_i[w]) begin
        flags_mem[channel_i[w*ChannelW+:ChannelW]]  <= state_i[w*StateW+FlagsAt+:5];
        cells_mem[channel_i[w*ChannelW+:ChannelW]]  <= state_i[w*StateW+CellsAt+:CountW];
        old_mem[channel_i[w*ChannelW+:ChannelW]]    <= state_i[w*StateW+OldAt+:CountW];
        age_mem[channel_i[w*ChannelW+:ChannelW]]    <= state_i[w*StateW+AgeAt+:TimeW];
        idle_mem[channel_i[w*ChannelW+:ChannelW]]   <= state_i[w*StateW+IdleAt+:TimeW];
        window_mem[channel_i[w*ChannelW+:ChannelW]] <= state_i[w*StateW+WindowAt+:WindowW];
        held_mem[channel_i[w*ChannelW+:ChannelW]]   <= state_i[w*StateW+HeldAt+:WindowW];
        path_mem[channel_i[w*ChannelW+:ChannelW]]   <= state_i[w*StateW+:PathW];
      end
    end
    if (!rst_ni || clear_i) begin
      for (int c = Entries; c < Channels; c++) begin
        flags_mem[c]  <= '0;
        cells_mem[c]  <= '0;
        old_mem[c]    <= '0;
        age_mem[c]    <= '0;
        idle_mem[c]   <= '0;
        window_mem[c] <= '0;
        held_mem[c]   <= '0;
        path_mem[c]   <= '0;
      end
    end
  end

  assign class_used_o  = class_used_q;
  assign class_holds_o = class_holds_q;

endmodule
