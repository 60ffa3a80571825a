// SPDX-License-Identifier: Apache-2.0
// A small Ethernet switch with AXI-Stream ports, the device of the guide "Bring your own switch" (docs/conformance.md):
// store and forward, a queue for each pair of input and output, round robin at the outputs.
//
// - Port i has the MAC 02:00:00:00:00:0i. A frame to another port's MAC leaves there, one to ff:ff:ff:ff:ff:ff leaves by all
//   ports but its own; all others are dropped, and so are frames with tuser 1 on their last beat and those above LONGEST bytes.
// - An input takes a frame when there is room for the longest one in all of its queues.
module small_switch #(
  parameter int PORTS   = 4,
  parameter int W       = 64,    // bits of tdata; two beats or more hold the 14 bytes of the Ethernet header
  parameter int LONGEST = 1514   // bytes of the longest frame
) (
  input  logic                 clk,
  input  logic                 rst,
  input  logic [PORTS*W-1:0]   s_axis_tdata,
  input  logic [PORTS*W/8-1:0] s_axis_tkeep,
  input  logic [PORTS-1:0]     s_axis_tvalid,
  output logic [PORTS-1:0]     s_axis_tready,
  input  logic [PORTS-1:0]     s_axis_tlast,
  input  logic [PORTS-1:0]     s_axis_tuser,
  output logic [PORTS*W-1:0]   m_axis_tdata,
  output logic [PORTS*W/8-1:0] m_axis_tkeep,
  output logic [PORTS-1:0]     m_axis_tvalid,
  input  logic [PORTS-1:0]     m_axis_tready,
  output logic [PORTS-1:0]     m_axis_tlast
);
  localparam int K = W / 8;
  localparam int BEATS = (LONGEST + K - 1) / K;        // of the longest frame
  localparam int DEPTH = 1 << $clog2(3 * BEATS + 1);   // beats of a queue
  localparam int AW = $clog2(DEPTH);
  localparam int PW = $clog2(PORTS);

  typedef struct packed {
    logic         last;
    logic [K-1:0] keep;
    logic [W-1:0] data;
  } beat_t;

  // What an output sees of the queues towards it.
  logic [PORTS-1:0][PORTS-1:0] ready_q;   // [output][input]: a whole frame waits
  logic [PORTS-1:0][PORTS-1:0] pop;       // [output][input]
  beat_t                       head [PORTS][PORTS];

  for (genvar i = 0; i < PORTS; i++) begin : g_in
    logic [W-1:0] data;
    logic [K-1:0] keep;
    assign data = s_axis_tdata[i*W +: W];
    assign keep = s_axis_tkeep[i*K +: K];

    logic in_frame_q, taking, last_beat;
    logic [PORTS-1:0] room;
    assign s_axis_tready[i] = in_frame_q || (&room);
    assign taking = s_axis_tvalid[i] && s_axis_tready[i];
    assign last_beat = taking && s_axis_tlast[i];

    // The destination MAC is in the first six bytes, the first one lowest: of the first beat.
    logic [47:0] mac;
    logic [PORTS-1:0] outputs, outputs_q;
    for (genvar b = 0; b < 6; b++) begin : g_mac
      assign mac[8*(5-b) +: 8] = data[8*b +: 8];
    end
    always_comb begin
      outputs = '0;
      if (mac == '1) outputs = ~(PORTS'(1) << i);
      else if (mac[47:PW] == 48'h0200_0000_0000 >> PW && mac[PW-1:0] != PW'(i)) outputs[mac[PW-1:0]] = 1'b1;
      if (in_frame_q) outputs = outputs_q;
    end

    logic [15:0] bytes_q, bytes;
    always_comb begin
      bytes = in_frame_q ? bytes_q : 16'd0;
      for (int k = 0; k < K; k++) bytes += 16'(keep[k]);
    end
    logic too_long;
    assign too_long = bytes > 16'(LONGEST);

    always_ff @(posedge clk) begin
      if (taking) begin
        in_frame_q <= !s_axis_tlast[i];
        outputs_q <= too_long ? '0 : outputs;
        bytes_q <= too_long ? 16'(LONGEST + 1) : bytes;
      end
      if (rst) in_frame_q <= 1'b0;
    end

    for (genvar o = 0; o < PORTS; o++) begin : g_queue
      beat_t mem [DEPTH];
      logic [AW:0] write_q, begin_q, read_q;   // begin_q: behind the last whole frame
      logic keeps;
      assign keeps = outputs[o] && !too_long;
      assign room[o] = (AW+1)'(begin_q - read_q) <= (AW+1)'(DEPTH - BEATS);
      assign ready_q[o][i] = begin_q != read_q;
      assign head[o][i] = mem[read_q[AW-1:0]];
      always_ff @(posedge clk) begin
        if (taking && keeps) begin
          mem[write_q[AW-1:0]] <= '{last: s_axis_tlast[i], keep: keep, data: data};
          write_q <= write_q + 1'b1;
        end
        if (last_beat) begin
          if (keeps && !s_axis_tuser[i]) begin_q <= write_q + 1'b1;
          else write_q <= begin_q;
        end
        if (pop[o][i]) read_q <= read_q + 1'b1;
        if (rst) begin
          write_q <= '0;
          begin_q <= '0;
          read_q <= '0;
        end
      end
    end
  end

  for (genvar o = 0; o < PORTS; o++) begin : g_out
    logic          busy_q;
    logic [PW-1:0] from_q, next;
    logic          found;
    always_comb begin
      found = 1'b0;
      next = from_q;
      for (int n = PORTS; n >= 1; n--) begin
        if (ready_q[o][PW'(from_q + PW'(n))]) begin
          next = PW'(from_q + PW'(n));
          found = 1'b1;
        end
      end
    end
    beat_t beat;
    assign beat = head[o][from_q];
    assign m_axis_tdata[o*W +: W] = beat.data;
    assign m_axis_tkeep[o*K +: K] = beat.keep;
    assign m_axis_tlast[o] = beat.last;
    assign m_axis_tvalid[o] = busy_q;
    logic sends;
    assign sends = busy_q && m_axis_tready[o];
    always_comb begin
      pop[o] = '0;
      pop[o][from_q] = sends;
    end
    always_ff @(posedge clk) begin
      if (!busy_q) begin
        busy_q <= found;
        from_q <= next;
      end else if (sends && beat.last) busy_q <= 1'b0;
      if (rst) begin
        busy_q <= 1'b0;
        from_q <= '0;
      end
    end
  end
endmodule
