// SPDX-License-Identifier: Apache-2.0
// hops.csv: every packet of a run, a line for each way through a switch, written as packets end, so that memory does
// not grow with the run (docs/network.md, Journeys).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "network/network.h"
#include "runs/common/run_directory.h"

namespace tilefly::runs {

class HopsFile {
 public:
  /// From now on the packets of `network`, which follows all of them and must outlive the run, are written.
  HopsFile(const RunDirectory& directory, network::Network* network);
  HopsFile(const HopsFile&) = delete;
  HopsFile& operator=(const HopsFile&) = delete;

  /// After the run: packets that are inside are written, too, and the file has its name.
  void Close();
  std::int64_t packets() const { return packets_; }

 private:
  void Add(const network::Journey& journey, bool counted);
  /// `number`: of the switch on the way, from 1.
  void AddHop(const network::JourneyHop& hop, int number);
  void Begin(const network::Journey& journey, bool counted);
  void Number(std::int64_t value);
  void AtCycle(Cycle cycle);

  network::Network* network_;
  const Cycle begin_;
  RunFile file_;
  std::string packet_;  ///< the fields that are the same in all lines of a packet
  std::string text_;    ///< lines that are not in the file yet
  std::int64_t packets_ = 0;
};

}  // namespace tilefly::runs
