# SPDX-License-Identifier: Apache-2.0
"""The evaluation of a Verilated model, cut into its steps, so that a step of many models can follow the same step of another
(docs/performance.md, Where the time of the RTL goes). Verilator calls the steps one after the other in functions whose
texts it makes by a pattern. Where a text does not fit the pattern, the model has no steps and is evaluated as a whole."""
import re

# `_eval` of Verilator 5.006 without blanks, without what is compiled for debugging alone.
EVAL = """vlSelf->__VicoIterCount=0U;__VicoContinue=1U;while(__VicoContinue){__VicoContinue=0U;P___eval_triggers__ico(vlSelf);
if(vlSelf->__VicoTriggered.any()){__VicoContinue=1U;if(VL_UNLIKELY((0x64U<vlSelf->__VicoIterCount))){VL_FATAL_MT(F);}
vlSelf->__VicoIterCount=((IData)(1U)+vlSelf->__VicoIterCount);P___eval_ico(vlSelf);}}
__VnbaIterCount=0U;__VnbaContinue=1U;while(__VnbaContinue){__VnbaContinue=0U;vlSelf->__VnbaTriggered.clear();
vlSelf->__VactIterCount=0U;vlSelf->__VactContinue=1U;while(vlSelf->__VactContinue){vlSelf->__VactContinue=0U;
P___eval_triggers__act(vlSelf);if(vlSelf->__VactTriggered.any()){vlSelf->__VactContinue=1U;
if(VL_UNLIKELY((0x64U<vlSelf->__VactIterCount))){VL_FATAL_MT(F);}
vlSelf->__VactIterCount=((IData)(1U)+vlSelf->__VactIterCount);
__VpreTriggered.andNot(vlSelf->__VactTriggered,vlSelf->__VnbaTriggered);
vlSelf->__VnbaTriggered.set(vlSelf->__VactTriggered);P___eval_act(vlSelf);}}
if(vlSelf->__VnbaTriggered.any()){__VnbaContinue=1U;if(VL_UNLIKELY((0x64U<__VnbaIterCount))){VL_FATAL_MT(F);}
__VnbaIterCount=((IData)(1U)+__VnbaIterCount);P___eval_nba(vlSelf);}}""".replace("\n", "")

HEADER = """// Made by cmake/eval_steps.py of what Verilator has made.
#pragma once

#include "{root}.h"

{declarations}
struct {prefix}__steps {{
  using Root = {root};
  static constexpr int kCount = {count};
{functions}}};
"""

FUNCTIONS = """  static void Begin(Root* vlSelf) {{
    vlSelf->__VicoIterCount = 0U;
    {root}___eval_triggers__ico(vlSelf);
  }}
{functions}  static constexpr void (*kSteps[])(Root*) = {{{names}}};
  /// Whether nothing in the model rises or falls because of what the steps did.
  static bool End(Root* vlSelf) {{
    {root}___eval_triggers__act(vlSelf);
    return !vlSelf->__VactTriggered.any();
  }}
"""

ACT = """vlSelf->__VnbaTriggered.clear();
    {root}___eval_triggers__act(vlSelf);
    vlSelf->__VnbaTriggered.set(vlSelf->__VactTriggered);"""


def body_of(text, root, function):
    """What the function does: its text behind "// Body"; None: it is not there, or in another form."""
    found = re.search(rf"^(?:VL_INLINE_OPT )?void {root}___{function}\({root}\* vlSelf\) {{\n(.*?)^}}\n", text, re.MULTILINE | re.DOTALL)
    if found is None:
        return None
    inside = re.sub(r"#ifdef VL_DEBUG\n.*?#endif[^\n]*\n", "", found[1], flags=re.DOTALL)
    before, mark, body = inside.partition("// Body\n")
    return body if mark else ""


def plain(text, root):
    text = re.sub(r"\s+", "", text.replace(root, "P"))
    return re.sub(r"VL_FATAL_MT\([^;]*\);", "VL_FATAL_MT(F);", text)


def calls(body, root, triggers):
    """(condition, function) of each call of a body that calls functions where triggers are set, and does nothing else."""
    condition = rf"[(\s]*vlSelf->{triggers}\.at\(\d+U\)(?:[)\s]*\|[(\s]*vlSelf->{triggers}\.at\(\d+U\))*[)\s]*"
    block = re.compile(rf"\s*if \(({condition})\) {{\n((?:\s*{root}___\w+\(vlSelf\);\n)+)\s*}}\n")
    found, at = [], 0
    while at < len(body) and body[at:].strip():
        one = block.match(body, at)
        if one is None:
            return None
        found += [(re.sub(r"\s+", " ", one[1]), name) for name in re.findall(rf"({root}___\w+)\(vlSelf\)", one[2])]
        at = one.end()
    return found


def steps_of(text, root):
    """Each step's statements; none where a text has another form."""
    whole = {name: body_of(text, root, name) for name in ("eval", "eval_ico", "eval_act", "eval_nba", "eval_triggers__ico")}
    if None in whole.values() or plain(whole["eval"], root) != EVAL or whole["eval_act"].strip():
        return []
    if plain(whole["eval_triggers__ico"], root) != "vlSelf->__VicoTriggered.at(0U)=(0U==vlSelf->__VicoIterCount);":
        return []
    of_inputs = calls(whole["eval_ico"], root, "__VicoTriggered")
    of_clocks = calls(whole["eval_nba"], root, "__VnbaTriggered")
    if not of_inputs or not of_clocks:
        return []
    statements = [f"if ({condition}) {name}(vlSelf);" for condition, name in of_inputs + of_clocks]
    return [*statements[:len(of_inputs)], ACT.format(root=root), *statements[len(of_inputs):]]


def write_steps(folder, prefix):
    """PREFIX__steps.h in the folder of what Verilator has made."""
    root = f"{prefix}___024root"
    text = "".join(path.read_text() for path in sorted(folder.glob(f"{root}*.cpp")))
    steps = steps_of(text, root)
    names = sorted(set(re.findall(rf"({root}___\w+)\(vlSelf\)", "".join(steps)))) + ([f"{root}___eval_triggers__ico"] if steps else [])
    functions = "".join(f"  static void Step{number}(Root* vlSelf) {{\n    {step}\n  }}\n" for number, step in enumerate(steps))
    (folder / f"{prefix}__steps.h").write_text(HEADER.format(
        prefix=prefix, root=root, count=len(steps), declarations="".join(f"void {name}({root}* vlSelf);\n" for name in names),
        functions=FUNCTIONS.format(root=root, functions=functions, names=", ".join(f"Step{number}" for number in range(len(steps))))
        if steps else ""))
