# SPDX-License-Identifier: Apache-2.0
"""What scripts/bench measures of a folder of programs (build/fast, or that of another commit), figure by figure."""
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

from peers import FLIT_BYTES, HEADER_BYTES, SYSTEMS, cpu_seconds, run_booksim

ROSETTA = ("--profile", "rosetta64", "--traffic", "uniform", "--size", "1024", "--load", "0.5", "--waves", "off")


def tilefly(folder):
    """The program of a folder, which may be a build's, an installation's or the program's own."""
    for name in ("apps/tilefly", "bin/tilefly", "tilefly"):
        if os.access(folder / name, os.X_OK):
            return folder / name
    return None


@functools.lru_cache(maxsize=None)
def options_of(program, command):
    """The options of a command: an older program lacks some."""
    text = subprocess.run([program, command, "--help"], capture_output=True, text=True).stdout
    return frozenset(re.findall(r"--[a-z-]+", text))


def results(program, *arguments):
    """(results.json, user CPU seconds) of a run; no result where the program lacks an option."""
    if any(text.startswith("--") and text not in options_of(program, arguments[0]) for text in arguments):
        return None
    with tempfile.TemporaryDirectory() as out:
        done, seconds = cpu_seconds([program, *arguments, "--json", "--quiet", "-o", f"{out}/run"])
    if done.returncode != 0:
        raise SystemExit(f"scripts/bench: {program} {' '.join(arguments)} ended with {done.returncode}: {done.stderr[-400:]}")
    return json.loads(done.stdout), seconds


@functools.lru_cache
def can_count():
    """Whether the processor counts instructions for us; it does not in many virtual machines."""
    try:
        done = subprocess.run(["perf", "stat", "-x", ",", "-e", "instructions:u", "true"], capture_output=True, text=True)
    except FileNotFoundError:
        return False
    return re.search(r"^\d+,,instructions", done.stderr, re.MULTILINE) is not None


def instructions(command):
    """Of user code, as the processor counts them; None where it does not."""
    if not can_count():
        return None
    with tempfile.NamedTemporaryFile("r") as counts, tempfile.TemporaryDirectory() as out:
        done = subprocess.run(["perf", "stat", "-x", ",", "-e", "instructions:u", "-o", counts.name, *command, "-o", f"{out}/run"],
                              capture_output=True)
        found = re.search(r"^(\d+),,instructions", counts.read(), re.MULTILINE)
    return int(found[1]) if done.returncode == 0 and found else None


@dataclass
class Figure:
    """A line of the table. `of(folder)` is None where the folder's program lacks something."""
    name: str
    unit: str
    of: object
    less_is_better: bool = False
    target: float = None
    peer: object = None           # peer(path, seed): flit-hops a CPU second
    against_peer: dict = field(default_factory=dict)  # ours, by folder: the same of the latest run
    instructions: object = None   # of a folder


def net_arguments(run, cycles, seed):
    arguments = ["net", "--topology", f"dragonfly:p={run.p},a={2 * run.p},h={run.p},arrangement=absolute", "--routing", "min",
                 "--traffic", "uniform", "--load", str(run.load), "--size", str(run.flits * FLIT_BYTES - HEADER_BYTES),
                 "--max-cycles", str(cycles), "--warmup", "0", "--seed", str(seed), *run.options]
    return arguments if "--timing" in run.options else [*arguments, "--timing", "bench"]


def one_thread(program):
    """Older programs have one anyway."""
    return ("--threads", "1") if "--threads" in options_of(program, "net") else ()


def system(run):
    """Nanoseconds of a CPU for a packet and hop; building is not in it, but it is in the peer's figure and ours beside it."""
    def of(folder, seed):
        found = results(tilefly(folder), *net_arguments(run, run.cycles, seed), *one_thread(tilefly(folder)))
        if found is None:
            return None
        run_results, seconds = found
        figure.against_peer[folder] = run_results["flit_hops"] / seconds
        return run_results["machine"]["cpu_s"] * 1e9 * run.flits / run_results["flit_hops"]

    def counted(folder):
        """The difference of two runs: what building takes is in both."""
        counts = []
        for cycles in (run.cycles, 2 * run.cycles):
            arguments = [*net_arguments(run, cycles, 1), *one_thread(tilefly(folder))]
            count = instructions([str(tilefly(folder)), *arguments, "--quiet"])
            if count is None:
                return None
            counts.append((count, results(tilefly(folder), *arguments)[0]["flit_hops"] / run.flits))
        return (counts[1][0] - counts[0][0]) / (counts[1][1] - counts[0][1])

    size = run.flits * FLIT_BYTES - HEADER_BYTES
    what = " ".join(run.options).replace("--", "")
    figure = Figure(f"{run.endpoints:,} endpoints, {size} B{', ' + what if what else ''}", "ns a packet-hop", of, less_is_better=True,
                    target=run.target, instructions=counted)
    if not run.options:
        figure.peer = lambda path, seed: run_booksim(path, run, seed)
    return figure


def several(run, what, launcher, options):
    """Times as fast as one thread, by the wall clock, in turn with it."""
    def of(folder, seed):
        program = tilefly(folder)
        if "--threads" not in options_of(program, "net"):
            return None
        arguments = [*net_arguments(run, run.cycles, seed), "--quiet"]
        walls = []
        for command in ([program, *arguments, "--threads", "1"], [*launcher, program, *arguments, *options]):
            with tempfile.TemporaryDirectory() as out:
                done = subprocess.run([*command, "-o", f"{out}/run"], capture_output=True, text=True,
                                      env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
                if done.returncode != 0:
                    raise SystemExit(f"scripts/bench: {' '.join(map(str, command))} ended with {done.returncode}: {done.stderr[-400:]}")
                with open(f"{out}/run/results.json") as file:
                    walls.append(json.load(file)["machine"]["wall_s"])
        return walls[0] / walls[1]
    return Figure(f"{run.endpoints:,} endpoints, {run.flits * FLIT_BYTES - HEADER_BYTES} B, {what}", "times one thread", of,
                  target=1.7 if launcher else 1.8)


def switch(name, cycles, target, *options):
    """Cycles a CPU second of `tilefly cosim`, one device on one thread, 64 ports, 1 KiB at half load."""
    def of(folder, seed):
        found = results(tilefly(folder), "cosim", *ROSETTA, "--max-cycles", str(cycles), "--seed", str(seed), *options)
        return found and found[0]["cycles"] / found[0]["machine"]["cpu_s"]
    return Figure(f"64 ports, 1024 B, {name}", "cycles/CPU s", of, target=target)


def benchmark(program, name, title, size, load, target=None):
    """Cycles a second of a program of testbenches/speed, a second of it."""
    def of(folder, _):
        path = folder / "testbenches/speed" / program
        if not os.access(path, os.X_OK):
            return None
        with tempfile.NamedTemporaryFile() as out:
            subprocess.run([path, f"--benchmark_filter=^{name}/bytes:{size}/load:{load}(/|$)", "--benchmark_min_time=1",
                            f"--benchmark_out={out.name}", "--benchmark_out_format=json"], check=True, capture_output=True)
            text = pathlib.Path(out.name).read_text()
        return json.loads(text)["benchmarks"][0]["cycles/s"] if text else None  # an older program may lack it
    return Figure(f"64 ports, {size} B, {load} %, {title}", "cycles/s", of, target=target)


def figures(quick, launcher):
    """All of them; with `quick` those that are told of in two minutes."""
    systems = [run for run in SYSTEMS if not quick or (run.p < 8 and not run.options)]
    table = [system(run) for run in systems]
    large = {run.p: run for run in SYSTEMS if run.flits == 16 and not run.options}
    table += [several(large[p], "2 threads", [], ["--threads", "2"]) for p in ((4,) if quick else (4, 8))]
    if launcher and not quick:
        table.append(several(large[8], "2 processes", [launcher, "--oversubscribe", "-n", "2"], ["--threads", "1"]))
    table += [switch("golden of cosim", 20000, None, "--devices", "golden"),
              switch("RTL of cosim, assertions on", 3000, 10000, "--devices", "rtl"),
              switch("RTL of cosim, assertions off", 3000, 13000, "--devices", "rtl", "--rtl-assert", "off")]
    points = ((1024, 50), (64, 50)) if quick else ((64, 50), (1024, 50), (64, 100), (1024, 100), (4224, 100))
    for size, load in ((1024, 2), *points):
        target = 5e6 if (size, load) == (1024, 50) else None
        table.append(benchmark("speed_switch", "HalvesUniform", "golden as halves, packets", size, load, target))
        table.append(benchmark("speed_switch", "SwitchUniform", "golden stepped, packets", size, load))
    for name, title in (("GoldenWords", "golden, words"), ("Rtl", "RTL"), ("RtlTwoThreads", "RTL, 2 threads")):
        table += [benchmark("speed_device", name, title, size, load) for size, load in (points[:1] if quick else points)]
    return table


def seconds_since(begin):
    return f"{time.monotonic() - begin:.0f} s"
