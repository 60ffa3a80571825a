# SPDX-License-Identifier: Apache-2.0
"""A peer's binary on the dragonfly that our network runs (docs/performance.md, Peers): p = h, a = 2p, one link for each
pair of groups, links of 1, 10 and 100 cycles, two lanes of 256 flits, uniform traffic, minimal routing."""
import re
import resource
import subprocess
import tempfile
from dataclasses import dataclass

FLIT_BYTES = 32
HEADER_BYTES = 16
BOOKSIM = """topology = dragonflynew; k = {p}; n = 1; routing_function = min;
num_vcs = 2; vc_buf_size = 256; wait_for_tail_credit = 0;
vc_allocator = islip; sw_allocator = islip; alloc_iters = 1;
credit_delay = 2; routing_delay = 0; vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = 1;
input_speedup = 1; output_speedup = 1; internal_speedup = 1.5;
traffic = uniform; packet_size = {flits}; injection_rate = {load}; injection_rate_uses_flits = 1;
sim_type = throughput; sample_period = {period}; warmup_periods = 1; max_samples = 2; sim_count = 1; seed = {seed};
"""


@dataclass(frozen=True)
class Run:
    """One system and load; the cycles are of injection, then both are drained."""
    p: int
    flits: int
    load: float
    cycles: int
    target: int | None  # times the peer's flit-hops a CPU second
    options: tuple = ()  # of `tilefly net`, beyond those of all; the peer has no such

    @property
    def endpoints(self):
        return 2 * self.p ** 2 * (2 * self.p ** 2 + 1)


SYSTEMS = (
    Run(2, 2, 0.5, 20000, 7), Run(2, 16, 0.5, 20000, 45), Run(2, 128, 0.5, 20000, None),
    Run(4, 2, 0.5, 2000, 20), Run(4, 16, 0.5, 2000, 110), Run(4, 128, 0.5, 2000, 400),
    Run(8, 2, 0.5, 300, 20), Run(8, 16, 0.5, 300, 100),
    Run(4, 16, 0.5, 2000, None, ("--acks", "on")), Run(4, 16, 0.5, 2000, None, ("--timing", "chip")),
)


def cpu_seconds(command):
    """(the finished process, its user CPU seconds)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True)
    return done, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def field(text, name, booksim):
    """The last figure of this name in what the peer printed."""
    found = re.findall(rf"^{re.escape(name)}\s*=\s*([0-9.eE+-]+)", text, re.MULTILINE)
    if not found:
        raise SystemExit(f"scripts/bench: {booksim} printed no '{name}'; is it BookSim 2, built from its own release?")
    return float(found[-1])


def run_booksim(booksim, run, seed):
    """Flit-hops a CPU second. What was injected in all cycles is delivered when it ends. Its exit code says nothing: BookSim
    ends a good run with 255."""
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as config:
        config.write(BOOKSIM.format(p=run.p, flits=run.flits, load=run.load, period=run.cycles // 2, seed=seed))
        config.flush()
        done, seconds = cpu_seconds([booksim, config.name])
    text = done.stdout
    flits = field(text, "Injected flit rate average", booksim) * run.endpoints * run.cycles
    return flits * field(text, "Hops average", booksim) / seconds
