# SPDX-License-Identifier: Apache-2.0
"""Shows that two circuits have equal outputs in every cycle.

Each circuit is an and-inverter graph (AIGER, ascii) with named inputs and outputs, whose flops are cut open: a flop NAME has the input
NAME.q, its value, and the output NAME.d, its next value. The proof looks for a set of flops that may differ: each graph gets values of
its own for them, and yet all outputs and all next values of the other flops are equal. As both circuits begin with equal values, the
outputs are then equal in every cycle.
"""
import re
import subprocess
import time
from typing import Dict, List, Optional, Set, Tuple


class Graph:
    """Of a file: literals of its inputs and outputs by name, and its and-gates (output, input, input)."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        inputs, latches, outputs, ands = map(int, lines[0].split()[2:6])
        if latches:
            raise ValueError(f"{path}: {latches} flops are not cut open")
        body = lines[1:1 + inputs + outputs + ands]
        names = dict(line.split(" ", 1) for line in lines[1 + inputs + outputs + ands:] if re.match(r"[io]\d+ ", line))
        self.inputs: Dict[str, int] = {names[f"i{i}"]: int(line) for i, line in enumerate(body[:inputs])}
        self.outputs: Dict[str, int] = {names[f"o{i}"]: int(line) for i, line in enumerate(body[inputs:inputs + outputs])}
        self.ands: List[Tuple[int, ...]] = [tuple(map(int, line.split())) for line in body[inputs + outputs:]]


def _flop(name) -> Optional[str]:
    """The flop's bit whose next value the output is; none: it is an output of the module."""
    match = re.fullmatch(r"(.*)\.d(\[\d+\])?", name)
    return f"{match[1]}.q{match[2] or ''}" if match else None


class _Miter:
    """Both graphs over the same inputs, but for flops in `apart`, of which each has its own."""

    def __init__(self, one: Graph, other: Graph, apart: Set[str]):
        self.lines: List[str] = []
        self.inputs: List[int] = []
        self.next = 2
        shared: Dict[str, int] = {}
        outputs = [self._copy(graph, shared, apart) for graph in (one, other)]
        # Without its counterpart a flop has no say in the other graph; an output without one differs.
        self.names = sorted(set(outputs[0]) | set(outputs[1]))
        self.names = [name for name in self.names if _flop(name) not in apart]
        self.differ = [self._xor(outputs[0][name], outputs[1][name]) if name in outputs[0] and name in outputs[1] else 1
                       for name in self.names]

    def _new(self):
        self.next += 2
        return self.next - 2

    def _and(self, a, b):
        out = self._new()
        self.lines.append(f"{out} {a} {b}")
        return out

    def _xor(self, a, b):
        if a == b:
            return 0
        return self._and(self._and(a, b) ^ 1, self._and(a ^ 1, b ^ 1) ^ 1)

    def _copy(self, graph, shared, apart):
        """The graph's outputs, as literals of the miter."""
        of = {0: 0}
        for name, literal in graph.inputs.items():
            if name in apart or name not in shared:
                shared[name] = self._new()
                self.inputs.append(shared[name])
            of[literal] = shared[name]
        for out, a, b in graph.ands:
            of[out] = self._and(of[a & ~1] ^ (a & 1), of[b & ~1] ^ (b & 1))
        return {name: of[literal & ~1] ^ (literal & 1) for name, literal in graph.outputs.items()}

    def write(self, path):
        head = [f"aag {self.next // 2 - 1} {len(self.inputs)} 0 {len(self.differ)} {len(self.lines)}"]
        path.write_text("\n".join(head + [str(one) for one in [*self.inputs, *self.differ]] + self.lines) + "\n")


def _differing(miter, folder, seconds) -> List[str]:
    """Outputs of the miter for which it is not shown that they are always 0."""
    miter.write(folder / "miter.aag")
    subprocess.run(["yosys", "-q", "-p", f"read_aiger {folder}/miter.aag; write_aiger {folder}/miter.aig"], check=True)
    script = f"read_aiger {folder}/miter.aig; strash; ifraig; write_aiger {folder}/swept.aig; orpos; iprove"
    result = subprocess.run(["nice", "yosys-abc", "-q", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=seconds, check=True)
    if "UNSATISFIABLE" in result.stdout:
        return []
    lines = (folder / "swept.aig").read_bytes().split(b"\n")
    return [name for name, literal in zip(miter.names, lines[1:1 + len(miter.names)]) if literal != b"0"]


def same(one: Graph, other: Graph, folder, seconds) -> bool:
    """Whether it is shown in so many seconds. `folder` is for the files of the proof."""
    until = time.monotonic() + seconds
    apart: Set[str] = set()
    while True:
        try:
            differing = _differing(_Miter(one, other, apart), folder, max(1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
        flops = {_flop(name) for name in differing}
        if None in flops:
            return False
        if not flops:
            return True
        apart |= flops
