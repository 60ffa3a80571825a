// SPDX-License-Identifier: Apache-2.0
// The frames of a test: who sends which bytes to whom, and when. Every draw is a function of the seed, the port and the
// frame's number.
#pragma once

#include <cstdint>
#include <vector>

#include "conform/bench/frame_source.h"

namespace tilefly::conform {

class DrawnFrames final : public FrameSource {
 public:
  /// `capability` and `scenario` must outlive it.
  DrawnFrames(const Capability& capability, const Scenario& scenario, std::uint64_t seed);

  FramePtr Next(int port, Cycle now, bool empty) override;
  void Sent(int port, Cycle now) override;
  void NextRound() override;
  void Close() override { closed_ = true; }
  /// Each input has sent as many frames as the scenario asks for.
  bool Exhausted() const override;
  std::vector<TableWrite> Table() const override { return table_.Entries(); }
  bool ChangesTable(Cycle traffic) const override;
  /// The addresses of the table move on: port i has that of port i + 1.
  std::vector<TableWrite> TakeChange() override;
  int Focus() const override;

 private:
  struct Sender {
    std::uint64_t frames = 0;
    Cycle due = 0;                  ///< of the next frame
    std::uint64_t of_round = 0;     ///< frames before the round
    std::uint64_t next_volley = 0;  ///< the first that it has not begun
  };

  /// Frames of all inputs that end in the same cycle.
  struct Volley {
    std::uint64_t number = 0;
    std::uint64_t sent = 0;  ///< frames of it
    Cycle begin = -1;        ///< of the longest one; -1: not known
    int beats = 0;           ///< of the longest one
  };

  FramePtr Make(int port);
  bool BeginsTogether(int port, Cycle now, bool empty);
  void ScheduleVolley(Cycle begin);
  int BeatsOfNext(int port) const;
  int FillLength(int port, std::uint64_t n) const;
  bool Sends(int port) const;
  int Destination(int port, std::uint64_t n) const;
  int Length(int port, std::uint64_t n) const;
  int ClassOf(int port, std::uint64_t n) const;
  Mac Unknown(int port, std::uint64_t n) const;
  Mac Group(int port, std::uint64_t n) const;
  TypeField Type(const Frame& frame, std::uint64_t n) const;
  void Tag(Frame* frame, std::uint64_t n, std::size_t header) const;
  void Address(Frame* frame, std::uint64_t n) const;

  const Capability& capability_;
  const Scenario& scenario_;
  std::uint64_t seed_;
  std::vector<Mac> macs_;  ///< by port
  AddressTable table_;
  bool swapped_ = false;
  std::vector<Sender> senders_;
  std::vector<int> lengths_;  ///< of Lengths::kEdges
  std::uint64_t number_ = 0;  ///< of the frame made last
  std::uint64_t pair_ = 0;    ///< of Pattern::kPairs in a quiet device: input * ports + output
  Volley volley_;
  std::int64_t round_ = 0;
  bool closed_ = false;
};

}  // namespace tilefly::conform
