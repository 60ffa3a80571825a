// SPDX-License-Identifier: Apache-2.0
// Frames and table entries of a user's own program, in the order in which it gave them.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "conform/bench/frame_source.h"

namespace tilefly::conform {

class OwnFrames final : public FrameSource {
 public:
  /// `capability` and `scenario` must outlive it.
  OwnFrames(const Capability& capability, const Scenario& scenario, std::uint64_t seed);

  /// A beat of a frame that goes in at `port`; with tlast the frame is whole, and waits for its turn. Throws UsageError
  /// for a beat that the port cannot have, and for a frame whose bytes another input has sent.
  void Send(int port, const Beat& beat);
  /// An entry of the device's table. It is written when all that was sent before has come out; what is sent after it
  /// goes in when it is written. Throws UsageError: there is no table, another entry has the MAC.
  void Write(const TableWrite& write);
  /// No frame is sent any more. Throws UsageError when one is not whole.
  void End();

  FramePtr Next(int port, Cycle now, bool empty) override;
  void Sent(int port, Cycle now) override;
  void Close() override { ended_ = true; }
  bool Exhausted() const override;
  std::vector<TableWrite> Table() const override { return table_.Entries(); }
  bool ChangesTable(Cycle traffic) const override;
  std::vector<TableWrite> TakeChange() override;
  int Focus() const override { return 0; }

 private:
  struct Sender {
    Frame partial;
    std::uint64_t frames = 0;
    std::size_t beats = 0;  ///< of the frame that was sent last
    Cycle due = 0;          ///< of the next frame
  };
  /// Frames that go in between two changes of the table.
  struct Epoch {
    std::vector<TableWrite> writes;  ///< before the frames
    std::vector<std::deque<Frame>> frames;
    std::size_t left = 0;
  };
  void Check(int port, const Beat& beat) const;
  std::uint32_t BadBit() const;
  void Queue(int port);
  Epoch MakeEpoch() const;

  const Capability& capability_;
  const Scenario& scenario_;
  std::uint64_t seed_;
  AddressTable table_;   ///< as the device has it
  AddressTable latest_;  ///< with all writes that were asked for
  std::vector<Sender> senders_;
  std::deque<Epoch> epochs_;
  std::unordered_map<std::size_t, int> inputs_of_;  ///< of frames, by a hash of their bytes
  std::uint64_t number_ = 0;
  bool ended_ = false;
};

}  // namespace tilefly::conform
