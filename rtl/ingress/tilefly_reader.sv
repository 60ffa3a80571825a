// SPDX-License-Identifier: Apache-2.0
// Reader: sends a picked packet's cells over the row bus. Manual: docs/blocks/ingress.md, "Grants and transfer".
// Latency: cell j of a packet picked in cycle p leaves in p + 4 + j, that is, loads the row-bus flop then.
// Throughput: a cell a cycle, packets back to back. Handshake: valid only.
//
//   p + 1   p + 3           p + 4           p + 5
//   pick_i  cell 0 is read  cell 0 leaves   cell 0 on the row bus
//
// A copy that is taken back ends here, if its packet is replicated. Manual: docs/blocks/link_retry.md, "Taken back".
// A copy's header gets its virtual lane, the port by which it came and a further hop when it leaves. At a port with
// flow channels it also gets the generation, which a held packet has only when it is released. In the cycle in which a
// copy's last cell leaves, the copy is gone; with a packet's last copy its cells are released.

module tilefly_reader #(
    /// bits of a packet's number
    parameter int PacketW = tilefly_pkg::CELL_INDEX_W,
    /// bits of an entry's number
    parameter int EntryW = $clog2(tilefly_pkg::CELLS + tilefly_pkg::COPY_ENTRIES),
    /// bits of a queue's number, {output, VL}
    parameter int QueueW = $clog2(tilefly_pkg::PORTS) + 4
) (
    /// clock
    input  logic                          clk_i,
    /// synchronous reset, active low
    input  logic                          rst_ni,
    /// number of this port
    input  logic                  [  5:0] port_i,
    /// the port has flow channels
    input  logic                          flows_i,
    /// a packet enters the queue stage, or is held in front of it
    input  logic                          stored_i,
    /// number of the packet
    input  logic            [PacketW-1:0] stored_packet_i,
    /// copies of the packet
    input  logic                  [  6:0] stored_copies_i,
    /// header of the packet
    input  logic                  [127:0] stored_header_i,
    /// via_valid and via of that header, as they came
    input  logic                  [ 14:0] stored_came_i,
    /// the cells of the packet count in the share of its class
    input  logic                          stored_shares_i,
    /// the packet was taken back, and has its generation
    input  logic                          stored_again_i,
    /// a packet that was held enters the queue stage
    /* verilator lint_off UNUSEDSIGNAL */  // where it goes is for the queue stage
    input  tilefly_flows_pkg::release_t   go_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// all of a packet is stored
    input  logic                          closes_i,
    /// number of that packet
    input  logic            [PacketW-1:0] closes_packet_i,
    /// that packet was cut through and ended badly
    input  logic                          closes_bad_i,
    /// a packet was picked
    input  logic                          pick_i,
    /// entry of the picked packet
    input  logic            [ EntryW-1:0] pick_entry_i,
    /// number of the picked packet
    input  logic            [PacketW-1:0] pick_packet_i,
    /// cells of the picked packet
    input  logic                  [  6:0] pick_cells_i,
    /// queue of the picked packet
    input  logic            [ QueueW-1:0] pick_queue_i,
    /// a packet is taken back
    input  logic                          taken_i,
    /// number of the packet
    input  logic            [PacketW-1:0] taken_packet_i,
    /// cells of the packet
    input  logic                  [  6:0] taken_cells_i,
    /// it is a copy of a replicated packet, which ends
    output logic                          ends_o,
    /// with this copy the whole packet ends; its last cell is not known here
    output tilefly_ingress_pkg::release_t ended_o,
    /// look-up of a packet that was taken back: do it
    input  logic                          again_i,
    /// number of the packet
    input  logic            [PacketW-1:0] again_packet_i,
    /// header of the packet, with via as it came
    output tilefly_pkg::header_t          again_header_o,
    /// the cells of the packet count in the share of its class
    output logic                          again_shares_o,
    /// read a cell
    output logic                          read_o,
    /// the cell to read
    output logic            [PacketW-1:0] at_o,
    /// the cell that follows that cell
    input  logic            [PacketW-1:0] next_i,
    /// the cell read in the cycle before
    input  logic                  [383:0] cell_i,
    /// a copy is gone
    output logic                          gone_o,
    /// entry of the copy
    output logic            [ EntryW-1:0] gone_entry_o,
    /// with this copy the whole packet is gone
    output tilefly_ingress_pkg::release_t release_o,
    /// row bus: a cell is valid (flop)
    output logic                          dat_valid_o,
    /// output of the cell (flop)
    output logic                  [  5:0] dat_dst_o,
    /// the cell (flop)
    output tilefly_pkg::cell_t            dat_o,
    /// nothing inside
    output logic                          quiescent_o
);

  localparam int Cells = tilefly_pkg::CELLS;
  localparam int PathHops = 5;  // what the header's path has room for
  localparam logic [19:0] Replicated = 20'hfffff;

  logic [127:0] header_mem[Cells];  // by packet
  logic [14:0] came_mem[Cells];  // via_valid and via, as they came
  logic [6:0] copies_mem[Cells];  // that have not gone
  logic shares_mem[Cells];
  logic bad_mem[Cells];
  logic [1:0] flow_mem[Cells];  // {gen, an} of the header, where the port has flow channels

  // p + 2
  logic picked_q;
  logic [EntryW-1:0] picked_entry_q;
  logic [PacketW-1:0] picked_packet_q;
  logic [6:0] picked_cells_q;
  logic [QueueW-1:0] picked_queue_q;

  // p + 3 + j: cell j is read
  logic read_q, read_first_q;
  logic [6:0] left_q;  // cells after this one
  logic [PacketW-1:0] at_q;
  logic [EntryW-1:0] entry_q;
  logic [PacketW-1:0] packet_q;
  logic [6:0] cells_q;
  logic [QueueW-1:0] queue_q;

  // p + 4 + j: cell j leaves
  logic leave_q, leave_first_q, leave_last_q, leave_bad_q;
  logic [PacketW-1:0] leave_at_q;
  logic [EntryW-1:0] leave_entry_q;
  logic [PacketW-1:0] leave_packet_q;
  logic [6:0] leave_cells_q;
  logic [QueueW-1:0] leave_queue_q;
  logic [127:0] header_q;
  logic [1:0] flow_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      picked_q <= 1'b0;
      read_q   <= 1'b0;
      leave_q  <= 1'b0;
    end else begin
      picked_q <= pick_i;
      read_q   <= picked_q || (read_q && left_q != '0);
      leave_q  <= read_q;
    end
    if (pick_i) begin
      picked_entry_q  <= pick_entry_i;
      picked_packet_q <= pick_packet_i;
      picked_cells_q  <= pick_cells_i;
      picked_queue_q  <= pick_queue_i;
    end
    if (picked_q) begin
      read_first_q <= 1'b1;
      left_q       <= picked_cells_q - 7'd1;
      at_q         <= picked_packet_q;
      entry_q      <= picked_entry_q;
      packet_q     <= picked_packet_q;
      cells_q      <= picked_cells_q;
      queue_q      <= picked_queue_q;
    end else if (read_q) begin
      read_first_q <= 1'b0;
      left_q       <= left_q - 7'd1;
      at_q         <= next_i;
    end
    if (read_q) begin
      leave_first_q  <= read_first_q;
      leave_last_q   <= left_q == '0;
      leave_bad_q    <= left_q == '0 && bad_mem[packet_q];
      leave_at_q     <= at_q;
      leave_entry_q  <= entry_q;
      leave_packet_q <= packet_q;
      leave_cells_q  <= cells_q;
      leave_queue_q  <= queue_q;
      if (read_first_q) header_q <= header_mem[packet_q];
      if (read_first_q && flows_i) flow_q <= flow_mem[packet_q];
    end
  end

  // Bits of a header that flow channels write.
  /* verilator lint_off UNUSEDSIGNAL */  // of the header these two
  tilefly_pkg::header_t stored_header;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [1:0] stored_flow;
  assign stored_header = stored_header_i;
  assign stored_flow = {stored_header.gen, stored_header.an};

  // The copy's header
  logic [5:0] output_port;
  logic [3:0] vl;
  tilefly_pkg::header_t header, sent_header;
  assign header = header_q;
  assign output_port = 6'(leave_queue_q >> 4);
  assign vl = 4'(leave_queue_q);

  always_comb begin
    sent_header = header;
    sent_header.vl = vl;
    sent_header.hop = header.hop + 4'd1;
    if (flows_i) {sent_header.gen, sent_header.an} = flow_q;
    for (int h = 1; h <= PathHops; h++) begin
      if (header.hop == 4'(h)) sent_header.path[6*(h-1)+:6] = port_i;
    end
  end

  // Copies and their end. The copy that is sent and the one that is taken back may be of one packet: then the first is the last.
  logic gone, both;
  logic [6:0] copies, taken_copies, ending;
  assign gone = leave_q && leave_last_q;
  assign copies = copies_mem[leave_packet_q];
  assign ending = both ? 7'd2 : 7'd1;

  /* verilator lint_off UNUSEDSIGNAL */  // three fields matter here
  tilefly_pkg::header_t taken_header;
  /* verilator lint_on UNUSEDSIGNAL */
  always_comb begin
    taken_header = '0;
    taken_copies = '0;
    ends_o       = 1'b0;
    both         = 1'b0;
    ended_o      = '0;
    if (taken_i) begin
      taken_header = header_mem[taken_packet_i];
      if (taken_header.dst == Replicated) begin
        ends_o       = 1'b1;
        both         = gone && leave_packet_q == taken_packet_i;
        taken_copies = copies_mem[taken_packet_i];
        if (!both && taken_copies == 7'd1) begin
          ended_o = {
            1'b1, 12'(taken_packet_i), 12'd0, taken_cells_i, taken_cells_i, taken_header.vl, shares_mem[taken_packet_i],
            taken_header.tc
          };
        end
      end
    end
  end

  always_comb begin
    again_header_o = '0;
    again_shares_o = 1'b0;
    if (again_i) begin
      again_header_o = header_mem[again_packet_i];
      {again_header_o.via_valid, again_header_o.via} = came_mem[again_packet_i];
      again_shares_o = shares_mem[again_packet_i];
    end
  end

  always_comb begin
    release_o = '0;
    if (gone && copies == ending) begin
      release_o = {
        1'b1, 12'(leave_packet_q), 12'(leave_at_q), leave_cells_q, leave_cells_q, header.vl,
        shares_mem[leave_packet_q], header.tc
      };
    end
  end

  always_ff @(posedge clk_i) begin
    if (stored_i) begin
      header_mem[stored_packet_i] <= stored_header_i;
      came_mem[stored_packet_i]   <= stored_came_i;
      copies_mem[stored_packet_i] <= stored_copies_i;
      shares_mem[stored_packet_i] <= stored_shares_i;
    end
    if (stored_i && flows_i && !stored_again_i) flow_mem[stored_packet_i] <= stored_flow;
    if (go_i.valid) flow_mem[go_i.packet[PacketW-1:0]] <= {go_i.gen, go_i.by_class};
    if (gone) copies_mem[leave_packet_q] <= copies - ending;
    if (ends_o && !both) copies_mem[taken_packet_i] <= taken_copies - 7'd1;
    if (closes_i) bad_mem[closes_packet_i] <= closes_bad_i;
  end

  // The row bus
  logic dat_valid_q;
  logic [5:0] dat_dst_q;
  tilefly_pkg::cell_t dat_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) dat_valid_q <= 1'b0;
    else dat_valid_q <= leave_q;
    if (leave_q) begin
      dat_dst_q <= output_port;
      dat_q <= {
        leave_first_q, leave_last_q, leave_bad_q, port_i, vl, leave_cells_q,
        cell_i[383:128], leave_first_q ? sent_header : cell_i[127:0]
      };
    end
  end

  assign read_o       = read_q;
  assign at_o         = at_q;
  assign gone_o       = gone;
  assign gone_entry_o = leave_entry_q;
  assign dat_valid_o  = dat_valid_q;
  assign dat_dst_o    = dat_dst_q;
  assign dat_o        = dat_q;
  assign quiescent_o  = !picked_q && !read_q && !leave_q && !dat_valid_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ING_6 : assert (!(picked_q && read_q && left_q != '0));
    end
  end

endmodule
