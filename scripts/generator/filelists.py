# SPDX-License-Identifier: Apache-2.0
"""The lists of RTL files for other people's tools, from what is in rtl/: Verilator style, FuseSoC, Bender.

A file *_checker.sv holds concurrent assertions or DPI and is attached by `bind`: simulators read it, synthesis not.
"""
from .systemverilog import NOTE

CRC = "pkg/tilefly_crc_pkg.sv"
DEFAULT = "rosetta64"


def sources(rtl):
    """(synthesisable files, checkers), relative to rtl/, packages of profiles left out, packages first."""
    found = sorted(str(path.relative_to(rtl)) for path in rtl.rglob("*.sv"))
    found = sorted((name for name in found if not name.startswith("pkg/")), key=lambda name: not name.endswith("_pkg.sv"))
    found = [CRC] + found
    return ([name for name in found if not name.endswith("_checker.sv")],
            [name for name in found if name.endswith("_checker.sv")])


def _pkg(name):
    return f"pkg/{name}/tilefly_pkg.sv"


def _f(files):
    return "\n".join([f"// {NOTE}", "// Read with -F, after the package of a profile: pkg/<profile>/tilefly_pkg.sv",
                      *files, ""])


def _core(model, files, checkers):
    def fileset(name, names):
        return [f"  {name}:", "    file_type: systemVerilogSource", "    files:", *[f"      - {n}" for n in names]]

    out = ["CAPI=2:", "# SPDX-License-Identifier: Apache-2.0", f"# {NOTE}", "name: tilefly:switch:tilefly:0.1.0",
           "description: A Rosetta-class tiled HPC Ethernet switch", "", "filesets:"]
    for p in model.profiles:
        out += fileset(f"pkg_{p.name}", [_pkg(p.name)])
    out += fileset("rtl", files)
    if checkers:
        out += fileset("checkers", checkers)
    out += ["", "targets:"]
    simulated = ", checkers" if checkers else ""
    for name, profile in [("default", DEFAULT)] + [(p.name, p.name) for p in model.profiles]:
        out += [f"  {name}:", f"    filesets: [pkg_{profile}, rtl{simulated}]", "    toplevel: tilefly_switch"]
    return "\n".join(out + [""])


def _bender(model, files, checkers):
    out = [f"# {NOTE}", "package:", "  name: tilefly", "", "sources:"]
    for p in model.profiles:
        target = "not(any(" + ", ".join(q.name for q in model.profiles if q.name != DEFAULT) + "))" \
            if p.name == DEFAULT else p.name
        out += [f"  - target: {target}", "    files:", f"      - rtl/{_pkg(p.name)}"]
    out += ["  - files:", *[f"      - rtl/{name}" for name in files]]
    if checkers:
        out += ["  - target: simulation", "    files:", *[f"      - rtl/{name}" for name in checkers]]
    return "\n".join(out + [""])


def lists(model, root):
    files, checkers = sources(root / "rtl")
    result = {"rtl/tilefly.f": _f(files), "rtl/tilefly.core": _core(model, files, checkers),
              "Bender.yml": _bender(model, files, checkers)}
    if checkers:
        result["rtl/tilefly_checkers.f"] = _f(checkers)
    return result
