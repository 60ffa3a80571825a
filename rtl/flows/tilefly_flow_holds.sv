// SPDX-License-Identifier: Apache-2.0
// Hold queues of a port's flow channels: packets that wait for their turn, by channel, in the order in which they came. Manual:
// docs/blocks/flow_channel.md, "Rules of cycle t".
// Latency: the first packet of a channel is combinational on the queues as they are in the cycle. Throughput: one packet in and one
// out a cycle, of one channel too. Handshake: valid only; a queue from which a packet is taken has one.
// Nothing is reset: the channel's `held` says whether its queue has packets.

module tilefly_flow_holds #(
    /// channels
    parameter int Channels = 1032,
    /// packets that there may be
    parameter int Packets  = tilefly_pkg::CELLS,
    /// bits of a channel's number
    parameter int ChannelW = $clog2(Channels),
    /// bits of a packet's number
    parameter int PacketW  = $clog2(Packets),
    /// bits of what is kept of a packet
    parameter int NoteW    = 17
) (
    /// clock
    input  logic                clk_i,
    /// a packet is appended
    input  logic                push_i,
    /// its channel
    input  logic [ChannelW-1:0] push_channel_i,
    /// the queue has no packet
    input  logic                push_first_i,
    /// number of the packet
    input  logic [ PacketW-1:0] push_packet_i,
    /// what is kept of it
    input  logic [   NoteW-1:0] push_note_i,
    /// the first packet of a channel is looked at; else 0 is the answer
    input  logic                look_i,
    /// the channel
    input  logic [ChannelW-1:0] look_channel_i,
    /// number of its first packet
    output logic [ PacketW-1:0] packet_o,
    /// what was kept of it
    output logic [   NoteW-1:0] note_o,
    /// it leaves the queue
    input  logic                pop_i
);

  logic [PacketW-1:0] head_mem[Channels];
  logic [PacketW-1:0] tail_mem[Channels];
  logic [PacketW-1:0] next_mem[Packets];
  logic [NoteW-1:0] note_mem[Packets];

  always_comb begin
    packet_o = '0;
    note_o   = '0;
    if (look_i) begin
      packet_o = head_mem[look_channel_i];
      note_o   = note_mem[packet_o];
    end
  end

  // The packet behind the one that leaves, which may come in this cycle.
  logic [PacketW-1:0] tail, behind;
  always_comb begin
    tail = '0;
    if (push_i) tail = tail_mem[push_channel_i];
  end
  always_comb begin
    behind = '0;
    if (pop_i) begin
      behind = next_mem[packet_o];
      if (push_i && push_channel_i == look_channel_i && tail == packet_o) behind = push_packet_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) begin
      tail_mem[push_channel_i] <= push_packet_i;
      note_mem[push_packet_i]  <= push_note_i;
      if (push_first_i) head_mem[push_channel_i] <= push_packet_i;
      else next_mem[tail] <= push_packet_i;
    end
    if (pop_i) head_mem[look_channel_i] <= behind;
  end

endmodule
