// SPDX-License-Identifier: Apache-2.0
// The transaction between the blocks of a switch: the way of a packet, or of a copy, from its input to its output.
#pragma once

#include <memory>
#include <vector>

#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

/// A packet in an input buffer, with what its copies have in common.
struct Stored {
  fabric::Packet* packet;  ///< a reference of it is held until its cells are free
  golden::HeaderBits header;  ///< as it came, or as a bare frame got it, before routing
  Cycle last;              ///< wire cycle of its last word
  Cycle start;             ///< first leave cycle allowed
  int cells;
  int vl_in;
  int tc;
  int copies;              ///< whose last cell has not been told yet
  bool accounted;          ///< its cells are in the account of its class
  bool again;              ///< an output whose link is down has given it back: it passes the pipeline once more
};

/// The record that an input sends by the crossbars and gets back by them.
struct Crossing {
  fabric::Packet* packet;     ///< which leaves; a reference of it is held
  golden::HeaderBits header;  ///< of the stored packet; as it leaves from the pick on
  Stored* stored;             ///< until the pick
  int input;                  ///< port; from `ports` on an input of row R
  int output;
  int vl;      ///< outgoing lane
  int cells;
  int length;  ///< bytes of the stored frame
  bool copy;   ///< has a copy entry
  bool answered;  ///< to be acknowledged when its room is free
  bool more;   ///< its queue held packets without a request when it was requested
  bool reroute;  ///< the output gives it back: the GRANT is one with `reroute`
  Cycle arrived;              ///< first cell in the output buffer
  Crossing* next_queued;      ///< in its virtual output queue
  Crossing* next_stored;      ///< in the request store of its output
  tilefly::Ack ack;           ///< of an ack on its way, which goes to `input`
};

/// Records of both kinds, used again.
template <typename Record>
class RecordPool {
 public:
  Record* Make() {
    if (free_.empty()) {
      records_.push_back(std::make_unique<Record>());
      free_.push_back(records_.back().get());
    }
    Record* record = free_.back();
    free_.pop_back();
    *record = Record{};
    return record;
  }
  void Release(Record* record) { free_.push_back(record); }
  std::size_t held() const { return records_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<Record>> records_;
  std::vector<Record*> free_;
};
using CrossingPool = RecordPool<Crossing>;
using StoredPool = RecordPool<Stored>;

/// Types of the sockets inside a switch.
struct CrossingTypes {
  using tlm_payload_type = Crossing;
  using tlm_phase_type = tlm::tlm_phase;
};

/// Input to output. The time is the request's leave cycle; behind the crossbar it is the cycle of its event.
TLM_DECLARE_EXTENDED_PHASE(REQUEST);
/// Output to input, with the request credit. Times as of REQUEST.
TLM_DECLARE_EXTENDED_PHASE(GRANT);
/// Input to output. The time is the leave cycle of the first cell; behind the crossbar it is the event of its arrival.
TLM_DECLARE_EXTENDED_PHASE(CELLS);
/// Output to input: an ack.
TLM_DECLARE_EXTENDED_PHASE(RETURN_ACK);

}  // namespace tilefly::systemc
