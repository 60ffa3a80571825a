// SPDX-License-Identifier: Apache-2.0
// What a user says about a traffic class: the properties that the switch paper lists (S0, section II-E), and what the
// Deficit Table needs (S4, section 4.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilefly::qos {

/// Shares of a link are whole numbers of this unit, so that plans do not depend on rounding: 9.4% is 94,000,000.
inline constexpr std::int64_t kWhole = 1'000'000'000;

inline constexpr int kMaxGroup = 3;       ///< priority groups 0 (lowest) to 3
inline constexpr int kMaxEntries = 1024;  ///< entries of a table: a power of two up to this
inline constexpr int kMaxWeight = 4095;   ///< weight of an entry: 12 bits
inline constexpr int kMaxCreditBytes = 4096;

/// What sizes and weights are counted in.
struct Units {
  std::int64_t link_mbps = 200'000;
  int credit_bytes = 48;  ///< bytes of one credit
  int header_bytes = 16;  ///< what a stored packet has beside its frame
  int gmtu = 89;          ///< general MTU, credits
};

/// Token bucket.
struct Maximum {
  std::int64_t share = 0;  ///< of the link, of kWhole
  int burst = 0;           ///< credits
};

/// What a class may hold of an input buffer, credits.
struct Buffer {
  int reserve = 0;  ///< nobody else gets them
  int most = 0;     ///< reserve and shared part together
};

struct TrafficClass {
  std::string name;
  int level = 0;           ///< number of the class at the output
  int group = 0;           ///< strict priority: a higher group is served first
  int mtu = 0;             ///< credits
  std::int64_t share = 0;  ///< guaranteed minimum, of kWhole; 0: none is stated
  bool rest = false;       ///< the share is what the others leave
  int distance = 0;        ///< most entries from one of its entries to its next; 0: the whole table
  int rank = 0;            ///< latency rank, 1 is the first; 0: none
  std::optional<Maximum> maximum;
  bool ordered = false;
  bool lossy = false;
  std::string routing;
  std::vector<int> lanes;
  bool own_lanes = false;  ///< the file names its lanes; else it has the one of its level until more are needed
  std::vector<int> dscp;  ///< DSCP values that choose the class; none: the switch's rule
  std::vector<int> pcp;   ///< the same of PCP values
  Buffer buffer;          ///< counts where some class is lossy
};

}  // namespace tilefly::qos
