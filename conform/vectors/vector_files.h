// SPDX-License-Identifier: Apache-2.0
// Vectors of a test as files: captures, memories for $readmemh, a manifest (docs/conformance.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "conform/vectors/ideal_run.h"

namespace tilefly::conform {

/// The most that a test has of each, by which the memories of the bench are made.
struct VectorSizes {
  std::size_t rows = 1, frames = 1, copies = 1, cycles = 1, writes = 1, longest = 1, numbers = 1;
  void Widen(const VectorSizes& other);
};

struct VectorTest {
  std::string id;
  std::uint64_t seed = 0;
  Scenario scenario;
  IdealRun run;
};

VectorSizes SizesOf(const Capability& capability, const VectorTest& test);

/// Writes the files of a test into `folder`. Throws UsageError or std::runtime_error when one cannot be written.
void WriteVectors(const Capability& capability, const VectorTest& test, const std::filesystem::path& folder);

/// What the files of a test in `folder` are, with the digest of each. `file`: the capability file as it was given.
nlohmann::ordered_json VectorManifest(const Capability& capability, const std::string& file, const std::string& kit,
                                      const VectorTest& test, const std::filesystem::path& folder);

}  // namespace tilefly::conform
