// SPDX-License-Identifier: Apache-2.0
// One flow channel for proofs: the shipped steps 3 and 4, tilefly_flow_ack and tilefly_flow_sweep, behind a packet of one cell that may be
// sent in any cycle. A sweep comes every 4 cycles.

module flow_one #(
    /// sweeps after which a generation is lost
    parameter int Deadline = 2
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    /// a packet is sent
    input  logic       send_i,
    /// an ack arrives
    input  logic       home_i,
    input  logic       mark_i,
    input  logic       gen_i,
    input  logic [1:0] ack_cells_i,
    input  logic [2:0] share_i,
    input  logic [2:0] full_i,
    input  logic [2:0] grow_i,
    input  logic [1:0] idle_i,
    /// place in the sweep: 0 is the channel's
    output logic [1:0] place_o,
    /// state, and after each step of the cycle
    output tilefly_flows_pkg::channel_t state_o,
    output tilefly_flows_pkg::channel_t sent_o,
    output tilefly_flows_pkg::channel_t acked_o,
    output tilefly_flows_pkg::channel_t swept_o,
    /// the ack acts
    output logic       acts_o,
    output logic       lost_o
);

  logic [tilefly_flows_pkg::CHANNEL_W-1:0] state_q;
  logic [1:0] place_q;
  logic stray, throttles, sweep_tells;
  tilefly_flows_pkg::channel_t of_ack, of_sweep;  // of a step that does not happen: 0
  tilefly_pkg::ack_t ack;
  assign state_o = state_q;
  assign place_o = place_q;

  always_comb begin
    ack       = '0;
    ack.mark  = mark_i;
    ack.gen   = gen_i;
    ack.share = 12'(share_i);
    ack.cells = 7'(ack_cells_i);
  end

  always_comb begin
    sent_o = state_o;
    if (send_i) sent_o.cells = state_o.cells + 1'b1;
    if (send_i) sent_o.idle = '0;
  end

  tilefly_flow_ack u_ack (
      .valid_i    (home_i),
      .known_i    (1'b1),
      .state_i    (sent_o),
      .ack_i      (ack),
      .full_i     (12'(full_i)),
      .grow_i,
      .state_o    (of_ack),
      .acts_o,
      .stray_o    (stray),
      .throttles_o(throttles)
  );

  tilefly_flow_sweep u_sweep (
      .valid_i   (place_q == '0),
      .entry_i   (1'b1),
      .state_i   (acked_o),
      .deadline_i(8'(Deadline)),
      .idle_i    (8'(idle_i)),
      .state_o   (of_sweep),
      .lost_o,
      .tell_o    (sweep_tells)
  );

  // A step that does not happen leaves the state as it is.
  assign acked_o = home_i ? of_ack : sent_o;
  assign swept_o = place_q == '0 ? of_sweep : acked_o;

  always @(posedge clk_i) begin
    place_q <= rst_ni ? place_q + 2'd1 : '0;
    state_q <= rst_ni ? swept_o : '0;
  end

endmodule
