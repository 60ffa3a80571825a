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

namespace tilefly::cosim {

/// How arrivals of a port are spaced. Both have the load as their mean.
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

/// Open-loop synthetic traffic. Arrivals do not depend on what the switch does; a frame is made when its endpoint takes
/// it. Ports with internal headers send enhanced packets of all kinds, standard ports bare frames to algorithmic
/// addresses, tagged with their class. All bytes follow from the seed.
class Generator final : public TrafficSource {
 public:
  Generator(const SwitchSetup& setup, const GeneratorOptions& options, std::uint64_t seed);
  void Begin(Cycle now) override;
  FramePtr NextFrame(int port, Cycle now) override;
  ClassSlots Offered(int port, Cycle now) override;
  Cycle Created(int port) const override { return arrivals_[static_cast<std::size_t>(port)].created; }
  bool Exhausted() const override { return options_.load == 0; }

 private:
  struct Arrivals {
    std::uint64_t next = 0;  ///< number of the frame that comes next
    double at = 0;           ///< its time
    ClassSlots slots{};      ///< of the frames before it
    Cycle created = -1;      ///< first cycle from the time on of the one before it
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
  FramePtr Advance(int port, Arrivals* arrivals) const;
  int SlotsOf(int port, int size) const;
  FramePtr Make(int port, std::uint64_t number) const;
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
  std::vector<Arrivals> offered_;  ///< those that were told, by port
  std::vector<ClassPart> classes_;
  std::array<ClassMark, 8> marks_{};  ///< by traffic class, for standard ports
  int least_;                         ///< smallest frame, bytes
  std::vector<Mix> mixes_;            ///< by port
};

}  // namespace tilefly::cosim
