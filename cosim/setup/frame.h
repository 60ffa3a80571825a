// SPDX-License-Identifier: Apache-2.0
// Frames as endpoints see them, with the arithmetic of Ethernet and of the words on a link.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/common/bytes.h"
#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

using Mac = std::array<std::uint8_t, 6>;

inline constexpr int kWordBytes = 32;
inline constexpr int kCellBytes = 48;
inline constexpr int kHeaderBytes = 16;
inline constexpr int kFcsBytes = 4;
inline constexpr int kPreambleAndGap = 20;
inline constexpr Mac kPauseMac = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
inline constexpr Mac kBroadcastMac = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
inline constexpr std::uint16_t kMacControlType = 0x8808;

/// Ethernet frame check of `size` bytes (CRC-32, as it stands little endian at the frame's end).
std::uint32_t Fcs(const std::uint8_t* bytes, std::size_t size);

/// How the last four bytes relate to the ones before.
enum class Check { kGood, kStomped, kBad };
Check CheckOf(const Bytes& frame);
/// Overwrites the last four bytes with the check of the bytes before them, inverted when `stomp`.
void Seal(Bytes* frame, bool stomp = false);

/// Fabric address: 9 bits of group, 5 bits of switch, 6 bits of port.
constexpr std::uint32_t Address(int group, int switch_index, int port) {
  return static_cast<std::uint32_t>(group << 11 | switch_index << 6 | port);
}
inline constexpr std::uint32_t kReplicated = (1u << 20) - 1;  ///< header.dst of a replicated packet
/// Algorithmic MAC 02:00:00:0x:xx:xx of a fabric address.
Mac AddressMac(std::uint32_t address);
std::uint64_t ToBits(const Mac& mac);  ///< first byte highest

/// Big-endian 16 bits at `offset`; 0 when the frame ends before.
std::uint16_t Field16(const Bytes& frame, std::size_t offset);
Mac MacAt(const Bytes& frame, std::size_t offset);

/// A frame, with what must become of it apart from lack of room.
struct Frame {
  std::uint64_t id = 0;  ///< packet number, from 1, unique in a run
  Cycle created = -1;    ///< cycle in which its time came; -1: it has no time of its own
  int source = 0;        ///< input port
  bool enh = false;      ///< goes out with `header` before it
  Header header;
  Bytes bytes;                     ///< FCS included; as sent
  int break_after = -1;            ///< words after which a sender breaks law 2 (one word missing), -1: never
  bool err_on_last = false;        ///< the last word is marked uncorrectable
  Drop expect_drop = Drop::kNone;  ///< certain to be dropped, for this reason
  bool expect_stomp = false;       ///< certain to leave stomped (damaged at a cut-through port)
  bool control = false;            ///< MAC control: for the switch itself, not offered traffic
  bool broken_off = false;         ///< an attempt that a link with retry broke off: the frame itself is sent again

  /// Words that the frame takes on a link; a broken frame counts the missing word.
  int words() const { return (static_cast<int>(bytes.size()) + (enh ? 16 : 0) + kWordBytes - 1) / kWordBytes; }
  /// Word slots that the frame takes; for a standard frame with its preamble and gap.
  int slots() const {
    return enh ? words() : (static_cast<int>(bytes.size()) + kPreambleAndGap + kWordBytes - 1) / kWordBytes;
  }
  int cells() const { return (static_cast<int>(bytes.size()) + kHeaderBytes + kCellBytes - 1) / kCellBytes; }
};
/// Word slots that a frame of `bytes` bytes takes on a link: with its internal header (`enh`), or with preamble and
/// gap.
constexpr int SlotsOf(int bytes, bool enh) {
  return (bytes + (enh ? kHeaderBytes : kPreambleAndGap) + kWordBytes - 1) / kWordBytes;
}
/// Bytes of the largest frame that takes `cells` cells.
constexpr int LargestFrame(int cells) { return cells * kCellBytes - kHeaderBytes; }
using FramePtr = std::shared_ptr<const Frame>;

/// Word `k` of a frame on a link.
Word MakeWord(const Frame& frame, int k);

/// A PAUSE frame (802.3 annex 31B): 64 B with valid FCS.
Bytes PauseFrame(const Mac& source, std::uint16_t quanta);

/// What a PAUSE or PFC frame asks the port that it comes to.
struct AskedPause {
  unsigned classes = 0;                   ///< one bit for each class; none: the frame is no such frame
  std::array<std::uint16_t, 8> quanta{};  ///< of each class in `classes`
};
AskedPause ReadPause(const Bytes& frame);
/// Cycles that a pause of `quanta` quanta takes on a link of `lanes` lanes. A quantum is 512 bit times.
constexpr Cycle PauseCycles(std::uint16_t quanta, int lanes) { return 8 * Cycle{quanta} / lanes; }

/// Cycles from a packet's first word to its word k, on a link of `lanes` lanes.
constexpr Cycle WordOffset(int k, int lanes) { return 4 * k / lanes; }
/// Cycles for which a packet of `slots` slots keeps a link of `lanes` lanes busy.
constexpr Cycle SlotCycles(int slots, int lanes) { return (4 * slots + lanes - 1) / lanes; }

}  // namespace tilefly::cosim
