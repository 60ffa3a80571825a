// SPDX-License-Identifier: Apache-2.0
// Row R of all outputs (docs/blocks/reduction.md, Row R): fifos of results and the CREDITs of a reduction port ask the
// output's scheduler as the inputs of a row do, and what it grants comes into the output buffer.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "golden/common/agenda.h"
#include "golden/reduction/cfu.h"
#include "golden/reduction/red_bytes.h"
#include "golden/state/stored_request.h"

namespace tilefly::golden {

class ResultRow {
 public:
  /// Inputs of the row: three fifos and the credits.
  static constexpr int kCredits = 3;

  ResultRow(Context& context, const RedRegisters& registers, RedPorts& ports, const RedBinds& binds)
      : context_(context), registers_(registers), red_ports_(ports), binds_(binds), ports_(context.profile.ports) {}

  /// A request that enters the store.
  struct Ask {
    std::uint8_t port;
    std::uint8_t input;  ///< of the row
    std::uint8_t vl;
    std::uint8_t cells;
  };
  /// Decides the requests that enter the stores, as events of the cycle.
  const std::vector<Ask>& Decide();

  /// The request that input `input` of row R has at the output.
  StoredRequest Head(int port, int input) const;
  /// Event of cycle `now`: the output grants this request.
  void Granted(Cycle now, int port, int input);

  /// Event: a result of `group` is complete in the fifo `lane` of the port. `parent` is the packet that holds its
  /// bytes.
  void Complete(int port, RedLane lane, int group, Index parent);
  /// Event: CREDITs of these ports are due.
  void Wake(PortMask ports) { asking_ |= ports; }

  /// Events of cycle `now`: calls `first_cell(id)` for each packet whose first cell arrives, and adds the room that the
  /// ports report to `rooms`.
  template <typename OnFirstCell>
  void Commit(Cycle now, std::vector<RedRoom>* rooms, OnFirstCell&& first_cell) {
    cells_.Drain(now, [&](Index id) { first_cell(id); });
    rooms_.Drain(now, [&](const RedRoom& room) { rooms->push_back(room); });
  }

  /// Calls `visit(input, cells)` for each stored request of the port.
  template <typename Visit>
  void ForEachAsked(int port, Visit&& visit) const {
    ForEachBit(ports_[port].asked, [&](int input) { visit(input, Head(port, input).cells); });
  }
  /// Calls `visit(vl, request)` for each of them.
  template <typename Visit>
  void ForEachRequest(int port, Visit&& visit) const {
    ForEachBit(ports_[port].asked,
               [&](int input) { visit(int{context_.packets[PacketOf(ports_[port], input)].vl}, Head(port, input)); });
  }
  /// Packets that were granted and whose first cells have not arrived.
  int crossing(int port) const { return ports_[port].crossing; }

  bool active() const { return asking_ != 0; }
  Cycle Next() const { return std::min(cells_.Next(), rooms_.Next()); }
  void Arrived(int port) { --ports_[port].crossing; }

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, cells_, rooms_, asking_);
  }

 private:
  struct Port {
    std::array<std::deque<Index>, kRedLanes> fifos;  ///< packets; the first one may be asked for
    Index credit = kNone;                            ///< CREDIT that is asked for
    std::uint8_t asked = 0;
    std::uint8_t more = 0;  ///< of what is asked: its input had another
    std::uint8_t pointer = 0;
    std::uint8_t credit_pointer = 0;
    std::uint16_t crossing = 0;
    Cycle free_from = 0;  ///< the row has brought the packets before

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(fifos, credit, asked, more, pointer, credit_pointer, crossing, free_from);
    }
  };

  Index MakePacket(int port, int input, int group, int length);
  Index MakeCredit(int port, int slot);
  Index PacketOf(const Port& port, int input) const {
    return input == kCredits ? port.credit : port.fifos[static_cast<std::size_t>(input)].front();
  }

  Context& context_;
  const RedRegisters& registers_;
  RedPorts& red_ports_;
  const RedBinds& binds_;
  std::vector<Port> ports_;
  std::vector<Ask> asks_;
  Agenda<Index> cells_;
  Agenda<RedRoom> rooms_;
  PortMask asking_ = 0;
};

}  // namespace tilefly::golden
