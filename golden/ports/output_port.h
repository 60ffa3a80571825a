// SPDX-License-Identifier: Apache-2.0
// The output side of one port by itself, requests and cells in, grants and words out: the twin of `tilefly_egress_port` for
// comparison in every cycle. The switch does not use it: it runs GrantUnit and OutputBuffer for all ports at once.
//
// Of a retry port it has what requests, grants and takes need (docs/blocks/link_retry.md), and not the retry block: its
// words leave as those of another port, without tags, reports, stamps and SerDes lanes.
#pragma once

#include <optional>
#include <vector>

#include "golden/common/delay_line.h"
#include "golden/egress/grant_unit.h"
#include "golden/egress/output_buffer.h"
#include "golden/egress/request_store.h"
#include "golden/link/control_frame.h"
#include "golden/link/mac_out.h"
#include "golden/registers/registers.h"
#include "golden/state/context.h"

namespace tilefly::golden {

class OutputPort {
 public:
  struct RequestArrival {
    int input;
    int vl;
    int cells;
    bool more = false;  ///< its queue held packets without a request
  };
  /// The event of a packet's first cell.
  struct FirstCell {
    int input;
    HeaderBits header;  ///< as the cell carries it
    Index frame;        ///< in `frames()`; may still be growing. The port takes over one use.
  };
  /// What the port gets in a cycle.
  struct Inputs {
    std::vector<RequestArrival> requests;                      ///< events, at most one a row
    std::vector<FirstCell> first_cells;                        ///< events, at most one a row
    std::optional<CreditReturner::Message> credit;             ///< on the control slot of `link_i` in this cycle
    std::optional<PauseRequest> pause;                         ///< event
    std::optional<CreditReturner::Message> credit_to_return;   ///< decided by the input side in this cycle
    bool link_up = true;
    bool ready = true;                                         ///< of a retry port: it may take a packet in the next cycle
    Cfg cfg;                                                   ///< on the register bus in this cycle
    int used = 0;                                              ///< cells of the input buffer, as in the cycle before
  };
  /// What the port does in a cycle.
  struct Outputs {
    struct Decision {
      int input;
      Grant grant;  ///< leaves kGrantToLeave cycles later, with the request credit; may be one with `reroute`
      int cells;
    };
    Link link;                      ///< `link_o` in this cycle
    std::optional<Decision> grant;  ///< decision of this cycle
    bool taken = false;             ///< the link takes a packet in this cycle
  };

  /// Port `port` of a switch.
  OutputPort(const Profile& profile, int port);

  /// Runs cycle `now`: words, decisions, events and register writes, in this order. Call it once for each cycle, from
  /// cycle 0 on.
  const Outputs& Step(Cycle now, const Inputs& inputs);

  FrameStore& frames() { return frames_; }
  int room() const { return grants_.room(port_); }
  int load() const { return context_.loads.load(port_); }
  /// Lanes with a deep fifo of requests, one bit each.
  std::uint16_t deep() const { return store_.deep(); }
  unsigned owner_valid() const { return grants_.owner_valid(port_); }
  int owner(int row) const { return grants_.owner(port_, row); }
  const CreditSender& credits() const { return grants_.credits(port_); }
  /// Counter `index` as committed.
  std::uint64_t Counter(int index) const { return context_.counters.Read(port_, index); }
  const Registers& registers() const { return context_.registers; }
  /// Checks the invariants of the egress, credit and link pages, after cycle `now`.
  void Check(Cycle now, Audit* audit) const;
  /// Checks the invariants of a port that is drained.
  void CheckDrained(Audit* audit) const;

 private:
  void Decide(Cycle now, const Inputs& inputs);
  void Arrivals(Cycle now, const Inputs& inputs);
  void TurnLink(bool up);
  void CommitRetry();
  void SetRetry();
  void Apply(const Cfg& write);

  int port_;
  Context context_;
  FrameStore frames_;
  RequestStore store_;
  GrantUnit grants_;
  OutputBuffer buffer_;
  MacOut mac_;
  DelayLine<CreditReturner::Message> credits_;
  DelayLine<Cfg> writes_;
  Departures departures_;
  Outputs outputs_;
};

}  // namespace tilefly::golden
