// SPDX-License-Identifier: Apache-2.0
// Packets of a naive system word by word, on links that send damaged words again.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>

#include "generated/wire.h"
#include "golden/common/header_bits.h"
#include "golden/state/packet.h"

namespace tilefly::network {

/// Attempts have numbers of their own: each is of a packet, or of an attempt on the link before.
class NaiveAttempts {
 public:
  golden::Payload Add(golden::Payload of) {
    origins_[next_] = OriginOf(of);
    return next_++;
  }
  void Break(golden::Payload attempt) { broken_.insert(attempt); }
  bool broken(golden::Payload attempt) const { return broken_.count(attempt) > 0; }
  /// The packet as its NIC has numbered it.
  golden::Payload OriginOf(golden::Payload one) const {
    const auto found = origins_.find(one);
    return found == origins_.end() ? one : found->second;
  }

 private:
  golden::Payload next_ = 1u << 30;
  std::map<golden::Payload, golden::Payload> origins_;
  std::set<golden::Payload> broken_;
};

/// The number of the packet that stands in its first word.
inline golden::Payload NaiveNumberIn(const Word& word) {
  golden::Payload number = 0;
  for (int b = 0; b < 4; ++b) number |= golden::Payload{word.data[16 + b]} << 8 * b;
  return number;
}

/// A MAC that gives the words of packets to a retry block. Header and payload go as the first bytes of the first word.
class NaiveMacOut {
 public:
  void Take(Cycle first, int words, const golden::HeaderBits& header, golden::Payload payload) {
    packets_.push_back({first, 0, words, header, payload});
  }
  bool empty() const { return packets_.empty(); }
  /// The word of cycle `now`.
  Word Next(Cycle now, int lanes) {
    Word word;
    if (packets_.empty()) return word;
    Packet& packet = packets_.front();
    if (now != packet.first + 4 * packet.next / lanes) return word;
    word.valid = word.enh = true;
    word.sop = packet.next == 0;
    word.eop = packet.next == packet.words - 1;
    if (word.sop) {
      packet.header.CopyTo(word.data.data());
      for (int b = 0; b < 4; ++b) word.data[16 + b] = static_cast<std::uint8_t>(packet.payload >> 8 * b);
    }
    ++packet.next;
    if (word.eop) packets_.pop_front();
    return word;
  }

 private:
  struct Packet {
    Cycle first;
    int next;
    int words;
    golden::HeaderBits header;
    golden::Payload payload;
  };
  std::deque<Packet> packets_;
};

/// When the first words of attempts are on a link, whether something damages them there or not.
class NaiveTries {
 public:
  /// What is on the link in cycle `now`.
  void See(Cycle now, const Word& word) {
    if (word.valid && word.sop) tries_.emplace(NaiveNumberIn(word), now);
  }
  /// The first attempt of the packet.
  Cycle FirstOf(golden::Payload packet) const { return tries_.at(packet); }

 private:
  std::map<golden::Payload, Cycle> tries_;
};

/// A MAC that takes the words that pass the gate, and fills in those that are missing.
class NaiveMacIn {
 public:
  struct Packet {
    golden::HeaderBits header;
    golden::Payload before;  ///< as the sender has numbered it
    golden::Payload attempt;
    int lanes;
    int words;
    Cycle first;
    bool missing;
  };

  /// The word of cycle `now`, of a packet with so many SerDes lanes. Whether it begins a packet, and whether it ends one.
  struct Seen {
    bool begins = false, ends = false;
  };
  Seen See(Cycle now, const Word& word, int lanes, NaiveAttempts* attempts) {
    Seen seen;
    if (!open_ && word.valid) {
      const golden::Payload before = NaiveNumberIn(word);
      const golden::HeaderBits header(word.data.data());
      packet_ = Packet{header, before, attempts->Add(before), lanes, (header.length() + 16 + 31) / 32, now, false};
      open_ = seen.begins = true;
      next_ = 0;
    }
    if (!open_ || now != packet_->first + 4 * next_ / packet_->lanes) return seen;
    if (!word.valid) packet_->missing = true;
    if (++next_ < packet_->words) return seen;
    open_ = false;
    seen.ends = true;
    if (packet_->missing || attempts->broken(packet_->before)) attempts->Break(packet_->attempt);
    return seen;
  }
  /// The packet of the latest word.
  const Packet& packet() const { return *packet_; }

 private:
  bool open_ = false;
  int next_ = 0;
  std::optional<Packet> packet_;
};

}  // namespace tilefly::network
