// SPDX-License-Identifier: Apache-2.0
// Last flops of an input port: its row bus of requests, and its part of the observation record. Manual:
// docs/blocks/tile.md, "Observation".
// Latency: an event of cycle t is on the outputs in t + 1; `used_i` and `pick_i` come from flops and go through.
// Throughput: every event in every cycle. Handshake: valid only.

module tilefly_ingress_observer #(
    /// bits of a queue's number, {output, VL}
    parameter int QueueW = $clog2(tilefly_pkg::PORTS) + 4
) (
    /// clock
    input  logic                        clk_i,
    /// synchronous reset, active low
    input  logic                        rst_ni,
    /// number of this port
    input  logic                  [5:0] port_i,
    /// a packet is requested
    input  logic                        pop_i,
    /// queue of the packet
    input  logic           [QueueW-1:0] pop_queue_i,
    /// cells of the packet
    input  logic                  [6:0] pop_cells_i,
    /// the queue has further unrequested packets
    input  logic                        pop_more_i,
    /// a grant arrives
    input  logic                        gnt_valid_i,
    /// the grant
    input  tilefly_pkg::grant_t         gnt_i,
    /// a request credit arrives
    input  logic                        crd_valid_i,
    /// the credit
    input  tilefly_pkg::credit_t        crd_i,
    /// a packet was picked in the cycle before
    input  logic                        pick_i,
    /// queue of the packet
    input  logic           [QueueW-1:0] pick_queue_i,
    /// cells of the packet
    input  logic                  [6:0] pick_cells_i,
    /// a packet is dropped
    input  logic                        drop_i,
    /// drop_e
    input  logic                  [3:0] drop_reason_i,
    /// cells accounted in the input buffer
    input  logic                 [11:0] used_i,
    /* verilator lint_off UNUSEDSIGNAL */  // what is only counted
    /// what the flow channels do in this cycle
    input  tilefly_flows_pkg::events_t  flow_events_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a flow channel releases a packet
    input  logic                        go_i,
    /// the retry block accepts a packet
    input  logic                        accept_i,
    /// the retry block finds a word bad or missing
    input  logic                        error_i,
    /// row bus of requests: valid
    output logic                        req_valid_o,
    /// output of the request
    output logic                  [5:0] req_dst_o,
    /// the request
    output tilefly_pkg::request_t       req_o,
    /// observation record, input side's fields
    output tilefly_pkg::portobs_t       obs_o,
    /// nothing to show
    output logic                        quiescent_o
);

  logic req_valid_q, gin_valid_q, crd_valid_q, drop_valid_q;
  logic accept_q, error_q, hold_valid_q, go_valid_q;
  logic [10:0] hold_q, go_q;  // channels
  logic [5:0] req_dst_q;
  tilefly_pkg::request_t req_q;
  logic [10:0] gin_q;  // {output, VL, reroute}
  logic [9:0] crd_q;  // {output, VL}
  logic [3:0] drop_reason_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_valid_q  <= 1'b0;
      gin_valid_q  <= 1'b0;
      crd_valid_q  <= 1'b0;
      drop_valid_q <= 1'b0;
      hold_valid_q <= 1'b0;
      go_valid_q   <= 1'b0;
      accept_q     <= 1'b0;
      error_q      <= 1'b0;
    end else begin
      req_valid_q  <= pop_i;
      gin_valid_q  <= gnt_valid_i;
      crd_valid_q  <= crd_valid_i;
      drop_valid_q <= drop_i;
      hold_valid_q <= flow_events_i.held;
      go_valid_q   <= go_i;
      accept_q     <= accept_i;
      error_q      <= error_i;
    end
    if (pop_i) begin
      req_dst_q <= 6'(pop_queue_i >> 4);
      req_q     <= {port_i, pop_queue_i[3:0], pop_cells_i, pop_more_i};
    end
    if (gnt_valid_i) gin_q <= gnt_i;
    if (crd_valid_i) crd_q <= crd_i;
    if (drop_i) drop_reason_q <= drop_reason_i;
    if (flow_events_i.held) hold_q <= flow_events_i.channel;
    if (go_i) go_q <= flow_events_i.go_channel;
  end

  assign req_valid_o = req_valid_q;
  assign req_dst_o   = req_dst_q;
  assign req_o       = req_q;

  always_comb begin
    obs_o = '0;
    obs_o.ibuf_cells = used_i;
    obs_o.accept     = accept_q;
    obs_o.error      = error_q;
    if (req_valid_q) begin
      obs_o.req_valid = 1'b1;
      obs_o.req_dst   = req_dst_q;
      obs_o.req_vl    = req_q.vl;
      obs_o.req_cells = req_q.cells;
    end
    if (gin_valid_q) {obs_o.gin_valid, obs_o.gin_src, obs_o.gin_vl, obs_o.gin_reroute} = {1'b1, gin_q};
    if (crd_valid_q) {obs_o.crd_valid, obs_o.crd_src, obs_o.crd_vl} = {1'b1, crd_q};
    if (pick_i) begin
      obs_o.pick_valid = 1'b1;
      obs_o.pick_dst   = 6'(pick_queue_i >> 4);
      obs_o.pick_cells = pick_cells_i;
    end
    if (hold_valid_q) {obs_o.hold_valid, obs_o.hold_channel} = {1'b1, hold_q};
    if (go_valid_q) {obs_o.go_valid, obs_o.go_channel} = {1'b1, go_q};
    if (drop_valid_q) {obs_o.drop_valid, obs_o.drop_reason} = {1'b1, drop_reason_q};
  end

  assign quiescent_o = !req_valid_q && !gin_valid_q && !crd_valid_q && !drop_valid_q &&
      !accept_q && !error_q && !hold_valid_q && !go_valid_q;

endmodule
