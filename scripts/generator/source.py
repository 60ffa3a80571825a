# SPDX-License-Identifier: Apache-2.0
"""Reads YAML strictly: every error names the file, the line, the key and the remedy."""
import difflib
import keyword
import pathlib
import re
import reprlib

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


def shown(value):
    """The value for a message, cut short: a file of a few lines can hold one of any size."""
    try:
        return _brief.repr(value)
    except ValueError:  # Python writes no integers of more than some thousand digits
        return f"an integer of {value.bit_length()} bits"


_brief = reprlib.Repr()
_brief.maxstring = _brief.maxother = _brief.maxlong = 60


class _Loader(yaml.SafeLoader):
    def construct_object(self, node, deep=False):
        try:
            return super().construct_object(node, deep)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):  # from PyYAML's readers of scalars
            raise SpecError(f"{self.name}:{node.start_mark.line + 1}: {shown(node.value)} is no value of the type "
                            f"{node.tag.rsplit(':', 1)[-1]}; correct it") from None


def _mapping(loader, node):
    seen = {}
    for key, _ in node.value:
        at = f"{loader.name}:{key.start_mark.line + 1}"
        if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
            raise SpecError(f"{at}: a key is a {key.id if key.id != 'scalar' else 'merge (<<)'}; write a single word")
        name = loader.construct_object(key)
        if name in seen:
            raise SpecError(f"{at}: key {shown(name)} is there twice; remove one")
        seen[name] = key.start_mark.line + 1
    result = loader.construct_mapping(node, deep=True)
    loader.lines[id(result)] = seen
    loader.keep.append(result)
    return result


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


class File:
    """One YAML file with the line of every key."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            text = self.path.read_text(encoding="utf-8")
        except OSError as error:
            raise SpecError(f"{path}: {error.strerror}; give the path of a profile") from None
        except UnicodeDecodeError as error:
            raise SpecError(f"{path}: byte {error.start} is not UTF-8; give the path of a profile, saved as UTF-8") from None
        try:
            loader = _Loader(text)
            loader.name, loader.lines, loader.keep = str(path), {}, []
            self.data = loader.get_single_data()
        except yaml.YAMLError as error:
            raise SpecError(f"{path}: not YAML: {error}; write 'key: value', a line each") from None
        except RecursionError:
            raise SpecError(f"{path}: nested too deeply; write 'key: value', a line each") from None
        self.lines = loader.lines
        self.keep = loader.keep     # keeps the ids in lines unique

    def fail(self, message, mapping=None, key=None):
        line = self.lines.get(id(mapping), {})
        at = line.get(key) or min(line.values(), default=0)
        raise SpecError(f"{self.path}{f':{at}' if at else ''}: {message}")

    def where(self, mapping, key):
        return f"{self.path}:{self.lines[id(mapping)][key]}"

    def check(self, mapping, required, optional=()):
        if not isinstance(mapping, dict):
            self.fail(f"expected a mapping with the keys {', '.join(required)}, found {shown(mapping)}")
        known = list(required) + list(optional)
        for key in mapping:
            if key not in known:
                found = shown(key)
                near = difflib.get_close_matches(found.strip("'"), known, 1, 0.0)
                self.fail(f"unknown key {found}; nearest known key: '{near[0]}'", mapping, key)
        for key in required:
            if key not in mapping:
                self.fail(f"key '{key}' is missing; add it", mapping)

    def integer(self, mapping, key, low, high):
        value = mapping[key]
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(f"{key}: {shown(value)} must be an integer from {low} to {high}", mapping, key)
        return value

    def identifier(self, mapping, key="name", pattern=r"[a-z][a-z0-9_]*"):
        value = mapping[key]
        if not isinstance(value, str) or not re.fullmatch(pattern, value) or value in RESERVED:
            self.fail(f"{key}: {shown(value)} must match {pattern} and be no keyword of SystemVerilog, C++ or Python",
                      mapping, key)
        return value


def unique(file, items):
    names = [item["name"] for item in items]
    for item in items:
        if names.count(item["name"]) > 1:
            file.fail(f"name '{item['name']}' is there twice; rename one", item, "name")
