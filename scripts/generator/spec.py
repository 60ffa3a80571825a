# SPDX-License-Identifier: Apache-2.0
"""Reads profiles/*.yaml strictly into plain objects; every error names the file, the line, the key and the remedy."""
import pathlib
import re
from dataclasses import dataclass, replace
from typing import Dict, List

from .limits import DERIVED_DOCS, LIMITS, RELATIONS
from .source import File, SpecError, shown
from .words import Entry, Field, Word, camel, registers, wire as wire_formats


@dataclass
class Profile:
    name: str
    values: Dict[str, int]      # keys of the profile and of common.yaml
    derived: Dict[str, int]
    where: str = ""             # file and line of the name

    def all(self):
        return {**self.values, **self.derived}


@dataclass
class Model:
    common: List[dict]
    profiles: List[Profile]
    extra: List[Profile]
    wire: Dict[str, List[Field]]
    enums: Dict[str, List[Entry]]
    words: Dict[str, Word]

    def indices(self):
        """Names of the words that are indices."""
        return {entry.index for entries in self.enums.values() for entry in entries} & set(self.words)

    def docs(self):
        """Meaning of every key of Profile.all()."""
        return {**DERIVED_DOCS, **{item["key"]: item["doc"] for item in self.common}}


MOST_NAME = 64      # characters: it names files


def _common(path):
    file = File(path)
    for item in file.data:
        file.check(item, ("key", "value", "mark", "doc"))
        file.identifier(item, "key")
        file.integer(item, "value", 0, 2**31 - 1)
        if item["mark"] not in ("P", "D", "A"):
            file.fail(f"mark: {item['mark']!r} must be P (published), D (derived) or A (assumption)", item, "mark")
    return file.data


def link_parts(wire):
    """What a link carries in a cycle, the most significant first: (format, member, width)."""
    return [(group, member, sum(f.width for f in wire[group]))
            for group, member in (("phy", "phy"), ("retry_tag", "tag"), ("ctrl", "ctrl"), ("word", "word"))]


def clog2(value):
    return max(value - 1, 0).bit_length()


def _reductions(v):
    """Sizes and cycles of in-network reduction, docs/blocks/reduction.md."""
    data, tiles, brief = min(4096, max(1, (v["mtu_bytes"] - 20) // 32) * 32), v["rows"] * v["cols"], 512
    words = data // 32
    stream = words + 2
    cells, short_cells = -(-(data + 36) // 48), -(-(brief + 36) // 48)
    unread = 1 + (6 * tiles + words) // stream  # launched, and a far tile still reads them
    present = int(v["cols"] >= 2 and tiles % 2 == 0 and v["mtu_bytes"] >= brief + 20)
    return {"out_rows": v["rows"] + present, "red_present": present, "red_slots": 2, "red_groups": 8,
            "red_bytes": data, "red_words": words, "red_cells": cells, "red_stream": stream,
            "red_store": 2 ** clog2(v["red_segments"] + unread), "red_room": 5 * cells, "red_short_bytes": brief,
            "red_short_cells": short_cells, "red_short_room": 8 * short_cells, "red_short": brief // 32 + 2,
            "red_delay": 6 * tiles + 10, "red_home": 6 * tiles + words + 16, "combine_cycles": 6}


def _derive(v):
    ceil = lambda a, b: -(-a // b)  # noqa: E731
    return {"ports": 2 * v["rows"] * v["cols"], "tiles": v["rows"] * v["cols"],
            "row_in": 2 * v["cols"], "col_out": 2 * v["rows"],
            "mtu_cells": ceil(v["mtu_bytes"] + 16, 48), "mtu_words_std": ceil(v["mtu_bytes"], 32),
            "mtu_words_enh": ceil(v["mtu_bytes"] + 16, 32), "cell_index_w": clog2(v["cells"]), **_reductions(v)}


def _widths(wire):
    return {(group, f.name): f.width for group, fields in wire.items() for f in fields}


def wire_limits(wire):
    """Of keys whose values the wire formats hold: the highest; the lowest is 1."""
    width = _widths(wire)
    return {"cells": 2 ** width["portobs", "ibuf_cells"] - 1, "obuf_cells": 2 ** width["portobs", "obuf_room"] - 1,
            "mtu_bytes": 2 ** width["header", "len"] - 1, "vls": 2 ** width["header", "vl"],
            "classes": 2 ** width["header", "tc"]}


def _profile(path, common, wire):
    file = File(path)
    defaults = {item["key"]: item["value"] for item in common}
    file.check(file.data, ("name", "rows", "cols"), tuple(defaults))
    name = file.identifier(file.data)
    if len(name) > MOST_NAME:
        file.fail(f"name: {shown(name)} has {len(name)} characters, but must have at most {MOST_NAME}: it names files",
                  file.data, "name")
    values = {key: file.integer(file.data, key, 0, 2**31 - 1) for key in ("rows", "cols")}
    for key, value in defaults.items():
        values[key] = file.integer(file.data, key, 0, 2**31 - 1) if key in file.data else value
    for key, (low, high, why) in LIMITS.items():
        if not low <= values[key] <= high:
            span = f"be {low}" if low == high else f"be {low} to {high}"
            file.fail(f"{key} is {values[key]}, but must {span}: {why}", file.data, key)
    profile = Profile(name, values, _derive(values), file.where(file.data, "name"))
    everything = profile.all()
    for key, most in wire_limits(wire).items():
        if not 1 <= everything[key] <= most:
            file.fail(f"{key} is {everything[key]}, but the wire formats (profiles/wire.yaml) hold 1 to {most}; "
                      f"choose another value", file.data, key)
    most_cells = 2 ** _widths(wire)["cell", "cells"] - 1
    if everything["mtu_cells"] > most_cells:
        file.fail(f"mtu_bytes is {everything['mtu_bytes']}, a frame of {everything['mtu_cells']} cells, but the wire formats "
                  f"(profiles/wire.yaml) hold {most_cells} cells; give at most {48 * most_cells - 16}", file.data, "mtu_bytes")
    _relations(file, everything)
    return profile


def _fits_cells(mtu):
    """Whether the words of the longest standard frame fit into the cells of an MTU; the MAC stores whole words."""
    return 32 * -(-mtu // 32) + 16 <= 48 * -(-(mtu + 16) // 48)


def _at_fault(file, *keys):
    """The first of the keys that the file has: what is wrong is one of those that it says."""
    return next((key for key in keys if key in file.data), None)


def _relations(file, v):
    """Limits that one key sets to another."""
    def demand(key, holds, why):
        if not holds:
            default = "" if key in file.data else " by default"
            file.fail(f"{key} is {v[key]}{default}, but must be {why}", file.data,
                      _at_fault(file, key, *re.findall(r"\w+", why)))

    longer = next(mtu for mtu in range(v["mtu_bytes"], v["mtu_bytes"] + 96) if _fits_cells(mtu))
    demand("mtu_bytes", _fits_cells(v["mtu_bytes"]),
           f"such that its {v['mtu_words_std']} words of 32 B and a header fit into its {v['mtu_cells']} cells of 48 B; "
           f"the next that does is {longer}")
    for key, condition, why in RELATIONS:
        demand(key, eval(condition, {}, v), re.sub(r"\$\((.*?)\)", lambda found: str(eval(found[1], {}, v)), why))


def load(folder, extra=()):
    """The model of all files in `folder`, and of the users' own profiles `extra`."""
    folder = pathlib.Path(folder)
    common = _common(folder / "common.yaml")
    wire = wire_formats(folder / "wire.yaml")
    enums, words = registers(folder / "registers.yaml", wire)
    shared = {"common.yaml", "wire.yaml", "registers.yaml"}
    paths = [path for path in sorted(folder.glob("*.yaml")) if path.name not in shared]
    profiles = sorted((_profile(path, common, wire) for path in paths), key=lambda p: (p.all()["ports"], p.name))
    return with_extra(Model(common, profiles, [], wire, enums, words), extra)


def with_extra(model, paths):
    """The model with users' own profiles."""
    more = [_profile(path, model.common, model.wire) for path in paths]
    taken = [camel(p.name) for p in model.profiles + more] + ["Profiles", *[camel(name) + "Values" for name in model.enums]]
    for p in more:
        if taken.count(camel(p.name)) > 1:
            raise SpecError(f"{p.where}: name: '{p.name}' is taken: the constant k{camel(p.name)} exists; choose another name")
    return replace(model, extra=more)
