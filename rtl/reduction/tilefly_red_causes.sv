// SPDX-License-Identifier: Apache-2.0
// Why groups fail. Manual: docs/blocks/reduction-trees.md, "Failure".
// Combinational: what stands now, and the state as committed. Of several causes the greatest code counts.

module tilefly_red_causes #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS
) (
    /// codes that the ports report of group g, a bit for each, in bits [g*16 +: 16]
    input  logic [                      Groups*16-1:0] reported_i,
    /// ports with a segment or a result of slot s, in bits [s*Ports +: Ports]
    input  logic [                        2*Ports-1:0] segment_i,
    /// ports that are enabled and whose link works
    input  logic [                          Ports-1:0] live_i,
    /// groups that are FAILING: nothing more happens
    input  logic [                         Groups-1:0] failing_i,
    /// groups that are LOCKING or ACTIVE
    input  logic [                         Groups-1:0] locked_i,
    /// slot s is bound
    input  logic [                                1:0] bound_i,
    /// group of slot s
    input  logic [                                5:0] slot_group_i,
    /// ports of the groups' trees
    input  logic [                   Groups*Ports-1:0] tree_i,
    /// ports of the trees of the slots' groups
    input  logic [                        2*Ports-1:0] slot_tree_i,
    /// groups with a child's short operation
    input  logic [                         Groups-1:0] pending_i,
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
    /// codes of the groups that fail
    output logic [                       Groups*4-1:0] codes_o
);

  // All causes of a group, a bit for each code.
  logic [Groups*16-1:0] causes;
  logic [2:0] group;

  always_comb begin
    causes = reported_i;
    group  = '0;
    for (int s = 0; s < 2; s++) begin
      group = slot_group_i[3*s+:3];
      if (bound_i[s] && (segment_i[s*Ports+:Ports] & ~slot_tree_i[s*Ports+:Ports]) != '0) begin
        causes[{group, tilefly_pkg::RED_CODE_ROLE}] = 1'b1;
      end
    end
    for (int g = 0; g < Groups; g++) begin
      if (mismatch_i[g]) causes[g*16+32'(tilefly_pkg::RED_CODE_MISMATCH)] = 1'b1;
      if (expired_i[g]) causes[g*16+32'(tilefly_pkg::RED_CODE_TIMEOUT)] = 1'b1;
      if ((locked_i[g] || pending_i[g]) && (tree_i[g*Ports+:Ports] & ~live_i) != '0) begin
        causes[g*16+32'(tilefly_pkg::RED_CODE_LINK)] = 1'b1;
      end
      // Short operations have no effect in the cycle in which their group fails anyway.
      if (causes[g*16+:16] == '0) begin
        causes[g*16+32'(tilefly_pkg::RED_CODE_ROLE)] = stray_i[g];
        causes[g*16+32'(tilefly_pkg::RED_CODE_UNBOUND)] = unbound_i[g];
      end
      if (failing_i[g]) causes[g*16+:16] = '0;
    end
  end

  // The greatest one counts.
  always_comb begin
    fails_o = '0;
    codes_o = '0;
    if (causes != '0) begin
      for (int g = 0; g < Groups; g++) begin
        fails_o[g] = causes[g*16+:16] != '0;
        for (int c = 0; c < 16; c++) begin
          if (causes[g*16+c]) codes_o[g*4+:4] = 4'(c);
        end
      end
    end
  end

endmodule
