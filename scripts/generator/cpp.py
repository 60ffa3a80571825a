# SPDX-License-Identifier: Apache-2.0
"""The C++ side: wire structs in the packed-bit layout of the SystemVerilog package, profiles, registers."""
from .spec import camel
from .systemverilog import NOTE


def _head(purpose, includes):
    return ["// SPDX-License-Identifier: Apache-2.0", f"// {NOTE}", f"// {purpose}", "#pragma once", "",
            *[f"#include <{name}>" for name in includes], "", "namespace tilefly {", ""]


def _uint(width):
    return next(f"uint{bits}_t" for bits in (8, 16, 32, 64) if width <= bits)


def _type(f):
    if f.width == 1:
        return "bool"
    return _uint(f.width) if f.width <= 64 else f"std::array<uint8_t, {f.width // 8}>"


def _placed(fields):
    """(field, lsb) in declaration order: the first field is the most significant."""
    lsb = sum(f.width for f in fields)
    for f in fields:
        lsb -= f.width
        yield f, lsb


BITS = """\
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the packed layout is written for little-endian machines");

/// A field of a packed struct: name, least significant bit, width.
struct FieldInfo {
  const char* name;
  int lsb;
  int width;
};

/// Writes `width` (1..64) bits of `value` at bit `lsb` of `words`; the other bits stay.
[[gnu::always_inline]] inline void PutBits(uint32_t* words, int lsb, int width, uint64_t value) {
  while (width > 0) {
    const int shift = lsb % 32;
    const int count = width < 32 - shift ? width : 32 - shift;
    const uint32_t mask = (count == 32 ? ~0u : (1u << count) - 1) << shift;
    words[lsb / 32] = (words[lsb / 32] & ~mask) | ((static_cast<uint32_t>(value) << shift) & mask);
    value >>= count;
    lsb += count;
    width -= count;
  }
}

/// Reads `width` (1..64) bits at bit `lsb` of `words`.
[[gnu::always_inline]] inline uint64_t GetBits(const uint32_t* words, int lsb, int width) {
  uint64_t value = 0;
  for (int done = 0; done < width;) {
    const int shift = (lsb + done) % 32;
    const int count = width - done < 32 - shift ? width - done : 32 - shift;
    const uint64_t mask = (uint64_t{1} << count) - 1;
    value |= ((words[(lsb + done) / 32] >> shift) & mask) << done;
    done += count;
  }
  return value;
}

/// Writes bytes, lowest first, at bit `lsb` of `words`; the other bits stay.
template <size_t N>
[[gnu::always_inline]] inline void PutBytes(uint32_t* words, int lsb, const std::array<uint8_t, N>& bytes) {
  if (lsb % 8 == 0) {
    std::memcpy(reinterpret_cast<uint8_t*>(words) + lsb / 8, bytes.data(), N);
  } else {
    for (size_t i = 0; i < N; ++i) PutBits(words, lsb + 8 * static_cast<int>(i), 8, bytes[i]);
  }
}

/// Reads bytes, lowest first, at bit `lsb` of `words`.
template <size_t N>
[[gnu::always_inline]] inline void GetBytes(const uint32_t* words, int lsb, std::array<uint8_t, N>* bytes) {
  if (lsb % 8 == 0) {
    std::memcpy(bytes->data(), reinterpret_cast<const uint8_t*>(words) + lsb / 8, N);
  } else {
    for (size_t i = 0; i < N; ++i) (*bytes)[i] = static_cast<uint8_t>(GetBits(words, lsb + 8 * static_cast<int>(i), 8));
  }
}

/// Pack, unpack and compare, for a struct that has kWidth, PackAt and UnpackAt.
template <typename T>
struct Packable {
  /// Writes the struct to bit 0 of T::kWords words and clears the bits above it.
  void Pack(uint32_t* words) const {
    uint32_t packed[T::kWords] = {};
    Self().PackAt(packed, 0);
    std::memcpy(words, packed, sizeof packed);
  }
  /// The struct at bit 0 of T::kWords words.
  static T Unpack(const uint32_t* words) { return T::UnpackAt(words, 0); }
  /// Writes T::kBytes bytes, lowest first.
  void PackBytes(uint8_t* bytes) const {
    uint32_t packed[T::kWords] = {};
    Self().PackAt(packed, 0);
    std::memcpy(bytes, packed, T::kBytes);
  }
  /// The struct in T::kBytes bytes, lowest first.
  static T UnpackBytes(const uint8_t* bytes) {
    uint32_t packed[T::kWords] = {};
    std::memcpy(packed, bytes, T::kBytes);
    return T::UnpackAt(packed, 0);
  }
  /// The struct as an integer; for structs of at most 64 bits.
  uint64_t ToBits() const {
    static_assert(T::kWidth <= 64, "wider than 64 bits: use Pack");
    uint32_t packed[2] = {};
    Self().PackAt(packed, 0);
    return packed[0] | uint64_t{packed[1]} << 32;
  }
  /// The struct in an integer; for structs of at most 64 bits.
  static T FromBits(uint64_t bits) {
    static_assert(T::kWidth <= 64, "wider than 64 bits: use Unpack");
    const uint32_t packed[2] = {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
    return T::UnpackAt(packed, 0);
  }

 private:
  const T& Self() const { return static_cast<const T&>(*this); }
};
"""


def _compare(name, members):
    equal = " &&\n           ".join(f"a.{m} == b.{m}" for m in members)
    return [f"  friend bool operator==(const {name}& a, const {name}& b) {{", f"    return {equal};", "  }",
            f"  friend bool operator!=(const {name}& a, const {name}& b) {{ return !(a == b); }}"]


def _sizes(width, placed):
    lines = [f"  static constexpr int kWidth = {width};",
             "  static constexpr int kWords = (kWidth + 31) / 32;",
             "  static constexpr int kBytes = (kWidth + 7) / 8;",
             f"  static constexpr std::array<FieldInfo, {len(placed)}> kFields = {{{{"]
    return lines + [f"      {{\"{f.name}\", {lsb}, {f.width}}}," for f, lsb in placed] + ["  }};"]


def _members(fields, resets=False):
    return [f"  {_type(f)} {f.name}"
            + (f" = {('false', 'true')[f.reset] if f.width == 1 else f.reset};" if resets else "{};")
            + f"  ///< {f.doc}" for f in fields]


def _wire_struct(group, fields, resets=False, placed=None):
    name = camel(group)
    placed = placed or list(_placed(fields))
    out = [f"struct {name} : Packable<{name}> {{", *_sizes(sum(f.width for f in fields), placed), "",
           *_members(fields, resets), ""]
    out += ["  /// Writes kWidth bits at bit `base` of `words`; the other bits stay.",
            "  [[gnu::always_inline]] void PackAt(uint32_t* words, int base) const {"]
    for f, lsb in placed:
        out.append(f"    PutBytes(words, base + {lsb}, {f.name});" if f.width > 64 else
                   f"    PutBits(words, base + {lsb}, {f.width}, {f.name});")
    out += ["  }", f"  [[gnu::always_inline]] static {name} UnpackAt(const uint32_t* words, int base) {{",
            f"    {name} out;"]
    for f, lsb in placed:
        read = f"GetBits(words, base + {lsb}, {f.width})"
        out.append(f"    GetBytes(words, base + {lsb}, &out.{f.name});" if f.width > 64 else
                   f"    out.{f.name} = {read} != 0;" if f.width == 1 else
                   f"    out.{f.name} = static_cast<{_type(f)}>({read});")
    return out + ["    return out;", "  }", *_compare(name, [f.name for f in fields]), "};", ""]


def _link(word, ctrl):
    return f"""\
/// What a link carries in a cycle: {{ctrl, word}}, ctrl most significant.
struct Link : Packable<Link> {{
  static constexpr int kWidth = Ctrl::kWidth + Word::kWidth;
  static constexpr int kWords = (kWidth + 31) / 32;
  static constexpr int kBytes = (kWidth + 7) / 8;

  Ctrl ctrl;
  Word word;

  /// Writes kWidth bits at bit `base` of `words`; the other bits stay.
  [[gnu::always_inline]] void PackAt(uint32_t* words, int base) const {{
    word.PackAt(words, base);
    ctrl.PackAt(words, base + Word::kWidth);
  }}
  [[gnu::always_inline]] static Link UnpackAt(const uint32_t* words, int base) {{
    Link out;
    out.word = Word::UnpackAt(words, base);
    out.ctrl = Ctrl::UnpackAt(words, base + Word::kWidth);
    return out;
  }}
  friend bool operator==(const Link& a, const Link& b) {{ return a.ctrl == b.ctrl && a.word == b.word; }}
  friend bool operator!=(const Link& a, const Link& b) {{ return !(a == b); }}
}};
static_assert(Link::kWidth == {word + ctrl});
"""


def wire(model):
    out = _head("Wire formats in exactly the packed-bit layout of tilefly_pkg.sv (first field most significant).",
                ["array", "cstddef", "cstdint", "cstring"])
    out.append(BITS)
    for group, fields in model.wire.items():
        out += _wire_struct(group, fields)
    width = {group: sum(f.width for f in fields) for group, fields in model.wire.items()}
    out += [_link(width["word"], width["ctrl"]), "}  // namespace tilefly", ""]
    return "\n".join(out)


def profile(model):
    profiles = model.profiles + model.extra
    docs = model.docs()
    out = _head("The switch's parameters, by profile.", ["array", "string_view"])
    out += ["struct Profile {", "  const char* name;"]
    out += [f"  int {key};  ///< {docs[key]}" for key in profiles[0].all()]
    out += ["};", ""]
    for p in profiles:
        out.append(f"inline constexpr Profile k{camel(p.name)} = {{")
        out.append(f"    /*name=*/\"{p.name}\",")
        out += [f"    /*{key}=*/{value}," for key, value in p.all().items()]
        out += ["};", ""]
    names = ", ".join("k" + camel(p.name) for p in profiles)
    out += ["/// All profiles, in increasing number of ports; a user's own come last.",
            f"inline constexpr std::array<Profile, {len(profiles)}> kProfiles = {{{names}}};", "",
            "/// The profile of that name, or null.",
            "constexpr const Profile* FindProfile(std::string_view name) {",
            "  for (const Profile& profile : kProfiles) {", "    if (name == profile.name) return &profile;", "  }",
            "  return nullptr;", "}", "", "}  // namespace tilefly", ""]
    return "\n".join(out)


def registers(model):
    out = _head("Enumerations, register spaces, counters and drop reasons that software sees.",
                ["array", "cstdint"])
    out[-3:-3] = ["", '#include "generated/wire.h"']
    for name, entries in model.enums.items():
        kind = camel(name)
        out += [f"enum class {kind} : uint8_t {{"]
        out += [f"  k{camel(e.name)} = {e.value},  ///< {e.doc}" for e in entries]
        out += ["};", "", f"inline constexpr std::array<{kind}, {len(entries)}> k{kind}Values = {{"]
        out += [f"    {kind}::k{camel(e.name)}," for e in entries]
        out += ["};", "", f"/// Name in profiles/registers.yaml, or \"?\" for a value that has none.",
                f"constexpr const char* ToString({kind} value) {{", "  switch (value) {"]
        out += [f"    case {kind}::k{camel(e.name)}:\n      return \"{e.name}\";" for e in entries]
        out += ["  }", "  return \"?\";", "}", ""]
    placed, lsb = [], 0
    for f in model.port_mode:
        placed.append((f, lsb))
        lsb += f.width
    out += ["/// Register PORT.MODE; a default-constructed one has the reset values. First field least significant."]
    out += _wire_struct("port_mode", model.port_mode, True, placed)
    out += ["}  // namespace tilefly", ""]
    return "\n".join(out)
