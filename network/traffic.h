// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic of a system's endpoints (docs/network.md, Traffic): a packet is a function of (seed, endpoint,
// number), so the injection queues need no storage.
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
  double share = 1;  ///< of the load
  int largest = 0;   ///< frame that the class may send, bytes
};

/// A packet that is sent by plan.
struct PlannedPacket {
  Cycle at;  ///< its creation, after the begin of traffic
  int source;
  int destination;
  int length;
  int tc = 0;
};

/// Destination of what no endpoint gets: reduction packets, which are for a switch.
inline constexpr int kNobody = -1;

struct TrafficOptions {
  std::vector<PlannedPacket>
      plan;          ///< those of a source in order of time; when there are any, the rest counts for nothing
  int repeat = 1;    ///< times the plan is sent
  Cycle period = 0;  ///< from one time to the next
  std::string pattern = "uniform";
  double load = 0.5;         ///< share of the NICs' word slots
  std::string size = "512";  ///< frames in bytes, see SizeMix
  bool periodic = false;
  std::vector<TrafficPart> classes;  ///< empty: class 0
  std::string option = kTrafficOption;  ///< that the pattern and the sizes were given by, for messages
  std::vector<int> endpoints;        ///< that send to one another, increasing; patterns number them from 0; empty: all
};

/// Word slots of a frame with the internal header.
constexpr int WordsOf(int length) { return golden::CeilDiv(length + 16, 32); }
/// Cycles that `words` occupy a link of `lanes` lanes.
constexpr int SlotCyclesOf(int words, int lanes) { return golden::CeilDiv(4 * words, lanes); }

class Traffic {
 public:
  /// Where an endpoint's generator stands.
  struct Source {
    std::uint64_t number = 0;  ///< of the packet that comes next
    double at = 0;             ///< its time
  };
  struct NewPacket {
    Cycle created;
    int destination;
    int length;
    int tc;
  };

  /// NICs have `lanes` lanes. Throws UsageError.
  Traffic(const topology::Topology& topology, const Profile& profile, const TrafficOptions& options, int lanes,
          std::uint64_t seed);

  /// The generator of an endpoint whose time begins in cycle `now`; empty: it sends nothing.
  std::optional<Source> Begin(int endpoint, Cycle now) const;
  /// The packet that comes next.
  NewPacket Head(int endpoint, const Source& source) const;
  /// Of that packet, the cycle of its creation (kNever: a plan is at its end) and its class.
  Cycle CreatedOf(int endpoint, const Source& source) const;
  int ClassOf(int endpoint, const Source& source) const;
  /// Goes on to the packet after it.
  void Advance(int endpoint, Source* source) const;
  /// Whether traffic is a plan, which comes to its end, and how many of its packets come from where `source` stands.
  bool IsPlan() const { return kind_ == Kind::kPlan; }
  std::int64_t Left(int endpoint, const Source& source) const;
  /// Classes of which the endpoint has packets, a bit each.
  std::uint32_t ClassesOf(int endpoint) const;

 private:
  /// Pattern of the system's own.
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
  std::vector<int> takers_;     ///< endpoints by their numbers in the pattern; empty: all by their own
  std::vector<int> number_of_;  ///< the same by endpoint, -1: it takes no part; likewise
  int lanes_;
  std::uint64_t seed_;
  double load_;
  bool periodic_;
  Kind kind_ = Kind::kPattern;
  int burst_ = 1;  ///< packets without a gap between them
  int shift_ = 0;  ///< of groups
  std::optional<Pattern> pattern_;
  SizeMix sizes_;
  int least_;
  std::vector<TrafficPart> classes_;
  std::vector<double> up_to_;                     ///< by class part: cumulative share of the packets
  double cycles_ = 0;                             ///< mean of a packet on the link
  double gap_ = 0;                                ///< mean after a burst
  std::vector<std::vector<PlannedPacket>> plan_;  ///< by endpoint
  std::uint64_t repeat_;                          ///< of the plan
  Cycle period_;
  std::vector<int> group_of_;              ///< by endpoint
  std::vector<std::vector<int>> members_;  ///< endpoints by group
};

}  // namespace tilefly::network
