// SPDX-License-Identifier: Apache-2.0
// tilefly_serdes_lanes with a MAC that takes packets of any length when it may, any errors, masks and registers, and a link that
// goes up and down: a packet has one m (LSV-5), a lane is left in both directions (LSV-6), and m is what is wanted one cycle after
// the MAC is empty while the far end's mask stays. MODE is written while the link is down and the MAC is empty.

module link_lanes #(
    /// 1: a bound that is too small by one cycle
    parameter int Tighter = 0
) (
    input logic        clk_i,
    input logic [47:0] cycle_i,
    input logic        retry_i,
    input logic        link_up_i,
    input logic [ 2:0] lanes_i,
    input logic [ 7:0] fail_i,
    input logic [ 7:0] back_i,
    input logic [ 3:0] off_i,
    input logic        written_i,
    input logic [ 3:0] lane_err_i,
    input logic        report_o_valid_i,
    input logic        avoid_valid_i,
    input logic [ 3:0] avoid_i,
    input logic        report_valid_i,
    input logic [10:0] report_seq_i,
    input logic        take_i,
    input logic        last_word_i
);

  localparam int Bound = 1 - Tighter;

  logic started_q = 1'b0;
  logic take_ok, nack;
  logic [2:0] m;
  logic [3:0] failed, back;
  logic busy_q;  // words of a packet are to come

  tilefly_serdes_lanes #(
      .EpochW(2)
  ) u_lanes (
      .clk_i,
      .rst_ni       (started_q),
      .cycle_i,
      .retry_i,
      .link_up_i,
      .lanes_i,
      .fail_i,
      .back_i,
      .off_i,
      .written_i,
      .lane_err_i,
      .report_o_valid_i,
      .lanes_valid_o(),
      .lanes_bad_o  (),
      .avoid_valid_i,
      .avoid_i,
      .report_valid_i,
      .report_seq_i,
      .mac_empty_i  (!busy_q),
      .m_o          (m),
      .take_ok_o    (take_ok),
      .nack_o       (nack),
      .nack_seq_o   (),
      .failed_o     (failed),
      .back_o       (back),
      .quiescent_o  ()
  );

  (* hierconn *) wire [3:0] \u_lanes.bad_q , \u_lanes.avoid_q ;
  (* hierconn *) wire [2:0] \u_lanes.m_q ;

  // What the page says, of the inputs: lanes that are bad, lanes that the far end avoids, how many are wanted.
  logic [3:0] bad_q, avoid_q, avoid;
  logic [2:0] count, wanted, left;
  logic works_q, same, settled_q;
  logic [3:0] mode_q;  // of the cycle before
  logic [2:0] packet_m_q;
  assign count = lanes_i == '0 || lanes_i > 3'd4 ? 3'd4 : lanes_i;
  always_comb begin
    wanted = '0;
    left   = '0;
    for (int i = 0; i < 4; i++) begin
      if (3'(i) < count && !avoid_q[i]) wanted = wanted + 3'd1;
      if (3'(i) < count && !bad_q[i]) left = left + 3'd1;
    end
    if (wanted == '0) wanted = 3'd1;
    avoid = avoid_q;
    if (!retry_i || !link_up_i) avoid = '0;
    else if (avoid_valid_i) avoid = avoid_i;
  end
  assign same = {retry_i, lanes_i} == mode_q;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    mode_q    <= {retry_i, lanes_i};
    works_q   <= started_q && retry_i && link_up_i;
    if (!started_q) begin
      {bad_q, avoid_q, busy_q, settled_q} <= '0;
      packet_m_q <= 3'd4;
    end else begin
      bad_q     <= retry_i && link_up_i ? bad_q & ~back | failed : '0;
      avoid_q   <= avoid;
      settled_q <= !busy_q && avoid == avoid_q;
      if (!busy_q && take_i && take_ok) begin
        busy_q     <= 1'b1;
        packet_m_q <= m;
      end else if (last_word_i) begin
        busy_q <= 1'b0;
      end
    end
  end

  always_comb begin
    ENV_mode : assume (!started_q || same || !works_q && !busy_q);
    COV_mode : cover (started_q && retry_i && !same && m == 3'd2);
    if (started_q) begin
      one_m_of_a_packet : assert (!busy_q || m == packet_m_q);
      if (retry_i && same && 32'(settled_q) >= Bound) m_is_wanted : assert (m == wanted);
      may_take_then : assert (take_ok == (!retry_i || m == wanted));
      m_at_least_one : assert (m >= 3'd1 && m <= 3'd4);
      if (retry_i && link_up_i) a_lane_is_left : assert (left != '0);
      // What is where.
      bad_is : assert (\u_lanes.bad_q == bad_q);
      avoid_is : assert (\u_lanes.avoid_q == avoid_q);
      m_is : assert (\u_lanes.m_q >= 3'd1 && \u_lanes.m_q <= 3'd4 && (retry_i || !busy_q || packet_m_q == count));
      down_is : assert (works_q || bad_q == '0 && avoid_q == '0);
    end
    COV_waits : cover (started_q && busy_q && m == 3'd4 && wanted == 3'd1);
    COV_last_lane : cover (started_q && works_q && left == 3'd1 && count == 3'd4 && lane_err_i == ~bad_q);
    COV_back : cover (started_q && back != '0 && failed != '0);
    COV_nack : cover (started_q && nack && m == 3'd3 && busy_q);
  end

endmodule
