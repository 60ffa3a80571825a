# SPDX-License-Identifier: Apache-2.0
"""The page of all options, from what the program says of itself (`tilefly COMMAND --help`)."""
import re
import subprocess

INTRO = """# Commands and options

What `tilefly COMMAND --help` says, in tables; made when the site is made. What the options have in common, and which have
no effect in which run, is on the page [options](../options.md).
"""


def _help(program, words):
    result = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True)
    return result.stdout.splitlines()


def _entries(lines):
    """(group, name of option or command, its value, meaning) of a help text."""
    group, entry = "", None
    for line in lines:
        heading = re.fullmatch(r"(\S.*):", line)
        start = re.fullmatch(r"  (\S.*?)(?:  +(\S.*))?", line)
        if heading:
            if entry:
                yield entry
            group, entry = heading[1], None
        elif start:
            if entry:
                yield entry
            name, _, value = start[1].partition(" ")
            entry = [group, name, value, start[2] or ""]
        elif entry and line.startswith("   ") and line.strip():
            entry[3] += " " + line.strip()
        elif not line.strip() and entry:
            yield entry
            entry = None
    if entry:
        yield entry


def _escape(text):
    """Of a cell: no bar ends it, and what stands in angle brackets or stars is no markup."""
    return re.sub(r"([|*<_\[\]])", r"\\\1", text).strip()


def _section(program, words, depth):
    lines = _help(program, words)
    title = " ".join(["tilefly", *words])
    out, group = [f"{'#' * min(depth, 4)} {title}", "", _escape(lines[0]), ""], None
    commands = []
    for of, name, value, meaning in _entries(lines[1:]):
        if of == "Subcommands":
            commands.append(name)
            continue
        if of.startswith("Examples") or not name.startswith("-") and of != "Positionals":
            continue
        if of != group:
            group = of
            out += ["", f"**{of}**", "", "| option | value | meaning |", "|---|---|---|"]
        names = ", ".join(f"`{part}`" for part in name.split(","))
        out.append(f"| {names} | {_escape(value)} | {_escape(meaning)} |")
    for name in commands:
        out += ["", *_section(program, [*words, name], depth + 1)]
    return out


def page(program):
    """Markdown of the page; `program` is the path of tilefly."""
    lines = _section(program, [], 2)
    return INTRO + "\n" + "\n".join(lines) + "\n"


def names(text):
    """Long options of the page."""
    return sorted(set(re.findall(r"`(--[\w-]+)`", text)))
