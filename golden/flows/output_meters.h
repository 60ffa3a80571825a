// SPDX-License-Identifier: Apache-2.0
// The congestion meters of all outputs of a switch (docs/blocks/flow_channel.md, "Meter at the output"): what of the
// request stores they see, and what they put into acks. A switch has them from the first port with MODE.flows on.
#pragma once

#include <vector>

#include "generated/profile.h"
#include "golden/flows/congestion_meter.h"

namespace tilefly::golden {

class OutputMeters {
 public:
  explicit OutputMeters(const Profile& profile)
      : deep_requests_(profile.flow_deep_requests),
        outputs_(static_cast<std::size_t>(profile.ports), Output(profile.flow_epoch_cycles)) {}

  /// Whether a fifo with `stored` requests is deep. `more`: of its newest request.
  bool IsDeep(int stored, bool more) const { return more && stored >= deep_requests_; }

  /// The output begins with a fifo of `stored` requests for `cells` cells, the newest with `more`.
  void Begin(int output, int lane, int cells, int stored, bool more) {
    outputs_[output].meter.Request(lane, cells);
    outputs_[output].Count(lane, IsDeep(stored, more));
  }
  /// Event: a request for `cells` cells arrives on `lane`. Its fifo has `stored` requests with it, the newest before
  /// it has `more_before`, and it has `more`. Call it after the acks of the cycle are made.
  void Request(int output, int lane, int cells, int stored, bool more_before, bool more) {
    outputs_[output].meter.Request(lane, cells);
    outputs_[output].Count(lane, IsDeep(stored, more) - IsDeep(stored - 1, more_before));
  }
  /// Decision: a request for `cells` cells is granted. Its fifo has `stored` further ones, the newest with `more`.
  void Grant(int output, int lane, int cells, int stored, bool more) {
    granted_.push_back({static_cast<std::uint8_t>(output), static_cast<std::uint8_t>(lane),
                        static_cast<std::uint8_t>(cells), IsDeep(stored + 1, more) && !IsDeep(stored, more)});
  }
  /// The acks of the cycle are made: grants of the cycle are forgotten from now on.
  void CommitGrants() {
    for (const Granted& one : granted_) {
      outputs_[one.output].meter.Grant(one.lane, one.cells);
      outputs_[one.output].Count(one.lane, one.ends_deep ? -1 : 0);
    }
    granted_.clear();
  }

  /// Event of cycle `now`: `output` makes an ack for a packet of `source` that leaves on a lane of class `tc`, whose
  /// lanes are `lanes`.
  FlowAdvice Make(Cycle now, int output, int tc, std::uint16_t lanes, std::uint32_t source, const FlowMark& registers) {
    Output& state = outputs_[output];
    return state.meter.Make(now, tc, lanes, state.deep, source, registers);
  }

  /// Lanes of the output with a deep fifo, one bit each.
  std::uint16_t deep(int output) const { return outputs_[output].deep; }
  /// METER-1 of `output`: its stored requests have `load` cells, and so many fifos of each lane are deep.
  void Check(int output, std::int64_t load, const std::array<int, kMaxLanes>& deep, Audit* audit) const {
    const Output& state = outputs_[output];
    state.meter.Check(load, output, audit);
    for (int lane = 0; lane < kMaxLanes; ++lane) {
      const bool says = (state.deep >> lane & 1) != 0;
      audit->Require("METER-1", state.deep_fifos[lane] == deep[lane] && says == (deep[lane] != 0), output,
                     state.deep_fifos[lane]);
    }
  }

  /// See golden/common/archive.h. Between two steps no grant waits.
  template <typename Archive>
  void Serialize(Archive& archive) {
    for (Output& output : outputs_) archive(output);
  }

 private:
  struct Output {
    explicit Output(int epoch_cycles) : meter(epoch_cycles) {}
    /// So many more fifos of the lane are deep.
    void Count(int lane, int more) {
      if (more == 0) return;
      deep_fifos[lane] = static_cast<std::uint8_t>(deep_fifos[lane] + more);
      const unsigned bit = 1u << lane;
      deep = static_cast<std::uint16_t>(deep_fifos[lane] != 0 ? deep | bit : deep & ~bit);
    }
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(meter, deep_fifos, deep);
    }

    CongestionMeter meter;
    std::array<std::uint8_t, kMaxLanes> deep_fifos{};  ///< deep fifos by lane
    std::uint16_t deep = 0;                            ///< lanes that have one
  };
  /// A grant of the cycle.
  struct Granted {
    std::uint8_t output;
    std::uint8_t lane;
    std::uint8_t cells;
    bool ends_deep;  ///< its fifo was deep and is no more
  };

  int deep_requests_;
  std::vector<Output> outputs_;
  std::vector<Granted> granted_;
};

}  // namespace tilefly::golden
