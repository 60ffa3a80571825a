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
WALLS = ["folder", "what it holds", "includes"]


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
    are the namespaces of its headers. `walls[folder]` has, for each folder that a folder of a room with walls may
    include, the number of the line that says so."""

    def __init__(self, text):
        tables = _tables(text)
        for header in (INCLUDES, STAYS, WALLS):
            if tuple(header) not in tables:
                raise RoomsError(f"{PAGE}: no table with the columns {', '.join(header)}; add it")
        self.seen, self.spaces, self.stays, self.walls = {}, {}, {}, {}
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
        for number, (folder, _, includes) in tables[tuple(WALLS)]:
            if len(folder) != 1 or folder[0] in self.walls:
                raise RoomsError(f"{PAGE}:{number}: the first cell names {' and '.join(folder) or 'nothing'} in backquotes; give it "
                                 "one folder that has no row yet")
            for other in includes:
                if other not in self.walls:
                    raise RoomsError(f"{PAGE}:{number}: {folder[0]} includes {other}, which has no row above; a folder "
                                     "comes after those that it includes, and no two include each other")
            self.walls[folder[0]] = {other: number for other in includes}

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


def _walls(root, page):
    """What is wrong between the folders of rooms with walls. The texts of the files say who includes what: the compiler's
    dependencies do not, because sources of several folders are compiled as one."""
    taken, full = set(), set()
    for room in sorted({page.room(folder) for folder in page.walls} - {None}):
        for path in sorted(file for file in (root / room).rglob("*") if file.is_file() and file.name != "CMakeLists.txt"):
            name = path.relative_to(root)
            folder = f"{name.parent}/"
            full.add(folder)
            if folder not in page.walls:
                yield f"{name}: {folder} has no row in the table of the folders of {room}; add it to {PAGE}"
                continue
            for quote, header in re.findall(r'^\s*#\s*include\b\s*(["<]?)([^">\n]*)', path.read_text(), re.MULTILINE):
                other = f"{PurePosixPath(header).parent}/"
                taken.add((folder, other))
                inside = page.room(header) == room
                if not quote or ".." in header.split("/") or (inside and quote == "<"):
                    yield f'{name} includes {header}: write the path from the root of the project, as in #include "{folder}..."'
                elif inside and other != folder and other not in page.walls[folder]:
                    yield (f"{name} includes {header}: {folder} may not include {other}; move one of them, or change "
                           f"{PAGE}")
    for folder, others in page.walls.items():
        if folder not in full:
            yield f"{PAGE}: {folder} has a row and no file; take the row out"
        for other, number in others.items():
            if (folder, other) not in taken:
                yield f"{PAGE}:{number}: no file of {folder} includes one of {other}; leave {other} out of the row"


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


def _inside(root, build, path):
    return root in path.parents and build not in path.parents


def _includes(root, path, seen):
    """Adds the files of the project that a file's text includes, and those that these include."""
    for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE):
        header = root / name
        if header not in seen and header.exists():
            seen.add(header)
            _includes(root, header, seen)
    return seen


def _sources(root, build, source, headers):
    """{source: its path from the project's root} of an object. One of several sources (cmake/Unity.cmake) is made of a text
    in the build, which includes them. A source that the build makes lies there as what it is made of does in the
    project."""
    found = {path: path.relative_to(root) for path in [source, *headers] if path.suffix == ".cc" and _inside(root, build, path)}
    if not found and source.suffix == ".cc" and build in source.parents:
        found = {source: source.relative_to(build)}
    return {path: place for path, place in found.items() if not str(place).startswith(FREE)}


def _name(root, path):
    return str(path.relative_to(root) if root in path.parents else path)


def _who(root, sources, header):
    """Of the sources of one object those that see the header; all, where their texts do not tell."""
    told = [source for source in sources if header in _includes(root, source, set())] if len(sources) > 1 else []
    return " and ".join(_name(root, source) for source in told or sources)


def check(root, build):
    """(what is wrong, a line each; number of the sources that were looked at)."""
    page = Page((root / PAGE).read_text())
    wrong, count, seen = set(), 0, set()
    for source, headers in dependencies(build):
        sources = _sources(root, build, source, headers)
        rooms = {page.room(place) for place in sources.values()}
        if None in rooms:
            wrong.update(f"{_name(root, path)}: its folder is no room; add a row to {PAGE}"
                         for path, place in sources.items() if page.room(place) is None)
            continue
        if len(rooms) > 1:
            wrong.add(f"{_who(root, sources, None)} are compiled as one, but are of {' and '.join(sorted(rooms))}; make them two "
                      "libraries")
        if len(rooms) != 1:
            continue
        own = rooms.pop()
        count += len(sources)
        for header in headers:
            if _inside(root, build, header):
                path = header.relative_to(root)
                seen.add(path)
                other = page.room(path)
                if other not in page.seen[own]:
                    wrong.add(f"{_who(root, sources, header)} sees {path}: {own} may not include {other or 'it'}; move one of "
                              f"them, or change {PAGE}")
            elif root not in header.parents:
                library = page.library(header)
                if library and own not in page.stays[library]:
                    wrong.add(f"{_who(root, sources, header)} sees {header}: {library} stays in "
                              f"{', '.join(page.stays[library])}; hide it behind an interface of that room")
    for path in seen:
        wrong.update(_strange_namespaces(root, page, path))
    wrong.update(_walls(root, page))
    if not count:
        raise RoomsError(f"{build}: no object of any room is there; build it with scripts/build")
    return sorted(wrong), count
