// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/setup/switch_setup.h"
#include "cosim/traffic/class_mix.h"
#include "cosim/traffic/traffic_source.h"
#include "support/random.h"
#include "traffic/pattern.h"
#include "traffic/size_mix.h"
#include "traffic/stream_queues.h"

namespace tilefly::cosim {

/// How arrivals of a port are spaced. In both cases their mean is the load.
enum class Process { kBernoulli, kPeriodic };

struct GeneratorOptions {
  std::string traffic = "uniform";
  std::string size = "64";
  double load = 0.5;  ///< share of word slots, 0 to 1
  Process process = Process::kBernoulli;
  std::string classes = "0";  ///< traffic classes, drawn for each frame: see ParseClasses
  double replicated = 0;      ///< share of frames that go to all other ports
  double routed = 0;          ///< share of the others that go to other switches, by the setup's routes
  double faults = 0;          ///< share of frames that are damaged on purpose
};

/// Open-loop synthetic traffic: arrivals do not depend on what the switch does, and a frame is made when its endpoint
/// takes it. Ports with internal headers send enhanced packets of all kinds. Standard ports send bare frames to
/// algorithmic addresses, tagged with their class. All bytes follow from the seed.
class Generator final : public TrafficSource {
 public:
  Generator(const SwitchSetup& setup, const GeneratorOptions& options, std::uint64_t seed);
  void Begin(Cycle now) override;
  FramePtr NextFrame(int port, Cycle now, LaneMask held) override;
  ClassSlots Offered(int port, Cycle now) override;
  bool Exhausted() const override { return options_.load == 0; }

 private:
  /// A frame of a port.
  struct Position {
    std::uint64_t number = 0;
    double at = 0;  ///< its time
  };
  /// The frames of a port that were looked at.
  struct Arrivals {
    StreamQueues<Position, 16> lanes;  ///< frames, by lane, that no endpoint has taken
    ClassSlots slots{};                ///< word slots of all frames before the one that is looked at next
  };
  /// The part of a port's load that was reported.
  struct Told {
    Position next;
    ClassSlots slots{};  ///< word slots of the frames before it
  };
  /// What the first draws of a frame with header decide, and where the other draws go on.
  struct Kinds {
    Stream random;
    std::uint8_t kind;
    std::uint8_t lane;
  };
  /// What a port sends.
  struct Mix {
    std::vector<double> up_to;  ///< by class part: cumulative share of the frames
    double slots = 0;           ///< mean of a frame
    double cycles = 0;          ///< mean on the link
    double gap = 0;             ///< mean after a frame, cycles
  };
  void MakeMix(int port);
  const ClassPart& PartOf(int port, std::uint64_t number) const;
  int Cut(int size, const ClassPart& part) const;
  int SizeOf(int port, std::uint64_t number) const;
  double Spacing(int port, std::uint64_t number) const;
  void Step(int port, Position* position) const;
  void AddSlots(const Frame& frame, ClassSlots* slots) const;
  void AddSlots(int port, const Position& position, ClassSlots* slots) const;
  int SlotsOf(int port, int size) const;
  bool IsDamaged(int port, std::uint64_t number) const;
  FramePtr Make(int port, const Position& position) const;
  Kinds KindsOf(int port, std::uint64_t number, int tc, int size) const;
  int LaneOf(int port, std::uint64_t number) const;
  LaneMask LanesOf(int port) const;
  std::uint32_t DestinationOf(int port, std::uint64_t number) const;
  std::uint32_t Elsewhere(std::uint64_t bits) const;
  void FillTravelled(Stream* random, Header* header) const;
  void FillEnhanced(std::uint64_t number, std::uint32_t destination, int tc, Frame* frame) const;
  void FillStandard(std::uint64_t number, std::uint32_t destination, int tc, Frame* frame) const;
  std::uint64_t DrawFor(int port, std::uint64_t number, Purpose purpose) const;

  const SwitchSetup& setup_;
  GeneratorOptions options_;
  std::uint64_t seed_;
  Pattern pattern_;
  SizeMix sizes_;
  std::vector<Arrivals> arrivals_;
  std::vector<Told> offered_;      ///< by port
  std::vector<ClassPart> classes_;
  std::array<ClassMark, 8> marks_{};  ///< by traffic class, for standard ports
  std::array<std::vector<int>, 8> lanes_;  ///< by traffic class, of those that there are
  std::vector<LaneMask> used_;             ///< lanes of a port's frames
  int least_;                         ///< smallest frame, bytes
  std::vector<Mix> mixes_;            ///< by port
};

}  // namespace tilefly::cosim
