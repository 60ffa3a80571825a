# SPDX-License-Identifier: Apache-2.0
"""Faults drawn from the tables of long-lived state: a register that lost upper bits, a bit of it that is stuck, a
comparison that takes it for 0. All faults of a file are planted in it at once, behind the selector of mutants.py."""
import random
import re
from dataclasses import dataclass
from typing import Tuple

from . import invariants, mutants, wide_state
from .plan import ROOT

KINDS = ("truncate", "stick at 0", "stick at 1", "skip the comparison")
MOST_CUT = 3            # upper bits that a register loses
REDUCTION = "reduction"     # half of the faults are there
SIDE_BY_SIDE = ("tilefly_red_arrivals.arrived_q", "tilefly_red_credits.credit_q")   # element b is bit b of all counts
COUNT_BITS = 16         # of these counts
# Upper bits of registers that are never set or never read, so that a fault in them changes nothing: bits that matter,
# and why the others do not.
REACH = {"tilefly_credit_sender.used_q": (12, "used_v <= cap_v (CRED-2, proved), and cap_v has 12 bits"),
         "tilefly_retry_out.owed_q": (9, "the MAC owes the words of at most two packets of 133"),
         "tilefly_retry_out.stale_q": (9, "stale <= owed: the words of at most two packets of 133"),
         "tilefly_red_step.next_q": (7, "word 127 is a launch's last one: the next word is a first one and reads none"),
         "tilefly_reader.copies_mem": (6, "several copies go to other ports than the packet's own, at most 63")}
SELECTOR = """
  import "DPI-C" function int tilefly_mutant();
  int wide_fault;
  initial wide_fault = tilefly_mutant();
"""
INDEX = r"(?:\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\])"


class WideFaultError(Exception):
    """The tables or the RTL are not as they must be; the message says how."""


@dataclass(frozen=True)
class Row:
    """Of a table: a register, and the tests that cross its edge."""
    name: str                   # module.register
    width: int
    path: str                   # of the module
    tests: Tuple[str, ...]      # suite.Group.Name

    def register(self):
        return self.name.split(".")[1]

    def block(self):
        return self.path.split("/")[1]

    def suite(self):
        return self.tests[0].split(".")[0]

    def filter(self):
        """Of GoogleTest, in the suite."""
        return ":".join(test.split(".", 1)[1] for test in self.tests if test.startswith(self.suite() + "."))


@dataclass(frozen=True)
class Fault:
    number: int
    row: Row
    kind: str
    at: int         # bits that are cut; the bit that is stuck, from the highest on; number of the comparison

    def line(self):
        what = {"truncate": f"loses {self.at} upper bit{'s' if self.at > 1 else ''}",
                "skip the comparison": f"comparison {self.at} of its file takes it for 0"}
        stuck = f"bit {self.row.width - 1 - self.at} is stuck at {self.kind[-1]}"
        return f"{self.row.name}: {what.get(self.kind, stuck)}"


def rows(root=ROOT):
    """Those that have an edge, and a test that crosses it."""
    found = []
    for _, place, cells in wide_state.rows(root):
        tests = invariants.names(cells[3])
        if cells[2].startswith("none") or not tests:
            continue
        name = cells[0].strip("`")
        paths = [str(path.relative_to(root)) for path in root.glob(f"rtl/*/{name.split('.')[0]}.sv")]
        if len(paths) != 1:
            raise WideFaultError(f"{place}: {name.split('.')[0]} is in {len(paths)} files below rtl/, not in one")
        width = COUNT_BITS if name in SIDE_BY_SIDE else int(cells[1])
        found.append(Row(name, width, paths[0], tuple(tests)))
    return found


def judged(text):
    """The module without its assertions, which stand at its end."""
    return re.split(r"^ *// Assertions\b", text, maxsplit=1, flags=re.MULTILINE)[0]


def assignments(text, register):
    """(start, end, target) of what is assigned to the register by `<=`."""
    found = []
    before = r"(?:;|\)|\bbegin(?: : \w+)?|\belse|\bend|:|\n)"
    for match in re.finditer(rf"{before}\s*({register}(?:{INDEX})*)\s*<=", judged(text)):
        at, depth = match.end(), 0
        while text[at] != ";" or depth:
            depth += (text[at] in "([{") - (text[at] in ")]}")
            at += 1
        found.append((match.end(), at, match[1]))
    return found


def comparisons(text, register):
    """(start, end) of the register where it is compared, but in `quiescent_o`, which whole switches judge."""
    sign = r"(?:==|!=|>=|>(?!>)|<(?![=<]))"
    operand = rf"(\b{register}\b(?:{INDEX})*)"
    return sorted({match.span(1) for pattern in (rf"{operand}(?=\s*{sign})", rf"(?:==|!=|>=|[^>]>|[^<]<) {operand}")
                   for match in re.finditer(pattern, judged(text))
                   if "assign quiescent_o" not in text[text.rfind(";", 0, match.start()):match.start()]})


def equivalent(row, kind, at):
    """Why the fault changes nothing; empty: it may."""
    bits, why = REACH.get(row.name, (row.width, ""))
    above = at <= row.width - bits if kind == "truncate" else kind == "stick at 0" and at < row.width - bits
    return why if above else ""


def draw(seed, count, every, root=ROOT):
    """`count` different faults, half of them in the reduction; and those that others replace: they change nothing."""
    stream = random.Random(seed)
    pools = [[row for row in every if row.block() == REDUCTION], [row for row in every if row.block() != REDUCTION]]
    found, left_out = [], []
    while len(found) < count:
        row, kind = stream.choice(pools[len(found) % 2]), stream.choice(KINDS)
        text = (root / row.path).read_text()
        if not assignments(text, row.register()):
            raise WideFaultError(f"{row.path}: nothing is assigned to {row.register()} as the script reads it")
        if kind == "truncate":
            at = stream.randint(1, min(MOST_CUT, row.width - 1))
        elif kind == "skip the comparison":
            sites = len(comparisons(text, row.register()))
            if sites == 0:      # compared elsewhere
                continue
            at = stream.randrange(sites)
        else:
            at = stream.randrange(row.width)
        fault = Fault(len(found) + 1, row, kind, at)
        if equivalent(row, kind, at):
            left_out.append(fault)
        elif all((fault.row, fault.kind, fault.at) != (other.row, other.kind, other.at) for other in found):
            found.append(fault)
    return found, left_out


def every_one(name, every, root=ROOT):
    """All faults of the register `name`; and those that are left out, since they change nothing."""
    row = next((row for row in every if row.name == name), None)
    if row is None:
        raise WideFaultError(f"{name} stands in no table with an edge and a test; scripts/wide-state --list names registers")
    sites = len(comparisons((root / row.path).read_text(), row.register()))
    cuts = [("truncate", at) for at in range(1, min(MOST_CUT, row.width - 1) + 1)]
    skips = [("skip the comparison", at) for at in range(sites)]
    stuck = [(kind, at) for at in range(row.width) for kind in ("stick at 0", "stick at 1")]
    planted = [Fault(number, row, kind, at) for number, (kind, at) in enumerate(cuts + skips + stuck, 1)]
    left_out = [fault for fault in planted if equivalent(row, fault.kind, fault.at)]
    return [fault for fault in planted if fault not in left_out], left_out


def _masked(target, value, fault):
    """`value`, as it is while the fault is chosen."""
    chosen = f"wide_fault == {fault.number}"
    bits = f"$bits({target})"
    ones = f"{{{bits}{{1'b1}}}}"
    if fault.row.name in SIDE_BY_SIDE:
        index, size = re.search(r"\[(.*)\]$", target)[1], fault.row.width
        which = f"{index} >= {size - fault.at}" if fault.kind == "truncate" else f"{index} == {size - 1 - fault.at}"
        stuck = "'1" if fault.kind == "stick at 1" else "'0"
        return f"({chosen} && {which} ? {stuck} : {value})"
    if fault.kind == "truncate":
        return f"({value} & ({chosen} ? {ones} >> {fault.at} : {ones}))"
    one = f"(({ones} ^ ({ones} << 1)) << ({bits} - 1 - {fault.at} % {bits}))"
    if fault.kind == "stick at 1":
        return f"({value} | ({chosen} ? {one} : ~{ones}))"
    return f"({value} & ({chosen} ? ~{one} : {ones}))"


def plant(text, planted):
    """The module with these faults, of which the selector chooses one."""
    skips = [fault for fault in planted if fault.kind == "skip the comparison"]
    places = [(*comparisons(text, fault.row.register())[fault.at], fault) for fault in skips]
    for start, end, fault in sorted(places, key=lambda place: -place[0]):
        text = f"{text[:start]}(wide_fault == {fault.number} ? '0 : {text[start:end]}){text[end:]}"
    for register in sorted({fault.row.register() for fault in planted if fault not in skips}):
        for start, end, target in reversed(assignments(text, register)):
            value = text[start:end].strip()
            value = value if value in ("'0", "'1") else f"{{{value}}}"      # of its own width, as lint demands
            for fault in planted:
                if fault.row.register() == register and fault not in skips:
                    value = _masked(target, value, fault)
            text = f"{text[:start]} {value}{text[end:]}"
    return mutants.PRAGMAS + re.sub(r"^\);$", lambda match: match[0] + SELECTOR, text, count=1, flags=re.MULTILINE)


@dataclass(frozen=True)
class Planted:
    """A file with its faults, as mutants.Bench takes it."""
    path: str

    def file(self):
        return self.path


def bench(folder, suite, planted, root=ROOT):
    """The suite's test, built with all of them."""
    files = {}
    for fault in planted:
        files.setdefault(fault.row.path, []).append(fault)
    made = mutants.Bench(folder, suite)
    made.build([(Planted(path), plant((root / path).read_text(), some)) for path, some in sorted(files.items())])
    return made
