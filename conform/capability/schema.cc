// SPDX-License-Identifier: Apache-2.0
#include "conform/capability/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conform/capability/keys.h"

namespace tilefly::conform {
namespace {

using nlohmann::ordered_json;

ordered_json SchemaOf(const Key& key) {
  ordered_json schema;
  switch (key.kind) {
    case KeyKind::kText:
      schema["type"] = {"string", "number"};
      break;
    case KeyKind::kWord:
      // YAML 1.1 readers of editors take yes and no for booleans.
      for (const std::string& word : key.words) schema["enum"].push_back(word);
      if (key.words == std::vector<std::string>{"yes", "no"})
        schema["enum"].insert(schema["enum"].end(), {true, false});
      break;
    case KeyKind::kNumber:
      schema = {{"type", "integer"}, {"minimum", key.low}, {"maximum", key.high}};
      break;
    case KeyKind::kShare:
      schema = {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}};
      break;
    case KeyKind::kTexts:
      schema = {{"type", "array"}, {"minItems", 1}, {"items", {{"type", "string"}}}};
      if (!key.words.empty()) schema["items"] = {{"enum", key.words}};
      break;
    case KeyKind::kPairs:
      schema = {{"type", "object"}, {"additionalProperties", {{"type", {"string", "number"}}}}};
      break;
  }
  schema["description"] = key.help;
  if (!key.initial.empty() && key.initial != kRequired) schema["default"] = key.initial;
  return schema;
}

std::string ValuesOf(const Key& key) {
  switch (key.kind) {
    case KeyKind::kText:
      return "text";
    case KeyKind::kWord:
      return fmt::format("`{}`", fmt::join(key.words, "`, `"));
    case KeyKind::kNumber:
      return fmt::format("{} to {}", key.low, key.high);
    case KeyKind::kShare:
      return "above 0, at most 1";
    case KeyKind::kTexts:
      return key.words.empty() ? "list" : fmt::format("list of `{}`", fmt::join(key.words, "`, `"));
    case KeyKind::kPairs:
      return "mapping";
  }
  return "";
}

}  // namespace

ordered_json CapabilitySchema() {
  ordered_json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                         {"title", "What a switch is, and what it claims: capability file of `tilefly conform`"},
                         {"type", "object"},
                         {"additionalProperties", false}};
  // Keys that one style requires, by section.
  std::map<std::string, std::vector<std::string>> of_streams;
  const auto require = [&](ordered_json* where, const Key& key) {
    if (key.initial != kRequired) return;
    if (key.style == KeyStyle::kStream) {
      of_streams[key.section].push_back(key.name);
    } else {
      (*where)["required"].push_back(key.name);
    }
  };
  for (const Key& key : Keys()) {
    if (key.section.empty()) {
      schema["properties"][key.name] = SchemaOf(key);
      require(&schema, key);
      continue;
    }
    ordered_json& section = schema["properties"][key.section];
    if (section.is_null()) section = {{"type", {"object", "null"}}, {"additionalProperties", false}};
    section["properties"][key.name] = SchemaOf(key);
    require(&section, key);
  }
  const ordered_json link = {{"properties", {{"style", {{"const", "link"}}}}}, {"required", {"style"}}};
  schema["if"] = {{"properties", {{"ports", link}}}, {"required", {"ports"}}};
  schema["then"] = {{"properties", {{"ports", {{"required", {"profile"}}}}}}};
  for (const auto& [section, names] : of_streams) {
    schema["else"]["properties"][section]["required"] = names;
    schema["else"]["required"].push_back(section);
  }
  return schema;
}

std::string CapabilityPage() {
  std::string page =
      R"(<!-- Made by `tilefly conform keys`; do not edit. -->
# Keys of capability files

A capability file is a YAML file that describes a switch of your own: how it is built, what its ports look like, how it
treats frames, and what it claims. `tilefly conform` reads the file, chooses the tests that apply, and judges the switch
by the claims ([conformance](../conformance.md)). `tilefly conform init` writes a first file from the Verilog. Editors
take the same keys from [capability.schema.json](capability.schema.json).

```text
device, library, top, files, ...   the device, and how it is built
clock, reset                       its clock and its reset
ports                              the kind, number, widths and names of its ports
frames                             the frames that it takes, and what happens to others     stream
forwarding                         how a frame finds its output                             stream
flow                               what stops inputs and outputs, and what is dropped       stream
classes                            which frames go first                                    stream
claims                             the level that it claims, and the bounds of the claim
```

- A key `a.b` of the table is the key `b` of the mapping `a`.
- *Of ports* says for which `ports.style` the key is: `stream` or `link`. An empty cell is for both. A key of the other
  style is refused.
- *When absent* has the value of a key that the file does not have. `refused`: the file must have the key. `-`: the key
  has no value.

| key | of ports | values | when absent | meaning |
|---|---|---|---|---|
)";
  for (const Key& key : Keys()) {
    const std::string initial = key.initial == kRequired ? "refused"
                                : key.initial.empty()    ? "-"
                                                         : "`" + key.initial + "`";
    const char* const style = key.style == KeyStyle::kBoth ? "" : key.style == KeyStyle::kLink ? "link" : "stream";
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.Path(), style, ValuesOf(key), initial, key.help);
  }
  return page;
}

}  // namespace tilefly::conform
