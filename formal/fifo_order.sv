// SPDX-License-Identifier: Apache-2.0
// tilefly_fifo: full and empty are exact (FIFO-1), and an entry, any one, comes out once, after those before it and
// unchanged (FIFO-2).

module fifo_order #(
    /// entries
    parameter int Depth = 3,
    /// bits of an entry
    parameter int Width = 2,
    /// bits of a count of entries
    parameter int CountW = $clog2(Depth + 1)
) (
    input logic             clk_i,
    input logic             push_i,
    input logic             pop_i,
    input logic [Width-1:0] data_i,
    /// this entry is the one that is followed
    input logic             follow_i
);

  logic started_q = 1'b0;
  logic empty, full;
  logic [Width-1:0] head;

  tilefly_fifo #(
      .Width(Width),
      .Depth(Depth)
  ) u_fifo (
      .clk_i,
      .rst_ni (started_q),
      .push_i,
      .data_i,
      .pop_i,
      .head_o (head),
      .empty_o(empty),
      .full_o (full)
  );

  logic [CountW-1:0] entries_q, ahead_q;  // entries inside; of these, before the one that is followed
  logic inside_q;  // it is in the fifo
  logic [Width-1:0] data_q;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    entries_q <= entries_q + push_i - pop_i;
    if (inside_q && pop_i) begin
      if (ahead_q == '0) inside_q <= 1'b0;
      else ahead_q <= ahead_q - 1'b1;
    end
    if (!inside_q && follow_i && push_i) begin
      inside_q <= 1'b1;
      ahead_q  <= entries_q - pop_i;
      data_q   <= data_i;
    end
    if (!started_q) begin
      entries_q <= '0;
      inside_q  <= 1'b0;
      ahead_q   <= '0;
    end
  end

  always_comb begin
    // The user's part of FIFO-1.
    ENV_room : assume (!started_q || !push_i || entries_q < Depth || pop_i);
    COV_room : cover (started_q && push_i && pop_i && entries_q == Depth);
    ENV_head : assume (!started_q || !pop_i || entries_q != '0);
    COV_head : cover (started_q && pop_i && !push_i && entries_q == 1);
    if (started_q) begin
      empty_is_exact : assert (empty == (entries_q == '0));
      full_is_exact : assert (full == (entries_q == Depth));
      comes_out : assert (!inside_q || !empty);
      in_its_turn_unchanged : assert (!inside_q || ahead_q != '0 || head == data_q);
    end
    COV_last_of_full : cover (started_q && inside_q && ahead_q == Depth - 1);
  end

endmodule
