// SPDX-License-Identifier: Apache-2.0
#include "systemc/trace/fst_file.h"

#include <gtkwave/fstapi.h>

#include <stdexcept>
#include <utility>

namespace tilefly::systemc {

FstFile::FstFile(std::filesystem::path file) : file_(std::move(file)) {
  constexpr int kCompressedHierarchy = 1;
  constexpr int kPicosecond = -12;
  writer_ = fstWriterCreate(Unfinished().c_str(), kCompressedHierarchy);
  if (writer_ == nullptr) throw std::runtime_error(file_.string() + ": cannot be written");
  fstWriterSetTimescale(writer_, kPicosecond);
  fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
}

FstFile::~FstFile() {
  if (writer_ == nullptr) return;
  fstWriterClose(writer_);
  std::error_code ignored;
  std::filesystem::remove(Unfinished(), ignored);
}

void FstFile::OpenScope(const std::string& name) { fstWriterSetScope(writer_, FST_ST_VCD_MODULE, name.c_str(), nullptr); }

void FstFile::CloseScope() { fstWriterSetUpscope(writer_); }

FstFile::Variable FstFile::AddBits(const std::string& name, int bits) {
  const std::string label = bits == 1 ? name : name + " [" + std::to_string(bits - 1) + ":0]";
  return fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, static_cast<std::uint32_t>(bits), label.c_str(), 0);
}

FstFile::Variable FstFile::AddText(const std::string& name) {
  return fstWriterCreateVar(writer_, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name.c_str(), 0);
}

void FstFile::Time(std::uint64_t ps) { fstWriterEmitTimeChange(writer_, ps); }

void FstFile::ChangeBits(Variable variable, const std::string& digits) {
  fstWriterEmitValueChange(writer_, variable, digits.c_str());
}

void FstFile::ChangeText(Variable variable, const std::string& text) {
  fstWriterEmitVariableLengthValueChange(writer_, variable, text.data(), static_cast<std::uint32_t>(text.size()));
}

void FstFile::Close() {
  const bool failed = fstWriterGetFseekFailed(writer_) != 0;
  fstWriterClose(std::exchange(writer_, nullptr));
  if (failed) throw std::runtime_error(file_.string() + ": cannot be written: is the disk full?");
  std::filesystem::rename(Unfinished(), file_);
}

}  // namespace tilefly::systemc
