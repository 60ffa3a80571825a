# SPDX-License-Identifier: Apache-2.0
"""The manual's pages as Sphinx takes them: links to sources of the project lead to pages with the source, names of registers,
counters, wire fields and options are entries of the index (which search shows first), and the first page is made."""
import os
import pathlib
import re
import shutil

import yaml

LINK = re.compile(r"(?<!!)\[([^\]\[]*)\]\(([^()\s]+)\)")
WIDE = re.compile(r"^!\[[^\]]*\]\(pictures/recorded/[^()]*\)$")
HOME = {"docs/blocks": "docs/README.md#the-blocks", "docs/reference": "docs/README.md#all-pages", "docs": "docs/README.md"}
INDEXED = ("reference/registers", "reference/counters", "reference/wire", "reference/parameters", "reference/commands")
LANGUAGES = {".cc": "cpp", ".h": "cpp", ".c": "c", ".sv": "systemverilog", ".py": "python", ".yaml": "yaml", ".json": "json",
             ".cmake": "cmake", ".md": "markdown"}
FIRST = """---
hide-toc: true
---
# Tilefly

A cycle-accurate model of a 64-port tiled HPC Ethernet switch, in SystemVerilog, C++ and SystemC.

![RTL and golden model run on the same words](docs/pictures/two-descriptions.svg)

New here? Read [the switch in ten minutes](docs/overview.md), then choose by what you do:

<div class="cards">

{cards}
</div>

All pages are in the [list of the manual](docs/README.md), all names in the {{ref}}`index <genindex>`.

{trees}
"""
MADE = {"blocks": "The blocks"}     # titles of pages that scripts/site makes and cards lead to
CARDS = {"Architects": "How the switch works in each cycle, and what can be changed in it.",
         "Verification engineers": "RTL against the golden model, waves, certificates for a switch of your own.",
         "Researchers": "Systems of switches: topologies, routing, workloads, curves with confidence.",
         "Platform builders": "Transaction models, NICs and programs of your own."}


class SiteError(Exception):
    """What is wrong, and the remedy."""


def contents(root):
    """Chapters of the navigation: (title, names of pages below docs/, without .md)."""
    chapters = yaml.safe_load((root / "docs/site/contents.yaml").read_text())
    return [(chapter["title"], chapter["pages"]) for chapter in chapters]


def unlisted(root):
    """Pages of the manual that no chapter has, and names of chapters that are no page; a line each."""
    made = {"reference/commands", "api", "blocks"}
    listed = {name for _, pages in contents(root) for name in pages}
    there = {str(path.relative_to(root / "docs").with_suffix("")) for path in (root / "docs").rglob("*.md")}
    there = {name for name in there if name != "README" and not name.startswith("blocks/")}
    return ([f"docs/{name}.md: is in no chapter of docs/site/contents.yaml; add it" for name in sorted(there - listed)]
            + [f"docs/site/contents.yaml: there is no page {name}; take it out" for name in sorted(listed - there - made)])


class Stage:
    """Copies pages from `root` to `folder`, one at a time; `sources` are the files that they link to."""

    def __init__(self, root, folder):
        self.root, self.folder, self.sources = root, folder, set()

    def page(self, name, text):
        """Page `name`, a path from the root, with its links as the site has them."""
        place, out, code = pathlib.PurePosixPath(name).parent, [], False
        for line in text.splitlines():
            if line.strip().startswith("```"):
                code = not code
            if WIDE.match(line):
                out += ['<div class="wide">', "", line, "", "</div>"]
                continue
            if not code:
                line = LINK.sub(lambda link: f"[{link[1]}]({self._target(place, link[2])})", line)
            out.append(line)
        text = "\n".join(out) + "\n"
        if any(name == f"docs/{page}.md" for page in INDEXED):
            text = indexed(text)
        path = self.folder / ("index.md" if name == "README.md" else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _target(self, place, link):
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            return link
        name, _, anchor = link.partition("#")
        path = os.path.normpath(place / name)
        full = self.root / path
        if full.is_dir():
            if path not in HOME:
                raise SiteError(f"a page links to the folder {path}; link to a file in it")
            path, _, anchor = HOME[path].partition("#")
        elif full.suffix != ".md" or not (path == "README.md" or path.startswith("docs/")):
            self.sources.add(path)
            path = f"sources/{path}.md"
        if path == "README.md":
            path = "index.md"
        return os.path.relpath(path, place) + (f"#{anchor}" if anchor else "")

    def source_pages(self):
        """A page for each file that is linked to; search leaves these pages out."""
        for name in sorted(self.sources):
            path = self.folder / f"sources/{name}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            language = LANGUAGES.get(pathlib.PurePath(name).suffix, "text")
            text = (self.root / name).read_text()
            path.write_text(f"---\norphan: true\nnosearch: true\n---\n# {name}\n\n``````{language}\n{text}``````\n")

    def pictures(self):
        for path in sorted((self.root / "docs").rglob("*")):
            if path.suffix in (".svg", ".png"):
                copy = self.folder / path.relative_to(self.root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)


def indexed(text):
    """Names in the first cell of a row, and those of wire formats, become entries of the index."""
    def entry(row):
        names = re.findall(r"`([^`]+)`", row[1])
        marks = "".join(f"{{index}}`\u200b <single: {name}>`" for name in names if re.fullmatch(r"[\w.-]+", name))
        return f"| {marks}{row[1]} |"
    text = re.sub(r"^(## (\w+): .*)$", r"\1\n\n```{index} single: \2\n```", text, flags=re.MULTILINE)
    return re.sub(r"^\| (`[^|]*`) \|", entry, text, flags=re.MULTILINE)


def first_page(root):
    """Cards for the readers, and the trees that make the navigation."""
    def title(name):
        if name in MADE:
            return MADE[name]
        return re.search(r"^# (.*)", (root / f"docs/{name}.md").read_text(), re.MULTILINE)[1]
    cards, trees = [], []
    for chapter, pages in contents(root):
        if chapter in CARDS:
            links = ", ".join(f"[{title(name)}](docs/{name}.md)" for name in pages)
            cards.append(f"<div>\n\n**{chapter}**\n\n{CARDS[chapter]}\n\n{links}\n\n</div>")
        entries = "\n".join(f"docs/{name}" for name in pages)
        trees.append(f"```{{toctree}}\n:hidden:\n:caption: {chapter}\n\n{entries}\n```")
    trees.append("```{toctree}\n:hidden:\n:caption: All\n\ndocs/README\nIndex of names <genindex>\n```")
    return FIRST.format(cards="\n".join(cards), trees="\n\n".join(trees))


def blocks_page(root):
    """The chapter of the blocks' pages, with the first sentence of each."""
    names = sorted(path.stem for path in (root / "docs/blocks").glob("*.md"))
    entries = "\n".join(f"blocks/{name}" for name in names)
    return (f"# {MADE['blocks']}\n\nA page for each block of the switch: its rules, ports, timing, invariants and files. "
            "[The overview](overview.md) explains\nwhat the blocks do together.\n\n"
            "![What is inside an input and an output](pictures/port-queues.svg)\n\n"
            f"```{{toctree}}\n:maxdepth: 1\n\n{entries}\n```\n")
