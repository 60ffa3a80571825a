// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cosim/device.h"
#include "cosim/common/story.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// Where a packet, or one copy of it, is on its way through the switch. On a link with retry kLinkOut is of the first attempt.
enum class Stage { kRequest, kGrant, kGrantArrival, kTransfer, kTurn, kFirstCell, kTake, kLinkOut, kCount };

/// A packet's way, as the observation record shows it.
struct PacketWay {
  int input = 0;
  int output = 0;
  int lane = 0;
  int cells = 0;
  std::array<Cycle, static_cast<std::size_t>(Stage::kCount)> at{};  ///< cycle in which the record shows it; -1: not yet

  /// What follows from the record by the rules of the pages. A WaySink may fill it in.
  struct Reckoned {
    Cycle stored = -1;    ///< event: the request is at the output; -1: not known
    Cycle down = 0;       ///< of the cycles between that and the grant: the output's link was down
    Cycle no_room = 0;    ///< it had no room for an MTU
    Cycle no_credit = 0;  ///< the lane had no credit for an MTU, or was paused
    /// Of the cycles between first cell and take.
    struct Take {
      Cycle down = 0;   ///< the link was down
      Cycle retry = 0;  ///< the link was free, and link-level retry held the packet
    } take{};
  };
  Reckoned reckoned{};
  bool lost = false;  ///< the link took the packet and lost it, for it was down

  Cycle At(Stage stage) const { return at[static_cast<std::size_t>(stage)]; }
};

/// Interface for each stage that a packet reaches. A way stays the same object from request to link.
class WaySink {
 public:
  virtual ~WaySink() = default;
  virtual void Reached(const std::shared_ptr<PacketWay>& way, Stage stage) = 0;
};

/// Follows the packets of one device from request to link. Packets whose word on the link is long past are forgotten.
class PacketStages {
 public:
  /// `sink` may be null.
  explicit PacketStages(const Profile& profile, WaySink* sink = nullptr) : profile_(profile), sink_(sink) {}

  /// Takes the record that is seen in cycle `now`.
  void Sample(Cycle now, const Observation& observation);

  /// The stages, in the order of time, of the packet of which something is seen in cycle `at`; if there is none, of the
  /// oldest packet that is under way; if there is none, of the last packet. Empty: there is no packet.
  std::vector<Mark> Marks(const PacketWanted& wanted, Cycle at) const;
  static std::vector<Mark> MarksOf(const PacketWay& way);
  /// The packet that Marks shows; input -1: there is none.
  PacketWanted Find(const PacketWanted& wanted, Cycle at) const;
  /// The stages of the last packet that was requested in cycle `from` or later and was on the link by cycle `to`.
  std::vector<Mark> MarksBetween(const PacketWanted& wanted, Cycle from, Cycle to) const;
  /// Packets wanted that are requested and that were not on a link, in the order of their requests.
  std::vector<std::shared_ptr<PacketWay>> UnderWay(const PacketWanted& wanted) const;
  /// The transfer of `way` turns out to belong to another granted packet of its input, output and number of cells, on
  /// lane `lane`: the two packets exchange what was recorded of them before. The record does not name a transfer's
  /// lane, and a packet that is cut through and has not come far enough is passed by such another packet.
  void TakePlaceOf(PacketWay* way, int lane);
  /// The last events of all packets wanted up to cycle `at`, at most `most`, each with its input.
  std::vector<Mark> Events(const PacketWanted& wanted, Cycle at, std::size_t most, std::vector<int>* inputs) const;

 private:
  using Way = std::shared_ptr<PacketWay>;
  using Queues = std::map<int, std::deque<Way>>;

  static constexpr std::size_t kKept = 1024;  ///< packets that came out

  void Move(Queues* from, int key, Queues* to, int other, Stage stage, Cycle now);
  void Take(Cycle now, int port, const Portobs& obs);
  void Start(Cycle now, int port, const Portobs& obs);
  void Reach(const Way& way, Stage stage, Cycle at);
  void SampleTurns(Cycle now, const Observation& observation);
  int Queue(int input, int output, int lane) const { return (input * profile_.ports + output) * 16 + lane; }
  int Pair(int input, int output) const { return input * profile_.ports + output; }
  int Bank(int output, int row) const { return output * profile_.rows + row; }
  void Transfer(Cycle now, int input, int output, int cells);
  std::vector<Way> All(const PacketWanted& wanted) const;
  Way Choose(const PacketWanted& wanted, Cycle at) const;

  const Profile& profile_;
  WaySink* const sink_;
  Queues requested_;                        ///< by queue
  Queues granted_;                          ///< by queue
  Queues ready_;                            ///< at the input, by (input, output)
  std::map<int, std::deque<Way>> moving_;   ///< by (output, row): transferred, first cell not yet there
  std::map<int, std::deque<Way>> waiting_;  ///< by (output, row): in the output buffer
  std::map<int, std::deque<Way>> starting_;  ///< by output with retry: taken, not yet on the link; null: nobody follows it
  std::deque<Way> turning_;                 ///< transferred, not yet seen in the turn tile
  std::deque<Way> out_;
};

}  // namespace tilefly::cosim
