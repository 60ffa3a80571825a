// SPDX-License-Identifier: Apache-2.0
// tilefly_axis_to_link at all widths side by side, for the conformance test: adapter n has slice n of each port, 512 bits of
// tdata and 64 of tkeep whatever its width.

module to_links #(
    /// adapters
    parameter int Count = 7
) (
    /// clock
    input  logic                                 clk_i,
    /// synchronous reset, active low
    input  logic                                 rst_ni,
    /// a beat is shown
    input  logic [                    Count-1:0] tvalid_i,
    /// it is taken
    output logic [                    Count-1:0] tready_o,
    /// its bytes
    input  logic [                512*Count-1:0] tdata_i,
    /// bytes in use
    input  logic [                 64*Count-1:0] tkeep_i,
    /// last beat of a frame
    input  logic [                    Count-1:0] tlast_i,
    /// the frame is bad
    input  logic [                    Count-1:0] tuser_i,
    /// PAUSE by the switch
    input  logic [                    Count-1:0] hold_i,
    /// a PAUSE frame is to be sent
    input  logic [                    Count-1:0] pause_due_i,
    /// its quanta
    input  logic [                 16*Count-1:0] pause_quanta_i,
    /// it is taken
    output logic [                    Count-1:0] pause_taken_o,
    /// words on the wires
    output logic [tilefly_pkg::WORD_W*Count-1:0] word_o,
    /// nothing inside
    output logic [                    Count-1:0] quiescent_o
);

  // 8, 16, 32, 64, 128, 256 and 512 bits: the same as in beats.h.
  function automatic integer width_of(input integer n);
    width_of = 8 << n;
  endfunction

  // FCS in the stream of every second one; padding in half of the others; the smallest store, and larger ones.
  function automatic integer has_fcs(input integer n);
    has_fcs = n % 2;
  endfunction
  function automatic integer pads(input integer n);
    pads = n % 4 == 0 ? 1 : 0;
  endfunction
  function automatic integer store_of(input integer n);
    store_of = tilefly_pkg::MTU_WORDS_STD + 1 + 25 * n;
  endfunction

  generate
    for (genvar n = 0; n < Count; n++) begin : gen_adapter
      localparam int DataW = width_of(n);

      tilefly_axis_to_link #(
          .DataW     (DataW),
          .HasFcs    (has_fcs(n)),
          .Pad       (pads(n)),
          .StoreWords(store_of(n))
      ) u_adapter (
          .clk_i,
          .rst_ni,
          .s_axis_tvalid_i(tvalid_i[n]),
          .s_axis_tready_o(tready_o[n]),
          .s_axis_tdata_i (tdata_i[512*n+:DataW]),
          .s_axis_tkeep_i (tkeep_i[64*n+:DataW/8]),
          .s_axis_tlast_i (tlast_i[n]),
          .s_axis_tuser_i (tuser_i[n]),
          .hold_i         (hold_i[n]),
          .pause_due_i    (pause_due_i[n]),
          .pause_quanta_i (pause_quanta_i[16*n+:16]),
          .pause_taken_o  (pause_taken_o[n]),
          .word_o         (word_o[tilefly_pkg::WORD_W*n+:tilefly_pkg::WORD_W]),
          .quiescent_o    (quiescent_o[n])
      );
    end
  endgenerate

endmodule
