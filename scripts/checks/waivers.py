# SPDX-License-Identifier: Apache-2.0
"""Warnings of lint that RTL turns off: each says why, and is turned on again in its file; no instance of rtl/ leaves more than
MOST pins open; and no constant of rtl/ is one that yosys reads otherwise than Verilator. docs/testing.md."""
import re

SV = ("rtl/**/*.sv", "formal/**/*.sv", "testbenches/**/*.sv", "scripts/generator/*.py")     # the generator writes packages
SWITCH = re.compile(r"/\*\s*verilator\s+lint_(off|on)\s+(\w+)\s*\*/([^\n\"]*)")
REASON = re.compile(r"\s*//\s*\S.{9,}")
INSTANCE = re.compile(r"^[ \t]*(\w+)[ \t]+(?:#\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)?(\w+)\s*\((?=\s*\.)(.*?)^[ \t]*\);",
                      re.M | re.S)
OPEN_PIN = re.compile(r"\.\w+\s*\(\s*\)")
MOST = 2
ALL_ONES = re.compile(r"\b(?:localparam|parameter)\b[^;=]*=\s*'1\s*[;,)]")      # yosys 0.23 reads the number 1


def switches(source):
    """(offset, what is wrong with a warning that is turned off) of one file."""
    off, wrong = {}, []
    for found in SWITCH.finditer(source):
        way, warning, behind = found.groups()
        if way == "on":
            off.pop(warning, None)
            continue
        if not REASON.match(behind):
            wrong.append((found.start(), f"lint_off {warning} without a reason; say behind it, on its line, why it stays: // ..."))
        off[warning] = found.start()
    return wrong + [(at, f"lint_off {warning} holds for all files behind this one; write lint_on {warning} where it ends")
                    for warning, at in off.items()]


def pins(source):
    """(offset, what is wrong with an instance) of one file."""
    for found in INSTANCE.finditer(source):
        count = len(OPEN_PIN.findall(found[3]))
        if count > MOST:
            yield (found.start(1), f"instance {found[2]} of {found[1]} leaves {count} pins open, more than {MOST}; give the "
                                   f"module what its users need, or split it")


def constants(source):
    """(offset, what is wrong with a constant) of one file."""
    for found in ALL_ONES.finditer(source):
        yield found.start(), "yosys, which proves and mutates the RTL, reads the constant '1 as the number 1; write its width: 4'hf"


def check(root):
    """(what is wrong, a line each; number of the files that were looked at)."""
    wrong, paths = [], sorted({path for pattern in SV for path in root.glob(pattern)})
    for path in paths:
        source, name = path.read_text(), str(path.relative_to(root))
        found = [*switches(source), *((*pins(source), *constants(source)) if name.startswith("rtl/") else ())]
        wrong += [f"{name}:{source.count(chr(10), 0, at) + 1}: {what}" for at, what in sorted(found)]
    return wrong, len(paths)
