// SPDX-License-Identifier: Apache-2.0
// SerDes lanes of a retry port. Incoming direction: judges the lanes by the errors that the FEC found in them, and tells the far
// end which ones it must not use. Outgoing direction: goes by the lanes that the far end does not avoid, m of them.
// Manual: docs/blocks/link_retry.md, "SerDes lanes".
// Latency: an error in cycle t is judged in t, and the mask is in the slot of `link_o` in t + 2; a mask on `link_i` in t stops takes
// from t + 1 on, and `m_o` (register) is the new one from t + 2 on if the MAC is empty. Handshake: valid only.
//
//   cycle  t          t + 1               t + 2
//          avoid_i    take_ok_o = 0       m_o is new, take_ok_o = 1, nack_o

module tilefly_serdes_lanes #(
    /// an epoch has 2^EpochW cycles
    parameter int EpochW = 14
) (
    /// clock
    input  logic        clk_i,
    /// synchronous reset, active low
    input  logic        rst_ni,
    /// number of the current cycle; only the place in its epoch counts
    /* verilator lint_off UNUSEDSIGNAL */  // bits above EpochW
    input  logic [47:0] cycle_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the port is a retry port
    input  logic        retry_i,
    /// the link works
    input  logic        link_up_i,
    /// MODE.lanes; values outside of 1..4 work as 4; changes only while the link is down
    input  logic [ 2:0] lanes_i,
    /// errors of a lane in an epoch that make it bad; 0: never
    input  logic [ 7:0] fail_i,
    /// epochs without an error after which a bad lane is good again; 0: never
    input  logic [ 7:0] back_i,
    /// lanes that software takes out of use
    input  logic [ 3:0] off_i,
    /// register LANES is written by an event of this cycle
    input  logic        written_i,
    /// lanes in which the FEC found errors in this cycle
    input  logic [ 3:0] lane_err_i,
    /// the receiver's block has a report in its registers
    input  logic        report_o_valid_i,
    /// the slot that is on `link_o` in the next cycle has a mask
    output logic        lanes_valid_o,
    /// the mask: lanes that this port does not want to receive on
    output logic [ 3:0] lanes_bad_o,
    /// the slot on `link_i` has a mask; 0 if the slot is bad
    input  logic        avoid_valid_i,
    /// that mask
    input  logic [ 3:0] avoid_i,
    /// the slot on `link_i` has a report; 0 if the slot is bad
    input  logic        report_valid_i,
    /// number that the far end expects
    input  logic [10:0] report_seq_i,
    /// the MAC has no word of a packet to come
    input  logic        mac_empty_i,
    /// lanes in use, outgoing direction, 1 to 4; L of this cycle at a port that is no retry port
    output logic [ 2:0] m_o,
    /// m is what is wanted: a packet may be taken
    output logic        take_ok_o,
    /// the port's own nack, for the sender's block in this cycle
    output logic        nack_o,
    /// its number; 0 if there is no nack
    output logic [10:0] nack_seq_o,
    /// lanes that become bad in this cycle
    output logic [ 3:0] failed_o,
    /// lanes that become good in this cycle
    output logic [ 3:0] back_o,
    /// no lane is bad or has errors, nothing is due, and m is what is wanted
    output logic        quiescent_o
);

  localparam int Lanes = 4;

  function automatic [2:0] count(input [Lanes-1:0] lanes);
    count = 3'(lanes[0]) + 3'(lanes[1]) + 3'(lanes[2]) + 3'(lanes[3]);
  endfunction

  logic works, epoch_begins;
  logic [Lanes-1:0] present;  // lanes < L
  assign works = retry_i && link_up_i;
  assign epoch_begins = cycle_i[EpochW-1:0] == '0;
  always_comb begin
    case (lanes_i)
      3'd1: present = 4'b0001;
      3'd2: present = 4'b0011;
      3'd3: present = 4'b0111;
      default: present = 4'b1111;
    endcase
  end

  // Incoming direction. Events of a cycle in their order: the epoch begins, errors are counted, one lane fails.
  logic [Lanes-1:0] bad_q, still_bad, comes_back, over, lowest_over, fails;
  logic due_q;

  // Of lane i in bits [8*i +: 8]. Where the lanes do not work, nothing of them is worked out: a port without retry costs little time of a
  // simulation.
  logic [8*Lanes-1:0] errors_q, errors, quiet_q, quiet;
  logic [7:0] counted, calm;
  always_comb begin
    quiet      = '0;
    errors     = '0;
    comes_back = '0;
    over       = '0;
    counted    = '0;
    calm       = '0;
    if (works) begin
      for (int i = 0; i < Lanes; i++) begin
        calm = quiet_q[8*i+:8];
        if (epoch_begins && bad_q[i]) begin
          if (errors_q[8*i+:8] != '0) calm = '0;
          else if (calm != '1) calm = calm + 8'd1;
        end
        counted = epoch_begins ? '0 : errors_q[8*i+:8];
        if (lane_err_i[i] && present[i] && counted != '1) counted = counted + 8'd1;
        quiet[8*i+:8]  = calm;
        errors[8*i+:8] = counted;
        comes_back[i]  = epoch_begins && bad_q[i] && back_i != '0 && calm >= back_i;
        over[i]        = present[i] && (!bad_q[i] || comes_back[i]) && fail_i != '0 && counted >= fail_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !works) begin
      errors_q <= '0;
      quiet_q  <= '0;
    end else begin
      errors_q <= errors;
      quiet_q  <= quiet;
      for (int i = 0; i < Lanes; i++) begin
        if (fails[i]) errors_q[8*i+:8] <= '0;
        if (fails[i] || comes_back[i]) quiet_q[8*i+:8] <= '0;
      end
    end
  end

  always_comb begin
    still_bad   = '0;
    lowest_over = '0;
    fails       = '0;
    if (works) begin
      still_bad   = bad_q & ~comes_back;
      lowest_over = over & (~over + 4'd1);
      if ((present & ~still_bad & ~off_i & ~lowest_over) != '0) fails = lowest_over;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !works) begin
      bad_q <= '0;
      due_q <= 1'b0;
    end else begin
      bad_q <= still_bad | fails;
      due_q <= comes_back != '0 || fails != '0 || written_i;
    end
  end

  // Outgoing direction.
  logic [Lanes-1:0] avoid_q, avoid_more;
  logic again_q;
  logic [10:0] heard_q;  // number of the latest report since link up
  logic [2:0] m_q, m_next, usable, wanted;

  always_comb begin
    usable     = '0;
    wanted     = '0;
    avoid_more = '0;
    take_ok_o  = 1'b1;
    nack_o     = 1'b0;
    nack_seq_o = '0;
    m_o        = count(present);
    m_next     = m_o;
    if (retry_i) begin
      usable    = count(present & ~avoid_q);
      wanted    = usable == '0 ? 3'd1 : usable;
      take_ok_o = m_q == wanted;
      m_o       = m_q;
      m_next    = !take_ok_o && mac_empty_i ? wanted : m_q;
      nack_o    = works && take_ok_o && again_q && !report_valid_i;
      if (avoid_valid_i) avoid_more = avoid_i & ~avoid_q & present;
      if (nack_o) nack_seq_o = heard_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !works) begin
      avoid_q <= '0;
      again_q <= 1'b0;
      heard_q <= '0;
    end else begin
      if (avoid_valid_i) avoid_q <= avoid_i;
      if (avoid_more != '0) again_q <= 1'b1;  // wins over the nack
      else if (nack_o) again_q <= 1'b0;
      if (report_valid_i) heard_q <= report_seq_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) m_q <= 3'(Lanes);
    else m_q <= m_next;
  end

  assign lanes_valid_o = retry_i && (due_q || report_o_valid_i);
  assign lanes_bad_o   = lanes_valid_o ? bad_q | off_i : '0;
  assign failed_o      = fails;
  assign back_o        = comes_back;
  assign quiescent_o   = !retry_i || (bad_q == '0 && errors_q == '0 && !due_q && !again_q && take_ok_o);

  // Assertions.
`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) LSV_6 : assert (m_q != '0 && m_q <= 3'(Lanes));
    if (rst_ni && m_next != m_q) LSV_5 : assert (mac_empty_i && !(retry_i && take_ok_o));
    if (rst_ni && works) LSV_6_bad : assert ((present & ~bad_q) != '0);
  end
`endif

endmodule
