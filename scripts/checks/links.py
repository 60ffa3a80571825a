# SPDX-License-Identifier: Apache-2.0
"""Links of the manual's pages, and the names that a page says are in a file."""
import re
import urllib.parse

LINK = re.compile(r"\[[^\]\[]*\]\(([^()\s]+)\)")
NAME = re.compile(r"`([^`]+)`")
COLUMNS = ("file", "names")     # of a table whose names are looked for in the row's file


def pages(root):
    return [path for path in (root / "README.md", *sorted((root / "docs").rglob("*.md"))) if path.exists()]


def lines_of(path):
    """(number, line) of a page, without blocks of code."""
    code = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip().startswith("```"):
            code = not code
        elif not code:
            yield number, line


def _anchors(path):
    """Of the headings: lower case, spaces as hyphens, no punctuation; a second one of a name ends in -1."""
    found = {}
    for _, line in lines_of(path):
        heading = re.match(r"#+ +(.*)", line)
        if heading:
            text = LINK.sub(lambda link: link[0][1:link[0].index("]")], heading[1]).replace("`", "")
            slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
            yield slug if slug not in found else f"{slug}-{found[slug]}"
            found[slug] = found.get(slug, 0) + 1


def _target(path, link):
    """(file, anchor) of a link inside the project; None: it leads elsewhere."""
    if re.match(r"[a-z]+:", link):
        return None
    name, _, anchor = urllib.parse.unquote(link).partition("#")
    return ((path.parent / name).resolve() if name else path), anchor


def _links(root, path):
    for number, line in lines_of(path):
        for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            target = _target(path, link)
            if target is None:
                continue
            file, anchor = target
            where = f"{path.relative_to(root)}:{number}: {link}"
            if not file.exists():
                yield f"{where}: there is no such file; mend the link"
            elif anchor and file.suffix == ".md" and anchor not in _anchors(file):
                yield f"{where}: {file.name} has no such heading; mend the link"


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if line.lstrip().startswith("|") else []


def _names(root, path):
    """(names looked for, what is wrong) of the page's tables that have the columns."""
    count, wrong, at = 0, [], None
    for number, line in lines_of(path):
        cells = cells_of(line)
        if set(COLUMNS) <= set(cells):
            at = [cells.index(column) for column in COLUMNS]
        elif not cells:
            at = None
        elif at and len(cells) > max(at):
            links = [_target(path, link) for link in LINK.findall(cells[at[0]])]
            texts = [file.read_text() for file, _ in filter(None, links) if file.is_file()]
            for name in NAME.findall(cells[at[1]]):
                count += 1
                if not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in texts):
                    wrong.append(f"{path.relative_to(root)}:{number}: {cells[at[0]]} has no {name}; "
                                 "say what the file calls it now")
    return count, wrong


def check(root):
    """(what is wrong, pages looked at, names looked for)."""
    wrong, count = [], 0
    for path in pages(root):
        wrong += _links(root, path)
        names, missing = _names(root, path)
        count += names
        wrong += missing
    return wrong, len(pages(root)), count
