// SPDX-License-Identifier: Apache-2.0
// Golden's reduction ring without the switch around it: taken packets come and row R is granted as the test says, cells
// leave.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "golden/reduction/frame_red_bytes.h"
#include "golden/reduction/reductions.h"

namespace tilefly::golden {

class GoldenRing {
 public:
  explicit GoldenRing(const Profile& profile);

  /// What comes in a cycle.
  struct Inputs {
    struct Begin {
      int port;
      const std::vector<std::uint8_t>* bytes;  ///< of the frame, all of it
    };
    struct End {
      int port;
      bool good;
    };
    struct Grant {
      int port;
      int input;
    };
    std::vector<Begin> begins;  ///< word 0 of taken packets
    std::vector<End> ends;      ///< of packets that have begun
    std::vector<Grant> grants;  ///< of what was asked for
    Cfg write;                  ///< when valid
    PortMask links_up = ~PortMask{0};
  };
  /// What leaves, as the RTL shows it: requests, cells and `used` in the cycle itself, the other records in the next
  /// one.
  struct Outputs {
    struct Leaving {
      int port;
      Header header;
      std::vector<std::uint8_t> frame;
    };
    PortMask used = 0;  ///< ports whose packet ended, and was used
    std::vector<bool> asks;
    std::vector<Request> requests;
    std::vector<bool> cell_valid;
    std::vector<Cell> cells;
    std::vector<int> cell_bytes;  ///< of them, in words of the packet; those behind may be anything
    std::vector<Leaving> left;    ///< packets whose last cell is among them
    std::vector<RedReport> reports;
    RedCmd command;
    SwitchObservation observed;
  };
  const Outputs& Step(Cycle now, const Inputs& inputs);

  /// Number of the first segment after a lock.
  void BeginSegments(std::uint16_t first) { reductions_.BeginSegments(first); }
  const Reductions& reductions() const { return reductions_; }
  std::uint64_t Count(int port, int index) const { return context_.counters.Read(port, index); }
  /// Whether no packet comes, waits in a fifo or leaves.
  bool idle() const { return frames_.size() == 0; }
  void Check(Cycle now, Audit* audit) const { reductions_.Check(now, audit); }

 private:
  /// A packet of row R on its way into the output buffer.
  struct Crossing {
    Header header;
    std::vector<std::uint8_t> bytes;  ///< header and frame, to the end of its last cell
    int length;
    int input;
    int cells;
    int next = 0;
  };

  void Begin(Cycle now, const Inputs::Begin& begin);
  void End(Cycle now, const Inputs::End& end);
  void FirstCell(Index id);
  void ShowCells();
  void ShowReports(PortMask live);

  Context context_;
  FrameStore frames_;
  FrameRedBytes bytes_;
  Reductions reductions_;
  std::vector<Packet> coming_;  ///< by port
  std::vector<std::deque<Crossing>> crossing_;
  std::vector<RedRoom> freed_;  ///< in this cycle
  Outputs outputs_;
};

}  // namespace tilefly::golden
