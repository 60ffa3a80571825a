# SPDX-License-Identifier: Apache-2.0
"""The rooms of docs/rooms.md against the headers that the compiler read, as ninja keeps them. docs/rooms.md."""
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path, PurePosixPath

PAGE = "docs/rooms.md"
FREE = ("testbenches/", "examples/")    # may include everything
INCLUDES = ["room", "what it holds", "namespace", "includes"]
STAYS = ["headers", "only in"]


class RoomsError(Exception):
    """The page or the build cannot be read; the message says what to do."""


def _tables(text):
    """{columns: rows of cells} of the page's tables; a cell is its names in backquotes, in order."""
    found, header = defaultdict(list), None
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            header = None
        elif header is None:
            header = tuple(cells)
        elif not set(line) <= set("|-"):
            if len(cells) != len(header):
                raise RoomsError(f"{PAGE}:{number}: {len(cells)} cells; give it {len(header)}")
            found[header].append((number, [re.findall(r"`([^`]+)`", cell) for cell in cells]))
    return found


class Page:
    """Who may see whom: `seen[room]` is the set of the rooms that a room may include, itself among them. `spaces[room]`
    are the namespaces of its headers."""

    def __init__(self, text):
        tables = _tables(text)
        for header in (INCLUDES, STAYS):
            if tuple(header) not in tables:
                raise RoomsError(f"{PAGE}: no table with the columns {', '.join(header)}; add it")
        self.seen, self.spaces, self.stays = {}, {}, {}
        for number, (room, _, spaces, includes) in tables[tuple(INCLUDES)]:
            for other in includes:
                if other not in self.seen:
                    raise RoomsError(f"{PAGE}:{number}: {room[0]} includes {other}, which has no row above; a room "
                                     "comes after those that it includes, and no two include each other")
            self.seen[room[0]] = {room[0]}.union(*(self.seen[other] for other in includes))
            self.spaces[room[0]] = spaces
        for number, (headers, rooms) in tables[tuple(STAYS)]:
            for room in rooms:
                if room not in self.seen:
                    raise RoomsError(f"{PAGE}:{number}: {room} has no row in the table of the rooms; add it")
            self.stays.update({header: rooms for header in headers})

    def room(self, path):
        """The room of a path from the project's root; None: no room's."""
        return max((room for room in self.seen if str(path).startswith(room)), key=len, default=None)

    def library(self, path):
        """The row of a header outside of the project that must stay in its rooms, or None."""
        parts = PurePosixPath(path).parts
        for name in self.stays:
            if name.rstrip("/") in (parts[:-1] if name.endswith("/") else parts[-1:]):
                return name
        return None


def _strange_namespaces(root, page, path):
    """What is wrong in the namespaces of a room's header."""
    room = page.room(path)
    for space in sorted(set(re.findall(r"^namespace (tilefly[\w:]*) \{", (root / path).read_text(), re.MULTILINE))):
        if room and space not in page.spaces[room]:
            yield (f"{path}: namespace {space}; {room} has {', '.join(page.spaces[room])}: take one of these, or change "
                   f"{PAGE}")


def dependencies(build):
    """(source, headers) of each object of a ninja build, as absolute paths."""
    result = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)
    if result.returncode:
        raise RoomsError(f"{build}: {result.stdout.strip()}; build it with scripts/build")
    for block in result.stdout.split("\n\n"):
        lines = block.splitlines()
        if len(lines) < 2 or not lines[0].split(":")[0].endswith(".o"):
            continue
        yield _absolute(build, lines[1]), [_absolute(build, line) for line in lines[2:]]


def _absolute(build, line):
    return Path(os.path.normpath(build / line.strip()))


def check(root, build):
    """(what is wrong, a line each; number of the sources that were looked at)."""
    page = Page((root / PAGE).read_text())
    wrong, count, seen = set(), 0, set()
    for source, headers in dependencies(build):
        if root not in source.parents or build in source.parents:
            continue
        name = source.relative_to(root)
        if str(name).startswith(FREE):
            continue
        own = page.room(name)
        if own is None:
            wrong.add(f"{name}: its folder is no room; add a row to {PAGE}")
            continue
        count += 1
        for header in headers:
            if root in header.parents and build not in header.parents:
                path = header.relative_to(root)
                seen.add(path)
                other = page.room(path)
                if other not in page.seen[own]:
                    wrong.add(f"{name} sees {path}: {own} may not include {other or 'it'}; move one of them, or change "
                              f"{PAGE}")
            elif root not in header.parents:
                library = page.library(header)
                if library and own not in page.stays[library]:
                    wrong.add(f"{name} sees {header}: {library} stays in {', '.join(page.stays[library])}; hide it "
                              "behind an interface of that room")
    for path in seen:
        wrong.update(_strange_namespaces(root, page, path))
    if not count:
        raise RoomsError(f"{build}: no object of any room is there; build it with scripts/build")
    return sorted(wrong), count
