// SPDX-License-Identifier: Apache-2.0
// Granted packets in order of their grants' arrival, and the choice of the one that is sent next. Manual:
// docs/blocks/ingress.md, "Grants and transfer".
// Latency: a grant that arrives in cycle t can be picked in p >= t + 1; the pick is on the outputs (flops) in p + 1.
// Throughput: one grant a cycle; a pick every n_c cycles (n_c the cells of the packet picked before).
// Handshake: valid only; the list holds every entry there can be.
//
// A packet that is cut through may not start before a certain cycle. Only the packet that arrives just now can be in
// that case, but several copies of it. Entries that could not start when they were granted wait in a fifo of their
// own; the older of the two heads that may start is picked. An entry's age is its serial number.

module tilefly_grant_list #(
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
    /// number of the current cycle
    input  logic [       47:0] cycle_i,
    /// a packet that is cut through was admitted
    input  logic               arrives_i,
    /// number of the packet
    input  logic [PacketW-1:0] arriving_i,
    /// first cycle in which that packet may be picked
    input  logic [       47:0] pick_from_i,
    /// a grant arrives
    input  logic               grant_i,
    /// entry of the granted packet
    input  logic [ EntryW-1:0] entry_i,
    /// number of the granted packet
    input  logic [PacketW-1:0] packet_i,
    /// cells of the granted packet
    input  logic [        6:0] cells_i,
    /// queue of the granted packet
    input  logic [ QueueW-1:0] queue_i,
    /// a packet was picked
    output logic               pick_o,
    /// entry of the picked packet
    output logic [ EntryW-1:0] entry_o,
    /// number of the picked packet
    output logic [PacketW-1:0] packet_o,
    /// cells of the picked packet
    output logic [        6:0] cells_o,
    /// queue of the picked packet
    output logic [ QueueW-1:0] queue_o,
    /// nothing inside
    output logic               quiescent_o
);

  localparam int Entries = tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES;
  localparam int SerialW = EntryW + 1;  // ages differ by less than half its range
  localparam int Width = SerialW + EntryW + PacketW + 7 + QueueW;
  localparam int PacketAt = 7 + QueueW;

  logic [PacketW-1:0] arriving_q;  // the packet that was last admitted to be cut through
  logic [47:0] pick_from_q;
  logic [SerialW-1:0] serial_q;
  logic [6:0] busy_q;  // cycles until the next pick

  logic early;  // the arriving packet may not be picked yet
  logic waits;  // nor may the granted entry
  assign early = cycle_i < pick_from_q;
  assign waits = early && packet_i == arriving_q;

  logic [Width-1:0] granted, started, waiting;
  logic [Width-SerialW-1:0] winner;
  logic none_started, none_waiting, may_waiting, older_waiting, pick, pick_waiting;
  assign granted = {serial_q, entry_i, packet_i, cells_i, queue_i};

  /* verilator lint_off PINCONNECTEMPTY */  // there is room for all that an input may have been granted
  tilefly_fifo #(
      .Width(Width),
      .Depth(Entries)
  ) u_started (
      .clk_i,
      .rst_ni,
      .push_i (grant_i && !waits),
      .data_i (granted),
      .pop_i  (pick && !pick_waiting),
      .head_o (started),
      .empty_o(none_started),
      .full_o ()
  );

  tilefly_fifo #(
      .Width(Width),
      .Depth(Entries)
  ) u_waiting (
      .clk_i,
      .rst_ni,
      .push_i (grant_i && waits),
      .data_i (granted),
      .pop_i  (pick_waiting),
      .head_o (waiting),
      .empty_o(none_waiting),
      .full_o ()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  function automatic logic is_before(input [SerialW-1:0] a, input [SerialW-1:0] b);
    is_before = ((a - b) >> (SerialW - 1)) != '0;
  endfunction

  always_comb begin
    may_waiting = !none_waiting && !(early && waiting[PacketAt+:PacketW] == arriving_q);
    older_waiting = none_started || is_before(waiting[Width-1-:SerialW], started[Width-1-:SerialW]);
    pick = busy_q == '0 && (may_waiting || !none_started);
    pick_waiting = pick && may_waiting && older_waiting;
    winner = pick_waiting ? waiting[Width-SerialW-1:0] : started[Width-SerialW-1:0];
  end

  logic valid_q;
  logic [Width-SerialW-1:0] winner_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pick_from_q <= '0;
      serial_q    <= '0;
      busy_q      <= '0;
      valid_q     <= 1'b0;
    end else begin
      if (arrives_i) pick_from_q <= pick_from_i;
      if (grant_i) serial_q <= serial_q + 1'b1;
      if (pick) busy_q <= winner[QueueW+:7] - 7'd1;
      else if (busy_q != '0) busy_q <= busy_q - 7'd1;
      valid_q <= pick;
    end
    if (arrives_i) arriving_q <= arriving_i;
    if (pick) winner_q <= winner;
  end

  assign pick_o = valid_q;
  assign {entry_o, packet_o, cells_o, queue_o} = winner_q;
  assign quiescent_o = none_started && none_waiting && busy_q == '0 && !valid_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_5 : assert (!(arrives_i && early));
    end
  end

endmodule
