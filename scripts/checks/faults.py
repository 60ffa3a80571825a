# SPDX-License-Identifier: Apache-2.0
"""Planted faults: the lists, and a copy of the tree in which one fault after the other is planted, built and run."""
import os
import pathlib
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import List, Optional

import yaml

from .plan import ROOT

COPIED = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md", "cmake", "generated", "support",
          "golden", "faults", "network", "qos", "topology", "traffic", "workload", "rtl", "conform", "cosim", "runs", "apps",
          "testbenches", "profiles", "plans", "docs", "captures", "systemc", "examples")
RUN_SECONDS = 300       # a fault may make a test slow, not endless; the machine may be busy
KEYS = {"name", "file", "find", "replace", "why"}
MORE_KEYS = {"breaks", "unseen"}
LEAST_FAULTS = 5        # of a block


@dataclass(frozen=True)
class Fault:
    name: str
    file: str
    find: str
    replace: str
    why: str
    breaks: str = ""            # invariant whose assertion finds it, with the comparison off; none: the comparison may
    unseen: str = ""            # why no link of a switch shows it; none: links may


@dataclass
class Result:
    block: str
    fault: Optional[Fault]      # None: the block without a fault
    good: bool
    verdict: str                # what caught it, or what is wrong
    seconds: float
    output: str = ""

    def line(self):
        name = self.fault.name if self.fault else "(no fault)"
        return f"{self.block:10} {name:34} {'ok  ' if self.good else 'FAIL'} {self.seconds:6.1f} s  {self.verdict}"


def blocks():
    return sorted(path.parent.name for path in (ROOT / "testbenches").glob("*/faults.yaml"))


def load(block) -> List[Fault]:
    """The block's list; raises ValueError when it is malformed or too short."""
    path = ROOT / "testbenches" / block / "faults.yaml"
    entries = yaml.safe_load(path.read_text())
    for entry in entries:
        if not KEYS <= set(entry) <= KEYS | MORE_KEYS or not all(isinstance(value, str) for value in entry.values()):
            raise ValueError(f"{path}: each fault has the texts {sorted(KEYS)}, and may have {sorted(MORE_KEYS)}; not so: {entry}")
        if "breaks" in entry and not entry["file"].startswith("rtl/"):
            raise ValueError(f"{path}: {entry['name']}: only a fault of rtl/ breaks an assertion; leave out 'breaks'")
    names = [entry["name"] for entry in entries]
    if len(set(names)) != len(names) or len(names) < LEAST_FAULTS:
        raise ValueError(f"{path}: {len(set(names))} different names; at least {LEAST_FAULTS} faults are wanted")
    return [Fault(**entry) for entry in entries]


def conformance_filter(block):
    """The tests that compare RTL and golden: those of *_rtl_test.cc; of a suite without such, all of its tests."""
    tests = []
    for source in sorted((ROOT / "testbenches" / block).glob("*_rtl_test.cc")):
        for kind, suite, name in re.findall(r"^TEST(|_F|_P)\((\w+), (\w+)\)", source.read_text(), re.MULTILINE):
            tests.append(f"*/{suite}.{name}/*" if kind == "_P" else f"{suite}.{name}")
    return ":".join(tests) or "*"


def caught_by(output):
    """First test that failed, and its first difference or assertion; None when there is neither."""
    assertion = re.search(r"Assertion failed in (\S+?):", output)
    divergence = re.search(r"DIVERGENCE in cycle (\d+): (.*)", output)
    test = re.search(r"^\[  FAILED  \] (\S+?)[ ,]", output, re.MULTILINE)
    where = test[1] if test else "?"
    if divergence and "an assertion of the RTL failed" not in divergence[2]:
        return f"{where}: cycle {divergence[1]}: {divergence[2]}"
    if divergence and assertion:
        return f"{where}: cycle {divergence[1]}: assertion {assertion[1].rsplit('.', 1)[-1]}"
    return None


def asserted_by(output, invariant):
    """The first assertion of the invariant that failed, and the test; None when none did."""
    label = re.search(rf"Assertion failed in \S*?\b({invariant.replace('-', '_')}(?:_[a-z]+)*):", output)
    if label is None:
        return None
    test = re.findall(r"^\[ RUN      \] (\S+)", output[:label.start()], re.MULTILINE)
    return f"{test[-1] if test else '?'}: assertion {label[1]}"


class Tree:
    """A copy of the sources with its own build."""

    def __init__(self, folder):
        self.folder = folder
        self.log = folder / "log.txt"

    def _refresh(self):
        """Brings the copy up to date; files that are the same keep their time, so that they are not built again."""
        wanted = set()
        for name in COPIED:
            path = ROOT / name
            for source in [path] if path.is_file() else path.rglob("*"):
                if not source.is_file():
                    continue
                relative = source.relative_to(ROOT)
                wanted.add(relative)
                copy = self.folder / relative
                if not copy.exists() or copy.read_bytes() != source.read_bytes():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source, copy)
                    shutil.copymode(source, copy)
        for name in COPIED:
            for copy in list((self.folder / name).rglob("*")):
                if copy.is_file() and copy.relative_to(self.folder) not in wanted:
                    copy.unlink()

    def _call(self, command, **options):
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", **options)

    def _configure(self):
        if (self.folder / "build/release/build.ninja").exists():
            return None
        # Of the whole switches only that of 8 ports is used, made of tiles: each fault builds it anew.
        result = self._call(["nice", "cmake", "--preset", "release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=OFF",
                             "-DTILEFLY_MODELS=tile8", "-DTILEFLY_FLAT_PROFILES="])
        return None if result.returncode == 0 else result.stdout

    def _build(self, block):
        return self._call(["nice", "cmake", "--build", "--preset", "release", "--target", f"test_{block}", "-j", "1"])

    def _test(self, block, compares):
        """Runs the block's tests; without comparing all of them, for a test may end in another assertion than the one wanted."""
        program = next((self.folder / "build/release/testbenches").rglob(f"test_{block}"))
        environment = {**os.environ, "TILEFLY_TIER": "quick", "TILEFLY_SEED": "1"}
        environment.pop("TILEFLY_COMPARE", None)
        if not compares:
            environment["TILEFLY_COMPARE"] = "off"
        try:
            return self._call(["nice", str(program), *(["--gtest_fail_fast"] if compares else []),
                               f"--gtest_filter={conformance_filter(block)}"], timeout=RUN_SECONDS, env=environment)
        except subprocess.TimeoutExpired:
            return None

    def run(self, block, chosen):
        """Results of the block without a fault, and with each of the chosen ones."""
        start = time.monotonic()
        self._refresh()
        problem = self._configure()
        if problem:
            return [Result(block, None, False, "does not configure", time.monotonic() - start, problem)]
        results = [self._one(block, None)]
        if results[0].good:
            results += [self._planted(block, fault) for fault in chosen]
        return results

    def _planted(self, block, fault):
        path = self.folder / fault.file
        original = path.read_text() if path.exists() else ""
        if original.count(fault.find) != 1:
            return Result(block, fault, False, f"does not apply: 'find' occurs {original.count(fault.find)} times", 0.0)
        path.write_text(original.replace(fault.find, fault.replace))
        try:
            return self._one(block, fault)
        finally:
            path.write_text(original)

    def _one(self, block, fault):
        start = time.monotonic()
        build = self._build(block)
        if build.returncode != 0:
            return Result(block, fault, False, "does not build", time.monotonic() - start, build.stdout)
        test = self._test(block, fault is None or not fault.breaks)
        seconds = time.monotonic() - start
        if test is None:
            return Result(block, fault, False, f"runs for more than {RUN_SECONDS} s", seconds)
        if fault is None:
            good = test.returncode == 0
            return Result(block, None, good, "passes" if good else "fails without a fault", seconds, test.stdout)
        catch = asserted_by(test.stdout, fault.breaks) if fault.breaks else caught_by(test.stdout)
        if test.returncode == 1 and catch:
            return Result(block, fault, True, catch, seconds, test.stdout)
        wanted = f"an assertion of {fault.breaks}" if fault.breaks else "a divergence or an assertion"
        verdict = "not caught" if test.returncode == 0 else f"exit {test.returncode} without {wanted}"
        return Result(block, fault, False, verdict, seconds, test.stdout)
