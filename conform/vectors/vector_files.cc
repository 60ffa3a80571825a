// SPDX-License-Identifier: Apache-2.0
#include "conform/vectors/vector_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "cosim/capture/capture_writer.h"
#include "runs/common/digest.h"
#include "support/errors.h"

namespace tilefly::conform {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kNumbersOfTest = 6;  // words of test.hex before those of the parts
constexpr std::size_t kNumbersOfPart = 6;  // and of a part before those of its ports

template <typename Lists>
std::size_t Total(const Lists& lists) {
  std::size_t total = 0;
  for (const auto& list : lists) total += list.size();
  return total;
}

void WriteText(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw UsageError(fmt::format("{}: cannot be written; name another folder by --output-dir", file.string()));
}

/// A line of in_P.hex, as `row_t` of tilefly_vector_bench.sv.
std::string RowText(const VectorBeat& row, int bytes) {
  const Beat& beat = row.beat;
  std::string data;
  for (int i = bytes - 1; i >= 0; --i) {
    const bool kept = (beat.keep >> i & 1) != 0;
    data += fmt::format("{:02x}", kept ? beat.data[static_cast<std::size_t>(i)] : 0);
  }
  return fmt::format("{:08x}_{:x}_{:08x}_{:08x}_{:08x}_{:0{}x}_{}\n", row.cycle, int{beat.last} | int{row.first} << 1,
                     beat.user, beat.dest, beat.id, beat.keep, (bytes + 3) / 4, data);
}

std::string WriteRow(const TableWrite& write) {
  std::string mac;
  for (const std::uint8_t byte : write.mac) mac += fmt::format("{:02x}", byte);
  return fmt::format("{:x}_{}_{:08x}_{:08x}\n", int{write.valid}, mac, write.port, write.index);
}

void WritePart(const Capability& it, const VectorPart& part, const fs::path& folder) {
  fs::create_directories(folder);
  for (std::size_t port = 0; port < part.in.size(); ++port) {
    std::string in;
    for (const VectorBeat& row : part.in[port]) in += RowText(row, it.signals.data_bytes);
    WriteText(folder / fmt::format("in_{}.hex", port), in);
    std::string out;
    for (const VectorCopy& copy : part.out[port]) out += fmt::format("{:08x}_{:08x}\n", copy.input, copy.frame);
    WriteText(folder / fmt::format("out_{}.hex", port), out);
  }
  std::string ready;
  for (const std::uint64_t row : part.ready) ready += fmt::format("{:0{}x}\n", row, (it.ports + 3) / 4);
  WriteText(folder / "ready.hex", ready);
  if (part.writes.empty()) return;
  std::string table;
  for (const TableWrite& write : part.writes) table += WriteRow(write);
  WriteText(folder / "table.hex", table);
}

std::string NumbersText(const Capability& it, const VectorTest& test) {
  std::vector<std::uint64_t> numbers = {test.run.parts.size(),
                                        test.seed >> 32,
                                        test.seed & 0xffffffffu,
                                        std::uint64_t{test.scenario.patient},
                                        std::uint64_t{test.scenario.quiet},
                                        std::uint64_t{it.flow.lossy && !test.scenario.quiet}};
  for (const VectorPart& part : test.run.parts) {
    for (const std::uint64_t number :
         {std::uint64_t{part.reset}, std::uint64_t{part.judged}, static_cast<std::uint64_t>(part.cycles),
          static_cast<std::uint64_t>(part.writes.size()), static_cast<std::uint64_t>(part.ready.size()),
          static_cast<std::uint64_t>(part.drops)})
      numbers.push_back(number);
    for (const auto& beats : part.in) numbers.push_back(beats.size());
    for (const auto& copies : part.out) numbers.push_back(copies.size());
  }
  std::string text;
  for (const std::uint64_t number : numbers) text += fmt::format("{:08x}\n", number);
  return text;
}

void WriteCapture(const Capability& it, const fs::path& file, const std::vector<VectorFrame>& frames) {
  cosim::CaptureWriter writer(file, file.stem().string(),
                              it.frames.fcs ? cosim::Packets::kEthernet : cosim::Packets::kEthernetWithout);
  for (const VectorFrame& one : frames) writer.Write(one.cycle, nullptr, one.frame->bytes);
  writer.Close();
}

ordered_json PartJson(const VectorPart& part) {
  return {{"begins", part.reset ? "with a reset" : "when all is out"},
          {"ends", part.cycles > 0 ? ordered_json(fmt::format("after {} cycles", part.cycles))
                                   : ordered_json("when all is out")},
          {"judged", part.judged},
          {"beats_in", Total(part.in)},
          {"copies_out", Total(part.out)},
          {"table_writes",
           std::count_if(part.writes.begin(), part.writes.end(), [](const TableWrite& w) { return w.valid; })},
          {"dropped", part.drops}};
}

}  // namespace

void VectorSizes::Widen(const VectorSizes& other) {
  rows = std::max(rows, other.rows);
  frames = std::max(frames, other.frames);
  copies = std::max(copies, other.copies);
  cycles = std::max(cycles, other.cycles);
  writes = std::max(writes, other.writes);
  longest = std::max(longest, other.longest);
  numbers = std::max(numbers, other.numbers);
}

VectorSizes SizesOf(const Capability& it, const VectorTest& test) {
  VectorSizes sizes;
  const auto ports = static_cast<std::size_t>(it.ports);
  sizes.numbers = kNumbersOfTest + test.run.parts.size() * (kNumbersOfPart + 2 * ports);
  for (const VectorPart& part : test.run.parts) {
    VectorSizes one;
    one.rows = Total(part.in);
    one.copies = Total(part.out);
    one.cycles = part.ready.size();
    one.writes = part.writes.size();
    one.frames = 0;
    for (const auto& beats : part.in) {
      std::size_t length = 0;
      for (const VectorBeat& row : beats) {
        one.frames += row.first ? 1 : 0;
        length = row.first ? 1 : length + 1;
        one.longest = std::max(one.longest, length);
      }
    }
    sizes.Widen(one);
  }
  return sizes;
}

void WriteVectors(const Capability& it, const VectorTest& test, const fs::path& folder) {
  fs::create_directories(folder);
  WriteText(folder / "test.hex", NumbersText(it, test));
  for (std::size_t n = 0; n < test.run.parts.size(); ++n)
    WritePart(it, test.run.parts[n], folder / fmt::format("part{}", n));
  for (std::size_t port = 0; port < test.run.in.size(); ++port) {
    WriteCapture(it, folder / fmt::format("in_{}.pcapng", port), test.run.in[port]);
    WriteCapture(it, folder / fmt::format("out_{}.pcapng", port), test.run.out[port]);
  }
}

ordered_json VectorManifest(const Capability& it, const std::string& file, const std::string& kit,
                            const VectorTest& test, const fs::path& folder) {
  ordered_json parts = ordered_json::array();
  for (const VectorPart& part : test.run.parts) parts.push_back(PartJson(part));
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).string());
  }
  std::sort(names.begin(), names.end());
  ordered_json files = ordered_json::object();
  for (const std::string& name : names) files[name] = runs::FileDigest((folder / name).string());
  return {{"kit", kit},
          {"test", test.id},
          {"seed", test.seed},
          {"capability", {{"file", file}, {"digest", runs::FileDigest(it.file.string())}}},
          {"ports", it.ports},
          {"beat_bytes", it.signals.data_bytes},
          {"frames_in", Total(test.run.in)},
          {"frames_out", Total(test.run.out)},
          {"parts", parts},
          {"files", files}};
}

}  // namespace tilefly::conform
