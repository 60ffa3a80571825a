// SPDX-License-Identifier: Apache-2.0
// tilefly_retry_pace: word k is due floor(4k/m) cycles after word 0, and the packet's time is over ceil(4n/m) cycles after it, with the
// lanes m of word 0, whatever the lanes are later. The user gives a word when it is due (both ends), a first word any time behind a
// last one or before it (the receiver, after an error). Packets of any length.

module retry_pace (
    input logic       clk_i,
    input logic       clear_i,
    input logic [2:0] lanes_i,
    input logic       word_i,
    input logic       first_i,
    input logic       last_i
);

  logic started_q = 1'b0;
  logic due;

  tilefly_retry_pace u_pace (
      .clk_i,
      .rst_ni (started_q),
      .clear_i,
      .lanes_i,
      .word_i,
      .first_i,
      .last_i,
      .due_o  (due)
  );

  (* hierconn *)wire [2:0] \u_pace.lanes_q ;
  (* hierconn *)wire [1:0] \u_pace.phase_q , \u_pace.wait_q ;

  // Cycles since word 0 and words since, both modulo whole turns of 12 words, which take 48 quarters: 12, 16, 24 or 48 cycles.
  logic [2:0] lanes_q;
  logic [6:0] time_q;
  logic [3:0] words_q;
  logic ended_q, any_q;  // the last word was given; there was a word since `clear_i`
  logic [6:0] due_time, over_time;
  logic [2:0] lanes;
  logic [6:0] turn;
  assign lanes = lanes_i == '0 || lanes_i > 3'd4 ? 3'd4 : lanes_i;
  assign turn  = 7'(48 / 32'(lanes_q));

  always_comb begin
    due_time  = 7'd4 * 7'(words_q) / 7'(lanes_q);
    over_time = (7'd4 * 7'(words_q) + 7'(lanes_q) - 7'd1) / 7'(lanes_q);
  end

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q || clear_i) begin
      {any_q, ended_q, time_q, words_q} <= '0;
      lanes_q <= 3'd4;
    end else begin
      if (word_i && first_i) begin
        {any_q, ended_q, time_q, words_q} <= {1'b1, last_i, 7'd1, 4'd1};
        lanes_q <= lanes;
      end else if (word_i) begin
        ended_q <= last_i;
        words_q <= words_q == 4'd12 ? 4'd1 : words_q + 4'd1;
        time_q  <= words_q == 4'd12 ? time_q + 7'd1 - turn : time_q + 7'd1;
      end else if (!due) begin
        time_q <= time_q + 7'd1;
      end
    end
  end

  always_comb begin
    ENV_begins : assume (!word_i || first_i || any_q && !ended_q);
    COV_begins : cover (started_q && word_i && !first_i && lanes_q == 3'd3 && words_q == 4'd12);
    ENV_when_due : assume (!word_i || first_i || due);
    COV_when_due : cover (started_q && any_q && !due && lanes_q == 3'd1 && words_q == 4'd3);
    if (started_q && any_q) begin
      due_then : assert (due == (time_q >= (ended_q ? over_time : due_time)));
      never_beyond : assert (time_q <= (ended_q ? over_time : due_time));
      kept : assert (lanes_q != '0 && lanes_q <= 3'd4 && words_q != '0 && words_q <= 4'd12);
      waits_so_long : assert (time_q + 7'(\u_pace.wait_q ) == (ended_q ? over_time : due_time));
      phase_of_the_word : assert (4'(\u_pace.phase_q ) == words_q % 4'd3);
      lanes_of_word_0 : assert (\u_pace.lanes_q == lanes_q || lanes_q == 3'd4 && (\u_pace.lanes_q == '0 || \u_pace.lanes_q > 3'd4));
    end
    COV_over : cover (started_q && ended_q && due && lanes_q == 3'd3 && words_q == 4'd2);
    COV_broken_off : cover (started_q && any_q && !ended_q && !due && word_i && first_i);
  end

endmodule
