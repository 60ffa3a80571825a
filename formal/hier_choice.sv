// SPDX-License-Identifier: Apache-2.0
// tilefly_hier_arbiter: one-hot, only for a requester, for somebody whenever anybody asks (ARB-1, ARB-2), and a choice
// that is not used moves nothing.

module hier_choice #(
    /// rows
    parameter int Rows = 3,
    /// inputs of a row
    parameter int RowInputs = 4
) (
    input logic                      clk_i,
    input logic [Rows*RowInputs-1:0] req_i,
    input logic                      taken_i
);

  logic started_q = 1'b0;
  logic [Rows*RowInputs-1:0] grant, req_q, grant_q;
  logic unused_q;

  tilefly_hier_arbiter #(
      .Rows     (Rows),
      .RowInputs(RowInputs)
  ) u_arbiter (
      .clk_i,
      .rst_ni (started_q),
      .req_i,
      .taken_i,
      .grant_o(grant)
  );

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    req_q     <= req_i;
    grant_q   <= grant;
    unused_q  <= started_q && !taken_i;
    if (!started_q) unused_q <= 1'b0;
  end

  always_comb begin
    if (started_q) begin
      one_hot : assert ((grant & (grant - 1'b1)) == '0);
      no_grant_without_request : assert ((grant & ~req_i) == '0);
      somebody : assert ((grant != '0) == (req_i != '0));
      unused_moves_nothing : assert (!unused_q || req_i != req_q || grant == grant_q);
    end
    COV_unused : cover (started_q && unused_q && req_i == req_q && req_i != '0);
    COV_last : cover (started_q && taken_i && grant[Rows*RowInputs-1] && req_i == '1);
  end

endmodule
