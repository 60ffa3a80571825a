// SPDX-License-Identifier: Apache-2.0
// The MAC of a port with retry, as far as tilefly_retry_out sees it: it takes a packet of any length when the sender has room and at most
// one is still owed, and gives the words any time later, one packet after the other, each behind the one before at the pace of the lanes
// or sooner. A word's bytes say which word it is: the packet's number since link up, modulo 16, the word's place, and whether it is the last.
// Packets that were taken before the link went down say that, and no number.

module retry_mac (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               link_up_i,
    input  logic         [2:0] lanes_i,
    /// the sender has room
    input  logic               ready_i,
    /// a packet is there to be taken, of so many words, 1 to 3
    input  logic               want_i,
    input  logic         [1:0] words_i,
    /// a word comes sooner than it must
    input  logic               go_i,
    output logic               take_o,
    output tilefly_pkg::word_t word_o,
    /// words taken and still to come; those of them that are of a link that went down
    output logic         [3:0] owed_o,
    output logic         [3:0] stale_o,
    /// packets taken whose last word has not come, without those
    output logic         [1:0] fresh_o,
    /// number of the next word that is not one of those, modulo 16, and its place
    output logic         [3:0] number_o,
    output logic         [1:0] place_o
);

  logic [1:0] owing_q;  // packets
  logic [1:0] length_q, next_q;  // words of the packet that comes and of the one behind it
  logic [1:0] place_q;
  logic [1:0] old_q;  // they were taken before the link went down
  logic [3:0] number_q;
  logic due, comes, ends;

  tilefly_retry_pace u_pace (
      .clk_i,
      .rst_ni,
      .clear_i(1'b0),
      .lanes_i,
      .word_i (comes),
      .first_i(place_q == '0),
      .last_i (ends),
      .due_o  (due)
  );

  assign take_o = want_i && ready_i && owing_q < 2'd2;
  assign comes  = owing_q != '0 && (go_i || place_q != '0 && due);
  assign ends   = place_q + 2'd1 == length_q;

  always_comb begin
    word_o       = '0;
    word_o.valid = comes;
    word_o.sop   = place_q == '0;
    word_o.eop   = ends;
    word_o.data  = 256'({old_q[0], number_q, place_q, ends});
  end

  assign owed_o   = owing_q == '0 ? '0 : 4'(length_q) - 4'(place_q) + (owing_q == 2'd2 ? 4'(next_q) : '0);
  assign stale_o  = (old_q[0] ? 4'(length_q) - 4'(place_q) : '0) + (old_q[1] ? 4'(next_q) : '0);
  assign fresh_o  = owing_q - 2'(old_q[0]) - 2'(old_q[1]);
  assign number_o = number_q;
  assign place_o  = old_q[0] ? '0 : place_q;

  logic leaves;
  logic [1:0] stays;
  assign leaves = comes && ends;
  assign stays  = owing_q - 2'(leaves);

  always_ff @(posedge clk_i) begin
    if (leaves) begin
      length_q <= next_q;
      old_q    <= old_q >> 1;
    end
    if (take_o && stays == 2'd0) length_q <= words_i;
    if (take_o && stays == 2'd1) next_q <= words_i;
    owing_q <= stays + 2'(take_o);
    if (comes) place_q <= ends ? '0 : place_q + 2'd1;
    if (leaves && !old_q[0]) number_q <= number_q + 4'd1;
    if (!link_up_i) begin
      number_q <= '0;
      old_q    <= {stays + 2'(take_o) == 2'd2, stays + 2'(take_o) != 2'd0};
    end
    if (!rst_ni) {owing_q, length_q, next_q, place_q, old_q, number_q} <= '0;
  end

endmodule
