// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "cosim/device.h"

namespace tilefly::cosim {

/// The first difference between two devices, with the packet that it concerns.
struct Divergence {
  Cycle cycle = 0;
  int port = -1;  ///< -1: of a tile's turn half, see `tile`
  int tile = -1;
  std::string stage;   ///< "link", "control", "request", "grant", ...
  std::string field;   ///< field of the wire format, without the stage
  std::string signal;  ///< the field's whole name
  std::string device_a, device_b;
  std::string value_a, value_b;
  int input = -1;  ///< queue concerned, where the stage names one
  int output = -1;
  int lane = -1;
  std::uint64_t packet = 0;          ///< 0: not known
  std::string launch;                ///< launch of the reduction ring that it concerns; empty: none is known
  int launch_lane = -1;              ///< fifo of the launch, where the stage names one: U 0, D 1, S 2; 3: credits
  std::vector<std::string> history;  ///< last events of the port, oldest first; the last line or two are the two sides'

  /// For the stage "level": whether the difference is in the count of an output's packets (`load`, `obuf_room`); else
  /// it is in the count of an input's packets.
  bool of_output() const { return signal == "load" || signal == "obuf_room"; }
  /// "cycle 18204, port 37, packet 0x1a2f: rtl grant vl=2, golden grant vl=1"
  std::string Summary() const;
};

/// Two devices disagree. It counts as a failed check, exit code 1.
class DivergenceError : public std::runtime_error {
 public:
  explicit DivergenceError(Divergence divergence)
      : std::runtime_error(divergence.Summary()), divergence_(std::move(divergence)) {}
  Divergence& divergence() { return divergence_; }
  const Divergence& divergence() const { return divergence_; }

 private:
  Divergence divergence_;
};

/// Fills stage, field and values with the first difference of two links. Returns false when the links are equal.
bool FindDifference(const Link& a, const Link& b, Divergence* out);
/// The same for the observations of a port; it also sets the queue concerned.
bool FindDifference(const Portobs& a, const Portobs& b, int port, Divergence* out);
bool FindDifference(const Turnobs& a, const Turnobs& b, Divergence* out);
bool FindDifference(const RedObs& a, const RedObs& b, Divergence* out);
bool FindDifference(const CfuObs& a, const CfuObs& b, Divergence* out);

/// The levels of a port: "load=2 ibuf_cells=4 obuf_room=356".
std::string DescribeLevels(const Portobs& obs);
/// Whether an event of port `port` changes the level at port `at`: with `of_output` these are requests to the output
/// and its grants, else the input's requests, transfers and drops.
bool Moves(const Portobs& obs, int port, bool of_output, int at);
/// The events of an observation in words: "requests 37 vl=2 cells=3; ...". Empty when nothing happened.
std::string Describe(const Portobs& obs);
/// The events of the reduction port of a port: "combines with what came, slot 0; ...".
std::string Describe(const RedObs& obs);
/// The events of the CFU: "launches up of slot 0; ...".
std::string Describe(const CfuObs& obs);

}  // namespace tilefly::cosim
