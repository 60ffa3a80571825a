// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic of a system's endpoints (docs/network.md, Traffic). A packet is a function of (seed, endpoint,
// number), so injection queues need no storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "golden/common/types.h"
#include "topology/topology.h"
#include "traffic/pattern.h"
#include "traffic/size_mix.h"

namespace tilefly::network {

/// What a traffic class sends.
struct TrafficPart {
  int tc = 0;
  double share = 1;  ///< share of the load
  int largest = 0;   ///< longest frame that the class may send, bytes
};

/// A packet that a plan sends.
struct PlannedPacket {
  Cycle at;  ///< cycle of its creation, from the begin of traffic
  int source;
  int destination;
  int length;
  int tc = 0;
};

/// The destination of packets that no endpoint gets: reduction packets, which are for a switch.
inline constexpr int kNobody = -1;

struct TrafficOptions {
  std::vector<PlannedPacket>
      plan;          ///< by source, in order of time; with a plan the other options have no effect
  int repeat = 1;    ///< how many times the plan is sent
  Cycle period = 0;  ///< cycles from one repetition to the next
  std::string pattern = "uniform";
  double load = 0.5;         ///< share of the NICs' word slots
  std::string size = "512";  ///< frames in bytes, see SizeMix
  bool periodic = false;
  std::vector<TrafficPart> classes;  ///< empty: class 0
  std::string option = kTrafficOption;  ///< option that gave the pattern and the sizes, for messages
  std::vector<int> endpoints;        ///< that send to one another, increasing; patterns count them from 0; empty: all
};

/// The words of a frame of `length` bytes with its internal header.
constexpr int WordsOf(int length) { return golden::CeilDiv(length + 16, 32); }
/// Cycles that `words` occupy a link of `lanes` lanes.
constexpr int SlotCyclesOf(int words, int lanes) { return golden::CeilDiv(4 * words, lanes); }

class Traffic {
 public:
  /// How far the generator of an endpoint has come.
  struct Source {
    std::uint64_t number = 0;  ///< number of the next packet
    double at = 0;             ///< time of the next packet, cycles
  };
  struct NewPacket {
    Cycle created;
    int destination;
    int length;
    int tc;
  };

  /// `lanes`: SerDes lanes of the NICs. Throws UsageError.
  Traffic(const topology::Topology& topology, const Profile& profile, const TrafficOptions& options, int lanes,
          std::uint64_t seed);

  /// The generator of an endpoint whose time begins in cycle `now`; empty: the endpoint sends nothing.
  std::optional<Source> Begin(int endpoint, Cycle now) const;
  /// The next packet.
  NewPacket Head(int endpoint, const Source& source) const;
  /// The cycle in which the next packet is created (kNever: the plan is at its end), and (below) its class.
  Cycle CreatedOf(int endpoint, const Source& source) const;
  int ClassOf(int endpoint, const Source& source) const;
  /// Goes on to the packet after the next one.
  void Advance(int endpoint, Source* source) const;
  /// Whether traffic is a plan, which comes to an end, and (below) how many packets of it are still to come.
  bool IsPlan() const { return kind_ == Kind::kPlan; }
  std::int64_t Left(int endpoint, const Source& source) const;
  /// The classes of which the endpoint has packets, one bit each.
  std::uint32_t ClassesOf(int endpoint) const;

 private:
  /// The kind of pattern: of traffic/, or one of the system's own.
  enum class Kind { kPattern, kAdversarial, kBursts, kPlan };

  void SortPlan(const std::vector<PlannedPacket>& plan);
  const PlannedPacket& Planned(int endpoint, std::uint64_t number) const {
    return plan_[endpoint][number % plan_[endpoint].size()];
  }
  void ParsePattern(const topology::Topology& topology, const TrafficOptions& options);
  std::vector<int> GroupsBy(const topology::Topology& topology) const;
  void MakeMix(double load);
  int NumberOf(int endpoint) const { return number_of_.empty() ? endpoint : number_of_[endpoint]; }
  int DestinationOf(int endpoint, std::uint64_t number) const;
  const TrafficPart& PartOf(int endpoint, std::uint64_t number) const;
  int LengthOf(int endpoint, std::uint64_t number, const TrafficPart& part) const;

  int endpoints_;               ///< of the system
  std::vector<int> takers_;     ///< endpoints by their numbers in the pattern; empty: by their own numbers
  std::vector<int> number_of_;  ///< by endpoint: its number in the pattern; -1: it takes no part
  int lanes_;
  std::uint64_t seed_;
  double load_;
  bool periodic_;
  Kind kind_ = Kind::kPattern;
  int burst_ = 1;  ///< packets that follow without a gap
  int shift_ = 0;  ///< shift between groups
  std::optional<Pattern> pattern_;
  SizeMix sizes_;
  int least_;
  std::vector<TrafficPart> classes_;
  std::vector<double> up_to_;                     ///< by class part: cumulative share of the packets
  double cycles_ = 0;                             ///< mean cycles of a packet on the link
  double gap_ = 0;                                ///< mean gap after a burst, cycles
  std::vector<std::vector<PlannedPacket>> plan_;  ///< by endpoint
  std::uint64_t repeat_;                          ///< how many times the plan is sent
  Cycle period_;
  std::vector<int> group_of_;              ///< by endpoint
  std::vector<std::vector<int>> members_;  ///< endpoints by group
};

}  // namespace tilefly::network
