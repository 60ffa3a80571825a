# SPDX-License-Identifier: Apache-2.0
"""The facts of a page: what a change of its language must leave as it was. A fact is a piece of text that can be compared: a
heading, an id, an option, a code span, a link's target, a mark, a number, a number in words, a formula. docs/testing.md."""
import re
from collections import Counter

FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
HEADING = re.compile(r"^#+ +(.+)$", re.M)
CODE = re.compile(r"`([^`]+)`")
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +", re.M)
EMPHASIS = re.compile(r"(?<!\w)\*([^* ](?:[^*\n]*[^* ])?)\*(?!\w)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
ID = re.compile(r"\b[A-Z]{2,6}-[0-9]+\b")
LINK = re.compile(r"\]\(([^()\s]+)\)")
MARK = re.compile(r"\[([PDA])(?=[:\]])")
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")
WORD = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen|twenty|half|halves|twice|thirds?|"
                  r"quarters?|fifths?|sixths?|sevenths?|eighths?|tenths?|hundreds?|thousands?|millions?)\b", re.I)
_OPERAND = r"(?:\w[\w.]*(?:\[[^\[\]]*\])?(?:\((?:[^()]|\([^()]*\))*\))?|\((?:[^()]|\([^()]*\))*\))(?:\[[^\[\]]*\])?'?%?"
_OPERATOR = r"(?: *(?::=|\+=|-=|<=|>=|!=|==|=|<|>|\*) *| mod | xor | [-+/] |(?<=\d) ?/ ?(?=\d))"
FORMULA = re.compile(rf"-?{_OPERAND}(?:{_OPERATOR}-?{_OPERAND})+")
KINDS = ("heading", "id", "option", "code", "block", "link", "mark", "number", "number in words", "formula")


def _blank(pattern, text):
    return pattern.sub(lambda found: " " * len(found[0]), text)


def facts(text):
    """kind -> Counter of the facts of a page."""
    found = {kind: Counter() for kind in KINDS}
    found["block"].update(re.sub(r"\s*\\\n\s*", " ", block) for block in FENCE.findall(text))
    text = FENCE.sub("", text)
    found["heading"].update(HEADING.findall(text))
    found["option"].update(OPTION.findall(text))
    text = ITEM.sub("; ", text)
    found["code"].update(" ".join(code.split()) for paragraph in text.split("\n\n") for code in CODE.findall(paragraph))
    found["link"].update(LINK.findall(text))
    found["mark"].update(MARK.findall(text))
    text = LINK.sub("]", text)
    found["id"].update(ID.findall(text))
    prose = " ".join(EMPHASIS.sub(r"\1", _blank(ID, text.replace("**", ""))).split())
    found["number"].update(NUMBER.findall(prose))
    found["number in words"].update(word.lower() for word in WORD.findall(prose))
    found["formula"].update(" ".join(formula.split()).rstrip(".") for formula in FORMULA.findall(prose.replace("`", "")))
    return found


def differences(old, new):
    """Lines `KIND: FACT: N -> M` for each fact that occurs less often in `new`, and for each that is not in `old` at all."""
    before, after = facts(old), facts(new)
    for kind in KINDS:
        for fact in sorted(set(before[kind]) | set(after[kind])):
            was, now = before[kind][fact], after[kind][fact]
            if now < was or not was:
                state = "missing" if not now else "new" if not was else "fewer"
                yield f"{state}: {kind}: {fact}: {was} -> {now}"
