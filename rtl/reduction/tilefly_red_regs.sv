// SPDX-License-Identifier: Apache-2.0
// Registers of the reduction groups in the CFU. Manual: docs/blocks/reduction-trees.md, "Registers".
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the outputs (functions of flops) from t + 1 on; a read of t is
// answered in t + 1.

module tilefly_red_regs #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS
) (
    /// clock
    input  logic                   clk_i,
    /// synchronous reset, active low
    input  logic                   rst_ni,
    /// register bus, delayed so that its access is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; these registers have no port
    input  tilefly_pkg::cfg_t      cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// TREE of these groups is written
    output logic [     Groups-1:0] tree_written_o,
    /// the group is valid
    output logic [     Groups-1:0] valid_o,
    /// the group has no parent
    output logic [     Groups-1:0] root_o,
    /// the group is of small operands
    output logic [     Groups-1:0] small_o,
    /// timeout of the group in cycles, 0: none
    output logic [  Groups*32-1:0] timeout_o,
    /// children of the group
    output logic [Groups*Ports-1:0] children_o,
    /// those of the children that are nodes
    output logic [Groups*Ports-1:0] nodes_o,
    /// parent of the group, a mask; 0 without one
    output logic [Groups*Ports-1:0] parent_o,
    /// group whose STATUS is read, if a STATUS is read
    output logic [            2:0] status_group_o,
    /// STATUS of that group
    input  logic [           63:0] status_i,
    /// answer to a register read: STATUS
    output tilefly_pkg::read_answer_t rdata_o
);

  logic here, write, reads, read_q;
  logic [63:0] read_data_q;
  logic [2:0] addressed;
  tilefly_pkg::group_index_t index;
  tilefly_pkg::group_tree_t tree;
  logic [Groups-1:0] valid_q, root_q, small_q;
  logic [Groups*6-1:0] parent_q;
  logic [Groups*32-1:0] timeout_q;
  logic [Groups*Ports-1:0] children_q, nodes_q;

  assign index     = tilefly_pkg::get_group_index(cfg_i.index);
  assign tree      = tilefly_pkg::get_group_tree(cfg_i.data);
  assign here      = cfg_i.valid && cfg_i.space == tilefly_pkg::CFG_RED && index.group < 7'(Groups);
  assign write     = here && !cfg_i.read;
  assign reads     = here && cfg_i.read && index.which == tilefly_pkg::RED_REG_STATUS;
  assign addressed = 3'(index.group);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q    <= '0;
      root_q     <= '0;
      small_q    <= '0;
      parent_q   <= '0;
      timeout_q  <= '0;
      children_q <= '0;
      nodes_q    <= '0;
    end else if (write) begin
      case (index.which)
        tilefly_pkg::RED_REG_CHILDREN: children_q[32'(addressed)*Ports+:Ports] <= Ports'(cfg_i.data);
        tilefly_pkg::RED_REG_NODES: nodes_q[32'(addressed)*Ports+:Ports] <= Ports'(cfg_i.data);
        tilefly_pkg::RED_REG_TREE: begin
          valid_q[addressed]               <= tree.valid;
          root_q[addressed]                <= tree.root;
          parent_q[32'(addressed)*6+:6]    <= tree.parent;
          small_q[addressed]               <= tree.is_small;
          timeout_q[32'(addressed)*32+:32] <= tree.timeout;
        end
        default: ;
      endcase
    end
  end

  assign tree_written_o = write && index.which == tilefly_pkg::RED_REG_TREE ? Groups'(1) << addressed : '0;
  assign valid_o        = valid_q;
  assign root_o         = root_q | ~valid_q;
  assign small_o        = small_q;
  assign timeout_o      = timeout_q;
  assign children_o     = children_q;
  assign nodes_o        = nodes_q;
  always_comb begin
    parent_o = '0;
    for (int g = 0; g < Groups; g++) begin
      if (!root_o[g]) parent_o[g*Ports+:Ports] = Ports'(1) << parent_q[g*6+:6];
    end
  end

  // STATUS.
  assign status_group_o = addressed;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_q <= 1'b0;
    else read_q <= reads;
    if (reads) read_data_q <= status_i;
  end
  assign rdata_o.valid = read_q;
  assign rdata_o.data  = read_q ? read_data_q : '0;

endmodule
