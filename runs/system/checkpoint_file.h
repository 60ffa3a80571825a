// SPDX-License-Identifier: Apache-2.0
// A checkpoint of a run on disk: what it is of, the pieces of the network's state, a checksum over all.
#pragma once

#include <boost/crc.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "golden/common/archive.h"

namespace tilefly::runs {

/// What a checkpoint must agree with to be resumed.
struct CheckpointOrigin {
  std::string version;   ///< of tilefly, and its build
  std::string settings;  ///< resolved, as YAML, and digests of the files that they name
};

/// Throws UsageError when the file of --checkpoint could not be written.
void RequireCheckpointPlace(const std::filesystem::path& file);

/// Writes FILE.part, which becomes FILE when it is whole.
class CheckpointWriter {
 public:
  /// Throws UsageError when the file cannot be made.
  CheckpointWriter(std::filesystem::path file, const CheckpointOrigin& origin);

  void Write(const SavedBytes& piece);
  /// Throws std::runtime_error when the file could not be finished.
  void Finish();

 private:
  void Put(const char* data, std::size_t size);

  std::filesystem::path file_;
  std::filesystem::path part_;
  std::ofstream out_;
  boost::crc_32_type sum_;
};

class CheckpointReader {
 public:
  /// Throws UsageError, with the reason, for what is no checkpoint, is damaged, or is of something else than `origin`.
  CheckpointReader(std::filesystem::path file, const CheckpointOrigin& origin);

  /// The next piece.
  SavedBytes Read();

 private:
  void CheckSum();
  std::string Text();

  std::filesystem::path file_;
  std::ifstream in_;
};

}  // namespace tilefly::runs
