// SPDX-License-Identifier: Apache-2.0
// What a device's forwarding table says, and what has to become of a frame by it.
#pragma once

#include <map>
#include <vector>

#include "conform/bench/frame.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

class AddressTable {
 public:
  AddressTable() = default;
  /// Port i has the MAC `macs[i]`, in entry i.
  explicit AddressTable(const std::vector<Mac>& macs);

  /// Entry `write.index` says that the MAC is at the port; what it said before is gone.
  void Write(const TableWrite& write);
  /// -1: nobody has it.
  int PortOf(const Mac& mac) const;
  /// Entry with the MAC, -1: none.
  int EntryOf(const Mac& mac) const;
  /// All entries.
  std::vector<TableWrite> Entries() const;

 private:
  std::map<int, TableWrite> entries_;  ///< by index
};

/// The outputs of a frame, by its tdest or destination MAC, by its length and by the bad bit: where it has to come out,
/// that it has to be dropped, or that the capability file does not say (`judged`).
void Decide(const Capability& capability, const AddressTable& table, Frame* frame);

}  // namespace tilefly::conform
