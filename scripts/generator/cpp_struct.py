# SPDX-License-Identifier: Apache-2.0
"""Structs of C++ that pack themselves as the SystemVerilog package does."""
from .words import camel


def _uint(width):
    return next(f"uint{bits}_t" for bits in (8, 16, 32, 64) if width <= bits)


def _type(f):
    if f.width == 1:
        return "bool"
    if f.count > 1:
        return f"std::array<{_uint(f.width)}, {f.count}>"
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

/// Bits of the field `name` of a struct that has kFields; a name that it has not does not compile as a constant.
template <typename T>
constexpr int WidthOf(std::string_view name) {
  for (const FieldInfo& field : T::kFields) {
    if (name == field.name) return field.width;
  }
  throw name;
}

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


def _put(f, lsb):
    if f.width > 64:
        return f"PutBytes(words, base + {lsb}, {f.name});"
    return f"PutBits(words, base + {lsb}, {f.width}, {f.name});"


def _get(f, lsb):
    if f.width > 64:
        return f"GetBytes(words, base + {lsb}, &out.{f.name});"
    read = f"GetBits(words, base + {lsb}, {f.width})"
    return f"out.{f.name} = {read} != 0;" if f.width == 1 else f"out.{f.name} = static_cast<{_type(f)}>({read});"


def wire_struct(group, fields):
    """The first field is the most significant."""
    name, placed = camel(group), list(_placed(fields))
    out = [f"struct {name} : Packable<{name}> {{", f"  static constexpr int kWidth = {sum(f.width for f in fields)};",
           "  static constexpr int kWords = (kWidth + 31) / 32;",
           "  static constexpr int kBytes = (kWidth + 7) / 8;",
           f"  static constexpr std::array<FieldInfo, {len(placed)}> kFields = {{{{",
           *[f"      {{\"{f.name}\", {lsb}, {f.width}}}," for f, lsb in placed], "  }};", ""]
    out += [f"  {_type(f)} {f.name}{{}};  ///< {f.doc}" for f in fields]
    out += ["", "  /// Writes kWidth bits at bit `base` of `words`; the other bits stay.",
            "  [[gnu::always_inline]] void PackAt(uint32_t* words, int base) const {"]
    out += [f"    {_put(f, lsb)}" for f, lsb in placed]
    out += ["  }", f"  [[gnu::always_inline]] static {name} UnpackAt(const uint32_t* words, int base) {{",
            f"    {name} out;"]
    out += [f"    {_get(f, lsb)}" for f, lsb in placed]
    return out + ["    return out;", "  }", *_compare(name, [f.name for f in fields]), "};", ""]


def _initial(f):
    if f.count > 1:
        return "{" + ", ".join([str(f.reset)] * f.count) + "}" if f.reset else "{}"
    return " = " + (("false", "true")[f.reset] if f.width == 1 else str(f.reset))


def _parts(field):
    """(member, lsb) of each field, an array's apart."""
    if field.count == 1:
        return [(field.name, field.lsb)]
    return [(f"{field.name}[{i}]", field.lsb + field.width * i) for i in range(field.count)]


def _bits(f, value, lsb):
    """The value in its place; what is too large loses its upper bits."""
    mask = "" if f.width == 64 else f" & {2 ** f.width - 1:#x}"
    return f"(uint64_t{{{value}}}{mask})" + (f" << {lsb}" if lsb else "")


def _read(f, lsb):
    shifted = f"bits >> {lsb}" if lsb else "bits"
    if f.width == 64:
        return "bits"
    return f"({shifted} & 1) != 0" if f.width == 1 else f"static_cast<{_uint(f.width)}>({shifted} & {2 ** f.width - 1:#x})"


def word_struct(word):
    """The first field is the least significant."""
    name, fields = camel(word.name), word.fields
    out = [f"struct {name} {{", f"  static constexpr int kWidth = {word.width};", ""]
    out += [f"  {_type(f)} {f.name}{_initial(f)};  ///< {f.doc}" for f in fields]
    out.append("")
    if all(f.count == 1 for f in fields):
        given = ", ".join(f"uint64_t {f.name}" for f in fields)
        out += ["  /// With these fields; what is too large loses its upper bits.", f"  static constexpr {name} Of({given}) {{",
                "    return FromBits(" + " |\n                    ".join(_bits(f, f.name, f.lsb) for f in fields) + ");", "  }"]
    out += ["  constexpr uint64_t ToBits() const {",
            "    return " + " |\n           ".join(_bits(f, *part) for f in fields for part in _parts(f)) + ";", "  }",
            f"  static constexpr {name} FromBits(uint64_t bits) {{", f"    {name} out;"]
    out += [f"    out.{value} = {_read(f, lsb)};" for f in fields for value, lsb in _parts(f)]
    return out + ["    return out;", "  }", *_compare(name, [f.name for f in fields]), "};", ""]
