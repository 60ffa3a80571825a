# SPDX-License-Identifier: Apache-2.0
"""Proofs: the lists of formal/, and the goals of each: it holds, its covers are reached, its bound less one and its
broken copies are refuted."""
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

import yaml

from . import aiger, faults
from .plan import ROOT

WORK = ROOT / "out" / "prove"
PACKAGE = "rtl/pkg/tile8/tilefly_pkg.sv"
SECONDS = 600           # of one goal; the longest take a minute of a processor, which others may use, too
NEEDED = {"name", "says", "engine", "depth", "rtl"}
KEYS = NEEDED | {"parameters", "constants", "bound", "faults", "breaks"}
FLOPS = "-cell $_DFF_P_ 01"
# What proves, what reaches covers, what looks for counterexamples.
ENGINES = {"induction": ("induction", "z3", "bmc"), "pdr": ("pdr", "z3", "pdr"), "swept": ("swept", "reach", "swept"),
           "ind": ("ind", "reach", "bmc3")}
COVER = "module \\$cover (input A, EN); \\$assert property (.A(!A), .EN(EN)); endmodule\n"      # a cover as what must not be
WANTED = {"proof": "proved", "covers": "reached", "bound": "refuted", "fault": "refuted"}


@dataclass(frozen=True)
class Proof:
    """One harness with its parameters."""
    block: str
    name: str
    says: str
    engine: str                     # induction: yosys-smtbmc with z3; pdr, swept, ind: yosys-abc
    depth: int                      # steps of induction, base case, covers
    rtl: Tuple[str, ...]
    parameters: Dict[str, int] = field(default_factory=dict)    # of the harness
    constants: Dict[str, int] = field(default_factory=dict)     # of its packages
    bound: bool = False             # the harness has the parameter Tighter
    broken: Tuple[faults.Fault, ...] = ()

    def goals(self) -> List["Goal"]:
        goals = [Goal(self, "proof", self.says), Goal(self, "covers", "every situation of the harness")]
        if self.bound:
            goals.append(Goal(self, "bound", "the bound less one"))
        return goals + [Goal(self, "fault", fault.name, fault) for fault in self.broken]


@dataclass
class Result:
    goal: "Goal"
    engine: str
    verdict: str
    seconds: float
    output: str

    @property
    def good(self):
        return self.verdict.split()[0] == WANTED[self.goal.kind]

    def line(self):
        goal = self.goal
        return (f"{goal.proof.block:10} {goal.proof.name:14} {goal.kind:7} {self.engine:10} {'ok  ' if self.good else 'FAIL'} "
                f"{self.seconds:6.1f} s  {self.verdict}: {goal.what}")


class ToolError(Exception):
    """A tool that did not do its work; the message is its output."""


def _call(command, folder):
    """Exit status and output. Out of time, the tool and what it has started are ended."""
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", start_new_session=True) as tool:
        try:
            output, _ = tool.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(tool.pid, signal.SIGKILL)
            output, _ = tool.communicate()
            raise ToolError(f"{command[0]} runs for more than {SECONDS} s\n{output}") from None
    return tool.returncode, output


def _with_values(name, text, word, values):
    """`text` of the file `name` with other values of its `word` int ... = ...; (yosys' own way fails for nested parameters)."""
    for key, value in values.items():
        text, count = re.subn(rf"({word} int {key}\b[^=;]*= )[^,;\n]+", rf"\g<1>{value}", text)
        if count != 1:
            raise ValueError(f"{name}: '{word} int {key} = ...' occurs {count} times, not once")
    return text


@dataclass
class Goal:
    """Something that a tool must find out about a proof's harness."""
    proof: Proof
    kind: str                       # a key of WANTED
    what: str
    fault: Optional[faults.Fault] = None

    def run(self) -> Result:
        start = time.monotonic()
        folder = WORK / self.proof.block / self.proof.name / (self.fault.name if self.fault else self.kind)
        folder.mkdir(parents=True, exist_ok=True)
        engine = ENGINES[self.proof.engine][("proof", "covers").index(self.kind) if self.kind in ("proof", "covers") else 2]
        try:
            self._model(folder, engine in ("pdr", "swept", "ind", "bmc3", "reach"))
            verdict, output = getattr(self, f"_{engine}")(folder)
        except (ToolError, ValueError) as error:
            verdict, output = "not run", str(error)
        return Result(self, engine, verdict, time.monotonic() - start, output)

    def _sources(self, folder):
        """Paths of the sources, those that differ from the shipped ones in `folder`."""
        parameters = {**self.proof.parameters, **({"Tighter": 1} if self.kind == "bound" else {})}
        harness = f"formal/{self.proof.name}.sv"
        paths, unset = [], set(self.proof.constants)
        for name in (PACKAGE, *self.proof.rtl, harness):
            original = text = (ROOT / name).read_text()
            if name.endswith("_pkg.sv"):
                here = {key: value for key, value in self.proof.constants.items() if re.search(rf"localparam int {key}\b", text)}
                text = _with_values(name, text, "localparam", here)
                unset -= set(here)
            if name == harness:
                text = _with_values(name, text, "parameter", parameters)
            if self.fault and self.fault.file == name:
                if text.count(self.fault.find) != 1:
                    raise ValueError(f"{name}: 'find' of {self.fault.name} occurs {text.count(self.fault.find)} times, not once")
                text = text.replace(self.fault.find, self.fault.replace)
            path = ROOT / name
            if text != original:
                path = folder / path.name
                path.write_text(text)
            paths.append(str(path))
        if unset:
            raise ValueError(f"formal/{self.proof.block}.yaml: no package of {self.proof.name} has the constant {', '.join(sorted(unset))}")
        if self.fault and self.fault.file not in self.proof.rtl:
            raise ValueError(f"{self.fault.name}: {self.fault.file} is no source of the proof {self.proof.name}")
        return paths

    def _model(self, folder, aiger):
        """Writes model.smt2, and model.aig; refuses a model that has lost a property of the harness."""
        script = [f"read_verilog -sv -formal -mem2reg -defer {' '.join(self._sources(folder))}",
                  f"hierarchy -check -top {self.proof.name}", f"prep -flatten -nordff -top {self.proof.name}",
                  "async2sync", "dffunmap", "write_smt2 -wires model.smt2"]
        if aiger:
            (folder / "cover.v").write_text(COVER)
            script += ["delete t:$assert", "techmap -map cover.v"] if self.kind == "covers" else ["delete t:$cover"]
            script += ["memory_map", "opt -full", "techmap", f"dfflegalize {FLOPS}", "abc -g AND -fast",
                       "opt_clean", "setundef -anyseq", "write_aiger -zinit model.aig"]
        (folder / "model.ys").write_text("\n".join(script) + "\n")
        status, output = _call(["yosys", "-q", "model.ys"], folder)
        if status != 0:
            raise ToolError(output)
        harness = (ROOT / f"formal/{self.proof.name}.sv").read_text()
        for kind in ("assert", "assume", "cover"):
            written = set(re.findall(rf"(\w+) *: {kind} *\(", harness))
            kept = set(re.findall(rf"^; yosys-smt2-{kind} \d+ (\S+)", (folder / "model.smt2").read_text(), re.MULTILINE))
            if not written <= kept or len(written) != len(re.findall(rf"\b{kind} *\(", harness)):
                raise ToolError(f"formal/{self.proof.name}.sv: each {kind} needs a name of its own and must be in the model; "
                                f"not in it: {sorted(written - kept)}")
            if kind == "assert" and not written:
                raise ToolError(f"formal/{self.proof.name}.sv asserts nothing")
        for name in re.findall(r"ENV_(\w+) *: assume", harness):
            if f"COV_{name} : cover" not in harness:
                raise ToolError(f"formal/{self.proof.name}.sv: assumption ENV_{name} has no cover COV_{name}")

    def _smtbmc(self, folder, *options):
        return _call(["yosys-smtbmc", "-s", "z3", "--unroll", "--noprogress", "-t", str(self.proof.depth), *options, "model.smt2"], folder)

    def _bmc(self, folder):
        """Looks for a counterexample from reset on."""
        status, output = self._smtbmc(folder, "--dump-vcd", "trace.vcd")
        if status == 1 and "BMC failed!" in output:
            named = re.search(r"Assert failed in \S+ (\S+)", output)
            step = re.findall(r"Checking assertions in step (\d+)", output)
            return f"refuted in cycle {step[-1]} by {named[1] if named else '?'}", output
        return ("holds" if status == 0 and "Status: PASSED" in output else "not run"), output

    def _induction(self, folder):
        verdict, base = self._bmc(folder)
        if verdict != "holds":
            return verdict, base
        status, output = self._smtbmc(folder, "-i", "--dump-vcd", "trace.vcd")
        proved = status == 0 and "Temporal induction successful." in output and "Status: PASSED" in output
        return "proved" if proved else "not proved", base + output

    def _abc(self, folder, *commands):
        header = (folder / "model.aig").read_bytes().split(b"\n", 1)[0].decode().split()
        if len(header) < 7 or int(header[6]) == 0:
            raise ToolError("model.aig has no property: " + " ".join(header))
        return self._call_abc(folder, "; ".join(("read_aiger model.aig; fold; strash", *commands)))     # fold: under the assumptions

    @staticmethod
    def _call_abc(folder, commands):
        return _call(["yosys-abc", "-q", commands], folder)

    def _pdr(self, folder, *before):
        status, output = self._abc(folder, "orpos", *before, f"pdr -T {SECONDS}")       # orpos: the properties as one
        frame = re.search(r"asserted in frame (\d+)", output)
        if status == 0 and frame:
            return f"refuted in cycle {frame[1]}", output
        return ("proved" if status == 0 and "Property proved." in output else "not proved"), output

    def _swept(self, folder):
        """The same, when flops that never change or are always equal have been merged."""
        return self._pdr(folder, "scleanup", "lcorr", "scorr")

    def _bmc3(self, folder, frames=0):
        """Looks for a counterexample from reset on."""
        frames = frames or self.proof.depth
        status, output = self._abc(folder, "orpos", f"bmc3 -F {frames} -T {SECONDS}")
        frame = re.search(r"asserted in frame (\d+)", output)
        if status == 0 and frame:
            return f"refuted in cycle {frame[1]}", output
        return ("holds" if status == 0 and f"No output asserted in {frames} frames" in output else "not run"), output

    def _ind(self, folder):
        """Step of induction of each property under all, over as many cycles as it takes; then the base case of these."""
        self._call_abc(folder, "read_aiger model.aig; fold; strash; write_aiger folded.aig")
        model, properties = aiger.guarded((folder / "folded.aig").read_bytes())
        (folder / "guarded.aig").write_bytes(model)
        longest, outputs = 1, ""
        for number in range(properties):
            status, step = self._call_abc(folder, f"read_aiger guarded.aig; cone -s -O {number}; ind -v -F {self.proof.depth} -C {2 ** 31 - 1}")
            frames = re.search(r"Completed (\d+) iterations", step)
            outputs += step
            if status != 0 or frames is None or "Networks are equivalent" not in step:
                verdict, base = self._bmc3(folder)
                return (verdict if verdict.startswith("refuted") else "not proved"), outputs + base
            longest = max(longest, int(frames[1]))
        verdict, base = self._bmc3(folder, longest)
        return ("proved" if properties and verdict == "holds" else verdict), outputs + base

    def _reach(self, folder):
        """Reaches every cover: refutes, one by one, that it is never."""
        wanted = len(re.findall(r"^; yosys-smt2-cover ", (folder / "model.smt2").read_text(), re.MULTILINE))
        reached, outputs = 0, ""
        for cover in range(wanted):
            status, output = self._abc(folder, f"cone -s -O {cover}", f"bmc3 -F {self.proof.depth} -T {SECONDS}")
            reached += status == 0 and "asserted in frame" in output
            outputs += output
        return f"{'reached' if 0 < wanted == reached else 'missed'} {reached} of {wanted}", outputs

    def _z3(self, folder):
        """Reaches every cover."""
        status, output = self._smtbmc(folder, "-c")
        wanted = len(re.findall(r"^; yosys-smt2-cover ", (folder / "model.smt2").read_text(), re.MULTILINE))
        reached = len(re.findall(r"Reached cover statement", output))
        complete = status == 0 and wanted > 0 and reached == wanted
        return f"{'reached' if complete else 'missed'} {reached} of {wanted}", output


def blocks():
    return sorted(path.stem for path in (ROOT / "formal").glob("*.yaml"))


def load(block) -> List[Proof]:
    """The block's list; raises ValueError when it is malformed."""
    path = ROOT / "formal" / f"{block}.yaml"
    planted = {fault.name: fault for fault in faults.load(block)}
    proofs = []
    for entry in yaml.safe_load(path.read_text()) or [{}]:
        if not NEEDED <= set(entry) <= KEYS or entry["engine"] not in ENGINES:
            raise ValueError(f"{path}: a proof has the keys {sorted(NEEDED)} and may have {sorted(KEYS - NEEDED)}; its engine is "
                             f"one of {', '.join(ENGINES)}; not so: {entry}")
        names = entry.pop("faults", [])
        unknown = sorted(set(names) - set(planted))
        if unknown:
            raise ValueError(f"{path}: {entry['name']}: testbenches/{block}/faults.yaml has no fault {', '.join(unknown)}; its "
                             f"faults: {', '.join(planted)}")
        broken = [planted[name] for name in names] + [faults.Fault(**item) for item in entry.pop("breaks", [])]
        if not broken:
            raise ValueError(f"{path}: {entry['name']}: no fault shows that the proof bites; name one")
        proofs.append(Proof(block, broken=tuple(broken), rtl=tuple(entry.pop("rtl")), **entry))
    return proofs
