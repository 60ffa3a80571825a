// SPDX-License-Identifier: Apache-2.0
// Bytes of the frames that are inside a switch, for those who simulate words (cosim). A frame of a packet that is cut through
// may still be growing while its first words leave.
#pragma once

#include <vector>

#include "golden/common/pool.h"

namespace tilefly::golden {

struct Frame {
  std::vector<std::uint8_t> bytes;  ///< FCS included, header not
  bool bad = false;                 ///< ended badly: it leaves stomped
  int uses = 0;                     ///< who still needs it
};

class FrameStore {
 public:
  /// An empty frame with one use.
  Index Allocate() {
    const Index id = frames_.Allocate();
    frames_[id].bytes.clear();
    frames_[id].bad = false;
    frames_[id].uses = 1;
    return id;
  }
  void AddUse(Index id) { ++frames_[id].uses; }
  void DropUse(Index id) {
    if (--frames_[id].uses == 0) frames_.Release(id);
  }
  Frame& operator[](Index id) { return frames_[id]; }
  const Frame& operator[](Index id) const { return frames_[id]; }
  /// Frames in use.
  std::size_t size() const { return frames_.size(); }

 private:
  Pool<Frame> frames_;
};

}  // namespace tilefly::golden
