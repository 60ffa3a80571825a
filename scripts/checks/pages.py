# SPDX-License-Identifier: Apache-2.0
"""The form of the manual's pages: lines that fit, rows of tables in lines of their own, an opening paragraph, a picture or the
reason why there is none. See docs/testing.md."""
import random
import re

LONGEST = 120                # characters of a line; a link counts as its text, a table's row may be longer
LEAST_WORDS = 20             # of an opening paragraph
LINK = re.compile(r"(!?\[[^\]\[]*\])\([^()\s]+\)")
# An image, or a drawing in a block ```text; what commands print stands in blocks without a name.
PICTURE = re.compile(r"!\[[^\]]+\]\([^()\s]+\)|^```text$", re.M)
JOINED_ROWS = re.compile(r"\| +\|(?:-+\|)+")     # the line below a table's head, in the line of the head
NO_PICTURE = re.compile(r"<!-- no picture: \w[^>]{9,}-->")


def _long(text):
    """(number, length) of the lines that are too long."""
    for number, line in enumerate(text.splitlines(), 1):
        length = len(LINK.sub(lambda link: link[1], line))
        if length > LONGEST and not line.lstrip().startswith("|"):
            yield number, length


def _opening(text):
    """The paragraph behind the title; empty when something else is there."""
    blocks = [block for block in re.split(r"\n\s*\n", re.sub(r"<!--.*?-->\n?", "", text, flags=re.S).strip()) if block]
    blocks = [block for block in blocks if not re.fullmatch(r"!\[[^\]]+\]\(\S+\)", block)]     # a first picture
    block = blocks[1] if len(blocks) > 1 and blocks[0].startswith("# ") else ""
    return "" if re.match(r"#|\||```|[-*] |\d+\. |!\[|    ", block) else " ".join(block.split())


def faults(text):
    """What is wrong with a page, a line each."""
    found = [f"{number}: {length} characters, more than {LONGEST}; break the line" for number, length in _long(text)]
    found += [f"{number}: rows of a table in one line; give each row its line" for number, line in
              enumerate(text.splitlines(), 1) if JOINED_ROWS.search(line)]
    opening = _opening(text)
    if len(opening.split()) < LEAST_WORDS or not opening.rstrip(")*").endswith((".", ":")):
        found.append(f"1: no paragraph of {LEAST_WORDS} words behind the title; say what the page is about, why, and where "
                     "it sits")
    if not PICTURE.search(text) and not NO_PICTURE.search(text):
        found.append("1: no picture; show one (![what](file.svg), or a drawing in a block ```text), or write "
                     "<!-- no picture: the reason -->")
    return found


def check(root):
    """(what is wrong, pages looked at)."""
    paths = sorted((root / "docs").rglob("*.md"))
    return [f"{path.relative_to(root)}:{fault}" for path in paths for fault in faults(path.read_text())], len(paths)


NO_PROSE = re.compile(r"^```.*?^```$|<!--.*?-->|^#[^\n]*|^ *\|[^\n]*|^    [^-*\d\n][^\n]*", re.M | re.S)
PARAGRAPH = re.compile(r"\n\s*\n|\n *(?=(?:[-*]|\d+\.) )")     # where one ends
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +")
SENTENCE = re.compile(r"(?<=[.:?])\s+(?=[A-Z*`])")


def sentences(root):
    """(page, sentence) of all prose of the manual: paragraphs and items of lists, no tables, blocks, headings."""
    found = []
    for path in sorted((root / "docs").rglob("*.md")):
        name = str(path.relative_to(root))
        for paragraph in PARAGRAPH.split(NO_PROSE.sub("", path.read_text())):
            parts = SENTENCE.split(ITEM.sub("", " ".join(paragraph.split())).strip())
            found += [(name, part) for part in parts if part.endswith(".") and len(part.split()) > 5]
    return found


def drawn(root, count, seed):
    """`count` sentences, the same ones for a seed, for a reader to judge."""
    found = sentences(root)
    return random.Random(seed).sample(found, min(count, len(found)))
