# SPDX-License-Identifier: Apache-2.0
"""The reference of the headers that `scripts/install` installs, by Doxygen: the folders that CMakeLists.txt export."""
import re
import subprocess

EXPORT = re.compile(r"tilefly_export\([^)]*\bHEADERS(?:\s+EXCEPT\s+([\w\s]+))?\)")
MORE = ("conform/include", "apps/program.h")     # installed by rules of their own
PAGE = """# Reference of the headers

The classes and functions of the headers that `scripts/install` installs, made by Doxygen from the comments in them, with
a search of its own: <a href="../api/index.html">open the reference</a>.

| folder | subject |
|---|---|
{rows}

How a program is built with them: [packaging](systemc.md#packaging), [extending](extending.md).
"""
FIRST = """# Headers of Tilefly

The classes and functions of the headers that are installed, by [folder](files.html), by [namespace](namespaces.html) and
by [name](annotated.html). The search above knows their names.

| folder | subject |
|---|---|
{rows}

<a href="../index.html">Back to the manual</a>
"""
STYLE = "docs/site/reference.css"
FILTER = "scripts/website/headers.sed"
SETTINGS = """PROJECT_NAME = Tilefly
PROJECT_BRIEF = "Reference of the installed headers"
INPUT = {input}
EXCLUDE = {exclude}
FILE_PATTERNS = *.h
USE_MDFILE_AS_MAINPAGE = {first}
RECURSIVE = YES
FULL_PATH_NAMES = YES
STRIP_FROM_PATH = {root}
STRIP_FROM_INC_PATH = {root}
LAYOUT_FILE = {layout}
HTML_EXTRA_STYLESHEET = {style}
OUTPUT_DIRECTORY = {output}
HTML_OUTPUT = api
GENERATE_LATEX = NO
JAVADOC_AUTOBRIEF = YES
MARKDOWN_SUPPORT = YES
EXTRACT_ALL = YES
HIDE_UNDOC_RELATIONS = NO
HIDE_IN_BODY_DOCS = YES
EXCLUDE_SYMBOLS = detail internal
INPUT_FILTER = "sed -E -f {filter}"
SOURCE_BROWSER = NO
VERBATIM_HEADERS = YES
SEARCHENGINE = YES
HAVE_DOT = NO
DISABLE_INDEX = NO
GENERATE_TREEVIEW = YES
HTML_TIMESTAMP = NO
HTML_COLORSTYLE_HUE = 215
QUIET = YES
WARNINGS = NO
"""


def folders(root):
    """Folder of installed headers -> folders below it that are not installed."""
    found = {}
    for path in sorted(root.rglob("CMakeLists.txt")):
        name = path.parent.relative_to(root)
        if name.parts and name.parts[0] in ("build", "out", "examples", "testbenches"):
            continue
        export = EXPORT.search(path.read_text())
        if export:
            found[str(name)] = (export[1] or "").split()
    return found


def _rows(root):
    """A row for each folder; subjects are those of docs/rooms.md."""
    rooms = dict(re.findall(r"^\| `([\w/]+)/` \| ([^|]*) \|", (root / "docs/rooms.md").read_text(), re.MULTILINE))
    return "\n".join(f"| `{name}/` | {rooms.get(name, '')} |" for name in sorted({*folders(root), MORE[0]}))


def page(root):
    """Markdown of the page that leads to the reference."""
    return PAGE.format(rows=_rows(root))


def with_manual(layout):
    """Doxygen's layout with one more tab, which leads back to the manual from every page of the reference."""
    return re.sub(r"(<navindex>\n)", r'\1    <tab type="user" url="../index.html" title="Manual"/>\n', layout, count=1)


def build(root, output):
    """Writes `output`/api."""
    installed = folders(root)
    exclude = [root / name / below for name, parts in installed.items() for below in parts
               if f"{name}/{below}" not in installed]
    first = output / "first.md"
    first.write_text(FIRST.format(rows=_rows(root)))
    layout = output / "layout.xml"
    subprocess.run(["doxygen", "-l", layout], stdout=subprocess.DEVNULL, check=True)
    layout.write_text(with_manual(layout.read_text()))
    sources = [root / name for name in (*installed, *MORE)]
    settings = SETTINGS.format(root=root, output=output, exclude=" ".join(map(str, exclude)), first=first, layout=layout,
                               filter=root / FILTER,
                               style=root / STYLE, input=" ".join(map(str, [first, *sources])))
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
    first.unlink()
    layout.unlink()
