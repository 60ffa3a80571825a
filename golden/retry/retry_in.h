// SPDX-License-Identifier: Apache-2.0
// Receiver of the retry block (docs/blocks/retry.md): passes to the MAC only the words that come in order and at their
// pace, and reports what it has accepted, or that it wants a replay.
#pragma once

#include "generated/wire.h"
#include "golden/common/audit.h"
#include "golden/retry/retry_wire.h"

namespace tilefly::golden {

class RetryIn {
 public:
  struct Parameters {
    int ack_gap = 8;    ///< cycles from a report to the next ack
    int seq_bits = 11;  ///< of a number
  };
  /// The page's ports `..._i`.
  struct Inputs {
    bool enable = false;
    bool link_up = false;
    int lanes = 4;
    Word word;
    RetryTag tag;
  };
  /// The page's ports `..._o`, in the cycle of the inputs.
  struct Outputs {
    Word word;
    RetryReport report;
    bool accepted = false;
    bool bad = false;
    bool missing = false;
    bool duplicate = false;
    bool replayed = false;
    bool quiescent = false;
  };

  explicit RetryIn(const Parameters& parameters) : parameters_(parameters), numbers_(parameters.seq_bits) {}

  /// One cycle.
  Outputs Step(const Inputs& in);
  /// Number of the next packet to accept.
  int expected() const { return now_.expected; }
  /// Whether a packet is in progress, and its next word.
  bool open() const { return now_.open; }
  int index() const { return now_.index; }
  /// Whether a replay was asked for and has not come: an error changes nothing then.
  bool nacked() const { return now_.nacked; }
  /// The report that the next `Step` shows.
  const RetryReport& decided() const { return now_.report; }
  /// Whether cycles without a word change nothing, so that `Skip` may leave them out.
  bool quiet() const {
    return !now_.open && !now_.due && !now_.nack_due && now_.gap == 0 && !now_.report.valid;
  }
  void Skip(Cycle cycles) { cycle_ += cycles; }
  /// RETRY-7 of `port`, after a cycle.
  void Check(int port, Audit* audit) const;

 private:
  struct State {
    int expected = 0;
    bool open = false;
    int index = 0;    ///< next word of the packet in progress; the page's is this modulo 256
    int lanes = 4;    ///< of its first word's cycle
    Cycle first = 0;  ///< that cycle
    bool nacked = false;
    bool due = false;
    bool nack_due = false;
    int gap = 0;
    RetryReport report;
  };

  void Report();
  void Judge(const Inputs& in, Outputs* out);
  void Accept(const Word& word, Outputs* out);
  void Error(const Word& word, Outputs* out);

  Parameters parameters_;
  RetryNumbers numbers_;
  State now_;
  Cycle cycle_ = 0;
};

}  // namespace tilefly::golden
