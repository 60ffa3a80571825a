// SPDX-License-Identifier: Apache-2.0
// Traffic classes of a switch under test (docs/qos.md, In a switch).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "generated/profile.h"
#include "generated/registers.h"
#include "generated/wire.h"
#include "qos/table.h"

namespace tilefly::cosim {

/// A table of classes as register writes of every port, and what the writes mean for a frame. A credit of the table is
/// a cell of the switch, and its link is a link of the port. DSCP and PCP values that choose a traffic class which the
/// file does not have, and that class itself, are treated as the file's last class.
class ClassSetup {
 public:
  /// Reads `file`, a table or wishes. Throws UsageError when no switch of the profile with links of so many lanes can
  /// use it.
  ClassSetup(const std::filesystem::path& file, const Profile& profile, int lanes);
  /// The same for a table that is already read; `file` is for messages.
  ClassSetup(qos::Table table, std::string file, const Profile& profile, int lanes);

  /// For a system in which a packet uses up to `count` lanes of its class: gives `count` lanes to each class whose file
  /// names no lanes, one class after the other, if there are enough.
  void SpreadLanes(int count);

  /// Register writes, one a bus cycle, for ports of these classes (PORT.MODE.pclass).
  std::vector<Cfg> Writes(const std::vector<int>& port_classes) const;
  /// The register writes that may come again while traffic flows and that change no frame's fate: the entries, the
  /// change of banks, groups and maximums.
  std::vector<Cfg> SchedulerWrites() const;

  const qos::Table& table() const { return table_; }
  const std::string& file() const { return file_; }
  /// The differences between the file's units and the switch's, in a sentence; empty: there are none.
  std::string Units() const;
  /// The class as which packets of traffic class `tc` are treated.
  const qos::TrafficClass& Of(int tc) const { return table_.classes[static_cast<std::size_t>(owner_[Index(tc)])]; }
  /// Whether the file has a class of this number.
  bool Has(int tc) const { return Of(tc).level == tc; }
  /// Number of the class that virtual lane `lane` belongs to (VL_CLASS).
  int OfLane(int lane) const { return owns_[Index(lane)]; }
  int OfDscp(int dscp) const { return dscp_[Index(dscp)]; }
  int OfPcp(int pcp) const { return pcp_[Index(pcp)]; }
  /// Virtual lane at the output: for a packet from an edge the first lane of the class, else the lane on which it came
  /// if this lane belongs to the class.
  int Lane(int tc, int port_class, int lane_in) const;
  /// The routing mode in the header that a bare frame gets.
  RouteMode Routing(int tc) const;

 private:
  static std::size_t Index(int number) { return static_cast<std::size_t>(number); }
  void Refuse() const;
  void Mark();
  std::uint64_t Maximum(const qos::TrafficClass& one) const;
  void WriteClass(int tc, std::vector<Cfg>* writes) const;
  void WriteLanes(const std::vector<int>& port_classes, std::vector<Cfg>* writes) const;

  qos::Table table_;
  std::string file_;
  Profile profile_;
  int lanes_;
  std::array<int, 8> owner_{};  ///< by traffic class: index of the class whose way it goes
  std::array<int, 16> owns_{};  ///< by virtual lane: number of its class
  std::array<int, 64> dscp_{};  ///< traffic classes
  std::array<int, 8> pcp_{};
};

}  // namespace tilefly::cosim
