# SPDX-License-Identifier: Apache-2.0
"""Fields of the register bus's words are taken and put by what scripts/generate makes of profiles/registers.yaml, and nowhere
by hand. docs/testing.md."""
import re

RTL = ("rtl/**/*.sv", "formal/*.sv")
CPP = ("*/**/*.cc", "*/**/*.h")
MADE = ("rtl/pkg/", "generated/", "build/", "out/")     # generated, or of the tools
# Of the bus's data and index, by whatever name: a range, a shift, a mask, a remainder, a bare number; data cut to a width that is a
# number (an index so is the whole number of a table's entry), or given to several at once; and a range of the whole bus.
BUS_RTL = re.compile(r"\bcfg_t\s+(\w+(?:\s*,\s*\w+(?=\s*[,;)=]))*)")
BY_HAND_RTL = (r"{word}\s*(?:\[|<<|>>|[%/]|[&|^](?![&|])|[=!]=\s*(?:\d*'[dhb])?\w*\d\b(?!'))",
               r"\}}\s*<?=\s*(?:\w+'\(\s*)?{word}\s*\)?\s*;")
CUT_RTL = r"\b(?!64')\d+'\(\s*{bus}\.data\s*\)"
SLICED_RTL = r"{bus}\s*\[\s*\d"
GIVEN_RTL = r"(?<![\w.])(?P<name>\w+)\s*<?=\s*(?:\d+'\(\s*)?{word}\s*\)?\s*;"
SPEAKS = re.compile(r"\b(?:Cfg|CfgSpace|PortReg|SwitchReg|ClassReg|RedReg)\b")
BUS_CPP = re.compile(r"\bCfg(?:\s*[&*]\s*|\s+)(\w+)\b(?!\s*\()")
BY_HAND_CPP = (r"{word}\s*(?:(?:<<|>>)(?!\s*\w+::kWidth)|[%/]|[&|^]\s*[\d(~]|[&|^]=)", r"\bBits\(\s*{word}\s*,")
GIVEN_CPP = r"[\w>]\s+(?P<name>\w+)\s*=\s*(?:static_cast<[^<>]*>\(\s*)?{word}\s*\)?\s*;"
DECODES = re.compile(r"(?<![\w.>])(?:data|index)\s*(?:>>|&(?!&)|% (?:k|\d)|/ (?:k|\d))")
REGISTER = re.compile(r"\b(CfgSpace|PortReg|SwitchReg|ClassReg|RedReg)::k(\w+)")
OPERATORS = re.compile(r"<<|>>|(?<![&\w])&(?![&\w])|(?<!\|)\|(?!\|)|\b(?:8|16)\s*\*|\*\s*(?:8|16)\b")
MADE_BY = re.compile(r"\b\w+::(?:Of|FromBits)\(")
PASSES = re.compile(r"(?:static_cast<[^()]*>|IndexOf|\w*_of|of)$")     # whose argument goes on to the call around it
WRITES = re.compile(r"(?:\b|_)(?:[Ww]rite\w*|\w*Write|Set|ReadRegister)$")
REMEDY = "take and put fields by the structs that scripts/generate makes of profiles/registers.yaml"


def _blank(text):
    """The text without its comments and strings, and with its lines."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match[0])
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", spaces, text, flags=re.S)


def _close(text, start):
    """Where the parenthesis that opens before `start` closes."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def _around(text, at):
    """(callee, first, last) of the call that `at` is in, or None."""
    depth = 0
    for open_ in range(at - 1, -1, -1):
        if text[open_] in ";{}" and depth == 0:
            return None
        depth += {")": 1, "(": -1}.get(text[open_], 0)
        if depth < 0:
            callee = re.search(r"[\w:.>-]*(?:<[^<>()]*>)?$", text[:open_].rstrip())[0]
            return callee, open_ + 1, _close(text, open_ + 1)
    return None


def _call(text, at):
    """(first, last) of the arguments of the call that writes or reads a register, or None."""
    while True:
        call = _around(text, at)
        if call is None or WRITES.search(call[0]):
            return call and call[1:]
        if not PASSES.search(call[0]):
            return None
        at = call[1] - 1


def _without_words(text):
    """Arguments of makers of words are fields, and may be reckoned."""
    while True:
        made = MADE_BY.search(text)
        if not made:
            return text
        text = text[:made.start()] + text[_close(text, made.end()) + 1:]


def _any_of(names):
    return rf"(?<![\w.])(?:{'|'.join(names)})"


def _block_end(text, at):
    """Where the block that `at` is in ends."""
    depth = 0
    for end in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth < 0:
            return end
    return len(text)


def _words(text, bus, given, reach):
    """(pattern, first, last) of data and index of the bus, and of names that they are given to, where these reach."""
    words = [(rf"{bus}(?:\.|->)(?:data|index)\b", 0, len(text))]
    for word, first, last in words:         # grows meanwhile
        for match in re.compile(given.format(word=word)).finditer(text, first, last):
            name = (rf"(?<![\w.>]){match['name']}\b", *reach(match.end()))
            if name not in words:
                words.append(name)
    return words


def _by_hand(text, words, forms):
    return [match.start() for word, first, last in words for form in forms
            for match in re.compile(form.format(word=word)).finditer(text, first, last)]


def rtl(text):
    """Offsets of what is by hand."""
    text = _blank(text)
    names = [name for match in BUS_RTL.finditer(text) for name in re.split(r"\s*,\s*", match[1])]
    bus = _any_of(["cfg\\w*", *names])
    found = _by_hand(text, _words(text, bus, GIVEN_RTL, lambda _: (0, len(text))), BY_HAND_RTL)
    for form in (CUT_RTL, SLICED_RTL):
        found += [match.start() for match in re.finditer(form.format(bus=bus), text)]
    return sorted(set(found))


def cpp(text, plain=frozenset(), is_test=False):
    """Offsets of what is by hand; `plain` are registers whose data have no fields, as Space::kName."""
    text = _blank(text)
    if not SPEAKS.search(text):
        return []
    bus = _any_of([r"(?:cfg|write|read|event|access)\w*", *BUS_CPP.findall(text)])
    words = _words(text, bus, GIVEN_CPP, lambda at: (at, _block_end(text, at)))
    found = _by_hand(text, words, BY_HAND_CPP)
    if not is_test:     # tests draw numbers that they call so
        found += [match.start() for match in DECODES.finditer(text)]
    for register in REGISTER.finditer(text):
        call = _call(text, register.start())
        if call is None:
            continue
        given = text[slice(*call)]
        if not plain.intersection(match[0] for match in REGISTER.finditer(given)) and OPERATORS.search(_without_words(given)):
            found.append(call[0])
    return sorted(set(found))


def plain(enums):
    """Registers whose data and index have no fields, as C++ names them."""
    spaces = {"cfg_space": "CfgSpace", "port_reg": "PortReg", "switch_reg": "SwitchReg", "class_reg": "ClassReg", "red_reg": "RedReg"}
    camel = {entry: "".join(part.capitalize() for part in entry.split("_")) for name in spaces for entry in
             (e.name for e in enums[name])}
    return {f"{spaces[name]}::k{camel[e.name]}" for name in spaces for e in enums[name] if not e.word and not e.index}


def check(root, enums):
    """(what is by hand, a line each; number of the files that were looked at)."""
    known, wrong, count = plain(enums), [], 0
    for patterns, look in ((RTL, lambda text, _: rtl(text)), (CPP, lambda text, name: cpp(text, known, name.startswith("testbenches/")))):
        for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
            name = str(path.relative_to(root))
            if name.startswith(MADE):
                continue
            count += 1
            text = path.read_text()
            for at in look(text, name):
                line = text.count("\n", 0, at) + 1
                wrong.append(f"{name}:{line}: bits of a register's word by hand: {text.splitlines()[line - 1].strip()}; {REMEDY}")
    return wrong, count
