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

/// A table as register writes of every port, and what the writes mean for a frame. A credit of the table is a cell of
/// the switch, its link a link of the port. Traffic classes that the file does not have, and DSCP and PCP values that
/// choose such a one, go the way of the file's last class.
class ClassSetup {
 public:
  /// Reads `file`, a table or wishes. Throws UsageError when no switch of the profile with links of so many lanes can
  /// use it.
  ClassSetup(const std::filesystem::path& file, const Profile& profile, int lanes);
  /// The same of a table that is already there; `file` is for messages.
  ClassSetup(qos::Table table, std::string file, const Profile& profile, int lanes);

  /// For a system in which a packet takes up to `count` lanes of its class: classes whose file names no lanes get so
  /// many each, one class after the other, if there are enough.
  void SpreadLanes(int count);

  /// Register writes, one a bus cycle, for ports of these classes (PORT.MODE.pclass).
  std::vector<Cfg> Writes(const std::vector<int>& port_classes) const;
  /// Of these, the ones that may come again while traffic flows and change no frame's fate: the entries, the change of
  /// places, groups and maximums.
  std::vector<Cfg> SchedulerWrites() const;

  const qos::Table& table() const { return table_; }
  const std::string& file() const { return file_; }
  /// What differs between the file's units and the switch's, in a sentence; empty: nothing.
  std::string Units() const;
  /// The class whose way packets of traffic class `tc` go.
  const qos::TrafficClass& Of(int tc) const { return table_.classes[static_cast<std::size_t>(owner_[Index(tc)])]; }
  /// The file has a class of this number.
  bool Has(int tc) const { return Of(tc).level == tc; }
  /// Number of the class that virtual lane `lane` belongs to (VL_CLASS).
  int OfLane(int lane) const { return owns_[Index(lane)]; }
  int OfDscp(int dscp) const { return dscp_[Index(dscp)]; }
  int OfPcp(int pcp) const { return pcp_[Index(pcp)]; }
  /// Virtual lane at the output: from an edge the first of the class, else the one it came on if it is the class's.
  int Lane(int tc, int port_class, int lane_in) const;
  /// What the header of a bare frame says.
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
