// SPDX-License-Identifier: Apache-2.0
#include "runs/system/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "runs/common/manifest.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

constexpr char kMagic[] = "tilefly checkpoint 2\n";
constexpr std::size_t kMagicSize = sizeof kMagic - 1;
constexpr std::size_t kSumSize = sizeof(std::uint32_t);

/// The first setting in which they differ; empty: none.
std::string Difference(const std::string& there, const std::string& here) {
  const std::vector<std::string> a = DecidingLines(there), b = DecidingLines(here);
  const auto [first, second] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (first == a.end() && second == b.end()) return "";
  return fmt::format("{} there, {} here", first == a.end() ? "nothing" : *first,
                     second == b.end() ? "nothing" : *second);
}

}  // namespace

void RequireCheckpointPlace(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file))
    throw UsageError(fmt::format("--checkpoint: {} is a folder; name a file", file.string()));
  if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file))
    throw UsageError(
        fmt::format("--checkpoint: {} is no plain file, and would be replaced by one; name another", file.string()));
  const std::filesystem::path part = file.string() + ".part";
  const bool there = std::filesystem::exists(part);
  if (!std::ofstream(part, std::ios::binary | std::ios::app))
    throw UsageError(fmt::format("--checkpoint: {} cannot be written; name another file", part.string()));
  if (!there) std::filesystem::remove(part);
}

CheckpointWriter::CheckpointWriter(std::filesystem::path file, const CheckpointOrigin& origin)
    : file_(std::move(file)), part_(file_.string() + ".part"), out_(part_, std::ios::binary | std::ios::trunc) {
  if (!out_) throw UsageError(fmt::format("--checkpoint: {} cannot be written; name another file", part_.string()));
  Put(kMagic, kMagicSize);
  Write({origin.version.begin(), origin.version.end()});
  Write({origin.settings.begin(), origin.settings.end()});
}

void CheckpointWriter::Put(const char* data, std::size_t size) {
  out_.write(data, static_cast<std::streamsize>(size));
  sum_.process_bytes(data, size);
}

void CheckpointWriter::Write(const SavedBytes& piece) {
  const std::uint64_t size = piece.size();
  Put(reinterpret_cast<const char*>(&size), sizeof size);
  Put(piece.data(), piece.size());
}

void CheckpointWriter::Finish() {
  const std::uint32_t sum = sum_.checksum();
  out_.write(reinterpret_cast<const char*>(&sum), kSumSize);
  out_.close();
  if (!out_) throw std::runtime_error(fmt::format("{} could not be written; is the disk full?", part_.string()));
  std::filesystem::rename(part_, file_);
}

CheckpointReader::CheckpointReader(std::filesystem::path file, const CheckpointOrigin& origin)
    : file_(std::move(file)), in_(file_, std::ios::binary) {
  if (!in_) throw UsageError(fmt::format("--resume: {} cannot be read; name a checkpoint", file_.string()));
  std::string magic(kMagicSize, ' ');
  in_.read(magic.data(), kMagicSize);
  if (!in_ || magic != kMagic)
    throw UsageError(fmt::format("--resume: {} is no checkpoint of this kind of tilefly", file_.string()));
  CheckSum();
  if (const std::string version = Text(); version != origin.version) {
    throw UsageError(fmt::format("--resume: {} is of tilefly {}, this is {}; resume it with that one", file_.string(),
                                 version, origin.version));
  }
  if (const std::string difference = Difference(Text(), origin.settings); !difference.empty()) {
    throw UsageError(
        fmt::format("--resume: {} is of a run with other settings: {}; give the same", file_.string(), difference));
  }
}

/// Goes over the whole file once; then stands behind the magic words again.
void CheckpointReader::CheckSum() {
  boost::crc_32_type sum;
  sum.process_bytes(kMagic, kMagicSize);
  const auto size = std::filesystem::file_size(file_);
  std::vector<char> block(std::size_t{1} << 20);
  for (auto left = size - std::min<std::uintmax_t>(size, kMagicSize + kSumSize); left > 0;) {
    const auto part = std::min<std::uintmax_t>(left, block.size());
    in_.read(block.data(), static_cast<std::streamsize>(part));
    sum.process_bytes(block.data(), static_cast<std::size_t>(in_.gcount()));
    left -= part;
  }
  std::uint32_t wanted = 0;
  in_.read(reinterpret_cast<char*>(&wanted), kSumSize);
  if (!in_ || wanted != sum.checksum()) {
    throw UsageError(
        fmt::format("--resume: {} is damaged, its checksum is wrong; resume from another checkpoint", file_.string()));
  }
  in_.seekg(kMagicSize);
}

std::string CheckpointReader::Text() {
  const SavedBytes piece = Read();
  return {piece.begin(), piece.end()};
}

SavedBytes CheckpointReader::Read() {
  std::uint64_t size = 0;
  in_.read(reinterpret_cast<char*>(&size), sizeof size);
  if (!in_ || size > std::filesystem::file_size(file_))
    throw std::runtime_error(fmt::format("{}: it has too few pieces", file_.string()));
  SavedBytes piece(size);
  in_.read(piece.data(), static_cast<std::streamsize>(size));
  return piece;
}

}  // namespace tilefly::runs
