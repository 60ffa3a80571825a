# SPDX-License-Identifier: Apache-2.0
"""The C++ side: wire structs in the packed-bit layout of the SystemVerilog package, profiles, registers."""
import json
import re

from .cpp_struct import BITS, wire_struct, word_struct
from .limits import LIMITS, RELATIONS
from .systemverilog import NOTE
from .spec import link_parts, wire_limits
from .words import camel


def _head(purpose, includes):
    return ["// SPDX-License-Identifier: Apache-2.0", f"// {NOTE}", f"// {purpose}", "#pragma once", "",
            *[f'#include "{name}"' if "/" in name else f"#include <{name}>" for name in includes], "", "namespace tilefly {", ""]


def _link(parts):
    lowest = {member: sum(width for _, _, width in parts[i + 1:]) for i, (_, member, _) in enumerate(parts)}
    upwards = [(camel(group), member, f"base + {lowest[member]}" if lowest[member] else "base")
               for group, member, _ in reversed(parts)]
    equal = " && ".join(f"a.{member} == b.{member}" for _, member, _ in upwards)
    return "\n".join([
        f"/// What a link carries in a cycle: {{{', '.join(member for _, member, _ in parts)}}}, {parts[0][1]} most significant.",
        "struct Link : Packable<Link> {", f"  static constexpr int kWidth = {sum(width for _, _, width in parts)};",
        "  static constexpr int kWords = (kWidth + 31) / 32;", "  static constexpr int kBytes = (kWidth + 7) / 8;", "",
        *[f"  {camel(group)} {member};" for group, member, _ in parts], "",
        "  /// Writes kWidth bits at bit `base` of `words`; the other bits stay.",
        "  [[gnu::always_inline]] void PackAt(uint32_t* words, int base) const {",
        *[f"    {member}.PackAt(words, {at});" for _, member, at in upwards], "  }",
        "  [[gnu::always_inline]] static Link UnpackAt(const uint32_t* words, int base) {", "    Link out;",
        *[f"    out.{member} = {struct}::UnpackAt(words, {at});" for struct, member, at in upwards], "    return out;", "  }",
        f"  friend bool operator==(const Link& a, const Link& b) {{ return {equal}; }}",
        "  friend bool operator!=(const Link& a, const Link& b) { return !(a == b); }", "};", ""])


def wire(model):
    out = _head("Wire formats in exactly the packed-bit layout of tilefly_pkg.sv (first field most significant).",
                ["array", "cstddef", "cstdint", "cstring", "string_view"])
    out.append(BITS)
    for group, fields in model.wire.items():
        out += wire_struct(group, fields)
    out += [_link(link_parts(model.wire)), "}  // namespace tilefly", ""]
    return "\n".join(out)


def _constant(profile):
    return [f"inline constexpr Profile k{camel(profile.name)} = {{", f"    /*name=*/\"{profile.name}\",",
            *[f"    /*{key}=*/{value}," for key, value in profile.all().items()], "};", ""]


def profile(model):
    docs = model.docs()
    out = _head("The switch's parameters, by profile.", ["string_view"])
    out += ["struct Profile {", "  const char* name;"]
    out += [f"  int {key};  ///< {docs[key]}" for key in model.profiles[0].all()]
    out += ["};", ""]
    for p in model.profiles:
        out += _constant(p)
    out += ["struct ProfileList {", "  constexpr const Profile* begin() const { return first; }",
            "  constexpr const Profile* end() const { return last; }", "",
            "  const Profile* first;", "  const Profile* last;", "};", "",
            "/// All profiles of the build, in increasing number of ports; a user's own come last.",
            "extern const ProfileList kProfiles;", "",
            "/// The profile of that name, or null.", "const Profile* FindProfile(std::string_view name);", "",
            "}  // namespace tilefly", ""]
    return "\n".join(out)


def profile_limits_header(model):
    return "\n".join(_head("The keys of profiles/common.yaml with the limits of their values, for those who change one.",
                           ["array", "string", "generated/profile.h"]) + ["""\
/// A key of a profile: values from `low` to `high` are right for golden and RTL.
struct ProfileKey {
  const char* name;
  int Profile::*value;
  int low;
  int high;
  const char* why;  ///< where the limits come from
  const char* doc;
};""", "", f"extern const std::array<ProfileKey, {len(model.common)}> kProfileKeys;", "",
                           "/// \"KEY is VALUE, but must be ...\" of the first key that does not fit to another; empty: all do.",
                           "std::string MisfitOf(const Profile& profile);", "", "}  // namespace tilefly", ""])


def _condition(text, names):
    return re.sub(r"[a-z_]+", lambda found: f"p.{found[0]}" if found[0] in names else found[0], text)


def profile_limits(model):
    """The table of keys, and the relations as C++."""
    names, wire = set(model.profiles[0].all()), wire_limits(model.wire)
    out = ["// SPDX-License-Identifier: Apache-2.0", f"// {NOTE}", "// Limits of the keys of a profile.",
           '#include "generated/profile_limits.h"', "", "namespace tilefly {", "",
           f"const std::array<ProfileKey, {len(model.common)}> kProfileKeys = {{{{"]
    for item in model.common:
        key = item["key"]
        by_wire = (1, wire[key], "the wire formats (profiles/wire.yaml) hold no more") if key in wire else (0, 2**31 - 1, "")
        low, high, why = LIMITS.get(key, by_wire)
        out.append(f'    {{"{key}", &Profile::{key}, {low}, {high}, {json.dumps(why)}, {json.dumps(item["doc"])}}},')
    out += ["}};", "", "std::string MisfitOf(const Profile& profile) {", "  const Profile& p = profile;",
            "  const auto text = [](int value) { return std::to_string(value); };"]
    for key, condition, why in RELATIONS:
        parts = [f'" + text({_condition(part, names)}) + "' if i % 2 else part for i, part in enumerate(re.split(r"\$\((.*?)\)", why))]
        out += [f"  if (!({_condition(condition, names)}))",
                f'    return "{key} is " + text(p.{key}) + ", but must be {"".join(parts)}";']
    return "\n".join(out + ['  return "";', "}", "", "}  // namespace tilefly", ""])


def own_profile_header(profile):
    """Path of the header that has a user's own profile."""
    return f"generated/profile_{profile.name}.h"


def own_profile(profile):
    return "\n".join([*_head("A user's own profile.", ["generated/profile.h"]), *_constant(profile), "}  // namespace tilefly", ""])


def profile_list(model):
    """The source that knows all profiles of a build."""
    names = ", ".join("k" + camel(p.name) for p in model.profiles + model.extra)
    headers = ["generated/profile.h", *sorted(own_profile_header(p) for p in model.extra)]
    return "\n".join([
        "// SPDX-License-Identifier: Apache-2.0", f"// {NOTE}", "// All profiles of the build.",
        *[f'#include "{header}"' for header in headers], "", "#include <iterator>", "", "namespace tilefly {", "",
        "namespace {", f"constexpr Profile kAll[] = {{{names}}};", "}  // namespace", "",
        "const ProfileList kProfiles = {std::begin(kAll), std::end(kAll)};", "",
        "const Profile* FindProfile(std::string_view name) {", "  for (const Profile& profile : kProfiles) {",
        "    if (name == profile.name) return &profile;", "  }", "  return nullptr;", "}", "", "}  // namespace tilefly", ""])


def _says(model, word):
    """What the word is the word or the index of."""
    what = [f"{name}.{entry.name}" for name, entries in model.enums.items() for entry in entries
            if word.name in (entry.word, entry.index)]
    kind = "Index" if word.name in model.indices() else "Data"
    return f"{kind} of {', '.join(what)}" + ("; a default-constructed one has the reset values." if word.has_reset else ".")


def registers(model):
    out = _head("Enumerations, register spaces, counters, drop reasons and words of the register bus that software sees.",
                ["array", "cstdint"])
    for name, entries in model.enums.items():
        kind = camel(name)
        out += [f"enum class {kind} : uint{8 if max(e.value for e in entries) < 256 else 16}_t {{"]
        out += [f"  k{camel(e.name)} = {e.value},  ///< {e.doc}" for e in entries]
        out += ["};", "", f"inline constexpr std::array<{kind}, {len(entries)}> k{kind}Values = {{"]
        out += [f"    {kind}::k{camel(e.name)}," for e in entries]
        out += ["};", "", f"/// Name in profiles/registers.yaml, or \"?\" for a value that has none.",
                f"constexpr const char* ToString({kind} value) {{", "  switch (value) {"]
        out += [f"    case {kind}::k{camel(e.name)}:\n      return \"{e.name}\";" for e in entries]
        out += ["  }", "  return \"?\";", "}", ""]
    for word in model.words.values():
        out += [f"/// {_says(model, word)}"]
        out += word_struct(word)
    out += ["}  // namespace tilefly", ""]
    return "\n".join(out)
