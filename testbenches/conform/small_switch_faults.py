# SPDX-License-Identifier: Apache-2.0
"""Faults of the small switch of the guide: what is changed, and words that the kit's report must have."""

# name: (text of examples/conform/small_switch.sv, what it becomes, words)
FAULTS = {
    "unfair": ("PW'(from_q + PW'(n))", "PW'(n)", ["claims.fairness"]),
    "too long passes": ("assign too_long = bytes > 16'(LONGEST);", "assign too_long = 1'b0;", ["must be dropped"]),
    "bad passes": ("if (keeps && !s_axis_tuser[i])", "if (keeps)", ["must be dropped"]),
    "broadcast comes back": ("outputs = ~(PORTS'(1) << i);", "outputs = '1;", ["broadcast"]),
    "queue overflows": ("(AW+1)'(DEPTH - BEATS);", "(AW+1)'(DEPTH - 8);", ["port"]),
    "tkeep is lost": ("keep: keep, data: data}", "keep: '1, data: data}", ["came out"]),
    "dropped beats stay": ("else write_q <= begin_q;", "", ["without tlast"]),
    "reset forgets": ("if (rst) in_frame_q <= 1'b0;", "", ["frame"]),
    "does not wait": ("assign sends = busy_q && m_axis_tready[o];", "assign sends = busy_q;", ["changed before tready"]),
    "leaves early": ("assign ready_q[o][i] = begin_q != read_q;", "assign ready_q[o][i] = write_q != read_q;", ["before its last beat went in"]),
    "all inputs wait": ("assign s_axis_tready[i] = in_frame_q || (&room);",
                        "assign s_axis_tready[i] = in_frame_q || (&{g_in[0].room, g_in[1].room, g_in[2].room, g_in[3].room});",
                        ["tready does not take it while output", "is stopped"]),
    "half an address": ("else if (mac[47:PW] == 48'h0200_0000_0000 >> PW && mac[PW-1:0] != PW'(i))", "else if (mac[PW-1:0] != PW'(i))",
                        ["must be dropped"]),
}
