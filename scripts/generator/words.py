# SPDX-License-Identifier: Apache-2.0
"""Fields of wire formats and of the register bus's words, and what software sees of the switch: profiles/wire.yaml and
profiles/registers.yaml."""
import re
from dataclasses import dataclass
from typing import List

from .source import File, unique

MOST_BITS = 64      # of a word: the register bus's data


@dataclass
class Field:
    name: str
    width: int
    doc: str
    reset: int = 0
    lsb: int = 0        # of words only: where it lies
    count: int = 1      # of words only: so many of the width, the first one lowest

    @property
    def bits(self):
        return self.width * self.count


@dataclass
class Entry:
    name: str
    value: int
    doc: str
    word: str = ""      # how its data lie
    index: str = ""     # what its index is: a word or an enumeration


@dataclass
class Word:
    """Data or index of the register bus."""
    name: str
    fields: List[Field]     # least significant first
    has_reset: bool         # the file says what its fields are after reset

    @property
    def width(self):
        return self.fields[-1].lsb + self.fields[-1].bits

    @property
    def packed(self):
        """Bits without those that are left out."""
        return sum(f.bits for f in self.fields)


def camel(name):
    """The name as a part of a C++ constant."""
    return "".join(part.capitalize() for part in name.split("_"))


def wire(path):
    file = File(path)
    groups = {}
    for group, items in file.data.items():
        file.identifier({"name": group + "_t"})
        for item in items:
            file.check(item, ("name", "width", "doc"))
            file.identifier(item)
            file.integer(item, "width", 1, 4096)
            if item["width"] > 64 and item["width"] % 8:
                file.fail("width: above 64 bits a field must be whole bytes", item, "width")
        unique(file, items)
        groups[group] = [Field(**item) for item in items]
    return groups


def _doc(file, item):
    """Where bits lie is said by fields alone, from which everything is made."""
    if re.search(r"\bbits? [0-9]", item["doc"]):
        file.fail("doc: it says where bits lie; name them as fields of a word (words:) and refer to it by 'word'", item, "doc")


def _word(file, name, items):
    fields, end = [], 0
    for item in items:
        file.check(item, ("name", "width", "doc"), ("at", "count", "reset"))
        file.identifier(item)
        file.integer(item, "width", 1, MOST_BITS)
        file.integer({"count": 1, **item}, "count", 1, MOST_BITS)
        _doc(file, item)
        if "reset" in item:
            file.integer(item, "reset", 0, 2 ** item["width"] - 1)
        lsb = file.integer(item, "at", 0, MOST_BITS - 1) if "at" in item else end
        if lsb < end:
            file.fail(f"at: '{item['name']}' begins in bit {lsb}, but the field before it ends in bit {end - 1}; move one", item, "at")
        fields.append(Field(lsb=lsb, **{key: value for key, value in item.items() if key != "at"}))
        end = lsb + fields[-1].bits
        if end > MOST_BITS:
            file.fail(f"width: '{item['name']}' ends in bit {end - 1}, but a word of the register bus has {MOST_BITS} bits", item, "width")
    unique(file, items)
    return Word(name, fields, any("reset" in item for item in items))


def _entries(file, name, items, words, enums):
    for item in items:
        file.check(item, ("name", "value", "doc"), ("word", "index"))
        file.identifier(item, pattern=r"[A-Z][A-Z0-9_]*")
        file.integer(item, "value", 0, 2**16 - 1)
        _doc(file, item)
        for key, known in (("word", words), ("index", [*words, *enums])):
            if key in item and item[key] not in known:
                file.fail(f"{key}: there is no '{item[key]}'; known: {', '.join(known)}", item, key)
    unique(file, items)
    if len({item["value"] for item in items}) != len(items):
        file.fail(f"enum {name}: a value is there twice; renumber one", file.data["enums"], name)
    return [Entry(**item) for item in items]


def registers(path, groups):
    """(enumerations, words) by name; `groups` are those of wire.yaml: their names are taken, and `cfg` is the register bus."""
    file = File(path)
    file.check(file.data, ("enums", "words"))
    spoken, source = file.data["words"], file.data["enums"]
    taken = {camel(name) for name in [*groups, *source, "link"]}
    words = {}
    for name, items in spoken.items():
        file.identifier({"name": name + "_t"})
        if camel(name) in taken:
            file.fail(f"word '{name}': a wire format or an enumeration has the name; rename it", spoken, name)
        words[name] = _word(file, name, items)
    enums = {name: _entries(file, name, items, words, source) for name, items in source.items()}
    entries = [entry for of_enum in enums.values() for entry in of_enum]
    data, indices = {entry.word for entry in entries}, {entry.index for entry in entries}
    bus = next(field.width for field in groups["cfg"] if field.name == "index")
    for name, word in words.items():
        if (name in data) == (name in indices):
            file.fail(f"word '{name}': it is the word of one entry and the index of another; give each its own" if name in data else
                      f"word '{name}': no entry refers to it; remove it", spoken, name)
        if name in indices and word.width > bus:
            file.fail(f"word '{name}': it has {word.width} bits, but an index of the register bus has {bus}", spoken, name)
    return enums, words
