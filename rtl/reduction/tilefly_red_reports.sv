// SPDX-License-Identifier: Apache-2.0
// What the reduction ports report in a cycle, sorted for the CFU: a bit of all ports side by side, port p in place p. Numbers come
// bit by bit, bit b of all ports in [b*Ports +: Ports]. Manual: docs/blocks/reduction.md, "Reduction port".
// Combinational. Nothing is sorted while nobody reports anything.

module tilefly_red_reports #(
    /// ports
    parameter int Ports = tilefly_pkg::PORTS,
    /// groups
    parameter int Groups = tilefly_pkg::RED_GROUPS
) (
    /// reports of the ports (red_report_t)
    input  logic [Ports*tilefly_pkg::RED_REPORT_W-1:0] reports_i,
    /// the CFU has to know which ports are live
    input  logic                                       look_i,
    /// groups for which it matters that a peer tells of its failure
    input  logic [                         Groups-1:0] hears_i,
    /// some report is not empty
    output logic                                       some_o,
    /// ports that are enabled and whose link works; 0 when the CFU does not have to know
    output logic [                          Ports-1:0] live_o,
    /// ports with a segment or a result of slot s, in bits [s*Ports +: Ports]
    output logic [                        2*Ports-1:0] segment_o,
    /// those of these ports whose sender wants the result
    output logic [                          Ports-1:0] wants_o,
    /// those of these ports whose segment or result is the last of an operation
    output logic [                          Ports-1:0] ends_o,
    /// ports with a CREDIT of slot s
    output logic [                        2*Ports-1:0] credit_o,
    /// count that the CREDIT says: 8 bits
    output logic [                        8*Ports-1:0] counts_o,
    /// ports with a short operation of group g, in bits [g*Ports +: Ports]
    output logic [                   Groups*Ports-1:0] short_o,
    /// ports with a short operation of engine e, in bits [e*Ports +: Ports]
    output logic [                        8*Ports-1:0] engine_o,
    /// codes by which group g fails, a bit for each, in bits [g*16 +: 16]
    output logic [                      Groups*16-1:0] codes_o,
    /// ports with room that became free, of return lane l in bits [l*Ports +: Ports]
    output logic [                        3*Ports-1:0] free_o,
    /// number of these cells: 7 bits
    output logic [                        7*Ports-1:0] cells_o
);

  localparam int ReportW = tilefly_pkg::RED_REPORT_W;
  localparam int ReportsW = Ports * ReportW;
  // Lowest bits of the fields of a report.
  localparam int Live = 0, FreeCells = 1, FreeLane = 8, FreeValid = 10, Credit = 11, Code = 19, Ends = 23, Wants = 24, Engine = 25,
      Group = 28, Slot = 31, Event = 32;

  // Bit `at` of all reports.
  function automatic [Ports-1:0] gathered(input [ReportsW-1:0] reports, input [5:0] at);
    /* verilator no_inline_task */
    gathered = '0;
    for (int p = 0; p < Ports; p++) gathered = gathered | Ports'(reports[p*ReportW+32'(at)]) << p;
  endfunction

  // Ports whose number, of three bits, is `value`.
  function automatic [Ports-1:0] with_number(input [3*Ports-1:0] bits, input [2:0] value);
    /* verilator no_inline_task */
    with_number = ~((bits[Ports-1:0] ^ {Ports{value[0]}}) | (bits[Ports+:Ports] ^ {Ports{value[1]}}) |
        (bits[2*Ports+:Ports] ^ {Ports{value[2]}}));
  endfunction

  // Bits that say whether there is anything: event, room.
  localparam logic [ReportW-1:0] Telling = ReportW'(7) << Event | ReportW'(1) << FreeValid;
  assign some_o = (reports_i & {Ports{Telling}}) != '0;

  logic [3*Ports-1:0] events, groups, engines;
  logic [4*Ports-1:0] codes;
  logic [2*Ports-1:0] return_lanes;
  logic [Groups*Ports-1:0] of_group;
  logic [Ports-1:0] segments, credits, shorts, failures, errors, slots, frees, of_code;

  always_comb begin
    events   = '0;
    groups   = '0;
    engines  = '0;
    codes    = '0;
    of_group = '0;
    return_lanes = '0;
    slots    = '0;
    of_code  = '0;
    segments = '0;
    credits  = '0;
    shorts   = '0;
    errors   = '0;
    failures = '0;
    frees    = '0;
    live_o     = '0;
    segment_o  = '0;
    wants_o    = '0;
    ends_o     = '0;
    credit_o   = '0;
    counts_o   = '0;
    short_o    = '0;
    engine_o   = '0;
    codes_o    = '0;
    free_o     = '0;
    cells_o    = '0;
    if (look_i) live_o = gathered(reports_i, 6'(Live));
    if (some_o) begin
      for (int b = 0; b < 3; b++) events[b*Ports+:Ports] = gathered(reports_i, 6'(Event + b));
      segments = with_number(events, tilefly_pkg::RED_EV_SEGMENT);
      credits  = with_number(events, tilefly_pkg::RED_EV_CREDIT);
      shorts   = with_number(events, tilefly_pkg::RED_EV_SHORT);
      errors   = with_number(events, tilefly_pkg::RED_EV_ERROR);
      failures = with_number(events, tilefly_pkg::RED_EV_FAILED);
      frees    = gathered(reports_i, 6'(FreeValid));
      if ((segments | credits) != '0) begin
        slots     = gathered(reports_i, 6'(Slot));
        segment_o = {segments & slots, segments & ~slots};
        credit_o  = {credits & slots, credits & ~slots};
      end
      if (segments != '0) begin
        wants_o = gathered(reports_i, 6'(Wants));
        ends_o  = gathered(reports_i, 6'(Ends));
      end
      if (credits != '0) begin
        for (int b = 0; b < 8; b++) counts_o[b*Ports+:Ports] = gathered(reports_i, 6'(Credit + b));
      end
      if ((shorts | errors | failures) != '0) begin
        for (int b = 0; b < 3; b++) groups[b*Ports+:Ports] = gathered(reports_i, 6'(Group + b));
        for (int g = 0; g < Groups; g++) of_group[g*Ports+:Ports] = with_number(groups, 3'(g));
      end
      if (shorts != '0) begin
        for (int b = 0; b < 3; b++) engines[b*Ports+:Ports] = gathered(reports_i, 6'(Engine + b));
        for (int g = 0; g < Groups; g++) short_o[g*Ports+:Ports] = shorts & of_group[g*Ports+:Ports];
        for (int e = 0; e < 8; e++) engine_o[e*Ports+:Ports] = with_number(engines, 3'(e));
      end
      if ((errors | failures) != '0) begin
        for (int b = 0; b < 4; b++) codes[b*Ports+:Ports] = gathered(reports_i, 6'(Code + b));
        for (int g = 0; g < Groups; g++) begin
          if (hears_i[g]) errors = errors | (failures & of_group[g*Ports+:Ports]);
        end
        for (int c = 0; c < 16; c++) begin
          of_code = errors & with_number(codes[3*Ports-1:0], 3'(c)) & (codes[3*Ports+:Ports] ^ {Ports{c < 8}});
          for (int g = 0; g < Groups; g++) codes_o[g*16+c] = (of_code & of_group[g*Ports+:Ports]) != '0;
        end
      end
      if (frees != '0) begin
        for (int b = 0; b < 2; b++) return_lanes[b*Ports+:Ports] = gathered(reports_i, 6'(FreeLane + b));
        free_o = {frees & return_lanes[Ports+:Ports], frees & ~return_lanes[Ports+:Ports] & return_lanes[Ports-1:0],
                  frees & ~return_lanes[Ports+:Ports] & ~return_lanes[Ports-1:0]};
        for (int b = 0; b < 7; b++) cells_o[b*Ports+:Ports] = gathered(reports_i, 6'(FreeCells + b));
      end
    end
  end

endmodule
