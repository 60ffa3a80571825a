// SPDX-License-Identifier: Apache-2.0
// Why groups fail. Manual: docs/blocks/reduction-trees.md, "Failure".
// Combinational: what stands now, and the state as committed. Of several causes the greatest code counts.

module tilefly_red_causes #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS
) (
    /// reports of the ports
    /* verilator lint_off UNUSEDSIGNAL */  // room is for the launches
    input  logic [Ports*tilefly_pkg::RED_REPORT_W-1:0] reports_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// some report is not empty
    input  logic                                       some_report_i,
    /// groups that are not IDLE
    input  logic [                         Groups-1:0] awake_i,
    /// groups that are FAILING: nothing more happens
    input  logic [                         Groups-1:0] failing_i,
    /// groups that are LOCKING or ACTIVE
    input  logic [                         Groups-1:0] locked_i,
    /// slot s is bound
    input  logic [                                1:0] bound_i,
    /// group of slot s
    input  logic [                                5:0] slot_group_i,
    /// children of the groups
    input  logic [                   Groups*Ports-1:0] children_i,
    /// their parents, masks
    input  logic [                   Groups*Ports-1:0] parent_i,
    /// groups with a child's short operation
    input  logic [                         Groups-1:0] pending_i,
    /// groups with a short operation
    input  logic [                         Groups-1:0] used_i,
    /// a short operation came from a port that is not in the tree
    input  logic [                         Groups-1:0] stray_i,
    /// a part did not come in time
    input  logic [                         Groups-1:0] expired_i,
    /// the parts of a stream disagree
    input  logic [                         Groups-1:0] mismatch_i,
    /// the parent has a lock that nobody asked for
    input  logic [                         Groups-1:0] unbound_i,
    /// groups that fail
    output logic [                         Groups-1:0] fails_o,
    /// their codes
    output logic [                       Groups*4-1:0] codes_o
);

  localparam int ReportW = tilefly_pkg::RED_REPORT_W;

  /* verilator lint_off UNUSEDSIGNAL */
  tilefly_pkg::red_report_t report;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Ports-1:0] live, tree;
  logic [Groups-1:0] fails;
  logic [Groups*4-1:0] codes;
  logic [2:0] group;

  function automatic [3:0] greater(input [3:0] code, input [3:0] other);
    greater = other > code ? other : code;
  endfunction

  // Ports' reports.
  always_comb begin
    fails  = '0;
    codes  = '0;
    report = '0;
    group  = '0;
    if (some_report_i) begin
      for (int p = 0; p < Ports; p++) begin
        report = reports_i[p*ReportW+:ReportW];
        group  = report.group;
        if (report.ev == tilefly_pkg::RED_EV_ERROR ||
            (report.ev == tilefly_pkg::RED_EV_FAILED && (awake_i[group] || used_i[group]))) begin
          fails[group] = 1'b1;
          codes[4*group+:4] = greater(codes[4*group+:4], report.code);
        end
        if (report.ev == tilefly_pkg::RED_EV_SEGMENT && bound_i[report.slot]) begin
          group = slot_group_i[3*report.slot+:3];
          if (!children_i[32'(group)*Ports+p] && !parent_i[32'(group)*Ports+p]) begin
            fails[group] = 1'b1;
            codes[4*group+:4] = greater(codes[4*group+:4], tilefly_pkg::RED_CODE_ROLE);
          end
        end
      end
    end
  end

  // The other causes, code by code upwards.
  always_comb begin
    fails_o = '0;
    codes_o = '0;
    live    = '0;
    tree    = '0;
    if ((fails | locked_i | pending_i | used_i | stray_i | mismatch_i | unbound_i) != '0) begin
      for (int p = 0; p < Ports; p++) live[p] = reports_i[p*ReportW];
      for (int g = 0; g < Groups; g++) begin
        fails_o[g] = fails[g];
        codes_o[4*g+:4] = codes[4*g+:4];
        tree = children_i[g*Ports+:Ports] | parent_i[g*Ports+:Ports];
        if (mismatch_i[g]) {fails_o[g], codes_o[4*g+:4]} = {1'b1, greater(codes_o[4*g+:4], tilefly_pkg::RED_CODE_MISMATCH)};
        if (stray_i[g]) {fails_o[g], codes_o[4*g+:4]} = {1'b1, greater(codes_o[4*g+:4], tilefly_pkg::RED_CODE_ROLE)};
        if (unbound_i[g]) {fails_o[g], codes_o[4*g+:4]} = {1'b1, greater(codes_o[4*g+:4], tilefly_pkg::RED_CODE_UNBOUND)};
        if (expired_i[g]) {fails_o[g], codes_o[4*g+:4]} = {1'b1, greater(codes_o[4*g+:4], tilefly_pkg::RED_CODE_TIMEOUT)};
        if ((locked_i[g] || pending_i[g]) && (tree & ~live) != '0) begin
          {fails_o[g], codes_o[4*g+:4]} = {1'b1, greater(codes_o[4*g+:4], tilefly_pkg::RED_CODE_LINK)};
        end
        if (failing_i[g]) fails_o[g] = 1'b0;
      end
    end
  end

endmodule
