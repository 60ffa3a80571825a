// SPDX-License-Identifier: Apache-2.0
#include "cosim/capture/capture_writer.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#include "cosim/capture/pcapng_blocks.h"

namespace tilefly::cosim {
namespace {

// draft-ietf-opsawg-pcapng.
constexpr std::uint16_t kEthernet = 1, kUser0 = 147;
constexpr std::uint16_t kOptionName = 2, kOptionTimeResolution = 9, kOptionFcsLength = 13;

template <typename T>
void Put(Bytes* out, T value) {
  const std::size_t at = out->size();
  out->resize(at + sizeof value);
  std::memcpy(out->data() + at, &value, sizeof value);
}

void PutPadded(Bytes* out, const std::uint8_t* bytes, std::size_t size) {
  out->insert(out->end(), bytes, bytes + size);
  out->resize((out->size() + 3) / 4 * 4);
}

void PutOption(Bytes* out, std::uint16_t code, const std::string& value) {
  Put(out, code);
  Put(out, static_cast<std::uint16_t>(value.size()));
  PutPadded(out, reinterpret_cast<const std::uint8_t*>(value.data()), value.size());
}

std::filesystem::path Temporary(const std::filesystem::path& file) {
  std::filesystem::path name = file;
  return name += ".part";
}

}  // namespace

CaptureWriter::CaptureWriter(std::filesystem::path file, const std::string& interface, Packets packets)
    : file_(std::move(file)), out_(Temporary(file_), std::ios::binary) {
  if (!out_) throw std::runtime_error(fmt::format("{}: cannot be written", Temporary(file_).string()));
  Bytes section;
  Put(&section, pcapng::kByteOrderMagic);
  Put(&section, std::uint16_t{1});
  Put(&section, std::uint16_t{0});
  Put(&section, std::int64_t{-1});  // length of the section not known
  PutBlock(pcapng::kSectionHeader, section);
  Bytes description;
  Put(&description, packets == Packets::kHeader ? kUser0 : kEthernet);
  Put(&description, std::uint16_t{0});
  Put(&description, std::uint32_t{0});  // no snap length
  PutOption(&description, kOptionName, interface);
  PutOption(&description, kOptionTimeResolution, std::string(1, '\x09'));
  if (packets == Packets::kEthernet) PutOption(&description, kOptionFcsLength, std::string(1, '\x04'));
  Put(&description, std::uint32_t{0});  // end of options
  PutBlock(pcapng::kInterface, description);
}

void CaptureWriter::PutBlock(std::uint32_t type, const Bytes& body) {
  const auto length = static_cast<std::uint32_t>(body.size() + 12);
  Bytes block;
  block.reserve(length);
  Put(&block, type);
  Put(&block, length);
  block.insert(block.end(), body.begin(), body.end());
  Put(&block, length);
  out_.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size()));
}

void CaptureWriter::Write(std::int64_t time_ns, const Header* header, const Bytes& frame) {
  Bytes packet;
  if (header != nullptr) {
    packet.resize(Header::kBytes);
    header->PackBytes(packet.data());
  }
  packet.insert(packet.end(), frame.begin(), frame.end());
  Bytes body;
  Put(&body, std::uint32_t{0});  // interface
  Put(&body, static_cast<std::uint32_t>(time_ns >> 32));
  Put(&body, static_cast<std::uint32_t>(time_ns));
  Put(&body, static_cast<std::uint32_t>(packet.size()));
  Put(&body, static_cast<std::uint32_t>(packet.size()));
  PutPadded(&body, packet.data(), packet.size());
  PutBlock(pcapng::kEnhancedPacket, body);
}

void CaptureWriter::Close() {
  out_.close();
  if (!out_) throw std::runtime_error(fmt::format("{}: writing failed (disk full?)", Temporary(file_).string()));
  std::filesystem::rename(Temporary(file_), file_);
}

}  // namespace tilefly::cosim
