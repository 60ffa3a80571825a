// SPDX-License-Identifier: Apache-2.0
// Delay lines of several depths and widths side by side, for the conformance test. Line i has Depth i + 1 and one to four
// payloads; the payloads of all lines stand side by side in the ports, line i's from first_payload(i) on.

module delay_lines #(
    /// delay lines
    parameter int Count = 9,
    /// bits of a payload
    parameter int Width = 32,
    /// payloads of all lines together
    parameter int AllPayloads = 21
) (
    /// clock
    input  logic                         clk_i,
    /// synchronous reset, active low
    input  logic                         rst_ni,
    /// a payload enters
    input  logic [      AllPayloads-1:0] valid_i,
    /// that payload
    input  logic [AllPayloads*Width-1:0] data_i,
    /// a payload leaves
    output logic [      AllPayloads-1:0] valid_o,
    /// that payload
    output logic [AllPayloads*Width-1:0] data_o,
    /// line i holds something
    output logic [            Count-1:0] busy_o
);

  // Payloads of line i: 1, 2, 3, 4, 1, ...
  function automatic integer payloads_of(input integer i);
    payloads_of = i % 4 + 1;
  endfunction
  function automatic integer first_payload(input integer i);
    first_payload = 0;
    for (int k = 0; k < i; k++) first_payload = first_payload + payloads_of(k);
  endfunction

  generate
    for (genvar i = 0; i < Count; i++) begin : gen_line
      tilefly_delay_line #(
          .Width   (Width),
          .Depth   (i + 1),
          .Payloads(payloads_of(i))
      ) u_line (
          .clk_i,
          .rst_ni,
          .valid_i(valid_i[first_payload(i)+:payloads_of(i)]),
          .data_i (data_i[first_payload(i)*Width+:payloads_of(i)*Width]),
          .valid_o(valid_o[first_payload(i)+:payloads_of(i)]),
          .data_o (data_o[first_payload(i)*Width+:payloads_of(i)*Width]),
          .busy_o (busy_o[i])
      );
    end
  endgenerate

endmodule
