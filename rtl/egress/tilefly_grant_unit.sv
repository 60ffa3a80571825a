// SPDX-License-Identifier: Apache-2.0
// Grants of one output, at most one a cycle: the Deficit Table's class, and the candidate of that class. Manual:
// docs/blocks/egress.md, "Decision t", docs/blocks/scheduler.md.
// Latency: the decision is combinational on the state; its grant is an event of the same cycle. Throughput: one grant a cycle.
// Handshake: none; it grants whenever it may (`run_i`), there is a candidate and the table has cells left for it. Order of
// choice: class, lane, row, input. Two candidates are looked up side by side in the request store: that of the class whose
// turn it is (`serve_*`) and, when the table goes on to its next entry, that of the entry's class (`next_*`).

module tilefly_grant_unit (
    /// clock
    input  logic                                                  clk_i,
    /// synchronous reset, active low
    input  logic                                                  rst_ni,
    /// number of the current cycle
    input  logic [                                          47:0] cycle_i,
    /// number of this port
    input  logic [                                           5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t                                     cfg_i,
    /// the port is enabled, its link up, and the output buffer has room for a packet of MTU_CELLS
    input  logic                                                  run_i,
    /// lanes of class c in bits [c*VLS +: VLS]
    input  logic [     tilefly_pkg::CLASSES*tilefly_pkg::VLS-1:0] class_lanes_i,
    /// (row r, lane v) has a request: bit r*VLS + v
    input  logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] has_i,
    /// lanes with a request in some row
    output logic [                          tilefly_pkg::VLS-1:0] want_o,
    /// those of these lanes that may send
    input  logic [                          tilefly_pkg::VLS-1:0] lane_ok_i,
    /// row r's channel may be given to a new owner
    input  logic [                         tilefly_pkg::OUT_ROWS-1:0] free_i,
    /// the owner of row r's channel has been granted as much as it may while another input waits
    input  logic [                         tilefly_pkg::OUT_ROWS-1:0] run_out_i,
    /// owner of row r's channel, in bits [r*4 +: 4]
    input  logic [                       tilefly_pkg::OUT_ROWS*4-1:0] owner_i,
    /// lanes in which the owner has a request, row r in bits [r*VLS +: VLS]
    input  logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] of_owner_i,
    /// lanes in which another input of row r has a request
    input  logic [        tilefly_pkg::OUT_ROWS*tilefly_pkg::VLS-1:0] of_others_i,
    /// look-up for the class whose turn it is: a row and a lane are chosen
    output logic                                                  serve_valid_o,
    /// the row
    output logic [                 $clog2(tilefly_pkg::OUT_ROWS)-1:0] serve_row_o,
    /// the lane
    output logic [                                           3:0] serve_vl_o,
    /// inputs of that row with a request in that lane
    input  logic [                       tilefly_pkg::ROW_IN-1:0] serve_inputs_i,
    /// the input of the row
    output logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] serve_input_o,
    /// cells of that input's head request; 0 when nothing is chosen
    input  logic [                                           6:0] serve_cells_i,
    /// look-up for the class of the next entry: a row and a lane are chosen
    output logic                                                  next_valid_o,
    /// the row
    output logic [                 $clog2(tilefly_pkg::OUT_ROWS)-1:0] next_row_o,
    /// the lane
    output logic [                                           3:0] next_vl_o,
    /// inputs of that row with a request in that lane
    input  logic [                       tilefly_pkg::ROW_IN-1:0] next_inputs_i,
    /// the input of the row
    output logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] next_input_o,
    /// cells of that input's head request; 0 when nothing is chosen
    input  logic [                                           6:0] next_cells_i,
    /// a grant is given
    output logic                                                  grant_o,
    /// the grant is for the request that the second look-up found
    output logic                                                  grant_next_o,
    /// row of the granted request
    output logic [                 $clog2(tilefly_pkg::OUT_ROWS)-1:0] row_o,
    /// lane of the granted request
    output logic [                                           3:0] vl_o,
    /// input of the granted request in its row
    output logic [               $clog2(tilefly_pkg::ROW_IN)-1:0] input_o,
    /// the request granted said `more`
    input  logic                                                  more_i,
    /// without requests nothing here would change
    output logic                                                  settled_o
);

  localparam int Rows = tilefly_pkg::OUT_ROWS;
  localparam int Inputs = tilefly_pkg::ROW_IN;
  localparam int Vls = tilefly_pkg::VLS;
  localparam int Classes = tilefly_pkg::CLASSES;
  localparam int RowW = $clog2(Rows);
  localparam int InputW = $clog2(Inputs);
  localparam int VlW = $clog2(Vls);
  localparam int ClassW = $clog2(Classes);

  logic [VlW-1:0] lane_pointer_q[Classes];
  logic [RowW-1:0] row_pointer_q[Vls];
  logic [InputW-1:0] input_pointer_q[Rows*Vls];

  always_comb begin
    want_o = '0;
    if (run_i && has_i != '0) begin
      for (int r = 0; r < Rows; r++) want_o = want_o | has_i[r*Vls+:Vls];
    end
  end

  // Classes with a request, and of these the ones that may send one.
  logic [Classes-1:0] wanted, sendable;
  always_comb begin
    wanted   = '0;
    sendable = '0;
    if (want_o != '0) begin
      for (int c = 0; c < Classes; c++) begin
        wanted[c]   = (want_o & class_lanes_i[c*Vls+:Vls]) != '0;
        sendable[c] = (lane_ok_i & class_lanes_i[c*Vls+:Vls]) != '0;
      end
    end
  end

  logic serve, next, grant_serve;
  logic [ClassW-1:0] serve_class, next_class;

  tilefly_scheduler u_scheduler (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .port_i,
      .cfg_i,
      .run_i,
      .wanted_i     (wanted),
      .sendable_i   (sendable),
      .serve_o      (serve),
      .serve_class_o(serve_class),
      .serve_cells_i,
      .next_o       (next),
      .next_class_o (next_class),
      .next_cells_i,
      .grant_serve_o(grant_serve),
      .grant_next_o,
      .more_i,
      .settled_o
  );

  // The two candidates.
  logic [Vls-1:0] serve_lanes, next_lanes;  // active lanes of the class
  logic [VlW-1:0] serve_lane, serve_lane_next, next_lane, next_lane_next;
  logic [RowW-1:0] serve_row_next, next_row_next;
  logic [InputW-1:0] serve_input_next, next_input_next;

  always_comb begin
    serve_lanes = '0;
    if (serve) serve_lanes = lane_ok_i & class_lanes_i[serve_class*Vls+:Vls];
  end
  always_comb begin
    next_lanes = '0;
    if (next) next_lanes = lane_ok_i & class_lanes_i[next_class*Vls+:Vls];
  end

  tilefly_candidate u_serve (
      .lanes_i        (serve_lanes),
      .has_i,
      .free_i,
      .run_out_i,
      .owner_i,
      .of_owner_i,
      .of_others_i,
      .lane_pointer_i (lane_pointer_q[serve_class]),
      .row_pointer_i  (row_pointer_q[serve_lane]),
      .input_pointer_i(input_pointer_q[{serve_row_o, serve_lane}]),
      .inputs_i       (serve_inputs_i),
      .valid_o        (serve_valid_o),
      .lane_o         (serve_lane),
      .lane_next_o    (serve_lane_next),
      .row_o          (serve_row_o),
      .row_next_o     (serve_row_next),
      .input_o        (serve_input_o),
      .input_next_o   (serve_input_next)
  );

  tilefly_candidate u_next (
      .lanes_i        (next_lanes),
      .has_i,
      .free_i,
      .run_out_i,
      .owner_i,
      .of_owner_i,
      .of_others_i,
      .lane_pointer_i (lane_pointer_q[next_class]),
      .row_pointer_i  (row_pointer_q[next_lane]),
      .input_pointer_i(input_pointer_q[{next_row_o, next_lane}]),
      .inputs_i       (next_inputs_i),
      .valid_o        (next_valid_o),
      .lane_o         (next_lane),
      .lane_next_o    (next_lane_next),
      .row_o          (next_row_o),
      .row_next_o     (next_row_next),
      .input_o        (next_input_o),
      .input_next_o   (next_input_next)
  );

  assign serve_vl_o = 4'(serve_lane);
  assign next_vl_o  = 4'(next_lane);

  // The one that is granted.
  logic [ClassW-1:0] class_granted;
  logic [VlW-1:0] lane, lane_next;
  logic [RowW-1:0] row_next;
  logic [InputW-1:0] input_next;

  assign grant_o       = grant_serve || grant_next_o;
  assign class_granted = grant_next_o ? next_class : serve_class;
  assign lane          = grant_next_o ? next_lane : serve_lane;
  assign lane_next     = grant_next_o ? next_lane_next : serve_lane_next;
  assign row_o         = grant_next_o ? next_row_o : serve_row_o;
  assign row_next      = grant_next_o ? next_row_next : serve_row_next;
  assign input_o       = grant_next_o ? next_input_o : serve_input_o;
  assign input_next    = grant_next_o ? next_input_next : serve_input_next;
  assign vl_o          = 4'(lane);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int c = 0; c < Classes; c++) lane_pointer_q[c] <= '0;
      for (int v = 0; v < Vls; v++) row_pointer_q[v] <= '0;
      for (int r = 0; r < Rows; r++) begin  // a loop of more than 64 rounds is not unrolled
        for (int v = 0; v < Vls; v++) input_pointer_q[r*Vls+v] <= '0;
      end
    end else if (grant_o) begin
      lane_pointer_q[class_granted] <= lane_next;
      row_pointer_q[lane]           <= row_next;
      if (free_i[row_o]) input_pointer_q[{row_o, lane}] <= input_next;
    end
  end

endmodule
