# SPDX-License-Identifier: Apache-2.0
"""Long-lived state: registers of the shipped RTL that are wider than NARROW bits and whose next value depends on their own
through an addition, a subtraction, a comparison or an exclusive or of their own bits, and the tables of docs/blocks/ that
name their edges. docs/testing.md."""
import json
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from . import invariants
from .plan import ROOT, package, rtl_files

NARROW = 5
PROFILE = "tile8"
HEADER = ["register", "width", "edge", "test"]
EDGES = ("wraps", "saturates", "compares")
TOPS = ("tilefly_tile", "tilefly_cfu", "tilefly_load_ring", "tilefly_axis_port", "tilefly_retry_out", "tilefly_retry_in",
        "tilefly_flow_channels", "tilefly_congestion_meter", "tilefly_serdes_lanes")
PAGES = {"reduction": ("reduction", "reduction-trees", "arithmetic"), "flows": ("flow_channel",)}     # of a folder of rtl/; else the page of its name
# A wrapper around all tops: what they share is elaborated once. A tile's second port is the first one again.
WRAPPER = "module wide_state; " + " ".join(f"{top} u{i} ();" for i, top in enumerate(TOPS)) + " endmodule\n"
SPARED = "tilefly_tile/gen_port[1].u_port"
THROUGH = {"$add", "$sub", "$neg", "$mul", "$lt", "$le", "$gt", "$ge", "$eq", "$ne"}
BITWISE = {"$and", "$or", "$xor", "$xnor", "$not"}
NAME = re.compile(r"(?:\[\d+\])+$")


class WideStateError(Exception):
    """The RTL could not be read; the message is the tool's."""


@dataclass(frozen=True)
class Register:
    block: str      # folder of rtl/
    name: str       # module.register
    width: int      # of one element, in PROFILE


def netlists(folder, root=ROOT):
    """Reads and elaborates the RTL with yosys; writes folder/TOP.json, flat, for each of TOPS, and folder/instances."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wrapper.sv").write_text(WRAPPER)
    files = " ".join((package(PROFILE), *rtl_files(root)))
    flat = [line for top in TOPS for line in ("design -load all", f"hierarchy -top {top}", "flatten",
                                              f"write_json {folder}/{top}.json")]
    script = [f"read_verilog -sv {files} {folder}/wrapper.sv", "hierarchy -check -top wide_state",
              "proc -noopt", "chformal -remove", "opt_clean", "memory_collect", "delete wide_state", f"delete {SPARED}",
              f"tee -q -o {folder}/instances dump t:tilefly_* t:$paramod*", "design -save all", *flat]
    (folder / "script.ys").write_text("\n".join(script) + "\n")
    result = subprocess.run(["yosys", "-q", str(folder / "script.ys")], cwd=root, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        raise WideStateError(result.stdout)


def _instances(text):
    """{module as yosys names it: {instance: module}} of a dump of cells."""
    found, module = defaultdict(dict), None
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["module"]:
            module = words[1]
        elif words[:1] == ["cell"]:
            found[module][words[2].lstrip("\\")] = words[1]
    return found


class Netlist:
    """One flat module, as write_json gives it. Per bit: which registers it depends on, plainly or through THROUGH; a mask of
    2n bits, register r in bit r and in bit n + r."""

    def __init__(self, module):
        self.cells = module["cells"]
        self.driver = {}                # bit: (cell, index in the output)
        self.inputs = {}                # cell that is no bitwise one: all it reads
        self.registers = []             # (path, width)
        self.number = {}
        self.sources = {}               # bit: register
        self.sinks = defaultdict(set)   # register: bits that make its next value
        self._state(self._names(module))
        self.deps = {}

    @staticmethod
    def _names(module):
        """{bit: path of the register it belongs to}."""
        names = {}
        for name, wire in module["netnames"].items():
            path = NAME.sub("", name)
            if not wire.get("hide_name") and (path.endswith("_q") or wire["bits"][0] not in names):
                names.update((bit, path) for bit in wire["bits"] if path.endswith("_q") or bit not in names)
        return names

    def _register(self, path, width):
        if path not in self.number:
            self.number[path] = len(self.registers)
            self.registers.append((path, width))
        return self.number[path]

    def _state(self, names):
        for name, cell in self.cells.items():
            kind, ports = cell["type"], cell["connections"]
            if kind == "$dff":
                parts = defaultdict(list)
                for data, out in zip(ports["D"], ports["Q"]):
                    parts[names.get(out, name)].append((data, out))
                for path, bits in parts.items():
                    if len(bits) > NARROW:
                        register = self._register(path, len(bits))
                        self.sources.update((out, register) for _, out in bits)
                        self.sinks[register].update(data for data, _ in bits if isinstance(data, int))
                continue
            if kind == "$mem_v2":
                width = int(cell["parameters"]["WIDTH"], 2)
                cell["register"] = register = None if width <= NARROW else self._register(
                    cell["parameters"]["MEMID"].lstrip("\\"), width)
                if register is not None:
                    self.sinks[register].update(bit for port in ("WR_DATA", "WR_EN", "WR_ADDR") for bit in ports[port]
                                                if isinstance(bit, int))
                outputs, inputs = ["RD_DATA"], ["RD_ADDR", "RD_EN"]
            else:
                outputs = [port for port, way in cell["port_directions"].items() if way == "output"]
                inputs = [port for port, way in cell["port_directions"].items() if way == "input"]
            if kind not in BITWISE and kind not in ("$mux", "$pmux"):
                self.inputs[name] = {bit for port in inputs for bit in ports[port] if isinstance(bit, int)}
            for port in outputs:
                self.driver.update((bit, (name, i)) for i, bit in enumerate(ports[port]) if isinstance(bit, int))

    def _node(self, bit):
        """What is evaluated at once: a cell, or a single bit of a bitwise one; and what it reads."""
        name, i = self.driver[bit]
        if name in self.inputs:
            return name, self.inputs[name]
        ports = self.cells[name]["connections"]
        if "S" in ports:
            width = len(ports["A"])
            return bit, {ports["A"][i], *ports["B"][i::width], *ports["S"]}
        return bit, {side[min(i, len(side) - 1)] for side in (ports[port] for port in ("A", "B") if port in ports)}

    def _order(self):
        """Nodes, those read before those that read them where there is no circle (of words; of bits there is none)."""
        seen, order = set(), []
        for start in {bit for bits in self.sinks.values() for bit in bits}:
            stack = [(None, None, iter((start,)))]
            while stack:
                node, reads, rest = stack[-1]
                for bit in rest:
                    if bit in self.sources or bit not in self.driver:
                        continue
                    name = self.driver[bit][0]
                    if (name if name in self.inputs else bit) not in seen:
                        inner, inner_reads = self._node(bit)
                        seen.add(inner)
                        stack.append((inner, inner_reads, iter(inner_reads)))
                        break
                else:
                    stack.pop()
                    if node is not None:
                        order.append((node, reads))
        return order

    def _both(self, bit, masks):
        """Registers that both sides of a bit's exclusive or depend on: sum and carry, where counts lie side by side."""
        name, i = self.driver[bit]
        if self.cells[name]["type"] not in ("$xor", "$xnor"):
            return 0
        one, other = (self.cells[name]["connections"][port] for port in ("A", "B"))
        return masks.get(one[min(i, len(one) - 1)], 0) & masks.get(other[min(i, len(other) - 1)], 0)

    def depend(self):
        """Registers, as (path, width), that depend on themselves through an operation of THROUGH."""
        count = len(self.registers)
        low = (1 << count) - 1
        masks = {bit: 1 << register for bit, register in self.sources.items()}
        order = self._order()
        changed = True
        while changed:
            changed = False
            for node, reads in order:
                mask = 0
                for bit in reads:
                    mask |= masks.get(bit, 0)
                if node not in self.inputs:
                    mask |= (self._both(node, masks) & low) << count
                else:
                    cell = self.cells[node]
                    if cell["type"] in THROUGH:
                        mask |= (mask & low) << count
                    elif cell.get("register") is not None:
                        mask |= 1 << cell["register"]
                if masks.get(node, 0) != mask:
                    changed = True
                    masks[node] = mask
                    if node in self.inputs:
                        masks.update((bit, mask) for port in cell["connections"] if cell["port_directions"][port] == "output"
                                     for bit in cell["connections"][port] if isinstance(bit, int))
        return [entry for register, entry in enumerate(self.registers)
                if any(masks.get(bit, 0) >> (count + register) & 1 for bit in self.sinks[register])]


def registers(folder, root=ROOT):
    """Register by name: what the netlists in `folder` hold."""
    instances = _instances((folder / "instances").read_text())
    blocks = {path.stem: path.parent.name for path in (root / "rtl").glob("*/*.sv")}
    found = {}
    for top in TOPS:
        module = json.loads((folder / f"{top}.json").read_text())["modules"][top]
        for path, width in Netlist(module).depend():
            name, block = _owner(path, "\\" + top, instances, blocks)
            if name not in found or found[name].width < width:
                found[name] = Register(block, name, width)
    return found


def _owner(path, module, instances, blocks):
    """Name module.register and the block of the register at `path` below `module`."""
    while True:
        inside = [name for name in instances[module] if path.startswith(name + ".")]
        if not inside:
            source = re.search(r"\\(\w+)", module)[1]
            return f"{source}.{path.split('.')[-1]}", blocks[source]
        instance = max(inside, key=len)
        path, module = path[len(instance) + 1:], instances[module][instance]


def rows(root):
    """Rows of all tables: (page, place, cells)."""
    for path in sorted((root / "docs/blocks").glob("*.md")):
        header = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not line.startswith("|"):
                header = None
            elif header is None:
                header = cells
            elif header == HEADER and not set(line) <= set("|-"):
                yield path.stem, f"docs/blocks/{path.name}:{number}", cells


def check(found, root=ROOT):
    """Faults of the pages below root, held against the registers `found`."""
    root = Path(root)
    tests = invariants.tests(root)
    places, faults = {}, []
    for page, place, cells in rows(root):
        if len(cells) != len(HEADER) or not re.fullmatch(r"`\w+\.\w+`", cells[0]):
            faults.append(f"{place}: a row of long-lived state has {', '.join(HEADER)}, the register as `module.name`")
            continue
        name = cells[0].strip("`")
        if name in places:
            faults.append(f"{place}: {name} is at {places[name]} too; leave one of them out")
        places[name] = place
        if name not in found:
            faults.append(f"{place}: {name} is no long-lived state of the RTL; correct the name or leave the row out")
            continue
        block = found[name].block
        if page not in PAGES.get(block, (block,)):
            faults.append(f"{place}: {name} belongs to the page of {block}; move it there")
        if cells[1] != str(found[name].width):
            faults.append(f"{place}: {name} has {found[name].width} bits in {PROFILE}, not {cells[1]}")
        faults += _check_cells(place, name, cells, tests)
    for name, register in sorted(found.items()):
        if name not in places:
            page = " or ".join(f"docs/blocks/{page}.md" for page in PAGES.get(register.block, (register.block,)))
            faults.append(f"{name} ({register.width} bits) is long-lived state and on no page; add a row with "
                          f"{', '.join(HEADER)} to {page}")
    return faults


def _check_cells(place, name, cells, tests):
    edges = cells[2].split(", ")
    if not set(edges) <= set(EDGES) and not invariants.NONE.fullmatch(cells[2]):
        yield f"{place}: {name}: edge is '{cells[2]}'; write {', '.join(EDGES)}, or 'none: ' and the reason"
    names = invariants.names(cells[3])
    if names is None:
        yield f"{place}: {name}: test is '{cells[3]}'; write `suite.Group.Name`, or 'none: ' and the reason"
    for test in names or []:
        if test not in tests:
            yield f"{place}: {name}: test `{test}` does not exist; write it as `suite.Group.Name`, and the test below testbenches/"
