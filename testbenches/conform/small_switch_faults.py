# SPDX-License-Identifier: Apache-2.0
"""Faults of the small switch of the guide: what is changed, and words that the kit's report must have."""

# name: (text of examples/conform/small_switch.sv, what it becomes, words)
FAULTS = {
    "unfair": ("PW'(from_q + PW'(n))", "PW'(n)", ["less than an eighth of the share"]),
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
    "a counter of lengths wraps": ("        outputs_q <= too_long ? '0 : outputs;\n        bytes_q <= too_long ? 16'(LONGEST + 1) : bytes;",
                                   "        outputs_q <= outputs;\n        bytes_q <= bytes & 16'h3fff;", ["lengths.wraps"]),
    "turns stand beside a stopped output": ("PW'(from_q + PW'(n))", "PW'((m_axis_tready[0] ? from_q : PW'(0)) + PW'(n))", ["contention.beside-stopped-first"]),
    "half an address": ("else if (mac[47:PW] == 48'h0200_0000_0000 >> PW && mac[PW-1:0] != PW'(i))", "else if (mac[PW-1:0] != PW'(i))",
                        ["must be dropped"]),
}

# Several faults in one copy, each of which one test is about: changes of the text, and words of each of the tests.
DIRECTED_CHANGES = [
    # A bad frame passes when it is copied; tuser amid a frame drops it; four frames that end at once do not become visible.
    ("      logic keeps;", "      logic keeps, sticky_q;"),
    ("        if (last_beat) begin", "        if (taking) sticky_q <= !last_beat && (sticky_q || s_axis_tuser[i]);\n"
     "        if (last_beat && !(&{g_in[0].last_beat, g_in[1].last_beat, g_in[2].last_beat, g_in[3].last_beat})) begin"),
    ("          write_q <= '0;", "          write_q <= '0;\n          sticky_q <= 1'b0;"),
    ("if (keeps && !s_axis_tuser[i])", "if (keeps && !((s_axis_tuser[i] || sticky_q) && $countones(outputs) < 2))"),
    # The second beat of IPv4 is cut out.
    ("assign keeps = outputs[o] && !too_long;", "assign keeps = outputs[o] && !too_long && !(in_frame_q && bytes_q == 16'd8 && data[47:32] == 16'h0008);"),
    # The last bit of broadcast is not compared, nor is its first byte.
    ("if (mac == '1) outputs", "if (mac[47:1] == '1 || mac[39:0] == '1) outputs"),
    # A queue takes a longest frame with room for one beat less.
    ("(AW+1)'(DEPTH - BEATS);", "(AW+1)'(DEPTH - BEATS + 1);"),
]
DIRECTED = {
    "bad.addresses": ["(port", "to nobody", "came out; it must be dropped"],
    "bad.within": ["is lost, or late"],
    "forwarding.types": ["came out"],
    "contention.together-next": ["nothing moved for"],
    "flow.fill-levels": ["a beat changed before tready"],
    "addressing.groups": ["to nobody", "came out; it must be dropped"],
    "addressing.near-broadcast": ["to nobody", "came out; it must be dropped"],
}
