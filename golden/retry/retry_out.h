// SPDX-License-Identifier: Apache-2.0
// Sender of the retry block (docs/blocks/retry.md): numbers the packets of a link, keeps their words until the far end
// has accepted them, and sends them again when it asks or is silent. Of the replay buffer only the words that are held
// exist here: an idle link costs nothing.
#pragma once

#include <deque>

#include "generated/wire.h"
#include "golden/common/audit.h"
#include "golden/retry/retry_wire.h"

namespace tilefly::golden {

class RetryOut {
 public:
  struct Parameters {
    int depth = 1536;     ///< words of the replay buffer
    int max_words = 133;  ///< longest packet
    int seq_bits = 11;    ///< of a number
  };
  /// The page's ports `..._i`. Registers may change in any cycle, `enable` only while the link is down.
  struct Inputs {
    bool enable = false;
    bool link_up = false;
    int lanes = 4;
    int replay_timer_max = 4096;
    int replay_ct_max = 32;
    int retry_threshold = 2;
    bool take = false;  ///< only when `ready`
    int take_words = 0;
    Word word;
    RetryReport report;
  };
  /// The page's ports `..._o`, in the cycle of the inputs.
  struct Outputs {
    bool ready = false;
    Word word;
    RetryTag tag;
    bool start = false;
    bool again = false;
    std::uint8_t start_vl = 0;
    std::uint16_t start_len = 0;
    bool link_failed = false;
    bool over_threshold = false;
    bool replay = false;
    bool timeout = false;
    bool bad_report = false;
    bool repeated = false;
    bool quiescent = false;
  };

  explicit RetryOut(const Parameters& parameters);

  /// One cycle.
  Outputs Step(const Inputs& in);
  /// Outputs of the next `Step` that are registers: word, tag, start and its fields.
  Outputs Shown(bool enable) const {
    Inputs in;
    in.enable = enable;
    return Show(in);
  }
  /// What the latest `Step` sent: on `word_o` and `tag_o` two cycles later. A partner's half has no stages, and puts this
  /// on its link in the cycle of the step.
  const Word& sent_word() const { return stage_.word; }
  const RetryTag& sent_tag() const { return stage_.tag; }
  /// Packets held or reserved.
  int held() const { return now_.held; }
  /// `ready_o` of the next `Step`: a packet may be taken in it.
  bool ready(bool enable) const;
  /// Words taken that are still to come. The lanes change only when there are none.
  int owed() const { return owed_; }
  /// The newest number that a report brought, and the number before which all have been sent whole.
  int heard() const { return now_.heard; }
  int top() const { return now_.top; }
  /// Whether the next `Step` is one of a replay: from the cycle behind `replay` to that of the last word sent again.
  bool repeats() const { return now_.send_seq != now_.top; }
  /// Number of the packet that is sent, or is sent next.
  int sending() const { return now_.send_seq; }
  /// How many of the next cycles `Skip` may leave out, if no packet is taken and neither a word nor a report comes in
  /// them; kNever: any number.
  Cycle Quiet(int replay_timer_max) const;
  /// How many cycles behind the next `Step` the first is in which a packet starts at once, if its first word comes in the
  /// cycle in which it is taken; kNever: none, until a step or a report has changed something.
  Cycle UntilFree() const;
  /// Makes the next cycles, which are quiet.
  void Skip(Cycle cycles);
  /// State between two cycles. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(old_, now_, words_, starts_, owed_, stale_, up_, stage_, out_, cycle_, starved_, overtaken_);
  }
  /// RETRY-2, RETRY-3 and RETRY-5 of `port`, after a cycle.
  void Check(int port, Audit* audit) const;
  /// RETRY-2 of a link that is drained.
  void CheckDrained(int port, Audit* audit) const;

 private:
  struct Stage {
    Word word;
    RetryTag tag;
  };
  struct Start {
    bool start = false;
    bool again = false;
    std::uint8_t vl = 0;
    std::uint16_t len = 0;
  };
  /// All that a flush sets to 0. Places count words since the flush: the page's are these modulo Depth.
  struct State {
    std::int64_t write = 0, send = 0, free = 0;
    int arrived_seq = 0, send_seq = 0, top = 0, heard = 0, free_seq = 0;
    int used = 0, held = 0;
    bool busy = false;
    int index = 0;      ///< next word of the packet that is sent
    int lanes = 4;      ///< of its first word's cycle
    Cycle first = 0;    ///< that cycle
    Cycle between = 0;  ///< the sender is between packets from here on, when not busy
    bool pending = false;
    int timer = 0;
    int replays = 0;
    bool failed = false;
    Start start;  ///< registers of `start_o` and its fields
  };
  /// What rules of a cycle tell later rules of the cycle.
  struct Events {
    Stage sent;
    bool replay_event = false;
    bool progress = false;
    bool pending = false;  ///< set in this cycle
  };

  bool BetweenPackets() const { return !now_.busy && cycle_ >= now_.between; }
  std::int64_t StartOf(int seq) const { return starts_[static_cast<std::size_t>(numbers_.Of(seq - old_.free_seq))]; }
  Outputs Show(const Inputs& in) const;
  Stage Work(const Inputs& in, Outputs* out);
  Word AtHand(const Word& comes) const;
  void Take(const Inputs& in);
  void WordComes(Word word);
  void StartOrReplay(const Inputs& in, const Word& at_hand, Outputs* out, Events* events);
  void JumpToHeard();
  void Send(const Word& word, int k, Outputs* out, Events* events);
  void Free();
  void ReportComes(const RetryReport& report, Outputs* out, Events* events);
  void RunTimer(const Inputs& in, Outputs* out, Events* events);
  void Flush();

  Parameters parameters_;
  RetryNumbers numbers_;
  State old_;                        ///< as the cycle found it: the rules read this
  State now_;                        ///< as the cycle leaves it: the rules write this
  std::deque<Word> words_;           ///< from place `free` to place `write`
  std::deque<std::int64_t> starts_;  ///< places of the packets from `free_seq` to `arrived_seq`
  int owed_ = 0, stale_ = 0;
  bool up_ = false;
  Stage stage_, out_;
  Cycle cycle_ = 0;
  bool starved_ = false;    ///< a word was due in the last cycle and none was at hand
  bool overtaken_ = false;  ///< a packet was taken in the last cycle without room
};

}  // namespace tilefly::golden
