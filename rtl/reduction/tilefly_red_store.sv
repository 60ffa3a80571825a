// SPDX-License-Identifier: Apache-2.0
// Segments that wait at a reduction port for their launch, entries of both slots, and what is counted of them. Manual:
// docs/blocks/reduction.md, "Reduction port".
// Latency: a word or a segment that comes in cycle t (an event of t) is there from t + 1; look-ups are combinational. Throughput: a
// word in, a word out on each collect lane a cycle. Handshake: valid only; senders own the entries.

module tilefly_red_store (
    /// clock
    input  logic                             clk_i,
    /// synchronous reset, active low
    input  logic                             rst_ni,
    /// slot s is bound; else its state is 0
    input  logic [                      1:0] bound_i,
    /// a segment of slot s that this port holds is launched
    input  logic [                      1:0] launch_i,
    /// a data word of a segment arrives
    input  logic                             write_i,
    /// slot of the segment that arrives
    input  logic                             slot_i,
    /// number of the word
    /* verilator lint_off UNUSEDSIGNAL */  // as long as a launch
    input  logic [                      7:0] index_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the word
    input  logic [                    255:0] data_i,
    /// the segment is complete
    input  logic                             accept_i,
    /// header of the segment
    /* verilator lint_off UNUSEDSIGNAL */  // five fields are kept
    input  tilefly_pkg::red_t                header_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// the CREDIT of slot s is on its way
    input  logic [                      1:0] credited_i,
    /// segments of slot s that came, 16 bits each
    output logic [                     31:0] arrived_o,
    /// segments of slot s that were launched, 16 bits each
    output logic [                     31:0] launched_o,
    /// a CREDIT of slot s is due
    output logic [                      1:0] credit_due_o,
    /// a word of a launch that the port takes part in passes, ring lane UP, DOWN
    input  logic [                      1:0] read_i,
    /// the word is the first of the launch
    input  logic [                      1:0] first_i,
    /// slot of the launch
    input  logic [                      1:0] read_slot_i,
    /// number of the word, 8 bits each
    input  logic [                     15:0] read_index_i,
    /// what the entry says, in the places of a collect word; 0 unless read
    output logic [2*tilefly_red_pkg::SAID_W-1:0] said_o,
    /// {used, data} of the entry; 0 unless read
    output logic [2*tilefly_red_pkg::OPERANDS_W-1:0] operands_o
);

  localparam int Slots = tilefly_pkg::RED_SLOTS;
  localparam int Entries = tilefly_pkg::RED_STORE;
  localparam int Segments = tilefly_pkg::RED_SEGMENTS;
  localparam int EntryW = $clog2(Entries);
  localparam int IndexW = tilefly_pkg::RED_WORDS > 1 ? $clog2(tilefly_pkg::RED_WORDS) : 1;
  localparam int SaidW = tilefly_red_pkg::SAID_W;
  localparam int OperandsW = tilefly_red_pkg::OPERANDS_W;
  localparam int RecordW = 4 + 3 + 13 + 1 + 1;

  logic [255:0] mem[Slots*Entries*2**IndexW];  // {slot, entry, word}
  logic [RecordW-1:0] record_mem[Slots*Entries];
  logic [15:0] arrived_q[Slots];
  logic [15:0] launched_q[Slots];
  logic [15:0] read_q[Slots];
  logic [Slots-1:0] credit_due_q;
  logic [EntryW-1:0] entry_q[2];  // that a ring lane reads

  // Look-ups.
  logic [EntryW-1:0] entry[2];
  logic [3:0] op;
  logic [2:0] dtype;
  logic [12:0] bytes;
  logic ends, empty;
  logic [2*Slots-1:0] begins;  // ring lane's first word, slot s: bit 2 * ring lane + s

  always_comb begin
    said_o     = '0;
    operands_o = '0;
    op         = '0;
    dtype      = '0;
    bytes      = '0;
    ends       = 1'b0;
    empty      = 1'b0;
    begins     = '0;
    for (int ring_lane = 0; ring_lane < 2; ring_lane++) begin
      entry[ring_lane] = '0;
      if (read_i[ring_lane]) begin
        entry[ring_lane] = entry_q[ring_lane];
        if (first_i[ring_lane]) begin
          entry[ring_lane] = read_q[read_slot_i[ring_lane]][EntryW-1:0];
          begins[2*ring_lane+32'(read_slot_i[ring_lane])] = 1'b1;
        end
        {op, dtype, bytes, ends, empty} = record_mem[{read_slot_i[ring_lane], entry[ring_lane]}];
        // action, ftz, rnd; seq, count, contributions, code; cookie, resno, arm, tag, rep are those of short operations
        said_o[ring_lane*SaidW+:SaidW] = {6'd0, ends, bytes, dtype, op, 56'd0, !empty, 60'd0};
        if (!empty && {read_index_i[ring_lane*8+:8], 5'd0} < bytes) begin
          operands_o[ring_lane*OperandsW+:OperandsW] = {
            1'b1, mem[{read_slot_i[ring_lane], entry[ring_lane], read_index_i[ring_lane*8+:IndexW]}]
          };
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int s = 0; s < Slots; s++) begin
      if (!rst_ni || !bound_i[s]) begin
        arrived_q[s]    <= '0;
        launched_q[s]   <= '0;
        read_q[s]       <= '0;
        credit_due_q[s] <= 1'b0;
      end else begin
        if (accept_i && slot_i == 1'(s)) arrived_q[s] <= arrived_q[s] + 16'd1;
        if (launch_i[s]) launched_q[s] <= launched_q[s] + 16'd1;
        if (begins[s] || begins[2+s]) read_q[s] <= read_q[s] + 16'd1;
        if (launch_i[s]) credit_due_q[s] <= 1'b1;
        else if (credited_i[s]) credit_due_q[s] <= 1'b0;
      end
    end
    for (int ring_lane = 0; ring_lane < 2; ring_lane++) begin
      if (read_i[ring_lane] && first_i[ring_lane]) entry_q[ring_lane] <= entry[ring_lane];
    end
    if (write_i) mem[{slot_i, arrived_q[slot_i][EntryW-1:0], index_i[IndexW-1:0]}] <= data_i;
    if (accept_i) begin
      record_mem[{slot_i, arrived_q[slot_i][EntryW-1:0]}] <=
          {header_i.op, header_i.dtype, header_i.bytes, header_i.ends, header_i.empty};
    end
  end

  assign arrived_o    = {arrived_q[1], arrived_q[0]};
  assign launched_o   = {launched_q[1], launched_q[0]};
  assign credit_due_o = credit_due_q;

  // Assertions.
  logic [Slots-1:0] missing, crowded;
  always_comb begin
    missing = '0;
    crowded = '0;
    if (bound_i != '0 || begins != '0) begin
      for (int s = 0; s < Slots; s++) begin
        missing[s] = (begins[s] || begins[2+s]) && arrived_q[s] == read_q[s];
        crowded[s] = arrived_q[s] - launched_q[s] > 16'(Segments) || arrived_q[s] - read_q[s] >= 16'(Entries);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      RED_1 : assert (missing == '0);
      RED_2 : assert (crowded == '0);
    end
  end

endmodule
