// SPDX-License-Identifier: Apache-2.0
// Functional bins of the kit: situations that a test can bring a device into, and how often it did (docs/conformance.md).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "conform/bench/books.h"
#include "conform/bench/port_receiver.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

struct SituationKind {
  const char* name;  ///< "out.held-first"
  const char* what;  ///< in words
  bool (*applies)(const Capability&);
};
/// All of them, in the order of reports.
const std::vector<SituationKind>& SituationKinds();

/// Counts them in a run, from what is on the ports and in the books.
class Situations {
 public:
  /// `capability` must outlive it.
  explicit Situations(const Capability& capability);

  /// What was on the ports in a cycle; `books` has what went in and came out in it.
  void LookAtPorts(const StreamInputs& driven, const StreamOutputs& shown, const Books& books);
  /// The last beat of `frame` went in.
  void WentIn(const Frame& frame, Cycle now);
  void CameOut(int port, const Arrival& arrival);
  /// Outputs are stopped, and no input goes on.
  void Full() { Meet("full"); }
  /// The device is reset; `inside`: with frames in it.
  void Reset(bool inside);
  /// Times that each kind was met, in the order of SituationKinds.
  const std::vector<std::int64_t>& times() const { return times_; }

 private:
  /// What one side of a port did in the cycles before.
  struct Side {
    bool in_frame = false;
    bool was_last = false;  ///< the last beat of a frame went in the cycle before
    std::int64_t held = 0;  ///< cycles for which the beat was not taken
    bool ever_held = false;
  };

  void Meet(const char* name);
  void MeetAddress(const Frame& frame);
  void LookAtInputs(const StreamInputs& driven, const StreamOutputs& shown);
  void LookAtOutputs(const StreamInputs& driven, const StreamOutputs& shown);
  static bool All(const std::vector<Side>& sides, bool Side::*mark);

  const Capability& capability_;
  std::vector<std::int64_t> times_;
  std::vector<Side> ins_;
  std::vector<Side> outs_;
  std::vector<int> good_;               ///< by input, of the frame before: -1 none, 0 bad, 1 good
  std::vector<Cycle> ended_;            ///< by output: the latest cycle in which a frame for it went in
  std::vector<int> ends_;               ///< by output: frames for it that ended in that cycle
  Cycle end_ = -1;                      ///< the latest cycle in which a frame ended
  int all_ends_ = 0;                    ///< frames that ended in it
  std::vector<std::uint64_t> reached_;  ///< by input: outputs at which its frames came out
  std::uint64_t classes_ = 0;           ///< whose frames came out
  bool every_in_ = false, every_out_ = false, every_pair_ = false, every_class_ = false;
  bool busy_ = false;  ///< something was inside in the cycle before
};

}  // namespace tilefly::conform
