// SPDX-License-Identifier: Apache-2.0
#include "runs/common/digest.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "support/errors.h"

namespace tilefly::runs {
namespace {

constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325u, kFnvPrime = 0x100000001b3u;

/// The program or a library in memory.
struct Loaded {
  std::string file;
  std::string build_id;  ///< empty: none is stated
};

std::size_t RoundUp(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

/// The build id among the notes of a segment; empty: there is none.
std::string BuildIdIn(const char* notes, std::size_t size, std::size_t align) {
  std::size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= size) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t text = name + RoundUp(note.n_namesz, align);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" && std::strcmp(notes + name, "GNU") == 0)
      return {notes + text, note.n_descsz};
    at = text + RoundUp(note.n_descsz, align);
  }
  return "";
}

int AddLoaded(dl_phdr_info* info, std::size_t, void* list) {
  const std::string name = info->dlpi_name;
  if (!name.empty() && name.find('/') == std::string::npos) return 0;  // the kernel's own
  Loaded one{name.empty() ? "/proc/self/exe" : name, ""};
  for (int i = 0; i < info->dlpi_phnum && one.build_id.empty(); ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    one.build_id = BuildIdIn(reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr), part.p_memsz,
                             part.p_align == 8 ? 8 : 4);
  }
  static_cast<std::vector<Loaded>*>(list)->push_back(std::move(one));
  return 0;
}

std::vector<Loaded> WhatIsLoaded() {
  std::vector<Loaded> loaded;
  dl_iterate_phdr(AddLoaded, &loaded);
  return loaded;
}

/// Taken before main: what is loaded later, as MPI does, is not the program's.
const std::vector<Loaded> at_start = WhatIsLoaded();

std::string DigestOfProgram() {
  std::vector<std::string> parts;
  for (const Loaded& one : at_start) parts.push_back(one.build_id.empty() ? FileDigest(one.file) : one.build_id);
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string& part : parts) text += fmt::format("{} {}", part.size(), part);
  return Digest(text);
}

}  // namespace

/// FNV-1a.
std::string Digest(const std::string& text) {
  std::uint64_t hash = kFnvOffset;
  for (unsigned char c : text) hash = (hash ^ c) * kFnvPrime;
  return fmt::format("{:016x}", hash);
}

std::string FileDigest(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw UsageError(fmt::format("{}: cannot be read", file));
  return Digest(text.str());
}

const std::string& ProgramDigest() {
  static const std::string digest = DigestOfProgram();
  return digest;
}

}  // namespace tilefly::runs
