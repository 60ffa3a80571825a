// SPDX-License-Identifier: Apache-2.0
// tilefly_link_to_axis at all widths side by side, for the conformance test: adapter n has slice n of each port, 512 bits of
// tdata, 64 of tkeep, 4 of tdest and of tid whatever its width.

module to_axes #(
    /// adapters
    parameter int Count = 7
) (
    /// clock
    input  logic                                 clk_i,
    /// synchronous reset, active low
    input  logic                                 rst_ni,
    /// number of the current cycle
    input  logic [                         47:0] cycle_i,
    /// words on the wires
    input  logic [tilefly_pkg::WORD_W*Count-1:0] word_i,
    /// tdest of the frames
    input  logic [                  4*Count-1:0] tdest_i,
    /// tid of the frames
    input  logic [                  4*Count-1:0] tid_i,
    /// a beat is shown
    output logic [                    Count-1:0] tvalid_o,
    /// it is taken
    input  logic [                    Count-1:0] tready_i,
    /// its bytes
    output logic [                512*Count-1:0] tdata_o,
    /// bytes in use
    output logic [                 64*Count-1:0] tkeep_o,
    /// last beat of a frame
    output logic [                    Count-1:0] tlast_o,
    /// the frame is bad
    output logic [                    Count-1:0] tuser_o,
    /// destination
    output logic [                  4*Count-1:0] tdest_o,
    /// stream
    output logic [                  4*Count-1:0] tid_o,
    /// PAUSE by the switch
    output logic [                    Count-1:0] hold_o,
    /// a PAUSE frame is to be sent
    output logic [                    Count-1:0] pause_due_o,
    /// its quanta
    output logic [                 16*Count-1:0] pause_quanta_o,
    /// it is taken
    input  logic [                    Count-1:0] pause_taken_i,
    /// a frame ends that is not shown
    output logic [                    Count-1:0] lost_o,
    /// nothing inside
    output logic [                    Count-1:0] quiescent_o
);

  // 8, 16, 32, 64, 128, 256 and 512 bits: the same as in beats.h.
  function automatic integer width_of(input integer n);
    width_of = 8 << n;
  endfunction

  // The FCS is kept by every second one; XOFF comes early, so that it comes often.
  function automatic integer keeps_fcs(input integer n);
    keeps_fcs = n % 2;
  endfunction
  function automatic integer xoff_of(input integer n);
    xoff_of = 40 + 30 * n;
  endfunction

  generate
    for (genvar n = 0; n < Count; n++) begin : gen_adapter
      localparam int DataW = width_of(n);
      logic [DataW-1:0] beat;
      logic [DataW/8-1:0] bytes;

      tilefly_link_to_axis #(
          .DataW    (DataW),
          .KeepFcs  (keeps_fcs(n)),
          .XoffWords(xoff_of(n)),
          .DestW    (4),
          .IdW      (4)
      ) u_adapter (
          .clk_i,
          .rst_ni,
          .cycle_i,
          .word_i         (word_i[tilefly_pkg::WORD_W*n+:tilefly_pkg::WORD_W]),
          .tdest_i        (tdest_i[4*n+:4]),
          .tid_i          (tid_i[4*n+:4]),
          .m_axis_tvalid_o(tvalid_o[n]),
          .m_axis_tready_i(tready_i[n]),
          .m_axis_tdata_o (beat),
          .m_axis_tkeep_o (bytes),
          .m_axis_tlast_o (tlast_o[n]),
          .m_axis_tuser_o (tuser_o[n]),
          .m_axis_tdest_o (tdest_o[4*n+:4]),
          .m_axis_tid_o   (tid_o[4*n+:4]),
          .hold_o         (hold_o[n]),
          .pause_due_o    (pause_due_o[n]),
          .pause_quanta_o (pause_quanta_o[16*n+:16]),
          .pause_taken_i  (pause_taken_i[n]),
          .lost_o         (lost_o[n]),
          .quiescent_o    (quiescent_o[n])
      );

      assign tdata_o[512*n+:512] = 512'(beat);
      assign tkeep_o[64*n+:64] = 64'(bytes);
    end
  endgenerate

endmodule
