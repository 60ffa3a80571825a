// SPDX-License-Identifier: Apache-2.0
// Ownership of the column channels of one output: which input of each row may be granted, so that two cells never meet.
// Manual: docs/blocks/egress.md, "Channel".
// Latency: a grant or an arrival in cycle t (an event of t) is visible from t + 1. Throughput: one grant a cycle, one first cell
// a row and cycle. Handshake: valid only; a grant goes to a free channel or to its owner.

module tilefly_channels (
    /// clock
    input  logic                           clk_i,
    /// synchronous reset, active low
    input  logic                           rst_ni,
    /// number of the current cycle
    input  logic [                   47:0] cycle_i,
    /// the first cell of a packet arrives on row r's channel
    input  logic [  tilefly_pkg::OUT_ROWS-1:0] first_i,
    /// cells of that packet, row r in bits [r*7 +: 7]
    input  logic [tilefly_pkg::OUT_ROWS*7-1:0] first_cells_i,
    /// a packet is granted
    input  logic                           grant_i,
    /// row of the packet
    input  logic [$clog2(tilefly_pkg::OUT_ROWS)-1:0] grant_row_i,
    /// input of the packet in its row
    input  logic [$clog2(tilefly_pkg::ROW_IN)-1:0] grant_input_i,
    /// cells of the packet
    input  logic [                    6:0] grant_cells_i,
    /// row r's channel may be given to a new owner
    output logic [  tilefly_pkg::OUT_ROWS-1:0] free_o,
    /// the owner of row r's channel has been granted as much as it may while another input waits
    output logic [  tilefly_pkg::OUT_ROWS-1:0] run_out_o,
    /// row r's channel has grants outstanding
    output logic [  tilefly_pkg::OUT_ROWS-1:0] outstanding_o,
    /// owner of row r's channel, in bits [r*4 +: 4]
    output logic [tilefly_pkg::OUT_ROWS*4-1:0] owner_o
);

  localparam int Rows = tilefly_pkg::OUT_ROWS;
  localparam int RowW = $clog2(Rows);
  localparam int InputW = $clog2(tilefly_pkg::ROW_IN);
  localparam int RunLimit = tilefly_pkg::RUN_LIMIT_CELLS;
  localparam int Lead = tilefly_pkg::OWNER_LEAD_CYCLES;
  localparam int CountW = $clog2(tilefly_pkg::OBUF_CELLS + 1);  // every granted packet has a cell of room
  localparam int RunW = 7;

  // Cycles from the first cell's arrival until the channel may change hands.
  function automatic [47:0] hold_cycles(input [6:0] cells);
    hold_cycles = cells > 7'(Lead + 1) ? 48'(cells) - 48'(Lead) : 48'd1;
  endfunction
  function automatic [RunW-1:0] saturating_sum(input [RunW-1:0] run, input [6:0] cells);
    saturating_sum = {1'b0, run} + {1'b0, cells} > 8'd127 ? '1 : run + cells;
  endfunction

  generate
    for (genvar r = 0; r < Rows; r++) begin : gen_row
      logic [CountW-1:0] outstanding_q;
      logic [47:0] free_at_q;
      logic [InputW-1:0] owner_q;
      logic [RunW-1:0] run_q;
      logic granted;

      assign granted = grant_i && grant_row_i == RowW'(r);

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          outstanding_q <= '0;
          free_at_q     <= '0;
          owner_q       <= '0;
          run_q         <= '0;
        end else begin
          if (granted && !first_i[r]) outstanding_q <= outstanding_q + 1'b1;
          if (!granted && first_i[r]) outstanding_q <= outstanding_q - 1'b1;
          if (first_i[r]) free_at_q <= cycle_i + hold_cycles(first_cells_i[r*7+:7]);
          if (granted) begin
            owner_q <= free_o[r] ? grant_input_i : owner_q;
            run_q   <= free_o[r] ? grant_cells_i : saturating_sum(run_q, grant_cells_i);
          end
        end
      end

      assign free_o[r] = outstanding_q == '0 && cycle_i >= free_at_q;
      assign run_out_o[r] = run_q >= RunW'(RunLimit);
      assign outstanding_o[r] = outstanding_q != '0;
      assign owner_o[r*4+:4] = 4'(owner_q);
    end
  endgenerate

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      EGR_4_arrival : assert ((first_i & ~outstanding_o) == '0);
      EGR_4_owner : assert (!grant_i || free_o[grant_row_i] ||
          owner_o[grant_row_i*4+:4] == 4'(grant_input_i));
    end
  end

endmodule
