// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/fst_contents.h"

#include <gtkwave/fstapi.h>

#include <memory>
#include <stdexcept>

namespace tilefly::systemc {
namespace {

struct Target {
  FstContents* contents;
  std::map<fstHandle, std::string> names;

  void Add(std::uint64_t time, fstHandle variable, std::string value) {
    contents->variables[names.at(variable)].emplace_back(time, std::move(value));
  }
};

void AddBits(void* user, std::uint64_t time, fstHandle variable, const unsigned char* value) {
  static_cast<Target*>(user)->Add(time, variable, reinterpret_cast<const char*>(value));
}
void AddText(void* user, std::uint64_t time, fstHandle variable, const unsigned char* value, std::uint32_t length) {
  static_cast<Target*>(user)->Add(time, variable, std::string(reinterpret_cast<const char*>(value), length));
}

}  // namespace

FstContents::FstContents(const std::filesystem::path& file) {
  const std::unique_ptr<void, void (*)(void*)> reader(fstReaderOpen(file.c_str()), fstReaderClose);
  if (reader == nullptr) throw std::runtime_error(file.string() + ": no FST file");
  time_exponent = fstReaderGetTimescale(reader.get());
  Target target{this, {}};
  std::vector<std::string> scopes;
  while (const fstHier* const each = fstReaderIterateHier(reader.get())) {
    if (each->htyp == FST_HT_SCOPE) scopes.push_back((scopes.empty() ? "" : scopes.back()) + each->u.scope.name + ".");
    if (each->htyp == FST_HT_UPSCOPE) scopes.pop_back();
    if (each->htyp != FST_HT_VAR) continue;
    const std::string name = each->u.var.name;
    target.names[each->u.var.handle] = scopes.back() + name.substr(0, name.find(' '));
  }
  fstReaderSetFacProcessMaskAll(reader.get());
  fstReaderIterBlocks2(reader.get(), AddBits, AddText, &target, nullptr);
}

std::uint64_t FstContents::At(const std::string& variable, std::uint64_t time) const {
  std::string value;
  for (const auto& [when, changed] : variables.at(variable)) {
    if (when <= time) value = changed;
  }
  if (value.find_first_not_of("01") != std::string::npos || value.empty()) {
    throw std::runtime_error(variable + " is '" + value + "' at " + std::to_string(time));
  }
  return std::stoull(value, nullptr, 2);
}

}  // namespace tilefly::systemc
