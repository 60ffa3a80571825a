// SPDX-License-Identifier: Apache-2.0
// Virtual output queues: per (output, VL) a list of entries, linked through one memory. Manual: docs/blocks/ingress.md.
// Latency: answers are combinational on flops and memories; changes count from the next cycle on. Throughput: one
// append, one request and one grant a cycle. Handshake: none; requests and grants come only for queues that have the
// packet.
//
//   head -> [granted next] ... [requested] -> [next to be requested] ... [unrequested] <- tail

module tilefly_voq #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W,
    /// bits of an entry's number
    parameter int EntryW = $clog2(tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES),
    /// bits of a queue's number, {output, VL}
    parameter int QueueW = $clog2(tilefly_pkg::PORTS) + 4
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// an entry is appended
    input  logic               append_i,
    /// queue of the entry
    input  logic [ QueueW-1:0] append_queue_i,
    /// number of the entry
    input  logic [ EntryW-1:0] append_entry_i,
    /// number of the entry's packet
    input  logic [PacketW-1:0] append_packet_i,
    /// cells of the entry's packet
    input  logic [        6:0] append_cells_i,
    /// nothing in the entry's queue waits for a request
    input  logic               append_first_i,
    /// the oldest unrequested entry is requested
    input  logic               request_i,
    /// queue of that entry
    input  logic [ QueueW-1:0] request_queue_i,
    /// another entry of the queue, committed, is still unrequested
    input  logic               request_more_i,
    /// cells of the requested entry
    output logic [        6:0] request_cells_o,
    /// the head is granted and leaves its queue
    input  logic               grant_i,
    /// queue of the head
    input  logic [ QueueW-1:0] grant_queue_i,
    /// number of the granted entry
    output logic [ EntryW-1:0] grant_entry_o,
    /// number of the granted entry's packet
    output logic [PacketW-1:0] grant_packet_o,
    /// cells of the granted entry
    output logic [        6:0] grant_cells_o
);

  localparam int Entries = tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES;
  localparam int Queues = tilefly_pkg::PORTS * tilefly_pkg::VLS;

  logic [EntryW-1:0] next_mem[Entries];
  logic [PacketW+7-1:0] entry_mem[Entries];  // {packet, cells}
  logic [EntryW-1:0] head_mem[Queues];
  logic [EntryW-1:0] tail_mem[Queues];
  logic [EntryW-1:0] unrequested_mem[Queues];  // oldest unrequested entry
  logic [Queues-1:0] filled_q;  // queues with an entry

  logic [EntryW-1:0] head, tail, unrequested;
  logic drains;  // the granted entry is its queue's last
  logic joins;  // the appended entry is not its queue's only one

  always_comb begin
    tail = '0;
    joins = 1'b0;
    if (append_i) begin
      tail = tail_mem[append_queue_i];
      joins = filled_q[append_queue_i] && !(drains && grant_queue_i == append_queue_i);
    end
  end

  always_comb begin
    head = '0;
    drains = 1'b0;
    grant_packet_o = '0;
    grant_cells_o = '0;
    if (grant_i) begin
      head = head_mem[grant_queue_i];
      drains = head == tail_mem[grant_queue_i];
      {grant_packet_o, grant_cells_o} = entry_mem[head];
    end
  end
  assign grant_entry_o = head;

  always_comb begin
    unrequested = '0;
    request_cells_o = '0;
    if (request_i) begin
      unrequested = unrequested_mem[request_queue_i];
      request_cells_o = entry_mem[unrequested][6:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      filled_q <= '0;
    end else begin
      if (grant_i && drains) filled_q[grant_queue_i] <= 1'b0;
      if (append_i) filled_q[append_queue_i] <= 1'b1;
    end
    if (append_i) begin
      entry_mem[append_entry_i] <= {append_packet_i, append_cells_i};
      tail_mem[append_queue_i]  <= append_entry_i;
      if (append_first_i) unrequested_mem[append_queue_i] <= append_entry_i;
      if (joins) next_mem[tail] <= append_entry_i;
      else head_mem[append_queue_i] <= append_entry_i;
    end
    if (request_i && request_more_i) unrequested_mem[request_queue_i] <= next_mem[unrequested];
    if (grant_i && !drains) head_mem[grant_queue_i] <= next_mem[head];
  end

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_4_filled : assert (!grant_i || filled_q[grant_queue_i]);
    end
  end

endmodule
