# SPDX-License-Identifier: Apache-2.0
"""Invariants of the block pages: each row of docs/blocks/ names a statement, an assertion of the RTL, a golden check and a
test, and each of them exists; a planted fault breaks each that has an assertion; and no id in RTL, golden or tests is
missing from the pages, nor one that a planted fault breaks. See docs/testing.md."""
import re
from pathlib import Path

import yaml

HEADER = ["id", "statement", "assertion", "golden check", "test"]
ID = r"(?:ACK|ARB|ARITH|AXIS|CRED|EGR|FIFO|ING|LINK|RED|RETRY|ROUTE|SCHED|TILE|TREE|XBAR)"
LABEL = re.compile(r"\b([A-Z]{2,5}_[0-9]+)((?:_[a-z]+)*)\s*:\s*assert\b")
REQUIRE = re.compile(r'Require\(\s*"([A-Z]{2,5}-[0-9]+)"')
MENTION = re.compile(rf"\b{ID}-[0-9]+\b")
TEST = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+)\s*,\s*(\w+)\s*\)")
NONE = re.compile(r"none: \w.{9,}")
UNPLANTED = "; no fault: "    # in an assertion's cell, behind its names
LEAST_REASON = 10            # characters


def _read(root, folder, *suffixes):
    """(path relative to root, text) of all files below root/folder."""
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in suffixes and "generated" not in path.parts:
            yield path.relative_to(root), path.read_text()


def _line(text, offset):
    return text.count("\n", 0, offset) + 1


def _pages(root):
    """Rows of all invariant tables: (place, cells); and the faults of tables without the header."""
    rows, faults = [], []
    for path, text in _read(root, "docs/blocks", ".md"):
        header = None
        for number, line in enumerate(text.splitlines(), 1):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not line.startswith("|"):
                header = None
            elif header is None:
                header = cells
            elif re.fullmatch(r"[A-Z]{2,5}-[0-9]+", cells[0]):
                if header != HEADER:
                    faults.append(f"{path}:{number}: the table of {cells[0]} has the columns {', '.join(header)}; give it "
                                  f"{', '.join(HEADER)}")
                elif len(cells) != len(HEADER):
                    faults.append(f"{path}:{number}: {cells[0]} has {len(cells)} cells; give it {len(HEADER)}")
                else:
                    rows.append((f"{path}:{number}", cells))
    return rows, faults


def names(cell):
    """The names of a cell, `A`, `B`; empty for one that says none and why; None for anything else."""
    if NONE.fullmatch(cell):
        return []
    found = re.findall(r"`([^`]+)`", cell)
    return found if found and re.sub(r"`[^`]+`|[, ]", "", cell) == "" else None


def assertions(cell):
    """(the names of an assertion's cell, why no planted fault breaks the invariant; "" when one must)."""
    labels, _, reason = cell.partition(UNPLANTED)
    return names(labels), reason


def tests(root):
    """Names of all tests below testbenches/, `suite.Group.Name`."""
    return {f"{path.parts[1]}.{found[1]}.{found[2]}" for path, text in _read(root, "testbenches", ".h", ".cc")
            for found in TEST.finditer(text)}


class _Sources:
    def __init__(self, root):
        self.labels, self.requires, self.tests, self.mentions = {}, {}, tests(root), {}
        self.broken = {}    # invariant -> the fault that its assertion must find
        for path in sorted((root / "testbenches").glob("*/faults.yaml")):
            for fault in yaml.safe_load(path.read_text()):
                if "breaks" in fault:
                    self.broken.setdefault(fault["breaks"], f"{path.relative_to(root)}: {fault['name']}")
        for path, text in _read(root, "rtl", ".sv"):
            for found in LABEL.finditer(text):
                self.labels.setdefault(found[1] + found[2], f"{path}:{_line(text, found.start())}")
        for path, text in _read(root, "golden", ".h", ".cc"):
            for found in REQUIRE.finditer(text):
                self.requires.setdefault(found[1], f"{path}:{_line(text, found.start())}")
            self._mentioned(path, text)
        for path, text in _read(root, "testbenches", ".h", ".cc"):
            self._mentioned(path, text)
        for path, text in _read(root, "cosim", ".h", ".cc"):
            self._mentioned(path, text)

    def _mentioned(self, path, text):
        for found in MENTION.finditer(text):
            self.mentions.setdefault(found[0], f"{path}:{_line(text, found.start())}")


def _check_row(place, cells, sources):
    invariant, _, assertion, golden, test = cells
    labels, unplanted = assertions(assertion)
    if invariant in sources.broken and not labels:
        yield f"{sources.broken[invariant]}: breaks {invariant}, which at {place} has no assertion; correct one of them"
    if invariant in sources.broken and unplanted:
        yield f"{sources.broken[invariant]}: breaks {invariant}, of which {place} says 'no fault'; correct one of them"
    if labels and invariant not in sources.broken and len(unplanted) < LEAST_REASON:
        yield f"{place}: {invariant}: no planted fault breaks it; give a fault of testbenches/*/faults.yaml " + \
              f"'breaks: {invariant}', or end the assertion's cell with '{UNPLANTED}' and the reason"
    columns = ((assertion, "assertion", sources.labels, "label an assertion below rtl/ with it"),
               (golden, "golden check", sources.requires, "call Require with it in golden/"),
               (test, "test", sources.tests, "write it as `suite.Group.Name`, and the test below testbenches/"))
    stem = invariant.replace("-", "_")
    for cell, what, known, remedy in columns:
        named = labels if what == "assertion" else names(cell)
        if named is None or (what == "test" and not named):
            yield f"{place}: {invariant}: {what} is '{cell}'; write names in backticks" + \
                  ("" if what == "test" else ", or 'none: ' and the reason")
            continue
        for name in named:
            if name not in known:
                yield f"{place}: {invariant}: {what} `{name}` does not exist; {remedy}"
            elif what == "assertion" and not re.fullmatch(rf"{stem}(_[a-z]+)*", name):
                yield f"{place}: {invariant}: assertion `{name}` is another invariant's; name one of {stem}"
            elif what == "golden check" and name != invariant:
                yield f"{place}: {invariant}: golden check `{name}` is another invariant's; name `{invariant}`"


def check(root):
    """(faults, number of invariants) of the tree below root."""
    root = Path(root)
    rows, faults = _pages(root)
    sources = _Sources(root)
    places = {}
    for place, cells in rows:
        if cells[0] in places:
            faults.append(f"{place}: {cells[0]} is at {places[cells[0]]} too; give one another number")
        places[cells[0]] = place
        faults += _check_row(place, cells, sources)
    listed = {name for _, cells in rows for name in assertions(cells[2])[0] or []}
    golden = {name for _, cells in rows for name in names(cells[3]) or []}
    for name, place in sources.labels.items():
        if name not in listed:
            faults.append(f"{place}: assertion {name} is on no block page; add it to the row of its invariant")
    for name, place in {**sources.mentions, **sources.requires}.items():
        if name not in places:
            faults.append(f"{place}: {name} is on no block page; correct it or add its row")
    for name, place in sources.broken.items():
        if name not in places:
            faults.append(f"{place}: breaks {name}, which is on no block page; correct it or add its row")
    for name, place in sources.requires.items():
        if name in places and name not in golden:
            faults.append(f"{place}: golden check {name} is not in its row at {places[name]}; name it there")
    if not rows:
        faults.append("docs/blocks: no invariant found; the tables have the columns " + ", ".join(HEADER))
    return faults, len(rows)
