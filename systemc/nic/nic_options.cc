// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/nic_options.h"

#include "golden/common/types.h"
#include "support/errors.h"
#include "systemc/nic/message.h"

namespace tilefly::systemc {
namespace {

constexpr int kMostWindow = 1 << 16;
constexpr int kAddressBits = 20;  // of a fabric address

bool Fits(std::uint64_t value, int bits) { return value >> bits == 0; }

/// Approximately timed: the longest packet of messages needs the credits of its cells.
std::string CreditProblem(const FabricPortOptions& fabric) {
  const int least = golden::CellsOf(Message::kMostFrame);
  if (fabric.mtu_cells < least) {
    return "mtu_cells " + std::to_string(fabric.mtu_cells) + ": packets of messages have up to " +
           std::to_string(least) + " cells: take Profile::mtu_cells of the switch (FabricPortOptions::mtu_cells)";
  }
  if (golden::CreditSender().LaneOk(fabric.vl, fabric.credit, fabric.mtu_cells)) return "";
  return "credit of lane " + std::to_string(fabric.vl) + ": it has never room for the " +
         std::to_string(fabric.mtu_cells) +
         " cells of a packet: take golden::CreditTable(profile) of the switch (FabricPortOptions::credit)";
}

std::string Problem(const NicOptions& options) {
  const FabricPortOptions& fabric = options.fabric;
  if (options.window < 1 || options.window > kMostWindow) {
    return "window " + std::to_string(options.window) + ": a NIC has 1 to " + std::to_string(kMostWindow) +
           " transactions outstanding (SystemOptions::window, NicOptions::window)";
  }
  if (!Fits(fabric.address, kAddressBits)) {
    return "address " + std::to_string(fabric.address) + ": fabric addresses have " + std::to_string(kAddressBits) +
           " bits (FabricPortOptions::address)";
  }
  if (!IsLanesOfNic(fabric.lanes)) {
    return "lanes " + std::to_string(fabric.lanes) + ": a NIC's link has 2 or 4 (FabricPortOptions::lanes)";
  }
  if (fabric.tc < 0 || fabric.tc >= golden::kMaxClasses) {
    return "tc " + std::to_string(fabric.tc) + ": traffic classes are 0 to " + std::to_string(golden::kMaxClasses - 1) +
           " (FabricPortOptions::tc)";
  }
  if (fabric.vl < 0 || fabric.vl >= golden::kMaxLanes) {
    return "vl " + std::to_string(fabric.vl) + ": virtual lanes are 0 to " + std::to_string(golden::kMaxLanes - 1) +
           " (FabricPortOptions::vl)";
  }
  return options.loosely_timed ? "" : CreditProblem(fabric);
}

}  // namespace

void CheckOptions(const std::string& nic, const NicOptions& options) {
  if (const std::string problem = Problem(options); !problem.empty()) throw UsageError(nic + ": " + problem);
}

std::uint64_t AddressOfByte(std::uint32_t nic, std::uint64_t offset) {
  if (!Fits(nic, kAddressBits)) {
    throw UsageError("AddressOf: NIC " + std::to_string(nic) + ": fabric addresses have " +
                     std::to_string(kAddressBits) + " bits");
  }
  if (!Fits(offset, Message::kOffsetBits)) {
    throw UsageError("AddressOf: byte " + std::to_string(offset) + " of a NIC's memory: its addresses have " +
                     std::to_string(Message::kOffsetBits) + " bits, so the last byte is 2^" +
                     std::to_string(Message::kOffsetBits) + " - 1");
  }
  return static_cast<std::uint64_t>(nic) << Message::kOffsetBits | offset;
}

}  // namespace tilefly::systemc
