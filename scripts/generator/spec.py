# SPDX-License-Identifier: Apache-2.0
"""Reads profiles/*.yaml strictly into plain objects; every error names the file, the line, the key and the remedy."""
import difflib
import keyword
import pathlib
import re
from dataclasses import dataclass
from typing import Dict, List

import yaml

RESERVED = set(keyword.kwlist) | set(
    "input output inout reg wire logic bit byte int integer cell table priority begin end module case default do final "
    "ref rand local static string this type union use var void wait with before bind bins checker class clocking "
    "config const context cover cross design edge else enum event expect export extends extern first_match for force "
    "forever fork function generate genvar if iff ifnone import include initial inside instance interface join "
    "large liblist library macromodule matches medium modport negedge new noshowcancelled null package packed "
    "parameter posedge primitive process program property protected pull0 pull1 pure randc randcase real "
    "realtime release repeat return scalared sequence shortint shortreal showcancelled signed small solve specify "
    "specparam strong0 struct super supply0 supply1 tagged task time timeprecision timeunit tran tri trireg typedef "
    "unique unsigned vectored virtual wand weak0 while wor xnor xor alias and assert assign assume automatic buf "
    "break chandle continue cmos cover dist disable nand nor not or nmos pmos bool char short long float double "
    "auto catch delete explicit friend goto inline mutable namespace operator private public register "
    "sizeof switch template throw try typeid typename using volatile".split())


class SpecError(Exception):
    pass


@dataclass
class Field:
    name: str
    width: int
    doc: str
    reset: int = 0


@dataclass
class Entry:
    name: str
    value: int
    doc: str


@dataclass
class Profile:
    name: str
    values: Dict[str, int]      # keys of the profile and of common.yaml
    derived: Dict[str, int]

    def all(self):
        return {**self.values, **self.derived}


@dataclass
class Model:
    common: List[dict]
    profiles: List[Profile]
    extra: List[Profile]
    wire: Dict[str, List[Field]]
    enums: Dict[str, List[Entry]]
    port_mode: List[Field]      # least significant first

    def docs(self):
        """Meaning of every key of Profile.all()."""
        return {**DERIVED_DOCS, **{item["key"]: item["doc"] for item in self.common}}


DERIVED_DOCS = {
    "rows": "tile rows",
    "cols": "tile columns; two ports a tile",
    "ports": "2 * rows * cols",
    "tiles": "rows * cols",
    "row_in": "2 * cols: inputs of a tile's 16:8 crossbar",
    "col_out": "2 * rows: outputs of a tile's 16:8 crossbar",
    "mtu_cells": "ceil((mtu_bytes + 16) / 48)",
    "mtu_words_std": "ceil(mtu_bytes / 32)",
    "mtu_words_enh": "ceil((mtu_bytes + 16) / 32)",
    "cell_index_w": "bits of a cell's index in the input buffer",
}


class _Loader(yaml.SafeLoader):
    pass


def _mapping(loader, node):
    seen = {}
    for key, _ in node.value:
        if key.value in seen:
            raise SpecError(f"{loader.name}:{key.start_mark.line + 1}: key '{key.value}' is there twice; remove one")
        seen[key.value] = key.start_mark.line + 1
    result = loader.construct_mapping(node, deep=True)
    loader.lines[id(result)] = seen
    loader.keep.append(result)
    return result


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


class _File:
    """One YAML file with the line of every key."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            text = self.path.read_text()
        except OSError as error:
            raise SpecError(f"{path}: {error.strerror}; give the path of a profile") from None
        loader = _Loader(text)
        loader.name, loader.lines, loader.keep = str(path), {}, []
        try:
            self.data = loader.get_single_data()
        except yaml.YAMLError as error:
            raise SpecError(f"{path}: not YAML: {error}") from None
        self.lines = loader.lines
        self.keep = loader.keep     # keeps the ids in lines unique

    def fail(self, message, mapping=None, key=None):
        line = self.lines.get(id(mapping), {})
        at = line.get(key) or min(line.values(), default=0)
        raise SpecError(f"{self.path}{f':{at}' if at else ''}: {message}")

    def check(self, mapping, required, optional=()):
        if not isinstance(mapping, dict):
            self.fail(f"expected a mapping with the keys {', '.join(required)}, found {mapping!r}")
        known = list(required) + list(optional)
        for key in mapping:
            if key not in known:
                near = difflib.get_close_matches(str(key), known, 1, 0.0)
                self.fail(f"unknown key '{key}'; nearest known key: '{near[0]}'", mapping, key)
        for key in required:
            if key not in mapping:
                self.fail(f"key '{key}' is missing; add it", mapping)

    def integer(self, mapping, key, low, high):
        value = mapping[key]
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(f"{key}: {value!r} must be an integer from {low} to {high}", mapping, key)
        return value

    def identifier(self, mapping, key="name", pattern=r"[a-z][a-z0-9_]*"):
        value = mapping[key]
        if not isinstance(value, str) or not re.fullmatch(pattern, value) or value in RESERVED:
            self.fail(f"{key}: {value!r} must match {pattern} and be no keyword of SystemVerilog, C++ or Python",
                      mapping, key)
        return value


def _unique(file, items):
    names = [item["name"] for item in items]
    for item in items:
        if names.count(item["name"]) > 1:
            file.fail(f"name '{item['name']}' is there twice; rename one", item, "name")


def _common(path):
    file = _File(path)
    for item in file.data:
        file.check(item, ("key", "value", "mark", "doc"))
        file.identifier(item, "key")
        file.integer(item, "value", 0, 2**31 - 1)
        if item["mark"] not in ("P", "D", "A"):
            file.fail(f"mark: {item['mark']!r} must be P (published), D (derived) or A (assumption)", item, "mark")
    return file.data


def _fields(file, items, optional=()):
    for item in items:
        file.check(item, ("name", "width", "doc") + tuple(optional))
        file.identifier(item)
        file.integer(item, "width", 1, 4096)
        if item["width"] > 64 and item["width"] % 8:
            file.fail("width: above 64 bits a field must be whole bytes", item, "width")
        if "reset" in item:
            file.integer(item, "reset", 0, 2 ** item["width"] - 1)
    _unique(file, items)
    return [Field(**item) for item in items]


def _wire(path):
    file = _File(path)
    for group in file.data:
        file.identifier({"name": group + "_t"})
    return {group: _fields(file, items) for group, items in file.data.items()}


def _registers(path):
    file = _File(path)
    file.check(file.data, ("enums", "port_mode"))
    enums = {}
    for name, items in file.data["enums"].items():
        for item in items:
            file.check(item, ("name", "value", "doc"))
            file.identifier(item, pattern=r"[A-Z][A-Z0-9_]*")
            file.integer(item, "value", 0, 2**16 - 1)
        _unique(file, items)
        if len({item["value"] for item in items}) != len(items):
            file.fail(f"enum {name}: a value is there twice; renumber one", file.data["enums"], name)
        enums[name] = [Entry(**item) for item in items]
    return enums, _fields(file, file.data["port_mode"], ("reset",))


def clog2(value):
    return max(value - 1, 0).bit_length()


def _derive(v):
    ceil = lambda a, b: -(-a // b)  # noqa: E731
    return {"ports": 2 * v["rows"] * v["cols"], "tiles": v["rows"] * v["cols"],
            "row_in": 2 * v["cols"], "col_out": 2 * v["rows"],
            "mtu_cells": ceil(v["mtu_bytes"] + 16, 48), "mtu_words_std": ceil(v["mtu_bytes"], 32),
            "mtu_words_enh": ceil(v["mtu_bytes"] + 16, 32), "cell_index_w": clog2(v["cells"])}


def _profile(path, common, wire):
    file = _File(path)
    defaults = {item["key"]: item["value"] for item in common}
    file.check(file.data, ("name", "rows", "cols"), tuple(defaults))
    name = file.identifier(file.data)
    width = {(group, f.name): f.width for group, fields in wire.items() for f in fields}
    values = {"rows": file.integer(file.data, "rows", 1, width["portobs", "arr_rows"]),
              "cols": file.integer(file.data, "cols", 1, 8)}
    for key, value in defaults.items():
        values[key] = file.integer(file.data, key, 0, 2**31 - 1) if key in file.data else value
    profile = Profile(name, values, _derive(values))
    limits = {"cells": width["portobs", "ibuf_cells"], "obuf_cells": width["portobs", "obuf_room"],
              "mtu_cells": width["cell", "cells"], "mtu_bytes": width["header", "len"],
              "vls": None, "classes": None}
    everything = profile.all()
    for key, bits in limits.items():
        most = 2**bits - 1 if bits else 2 ** width["header", {"vls": "vl", "classes": "tc"}[key]]
        if not 1 <= everything[key] <= most:
            file.fail(f"{key} is {everything[key]}, but the wire formats (profiles/wire.yaml) hold 1 to {most}; "
                      f"choose another value", file.data, key)
    if everything["obuf_cells"] < everything["mtu_cells"]:
        file.fail(f"obuf_cells is {everything['obuf_cells']}, less than a frame of mtu_bytes "
                  f"({everything['mtu_cells']} cells); raise it", file.data, "obuf_cells")
    return profile


def load(folder, extra=()):
    """The model of all files in `folder`, and of the users' own profiles `extra`."""
    folder = pathlib.Path(folder)
    common = _common(folder / "common.yaml")
    wire = _wire(folder / "wire.yaml")
    enums, port_mode = _registers(folder / "registers.yaml")
    shared = {"common.yaml", "wire.yaml", "registers.yaml"}
    paths = [path for path in sorted(folder.glob("*.yaml")) if path.name not in shared]
    profiles = sorted((_profile(path, common, wire) for path in paths), key=lambda p: (p.all()["ports"], p.name))
    more = [_profile(path, common, wire) for path in extra]
    names = [p.name for p in profiles + more]
    for path, p in zip(extra, more):
        if names.count(p.name) > 1:
            raise SpecError(f"{path}: name: '{p.name}' is taken by another profile; choose another name")
    return Model(common, profiles, more, wire, enums, port_mode)
