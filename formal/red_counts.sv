// SPDX-License-Identifier: Apache-2.0
// What the CFU keeps of all ports side by side, bit by bit, is what the page says of each port in numbers: segments that came and what
// the last ones say, credits, and room, which is never below nothing and all home when nothing is out (RED-4). Any port of two is watched.
// Made small: a fifo of six cells, launches of two, four entries, two segments without a credit.

module red_counts (
    input logic        clk_i,
    input logic        bound_i,
    input logic [ 1:0] segment_i,
    input logic [ 1:0] wants_i,
    input logic [ 1:0] ends_i,
    input logic [ 1:0] credit_i,
    input logic [15:0] counts_i,
    input logic [15:0] ups_i,
    input logic [15:0] downs_i,
    input logic [ 1:0] take_i,
    input logic [ 1:0] return_i,
    input logic [ 6:0] return_cells_i,
    input logic [ 1:0] free_i,
    input logic [13:0] free_cells_i
);

  localparam int Ports = 2;
  localparam int Entries = 4;
  localparam int Segments = 2;
  localparam int Room = 6;
  localparam int Cells = 2;

  (* anyconst *) logic p;
  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;

  logic [Ports-1:0] up_here, up_wants, up_ends, down_here, down_ends, up_credit, down_credit, room;

  tilefly_red_arrivals #(
      .Ports  (Ports),
      .Entries(Entries)
  ) u_arrivals (
      .clk_i,
      .rst_ni     (started_q),
      .bound_i,
      .segment_i,
      .wants_i,
      .ends_i,
      .ups_i,
      .downs_i,
      .up_here_o  (up_here),
      .up_wants_o (up_wants),
      .up_ends_o  (up_ends),
      .down_here_o(down_here),
      .down_ends_o(down_ends)
  );

  tilefly_red_credits #(
      .Ports   (Ports),
      .Segments(Segments)
  ) u_credits (
      .clk_i,
      .rst_ni       (started_q),
      .bound_i,
      .credit_i,
      .counts_i,
      .ups_i,
      .downs_i,
      .up_credit_o  (up_credit),
      .down_credit_o(down_credit)
  );

  tilefly_red_room #(
      .Ports(Ports),
      .Room (Room),
      .Cells(Cells)
  ) u_room (
      .clk_i,
      .rst_ni       (started_q),
      .take_i,
      .return_i,
      .return_cells_i,
      .free_i,
      .free_cells_i,
      .room_o       (room)
  );

  (* hierconn *) wire [1:0] \u_arrivals.arrived_q[0] , \u_arrivals.arrived_q[1] , \u_arrivals.arrived_q[2] ,
      \u_arrivals.arrived_q[3] , \u_arrivals.arrived_q[4] , \u_arrivals.arrived_q[5] , \u_arrivals.arrived_q[6] ,
      \u_arrivals.arrived_q[7] , \u_arrivals.arrived_q[8] , \u_arrivals.arrived_q[9] , \u_arrivals.arrived_q[10] ,
      \u_arrivals.arrived_q[11] , \u_arrivals.arrived_q[12] , \u_arrivals.arrived_q[13] , \u_arrivals.arrived_q[14] ,
      \u_arrivals.arrived_q[15] ;
  wire [31:0] all_arrived = {\u_arrivals.arrived_q[15] , \u_arrivals.arrived_q[14] , \u_arrivals.arrived_q[13] ,
      \u_arrivals.arrived_q[12] , \u_arrivals.arrived_q[11] , \u_arrivals.arrived_q[10] , \u_arrivals.arrived_q[9] ,
      \u_arrivals.arrived_q[8] , \u_arrivals.arrived_q[7] , \u_arrivals.arrived_q[6] , \u_arrivals.arrived_q[5] ,
      \u_arrivals.arrived_q[4] , \u_arrivals.arrived_q[3] , \u_arrivals.arrived_q[2] , \u_arrivals.arrived_q[1] ,
      \u_arrivals.arrived_q[0] };
  (* hierconn *) wire [1:0] \u_arrivals.wants_q[0] , \u_arrivals.wants_q[1] , \u_arrivals.wants_q[2] , \u_arrivals.wants_q[3] ;
  wire [7:0] all_wants = {\u_arrivals.wants_q[3] , \u_arrivals.wants_q[2] , \u_arrivals.wants_q[1] , \u_arrivals.wants_q[0] };
  (* hierconn *) wire [1:0] \u_arrivals.ends_q[0] , \u_arrivals.ends_q[1] , \u_arrivals.ends_q[2] , \u_arrivals.ends_q[3] ;
  wire [7:0] all_ends = {\u_arrivals.ends_q[3] , \u_arrivals.ends_q[2] , \u_arrivals.ends_q[1] , \u_arrivals.ends_q[0] };
  (* hierconn *) wire [1:0] \u_credits.credit_q[0] , \u_credits.credit_q[1] , \u_credits.credit_q[2] , \u_credits.credit_q[3] ,
      \u_credits.credit_q[4] , \u_credits.credit_q[5] , \u_credits.credit_q[6] , \u_credits.credit_q[7] , \u_credits.credit_q[8] ,
      \u_credits.credit_q[9] , \u_credits.credit_q[10] , \u_credits.credit_q[11] , \u_credits.credit_q[12] ,
      \u_credits.credit_q[13] , \u_credits.credit_q[14] , \u_credits.credit_q[15] ;
  wire [31:0] all_credit = {\u_credits.credit_q[15] , \u_credits.credit_q[14] , \u_credits.credit_q[13] , \u_credits.credit_q[12] ,
      \u_credits.credit_q[11] , \u_credits.credit_q[10] , \u_credits.credit_q[9] , \u_credits.credit_q[8] ,
      \u_credits.credit_q[7] , \u_credits.credit_q[6] , \u_credits.credit_q[5] , \u_credits.credit_q[4] , \u_credits.credit_q[3] ,
      \u_credits.credit_q[2] , \u_credits.credit_q[1] , \u_credits.credit_q[0] };
  (* hierconn *) wire [1:0] \u_room.room_q[0] , \u_room.room_q[1] , \u_room.room_q[2] ;
  wire [5:0] all_room = {\u_room.room_q[2] , \u_room.room_q[1] , \u_room.room_q[0] };

  // The watched port's bits.
  logic [15:0] arrived, credit;
  logic [3:0] wants, ends;
  logic [2:0] home;
  logic [7:0] count;
  logic [6:0] freed;
  always_comb begin
    for (int b = 0; b < 16; b++) begin
      arrived[b] = all_arrived[2*b+32'(p)];
      credit[b]  = all_credit[2*b+32'(p)];
    end
    for (int e = 0; e < Entries; e++) begin
      wants[e] = all_wants[2*e+32'(p)];
      ends[e]  = all_ends[2*e+32'(p)];
    end
    for (int b = 0; b < 3; b++) home[b] = all_room[2*b+32'(p)];
    for (int b = 0; b < 8; b++) count[b] = counts_i[2*b+32'(p)];
    for (int b = 0; b < 7; b++) freed[b] = free_cells_i[2*b+32'(p)];
  end

  // Its numbers.
  logic [15:0] arrived_q, credit_q;
  logic [3:0] wants_q, ends_q;
  logic [9:0] room_q, room_d;
  logic [15:0] up_distance, down_distance;
  always_comb begin
    room_d = room_q - (take_i[p] ? 10'(Cells) : 10'd0) + (return_i[p] ? 10'(return_cells_i) : 10'd0) + (free_i[p] ? 10'(freed) : 10'd0);
    up_distance   = ups_i - credit_q;
    down_distance = downs_i - credit_q;
  end
  always @(posedge clk_i) begin
    room_q <= room_d;
    if (segment_i[p]) begin
      arrived_q               <= arrived_q + 16'd1;
      wants_q[arrived_q[1:0]] <= wants_i[p];
      ends_q[arrived_q[1:0]]  <= ends_i[p];
    end
    if (credit_i[p]) credit_q <= credit_q + {8'd0, 8'(count - credit_q[7:0])};
    if (!started_q || !bound_i) begin
      arrived_q <= '0;
      wants_q   <= '0;
      ends_q    <= '0;
      credit_q  <= '0;
    end
    if (!started_q) room_q <= 10'(Room);
  end

  always_comb begin
    // A launch takes what there is; what comes back was taken.
    ENV_takes : assume (!take_i[p] || room[p]);
    COV_takes : cover (started_q && take_i[p] && return_i[p] && free_i[p]);
    ENV_returns : assume (room_d <= 10'(Room));
    COV_returns : cover (started_q && room_q == '0 && room_d == 10'(Room));
    if (started_q) begin
      counts_segments : assert (arrived == arrived_q && wants == wants_q && ends == ends_q);
      counts_credits : assert (credit == credit_q);
      counts_room : assert ({7'd0, home} == room_q && room_q <= 10'(Room));
      knows_what_is_here : assert (up_here[p] == (arrived_q != ups_i) && down_here[p] == (arrived_q != downs_i));
      knows_what_it_says : assert (up_wants[p] == wants_q[ups_i[1:0]] && up_ends[p] == ends_q[ups_i[1:0]] &&
          down_ends[p] == ends_q[downs_i[1:0]]);
      knows_who_has_credit : assert (up_credit[p] == (up_distance < 16'(Segments)) && down_credit[p] == (down_distance < 16'(Segments)));
      knows_who_has_room : assert (room[p] == (room_q >= 10'(Cells)));
    end
    COV_credit_wraps : cover (started_q && credit_i[p] && credit_q == 16'd200 && count == 8'd3);
    COV_beyond_the_credit : cover (started_q && !up_credit[p] && up_distance == 16'(Segments));
  end

endmodule
