// SPDX-License-Identifier: Apache-2.0
// Packets in a module, or accesses at its sockets, as recorded for the trace of transactions (docs/systemc.md,
// Tracing).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <tlm>

#include "golden/state/stage_probe.h"
#include "systemc/fabric/packet.h"
#include "systemc/fabric/time.h"

namespace tilefly::systemc {

/// A stretch of time with the stages that a module names in it.
struct Span {
  /// A stage, which begins in `cycle`.
  struct Step {
    Cycle cycle;
    const char* stage;
  };
  Cycle begin;
  Cycle end;                ///< first cycle behind the stretch
  std::vector<Step> steps;  ///< in order of time, the first at `begin`
};

/// A packet's stay in a module, or its words on a link.
struct Transaction : Span {
  std::uint64_t packet;       ///< its number
  golden::HeaderBits header;  ///< as it was in the beginning
  bool enh;                   ///< has that header
  bool bad;
  int length;                 ///< bytes of the frame, FCS included
};

/// A transaction of the base protocol at a socket.
struct Access : Span {
  bool writes;
  std::int64_t nic;            ///< fabric address of the NIC whose memory it is of; -1: the memory is here
  std::uint64_t offset;        ///< first byte in that memory
  std::uint32_t bytes;
  tlm::tlm_response_status response;  ///< TLM_INCOMPLETE_RESPONSE: it has none yet
};

/// Transactions of one module, in streams. Accesses are a stream of their own.
class TransactionLog {
 public:
  static constexpr int kLanes = golden::kMaxLanes;
  /// There is a stream for each lane, and two streams for links: what comes to the module and what leaves.
  enum Stream : int { kIn = kLanes, kOut, kStreams };

  /// `left`: number of transactions that may still be recorded, by this log and the other logs of a trace.
  explicit TransactionLog(std::size_t* left) : left_(left), streams_(kStreams) {}
  TransactionLog(const TransactionLog&) = delete;
  TransactionLog& operator=(const TransactionLog&) = delete;

  /// The packet's words are on a link from cycle `first` on, and before cycle `behind`.
  void Words(Stream link, const fabric::Packet& packet, Cycle first, Cycle behind);
  /// In `cycle` the packet comes to a stage of the module. If the packet is not in the module yet, its stay begins, on
  /// lane `vl` and with `header`.
  void Enter(const fabric::Packet& packet, const golden::HeaderBits& header, int vl, const char* stage, Cycle cycle);
  /// The packet's stay, if there is one, ends before `cycle`.
  void Leave(const fabric::Packet& packet, Cycle cycle);
  /// In `cycle` the access comes to a stage. If it has not begun yet, it begins. `nic` and `offset`: see Access.
  void Enter(const tlm::tlm_generic_payload& access, std::int64_t nic, std::uint64_t offset, const char* stage, Cycle cycle);
  /// The access ends with this response before `cycle`, after one cycle at least.
  void Leave(const tlm::tlm_generic_payload& access, tlm::tlm_response_status response, Cycle cycle);
  /// Stays and accesses that have not ended end before `cycle`, or in the cycle of their last stage.
  void Finish(Cycle cycle);

  /// Transactions of each stream, in no particular order.
  const std::vector<std::vector<Transaction>>& streams() const { return streams_; }
  /// Accesses, in no particular order.
  const std::vector<Access>& accesses() const { return accesses_; }
  static std::string NameOf(int stream);
  static const char* NameOf(golden::Stage stage);

 private:
  struct Place {
    int stream;
    std::size_t index;
  };
  Transaction* Begin(int stream, const fabric::Packet& packet, const golden::HeaderBits& header, const char* stage, Cycle cycle);

  std::size_t* left_;
  std::vector<std::vector<Transaction>> streams_;
  std::unordered_map<const fabric::Packet*, Place> inside_;
  std::vector<Access> accesses_;
  std::unordered_map<const tlm::tlm_generic_payload*, std::size_t> under_way_;  ///< place among them
};

/// A module whose transactions can be recorded. When they are not, this costs one test of a pointer.
class Traced {
 public:
  /// Records into `log` from now on; null: records no more.
  void set_log(TransactionLog* log) { log_ = log; }

 protected:
  Traced() = default;
  virtual ~Traced() = default;
  TransactionLog* log_ = nullptr;
};

}  // namespace tilefly::systemc
