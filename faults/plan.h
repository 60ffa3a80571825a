// SPDX-License-Identifier: Apache-2.0
// A plan of faults: what goes wrong on which link, and when. Page: docs/blocks/link_retry.md, "Fault plan".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "faults/link_name.h"
#include "generated/registers.h"

namespace tilefly::faults {

/// Chances of a cycle that a word (or a slot) is dropped, that the one before comes again in its place, and that an idle
/// one has an error.
struct Chances {
  double drop = 0, repeat = 0, noise = 0;
};

/// What is drawn on a direction of a link.
struct Rates {
  double word_ber = 0;  ///< bit errors after FEC, of words
  double slot_ber = 0;  ///< of control slots
  int burst = 1;        ///< words, or slots, of a run of bad ones
  Chances word, slot;
};

/// The code by which all links correct errors (docs/blocks/link_retry.md, FEC profiles).
enum class Fec { kRs544, kLowLatency };
/// The word by which a plan calls it.
const char* NameOf(Fec fec);

inline constexpr int kSerdesLanes = 4;  ///< of a direction of a link, at most

/// Whether something of it is ever drawn: a burst alone damages nothing.
inline bool Damages(const Rates& rates) {
  return rates.word_ber + rates.slot_ber + rates.word.drop + rates.word.repeat + rates.word.noise + rates.slot.drop +
             rates.slot.repeat + rates.slot.noise > 0;
}

/// Chance of a bad word, or slot, of so many bits.
double ChanceOfBad(double ber, int bits);
inline constexpr int kBitsOfWord = 256, kBitsOfSlot = 212;

enum class Direction { kOut, kIn, kBoth };  ///< of the end that is named

/// What the plan says of one link beside `channel`.
struct PlannedLink {
  LinkName link;
  Direction direction = Direction::kBoth;
  Rates rates;
  std::optional<std::int64_t> retrain;  ///< cycles; none: as of all links
  std::string origin;                   ///< "FILE:LINE: link", for messages
};

/// kDown, kUp and kTable are of whole links, and of switches: no direction of a link does them.
enum class EventKind {
  kBer,
  kDropWord,
  kBadWord,
  kRepeatWord,
  kDropSlot,
  kBadSlot,
  kRepeatSlot,
  kStuck,
  kLaneDown,
  kLaneUp,
  kDown,
  kUp,
  kTable
};

/// A register write of a switch.
struct PlannedWrite {
  int node = 0;  ///< switch
  CfgSpace space = CfgSpace::kPort;
  int index = 0;
  std::optional<int> port;  ///< of the spaces that have one register for each port; none: all ports
  std::uint64_t value = 0;
};

struct PlannedEvent {
  std::int64_t at = 0;                     ///< cycles from the begin of traffic
  std::optional<std::int64_t> cycles;      ///< of kStuck, kLaneDown and kDown; none: for ever
  EventKind kind = EventKind::kBer;
  LinkName link;
  Direction direction = Direction::kBoth;
  double value = 0;             ///< of kBer: word_ber from now on
  int count = 1;                ///< words or slots in a row
  int lane = 0;                 ///< of kLaneDown and kLaneUp: SerDes lane
  bool credits_alone = false;   ///< of kStuck: returns alone are lost
  PlannedWrite write;           ///< of kTable, which has no link
  std::string origin;           ///< "FILE:LINE: event", for messages
  int number = 0;               ///< place in Plan::events
};

/// The manager of the fabric, which writes new routing tables when links between switches have gone down or come up.
struct Manager {
  std::int64_t delay = 78'125;  ///< cycles from the change of a link to the first write: 100 us
  bool tables = false;          ///< false: it writes nothing
  int lanes = 0;                ///< virtual lanes of a class, at least; 0: as many as the states of the plan need
  std::string origin;           ///< "FILE:LINE: manager", for messages
};

inline constexpr std::int64_t kRetrain = 15'625;  ///< 20 us

struct Plan {
  std::optional<std::uint64_t> seed;  ///< of the draws; none: the run's
  Rates channel;                      ///< of all links that `links` does not name
  std::string channel_origin;         ///< "FILE:LINE: channel"; empty: the plan does not have the key
  std::int64_t retrain = kRetrain;    ///< cycles for which a link is down that a port gave up
  Fec fec = Fec::kRs544;              ///< of all links
  std::string fec_origin;             ///< "FILE:LINE: fec"; empty: the plan does not have the key
  PortRetry retry;                    ///< registers of both ends of each link with retry
  PortLanes lanes;                    ///< likewise
  std::string retry_origin, lanes_origin, retrain_origin;  ///< "FILE:LINE: KEY"; empty: the plan does not have the key
  std::optional<Manager> manager;     ///< none: the plan does not have the key
  std::vector<PlannedLink> links;
  std::vector<PlannedEvent> events;   ///< by `at`, then in the order of the file
  std::vector<std::string> warnings;  ///< of what can be, and is hardly meant
};

/// Whether the plan has a manager that writes tables; null: no plan.
inline bool WritesTables(const Plan* plan) { return plan != nullptr && plan->manager && plan->manager->tables; }

/// LINK_DOWN_BEHAVIOR: what waits for a link that is down stays.
inline constexpr int kBlock = 1;
/// Names of LINK_DOWN_BEHAVIOR, by the value of the register field.
inline constexpr const char* kDownModes[] = {"discard", "block", "best_effort"};

/// The word by which a plan calls the kind.
const char* NameOf(EventKind kind);

/// Reads a plan strictly. Throws UsageError with file, line, key and remedy.
Plan ReadPlan(const std::filesystem::path& file);

}  // namespace tilefly::faults
