// SPDX-License-Identifier: Apache-2.0
// Traffic of a program's own by DPI, in a simulation that is told +own=FILE: a frame from port 0 to port 1 through a device that
// stores it, and an entry that nobody judges. It takes no simulated time.
module own_traffic;
  import tilefly_ref_pkg::*;

  task automatic run(string capability);
    chandle          handle;
    tfr_beat         beat, none, stored [8];
    int              turn, taken, shown, due, verdict;
    longint unsigned frames;
    none = '0;
    taken = 0;
    shown = 0;
    due = 0;
    handle = tfr_create(VERSION, capability, "", 1);
    void'(tfr_mask(handle, "", 3));
    void'(tfr_configure(handle, "load", 1.0));
    for (int k = 0; k < 8; k++) begin
      beat = '0;
      beat.keep = 64'hff;
      beat.valid = 8'd1;
      beat.last = 8'(k == 7);
      beat.data[0] = 8'(k == 0 ? 2 : k);
      beat.data[5] = 8'(k == 0 ? 1 : k);
      void'(tfr_send(handle, 0, beat));
    end
    void'(tfr_end(handle));
    turn = tfr_next(handle);
    while (turn == CYCLE || turn == RESET) begin
      if (turn == CYCLE) begin
        if (tfr_expect(handle, 1, 0, 0, beat) == 1 && beat.data[5] == 8'd1) due = 1;
        for (int p = 0; p < 4; p++) void'(tfr_show(handle, p, 1, p == 1 && taken == 8 && shown < 8 ? stored[shown] : none));
        if (taken == 8 && shown < 8) shown++;
        void'(tfr_drive(handle, 0, beat));
        if (beat.valid != 0) begin
          stored[taken] = beat;
          taken++;
        end
      end
      turn = tfr_next(handle);
    end
    void'(tfr_counter(handle, 1, "frames_out", frames));
    verdict = tfr_finish(handle);
    $display("OWN: frame %0d was due, %0d came out, %s: %s", due, frames, verdict == UNDECIDED ? "UNDECIDED" : "?", tfr_message(handle));
    $display("seen: %s", tfr_observe(handle, 1));
    tfr_destroy(handle);
    $finish;
  endtask

  initial begin
    string capability;
    if ($value$plusargs("own=%s", capability)) run(capability);
  end
endmodule
