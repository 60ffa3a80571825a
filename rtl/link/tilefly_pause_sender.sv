// SPDX-License-Identifier: Apache-2.0
// Says when a PAUSE frame is due: XOFF when the input buffer fills, again before it runs out, XON when it has emptied.
// Manual: docs/blocks/link.md, "PAUSE", sending.
// Latency: combinational on the state; a frame taken in cycle x (an event of x) changes it from x + 1. Handshake: `due_o` stands
// until `taken_i`.

module tilefly_pause_sender (
    /// clock
    input  logic        clk_i,
    /// synchronous reset, active low
    input  logic        rst_ni,
    /// number of the current cycle
    input  logic [47:0] cycle_i,
    /// the port sends PAUSE: enabled, standard format, no credits, and told to
    input  logic        enable_i,
    /// input buffer, cells accounted
    input  logic [11:0] used_i,
    /// XOFF at this occupancy, cells
    input  logic [11:0] xoff_cells_i,
    /// XON below this occupancy, cells
    input  logic [11:0] xon_cells_i,
    /// a PAUSE frame is due
    output logic        due_o,
    /// quanta of the PAUSE frame: 0 is XON
    output logic [15:0] quanta_o,
    /// the link takes the PAUSE frame
    input  logic        taken_i,
    /// nothing is due, and nothing becomes due by time
    output logic        quiescent_o
);

  localparam logic [47:0] RefreshCycles = 48'd65536;

  logic xoff_sent_q;
  logic [47:0] refresh_q;
  logic xoff, xon, again;

  assign xoff  = !xoff_sent_q && used_i >= xoff_cells_i;
  assign xon   = xoff_sent_q && used_i < xon_cells_i;
  assign again = xoff_sent_q && cycle_i >= refresh_q;

  assign due_o       = enable_i && (xoff || xon || again);
  assign quanta_o    = xon ? '0 : '1;
  assign quiescent_o = !enable_i || (!xoff_sent_q && !xoff);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      xoff_sent_q <= 1'b0;
      refresh_q   <= '0;
    end else if (taken_i) begin
      xoff_sent_q <= !xon;
      if (!xon) refresh_q <= cycle_i + RefreshCycles;
    end
  end

endmodule
