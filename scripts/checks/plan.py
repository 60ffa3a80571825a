# SPDX-License-Identifier: Apache-2.0
"""What is checked: named commands, and the GoogleTest suites of testbenches/."""
import pathlib
import re
from dataclasses import dataclass
from typing import List, Tuple

from . import sample

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIERS = ("quick", "ci", "full")
LINT = ["verilator", "--lint-only", "-Wall", "--no-timing"]
MODELS = {"quick": "tile8;rosetta64", "ci": "tile8;rosetta64", "full": "tile8;tile16;tile32;rosetta64"}  # Verilated tiles
FLAT = {"quick": "tile8", "ci": "tile8", "full": "tile8;tile16;rosetta64"}      # profiles with a Verilated flat switch
# Blocks whose mutation score is demanded, and which Verilated tops of them, where yosys takes hours for the buffers of the others.
MUTATED = {"arbiter": (), "credit": (), "link": ("tilefly_serdes_lanes", "tilefly_link_watch", "tilefly_port_retry"), "retry": (),
           "scheduler": ()}


@dataclass(frozen=True)
class Check:
    """One line of the report: commands run in order, or a suite of ctest."""
    name: str
    commands: Tuple[List[str], ...] = ()
    suite: str = ""             # label of ctest
    build: str = "release"      # preset of the suite
    tier: str = "ci"            # TILEFLY_TIER
    vital: bool = False         # the rest is pointless when it fails
    alone: bool = False         # takes all processors, or changes the checkout meanwhile


# Suites of libraries that Debian has not: built and run by hand where they are (docs/systemc.md).
BY_HAND = {"systemc_cci"}


def suites():
    return sorted({path.parent.name for path in (ROOT / "testbenches").glob("*/*_test.cc")} - BY_HAND)


def sanitized_suites():
    """Those with tests that need no Verilated model."""
    found = []
    for suite in suites():
        folder = ROOT / "testbenches" / suite
        listed = folder / "CMakeLists.txt"
        golden = any(not path.stem.endswith("_rtl_test") for path in folder.glob("*_test.cc"))
        if golden and not (listed.exists() and re.search(r"\bCOSIM\b", listed.read_text())):
            found.append(suite)
    return found


def blocks():
    rtl = {path.parent.name for path in (ROOT / "rtl").glob("*/*.sv")}
    return sorted(rtl - {"pkg"} | set(suites()))


def package(profile):
    return f"rtl/pkg/{profile}/tilefly_pkg.sv"


def rtl_files(root=ROOT):
    """The files of rtl/tilefly.f, as paths from the project's root."""
    return [f"rtl/{line}" for line in (root / "rtl/tilefly.f").read_text().splitlines() if line and not line.startswith("//")]


def _lint(profile, *tops):
    """Of the switch; with `tops`, of these modules only."""
    lists = [name for name in ("rtl/tilefly.f", "rtl/tilefly_checkers.f") if (ROOT / name).exists()]
    return Check(f"lint {profile}", tuple([*LINT, "--top-module", top, package(profile), *[word for name in lists for word in ("-F", name)]]
                                          for top in tops or ("tilefly_switch",)))


def _build(preset, *targets, configure=()):
    commands = (["cmake", "--preset", preset, *configure],) if configure else ()
    target = ["--target", *targets] if targets else []
    return Check(f"build {preset}", (*commands, ["scripts/build", preset, *target]), vital=True, alone=True)


def _pages():
    """Pages of the manual that show commands."""
    return [str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md")) if "\n```sh\n" in page.read_text()]


def _mutations(blocks, options):
    return tuple(["scripts/mutate", block, *(["--top", *MUTATED[block]] if MUTATED[block] else []), *options] for block in blocks)


def _sanitizers(name):
    """Build and suites with sanitizers, each suite a tier below; of CI a share."""
    wanted = sanitized_suites() if name == "full" else sample.share(sanitized_suites(), 4)
    return [_build("sanitize", *[f"test_{suite}" for suite in wanted]),
            *[Check(f"sanitizers {suite}", suite=suite, build="sanitize", tier=TIERS[TIERS.index(name) - 1], alone=True)
              for suite in wanted]]


def tier(name):
    """Checks of quick, ci or full, in the order in which they run. What CI has a share of, the commit's hash draws."""
    level = TIERS.index(name)
    checks = [Check("generated files", (["testbenches/scripts/pictures_test"], ["scripts/generate", "--check"])),
              Check("invariants", (["testbenches/scripts/invariants_test"], ["testbenches/scripts/faults_test"],
                                   ["scripts/check-invariants"])),
              Check("shares of CI", (["testbenches/scripts/plan_test"],)),
              Check("fields", (["testbenches/scripts/fields_test"], ["scripts/check-fields"])),
              Check("links", (["testbenches/scripts/links_test"], ["testbenches/scripts/site_test"], ["scripts/check-links"])),
              Check("pages", (["testbenches/scripts/pages_test"], ["scripts/check-pages"])),
              Check("steps of models", (["testbenches/scripts/eval_steps_test"],)),
              Check("lint waivers", (["testbenches/scripts/waivers_test"], ["scripts/check-waivers"])),
              _lint("tile8", "tilefly_axis_switch", "tilefly_axis_check", "tilefly_retry_out", "tilefly_retry_in",
                    "tilefly_flow_channels", "tilefly_congestion_meter", "tilefly_serdes_lanes"),
              Check("long-lived state", (["testbenches/scripts/wide_state_test"], ["testbenches/scripts/wide_faults_test"],
                                         ["scripts/wide-state"])),
              Check("profiles", (["testbenches/scripts/profile_limits_test"], ["testbenches/scripts/profile_fuzz_test"]))]
    if level >= 1:  # the wiring of 32 tiles takes twenty times as long as all else, and is the one of tile8
        parts = ("tilefly_axis_switch",) if name == "full" else ("tilefly_tile", "tilefly_cfu", "tilefly_load_ring", "tilefly_axis_port")
        checks.append(_lint("rosetta64", *parts))
    checks.append(_build("release", configure=[f"-DTILEFLY_MODELS={MODELS[name]}",
                                               f"-DTILEFLY_FLAT_PROFILES={FLAT[name]}",
                                               f"-DTILEFLY_BENCH={'ON' if name == 'full' else 'OFF'}"]))
    checks.append(Check("rooms", (["testbenches/scripts/rooms_test"], ["scripts/check-rooms"])))
    checks += [Check(f"suite {suite}", suite=suite, tier=name, alone=True) for suite in suites()]
    few_sizes = [] if name == "full" else ["--quick"]
    of_cli = ("cli_test", "answers_test", "given_test", "net_test", "samples_test", "cosim_retry_test", "fault_plan_test", "look_test")
    several = [Check("command line", tuple([f"testbenches/cli/{test}"] for test in of_cli)),
               Check("several processes", (["testbenches/mpi/mpi_test"],)),
               Check("published figures", (["testbenches/repro/published_test", *few_sizes],))]
    if level == 0:
        return checks + several
    def share(names, one_of):
        return names if name == "full" else sample.share(names, one_of)

    planted = [] if name == "full" else ["--any", "3"]
    copies = [] if name == "full" else ["--sample", "1"]
    assertion = () if name == "full" else (["scripts/test-faults", "--assertions", "--any", "1"],)
    drawn = [] if name == "full" else ["--count", "1"]
    kit = [] if name == "full" else ["--faults-only", "--only", "egress:run_limit_off_by_one"]
    kit_checks = ["--full"] if name == "full" else ["--any", "5"]  # full: all, our own switch with all tests at 8 and 64 ports
    mutants = [] if name == "full" else ["--sample", "12"]
    proved = sorted(path.stem for path in (ROOT / "formal").glob("*.yaml"))
    # Side by side, the longest first: no processor waits for another at the end.
    checks += [Check("conformance kit", (["testbenches/conform/kit_test", "build/release/apps/tilefly", *kit_checks],
                                         ["testbenches/conform/reference_test"], ["scripts/kit-faults", *kit])),
               Check("mutation score", (["testbenches/scripts/equivalence_test"], *_mutations(share(list(MUTATED), len(MUTATED)), mutants))),
               Check("proofs", (["scripts/prove", *share(proved, 2), *copies],)),
               Check("planted faults", (["scripts/test-faults", *planted], *assertion, ["scripts/wide-faults", *drawn])),
               *several,
               Check("installed package", (["testbenches/install/parts_test"], ["testbenches/install/install_test"])),
               Check("browser", (["testbenches/report/browser_test"], ["testbenches/report/comparison_test"])),
               *_sanitizers(name),
               Check("documents", (["scripts/run-docs", "README.md", *share(_pages(), 3)],), alone=True)]
    if name == "full":
        checks.append(Check("site", (["scripts/site", "--check"],)))
    return checks


def block(name):
    """Lint, build and quick suite of one block."""
    rooms = [word for path in sorted((ROOT / "rtl").iterdir()) if path.is_dir() and path.name != "pkg"
             for word in ("-y", f"rtl/{path.name}")]
    packages = [package("tile8"), *[str(path.relative_to(ROOT)) for path in sorted((ROOT / "rtl").glob("*/*_pkg.sv"))]]
    checks = [Check(f"lint {path.stem}", ([*LINT, *rooms, *packages, "--top-module", path.stem, str(path.relative_to(ROOT))],))
              for path in sorted((ROOT / "rtl" / name).glob("*.sv")) if not path.stem.endswith(("_checker", "_pkg"))]
    if name in suites():
        checks += [_build("release", f"test_{name}"),
                   Check(f"suite {name}", suite=name, tier="quick", alone=True)]
    return checks
