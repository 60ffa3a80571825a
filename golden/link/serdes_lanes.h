// SPDX-License-Identifier: Apache-2.0
// SerDes lanes of a retry port, both directions (docs/blocks/link_retry.md, "SerDes lanes"): the receiver judges the
// lanes of the incoming direction, the sender leaves out those that the far end does not want.
#pragma once

#include <array>
#include <cstdint>

#include "golden/common/audit.h"
#include "golden/common/cycle.h"

namespace tilefly::golden {

class SerdesLanes {
 public:
  static constexpr int kLanes = 4;
  static constexpr int kEpochBits = 14;

  /// The page's ports `..._i`.
  struct Inputs {
    bool retry = false;
    bool link_up = false;
    int lanes = kLanes;
    int fail = 0, back = 0;
    unsigned off = 0;
    bool written = false;
    unsigned lane_err = 0;
    bool report_out = false;  ///< `report_o_valid_i`
    bool avoid_valid = false;
    unsigned avoid = 0;
    bool report_valid = false;
    int report_seq = 0;
    bool mac_empty = true;
  };
  /// The page's ports `..._o`, in the cycle of the inputs.
  struct Outputs {
    bool lanes_valid = false;
    unsigned lanes_bad = 0;
    int m = kLanes;
    bool take_ok = true;
    bool nack = false;
    int nack_seq = 0;
    unsigned failed = 0, back = 0;
    bool quiescent = true;
  };

  explicit SerdesLanes(int epoch_bits = kEpochBits) : epoch_(Cycle{1} << epoch_bits) {}
  /// Lanes of a port that had `m` of them in use before it became a retry port.
  static SerdesLanes Of(int m) {
    SerdesLanes lanes;
    lanes.m_ = m;
    return lanes;
  }

  /// Cycle `now`; the cycles of calls follow each other.
  Outputs Step(Cycle now, const Inputs& in);
  /// `m_o` and `take_ok_o` of the next `Step`, in which the port has `lanes` SerDes lanes and is a retry port.
  int m() const { return m_; }
  bool take_ok(int lanes) const;
  // State as committed, for a caller that leaves out cycles in which nothing changes.
  unsigned bad() const { return bad_; }
  int errors(int lane) const { return errors_[static_cast<std::size_t>(lane)]; }
  bool lanes_due() const { return due_; }
  unsigned avoid() const { return avoid_; }
  bool again() const { return again_; }
  /// State between two cycles. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(bad_, errors_, quiet_, due_, avoid_, again_, latest_, m_, changed_amid_packet_, good_);
  }
  /// LSV-5 and LSV-6 of `port`, after a cycle.
  void Check(int port, Audit* audit) const;

  /// State that a test begins with. Counts of errors and of quiet epochs, lane by lane.
  using Counts = std::array<int, kLanes>;
  void Preset(const Counts& errors, const Counts& quiet, unsigned bad) { errors_ = errors, quiet_ = quiet, bad_ = bad; }

 private:
  static constexpr int kMost = 255;  ///< of 8 bits, which saturate

  void JudgeEpoch(const Inputs& in, unsigned used, Outputs* out);
  void JudgeErrors(const Inputs& in, unsigned used, Outputs* out);
  void Send(const Inputs& in, unsigned used, bool took_m, Outputs* out);
  void Forget();

  const Cycle epoch_;
  // The incoming direction.
  unsigned bad_ = 0;
  Counts errors_{}, quiet_{};
  bool due_ = false;
  // The outgoing direction.
  unsigned avoid_ = 0;
  bool again_ = false;
  int latest_ = 0;  ///< number of the latest report since link up
  int m_ = kLanes;
  // Of the latest cycle, for Check.
  bool changed_amid_packet_ = false;
  int good_ = kLanes;
};

}  // namespace tilefly::golden
