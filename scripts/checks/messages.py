# SPDX-License-Identifier: Apache-2.0
"""Messages that a page quotes: each is still in the code. A table with the columns `message` and `remedy` quotes them in
backticks, with … for what differs from run to run."""
import re

from . import links

COLUMNS = {"message", "remedy"}
ROOMS = ("apps", "conform", "cosim", "network", "qos", "runs", "scripts", "support", "systemc", "topology", "traffic", "workload")
ELLIPSIS = "…"
JOIN = re.compile(r'"\s*\n\s*(?:std::string\()?f?"')      # a string that goes on in the next line
LEAST = 2      # letters of a piece that is looked for


def sources(root):
    """Text of the code that talks to users, with strings that go over several lines joined."""
    texts = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.is_file() and (path.suffix in (".cc", ".h", ".py", ".inc") or room == "scripts" and not path.suffix):
                texts.append(JOIN.sub("", path.read_text()).replace('\\"', '"'))
    return texts


def quoted(path):
    """(number of the line, message) of the tables of a page."""
    column = None
    for number, line in links.lines_of(path):
        cells = links.cells_of(line)
        if COLUMNS <= set(cells):
            column = cells.index("message")
        elif not cells:
            column = None
        elif column is not None and column < len(cells):
            for message in links.NAME.findall(cells[column]):
                yield number, message


def check(root):
    """(what is wrong, messages looked for). A message's pieces stand in one file, in their order or not."""
    wrong, count, texts = [], 0, None
    for path in links.pages(root):
        for number, message in quoted(path):
            texts = sources(root) if texts is None else texts
            count += 1
            pieces = [piece.strip() for piece in message.split(ELLIPSIS)]
            pieces = [piece for piece in pieces if len(re.findall(r"\w", piece)) >= LEAST]
            if not pieces or not any(all(piece in text for piece in pieces) for text in texts):
                wrong.append(f"{path.relative_to(root)}:{number}: no source has the message '{message}'; "
                             "say what the program says now")
    return wrong, count
