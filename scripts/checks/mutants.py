# SPDX-License-Identifier: Apache-2.0
"""Mutants: yosys changes single bits of a block's elaborated RTL; the block's conformance test must notice each."""
import os
import re
import subprocess
from dataclasses import dataclass
from typing import List, Tuple

from . import equivalence, faults
from .plan import ROOT

PACKAGE = "rtl/pkg/{}/tilefly_pkg.sv"
PROOF_SECONDS = 180
SELECTOR = "mutant_selector"
# An and-inverter graph for equivalence.py: flops become inputs and outputs.
CUT_OPEN = "opt_clean; dffunmap; splitnets; expose -dff -evert-dff; opt -full; techmap; abc -g AND -fast; opt_clean; setundef -zero"
PREPARE = "proc; flatten; opt -full; pmuxtree; opt_clean"
# A netlist is no hand-written source; the selector is set before the first evaluation, from TILEFLY_MUTANT. Two mutants may
# close a loop that no one of them closes. Nobody looks at waves of a netlist, and they would be most of what is compiled.
PRAGMAS = "".join(f"/* verilator {what} */\n" for what in ("lint_off WIDTH", "lint_off UNOPTFLAT", "tracing_off"))
CHOOSER = """#include <cstdlib>
extern "C" int tilefly_mutant() {
  const char* number = std::getenv("TILEFLY_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}
"""


class MutationError(Exception):
    """The block cannot be mutated; the message says why."""


@dataclass(frozen=True)
class Model:
    """A Verilated model of a suite, as testbenches/BLOCK/CMakeLists.txt has it."""
    block: str
    target: str
    top: str
    profile: str
    parameters: Tuple[Tuple[str, str], ...]
    sources: Tuple[str, ...]        # of the suite
    seen: Tuple[str, ...]           # registers that the suite's tests read and write

    def tests(self):
        """The conformance tests that use the model, as a filter of GoogleTest: of a file with several models, those that
        name it."""
        found = []
        for source in sorted((ROOT / "testbenches" / self.block).glob("*_rtl_test.cc")):
            head, *tests = re.split(r"^TEST(?:_F)?(?=\()", source.read_text(), flags=re.MULTILINE)
            if f'"V{self.target}.h"' not in head:
                continue
            several = len(re.findall(r'^#include "V\w+(?<!___024root)\.h"', head, re.MULTILINE)) > 1
            found += [re.match(r"\((\w+), (\w+)\)", test).groups() for test in tests
                      if not several or re.search(rf"\bV{self.target}\b", test)]
        if not found:
            raise MutationError(f"testbenches/{self.block}: no *_rtl_test.cc uses V{self.target}.h")
        return ":".join(f"{suite}.{name}" for suite, name in found)

    def file(self):
        """The file that holds the top."""
        for name in (*self.sources, *(str(path.relative_to(ROOT)) for path in (ROOT / "rtl").glob(f"*/{self.top}.sv"))):
            if (ROOT / name).stem == self.top:
                return name
        raise MutationError(f"module {self.top} is neither in testbenches/{self.block} nor in rtl")

    def read(self):
        """Commands of yosys that elaborate the model; assertions are left out: nothing may hang on a mutated one."""
        files = [f"rtl/{line}" for line in (ROOT / "rtl/tilefly.f").read_text().splitlines() if line and line[0] != "/"]
        every = " ".join((PACKAGE.format(self.profile), *files, *self.sources))
        values = "".join(f"chparam -set {name} {value} {self.top}; " for name, value in self.parameters)
        rename = f"rename -top {self.top}; " if values else ""
        return (f"read_verilog -sv -defer -noassert -noassume -mem2reg {every}; {values}"
                f"hierarchy -check -top {self.top}; {rename}{PREPARE}")


@dataclass(frozen=True)
class Mutant:
    number: int
    model: Model
    command: str                    # of yosys, without the selector

    def place(self):
        """Mode, and the line of the RTL."""
        sources = re.findall(r"-src (\S+?):(\d+)", self.command)
        mode = re.search(r"-mode (\S+)", self.command)[1]
        port = re.search(r"-port (\S+) -portbit (\d+)", self.command)
        cell = re.search(r"-cell (\S+)", self.command)
        where = next((f"{name}:{line}" for name, line in reversed(sources) if name.startswith("rtl/")), "?")
        return f"{where} {mode}" + (f" {port[1]}[{port[2]}]" if port else "") + (f" of {cell[1]}" if cell else "")


def models(block) -> List[Model]:
    """Of the suite; of models of one top that differ in parameters, the first."""
    path = ROOT / "testbenches" / block / "CMakeLists.txt"
    text = path.read_text() if path.exists() else ""
    found = []
    for arguments in re.findall(r"^tilefly_verilate\(([^)]*)\)", text, re.MULTILINE):
        words = arguments.split()
        value = {key: words[words.index(key) + 1] for key in ("TARGET", "TOP", "PROFILE")}
        lists = {"PARAMS": [], "SOURCES": []}
        for key, listed in lists.items():
            for word in words[words.index(key) + 1:] if key in words else []:
                if word.isupper():
                    break
                listed.append(word)
        if value["TOP"] in (model.top for model in found):
            continue
        sources = [f"testbenches/{block}/{name}" for name in lists["SOURCES"]]
        told = [name for name in sources if name.endswith(".vlt")]     # to Verilator alone
        seen = [name for path in told for name in re.findall(rf'-module "{value["TOP"]}" -var "(\w+)"', (ROOT / path).read_text())]
        found.append(Model(block, value["TARGET"], value["TOP"], value["PROFILE"],
                           tuple(tuple(word.split("=")) for word in lists["PARAMS"]),
                           tuple(name for name in sources if name not in told), tuple(seen)))
    if not found:
        raise MutationError(f"{path}: no tilefly_verilate, so there is no RTL to mutate")
    return found


def yosys(script, folder):
    """Runs it in the project's root, so that places in the RTL are named from there; files of `folder` are @NAME."""
    path = folder / "script.ys"
    path.write_text(script.replace("; ", "\n").replace("@", f"{folder}/") + "\n")
    result = subprocess.run(["nice", "yosys", "-q", str(path)], cwd=ROOT, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        raise MutationError(result.stdout)


def make(model, count, first, seed, folder) -> Tuple[List[Mutant], str]:
    """About `count` mutants numbered from `first` on, spread evenly, and the model with all of them in it."""
    width = 20
    yosys(f"{model.read()}; write_rtlil @shipped.il; mutate -list {count} -seed {seed} -ctrl {SELECTOR} {width} {first} -o @list.ys; "
          f"select -write @fixed.txt a:init {' '.join(f'w:{name} %u' for name in model.seen)} %ci1:+[Q] c:* %i", folder)
    # The power-up value stands at the wire, which tests may write: a mutant between a flop and its wire would part the two.
    fixed = set((folder / "fixed.txt").read_text().split())
    lines = [line for line in (folder / "list.ys").read_text().splitlines()
             if not (" -port Q " in line and re.sub(r".* -module (\S+) -cell (\S+) .*", r"\1/\2", line) in fixed)]
    (folder / "list.ys").write_text("\n".join(lines) + "\n")
    whole = " ".join(f"w:{name} %d" for name in model.seen)
    yosys(f"read_rtlil @shipped.il; script @list.ys; opt_clean; techmap; splitnets w:* {whole}; opt_clean; "
          "write_verilog -noattr @netlist.v", folder)
    yosys(f"read_rtlil @shipped.il; {CUT_OPEN}; write_aiger -ascii -symbols @shipped.aag", folder)
    mutants = []
    for line in lines:
        number = re.search(rf"-ctrl {SELECTOR} {width} (\d+) ?", line)
        mutants.append(Mutant(int(number[1]), model, line.replace(number[0], "")))
    text = (folder / "netlist.v").read_text()
    for pattern, replacement in ((rf",\s*{SELECTOR}\);", ");"),
                                 (rf"^\s*input \[{width - 1}:0\] {SELECTOR};\n", ""),
                                 (rf"^\s*wire \[{width - 1}:0\] {SELECTOR};\n",
                                  f'  import "DPI-C" function int tilefly_mutant();\n  logic [31:0] {SELECTOR};\n'
                                  f"  initial {SELECTOR} = tilefly_mutant();\n")):
        text, changes = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if changes != 1:
            raise MutationError(f"{folder}/netlist.v: '{pattern}' matches {changes} times, not once")
    for name in model.seen:     # yosys makes a flop of each bit, and a wire of them
        text = re.sub(rf"^ *(?:reg \\{name}_reg\[\d+\] |assign {name}\[\d+\] = \\{name}_reg\[\d+\] );\n", "", text, flags=re.MULTILINE)
        text = re.sub(rf"\\{name}_reg(\[\d+\]) ", rf"{name}\1", text)
        text = re.sub(rf"^( *)wire( \[[\d:]+\] {name};)$", r"\1reg\2", text, flags=re.MULTILINE)
    if model.parameters:        # they are fixed in the netlist; the suite's other models set them, and are not run
        names = ", ".join(f"parameter {name} = {value}" for name, value in model.parameters)
        text = text.replace(f"module {model.top}(", f"module {model.top} #({names}) (")
    return mutants, PRAGMAS + text


class Bench(faults.Tree):
    """A copy of the tree whose models hold all mutants, and the block's test built from it."""

    def __init__(self, folder, block):
        super().__init__(folder)
        self.block = block

    def build(self, netlists):
        """`netlists`: (model, text) of each."""
        self._refresh()
        problem = self._configure()
        if problem:
            raise MutationError(problem)
        for model, text in netlists:
            (self.folder / model.file()).write_text(text)
        (self.folder / "testbenches" / self.block / "mutant.cc").write_text(CHOOSER)
        result = self._build(self.block)
        if result.returncode:
            raise MutationError(result.stdout)

    def run(self, number, tests, tier="quick"):
        """'killed' by a divergence or an assertion, 'survived', or what else happened; and the output."""
        program = next((self.folder / "build/release/testbenches").rglob(f"test_{self.block}"))
        environment = {**os.environ, "TILEFLY_TIER": tier, "TILEFLY_SEED": "1", "TILEFLY_MUTANT": str(number)}
        try:
            result = self._call(["nice", str(program), "--gtest_fail_fast", f"--gtest_filter={tests}"],
                                timeout=faults.RUN_SECONDS, env=environment)
        except subprocess.TimeoutExpired:
            return "timeout", ""
        if result.returncode == 0:
            return "survived", result.stdout
        if result.returncode == 1 and faults.caught_by(result.stdout):
            return "killed", result.stdout
        return f"exit {result.returncode}", result.stdout


def equivalent(mutant, folder) -> bool:
    """Whether it is shown that the mutant's outputs are those of the shipped RTL in every cycle (equivalence.py). `folder`: of
    the mutant alone; the shipped RTL is in the one above it."""
    folder.mkdir(exist_ok=True)
    try:
        yosys(f"read_rtlil {folder.parent}/shipped.il; {mutant.command}; {CUT_OPEN}; write_aiger -ascii -symbols @mutant.aag", folder)
        graphs = [equivalence.Graph(path) for path in (folder.parent / "shipped.aag", folder / "mutant.aag")]
    except (MutationError, ValueError):     # a flop lost its name: nothing is shown
        return False
    return equivalence.same(*graphs, folder, PROOF_SECONDS)
