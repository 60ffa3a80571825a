// SPDX-License-Identifier: Apache-2.0
// Packets of one return lane that wait at a port for row R, as cells. Manual: docs/blocks/reduction.md, "Return lanes", "Row R".
// Latency: a packet whose last word comes in cycle t (an event of t) is complete from t + 1; the cell is combinational. Throughput: a
// word in, a cell out a cycle. Handshake: valid only; the CFU keeps account of the room.
//
// Three words fill two cells: a bank for each third of a cell takes at most one half of a word a cycle.

module tilefly_red_fifo #(
    /// cells
    parameter int Room = tilefly_pkg::RED_ROOM
) (
    /// clock
    input  logic         clk_i,
    /// synchronous reset, active low
    input  logic         rst_ni,
    /// a word enters
    input  logic         word_i,
    /// the word is the first of a packet
    input  logic         first_i,
    /// the word is the last of a packet
    input  logic         eop_i,
    /// the upper half of the word is in use
    input  logic         upper_i,
    /// the word
    input  logic [255:0] data_i,
    /// cells of the packet, with its first word
    input  logic [  6:0] cells_i,
    /// virtual lane of the packet, with its first word
    input  logic [  3:0] vl_i,
    /// the oldest complete packet is asked for
    input  logic         ask_i,
    /// cells of the packet
    output logic [  6:0] cells_o,
    /// virtual lane of the packet
    output logic [  3:0] vl_o,
    /// a complete packet was not asked for
    output logic         ready_o,
    /// another complete packet was not asked for
    output logic         more_o,
    /// the oldest cell leaves
    input  logic         read_i,
    /// the oldest cell; 0 unless it leaves
    output logic [383:0] cell_o
);

  localparam int SlotW = $clog2(Room);
  localparam int CountW = $clog2(Room + 1);
  localparam int LastSlot = Room - 1;

  function automatic [SlotW-1:0] successor(input [SlotW-1:0] slot);
    successor = slot == LastSlot[SlotW-1:0] ? '0 : slot + 1'b1;
  endfunction

  logic [127:0] low_mem[Room];
  logic [127:0] middle_mem[Room];
  logic [127:0] high_mem[Room];
  logic [SlotW-1:0] write_q, read_q, after;  // after: the cell after the one that is written
  logic [1:0] phase_q, phase;  // of the word: 0 fills a cell's low and middle part, 1 its high one and the next one's low
  logic [10:0] kind_q;  // {cells, virtual lane} of the packet that comes
  logic [10:0] kind;
  logic full_upper;

  assign phase      = first_i ? 2'd0 : phase_q;
  assign after      = successor(write_q);
  assign full_upper = !eop_i || upper_i;
  assign kind       = first_i ? {cells_i, vl_i} : kind_q;

  always_ff @(posedge clk_i) begin
    if (word_i) begin
      case (phase)
        2'd0: begin
          low_mem[write_q]    <= data_i[127:0];
          middle_mem[write_q] <= data_i[255:128];
        end
        2'd1: begin
          high_mem[write_q] <= data_i[127:0];
          if (full_upper) low_mem[after] <= data_i[255:128];
        end
        default: begin
          middle_mem[write_q] <= data_i[127:0];
          high_mem[write_q]   <= data_i[255:128];
        end
      endcase
      phase_q <= phase == 2'd2 ? 2'd0 : phase + 2'd1;
      kind_q  <= kind;
    end
  end

  // The last word of a packet leaves the rest of its cell unused.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) write_q <= '0;
    else if (word_i && phase == 2'd1 && eop_i && upper_i) write_q <= successor(after);
    else if (word_i && (phase != 2'd0 || eop_i)) write_q <= after;
    if (!rst_ni) read_q <= '0;
    else if (read_i) read_q <= successor(read_q);
  end

  always_comb begin
    cell_o = '0;
    if (read_i) cell_o = {high_mem[read_q], middle_mem[read_q], low_mem[read_q]};
  end

  // Complete packets that were not asked for.
  logic [CountW-1:0] complete_q;
  logic comes, none;
  assign comes = word_i && eop_i;

  tilefly_fifo #(
      .Width(11),
      .Depth(Room)
  ) u_packets (
      .clk_i,
      .rst_ni,
      .push_i (comes),
      .data_i (kind),
      .pop_i  (ask_i),
      .head_o ({cells_o, vl_o}),
      .empty_o(none),
      /* verilator lint_off PINCONNECTEMPTY */  // room keeps it from ever being full
      .full_o ()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) complete_q <= '0;
    else if (comes && !ask_i) complete_q <= complete_q + 1'b1;
    else if (!comes && ask_i) complete_q <= complete_q - 1'b1;
  end
  assign ready_o = !none;
  assign more_o  = complete_q > CountW'(1);

  // Assertions.
  localparam int HeldW = CountW + 1;  // a packet too many does not wrap it
  logic [HeldW-1:0] held_q;  // cells of the packets inside
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= '0;
    else if ((word_i && first_i) || read_i) begin
      held_q <= held_q + (word_i && first_i ? HeldW'(cells_i) : '0) - HeldW'(read_i);
    end
    if (rst_ni) RED_4 : assert (held_q <= HeldW'(Room));
  end
`ifndef SYNTHESIS
  final begin
    if (rst_ni && $test$plusargs("tilefly_drained") != 0) RED_4_drained : assert (held_q == '0 && none);
  end
`endif

endmodule
