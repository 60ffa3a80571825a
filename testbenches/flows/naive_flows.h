// SPDX-License-Identifier: Apache-2.0
// A second reading of docs/blocks/flow_channel.md, "Rules of cycle t": a table of maps, every sweep of every channel
// stepped, and each line of the rules counted when it acts. It shares no code with golden.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>

#include "testbenches/flows/flow_ports.h"

namespace tilefly::bench {

/// Sizes of the table.
struct NaiveSizes {
  int set_bits = 6, ways = 16, sweep_bits = 10, classes = 8;
};

class NaiveFlows {
 public:
  NaiveFlows(const NaiveSizes& sizes, int port) : sizes_(sizes), port_(port) {}

  /// One cycle; each must be given.
  FlowOutputs Step(Cycle now, const FlowInputs& in) {
    out_ = FlowOutputs();
    touched_.clear();
    out_.quiescent = Quiescent();
    const bool could_release = !ready_.empty();
    const bool tells = !tell_.empty();
    const int told = tells ? tell_.front() : 0;
    const Channel told_before = tells ? channels_[told] : Channel();
    if (in.counted()) Packet(in);
    Release(could_release, in.valid && in.enters && !out_.held);
    if (in.home) Acknowledge(in.ack);
    Sweep(now);
    if (tells) Tell(told, told_before, in.live);
    Settle();
    registers_ = Written(registers_, in.write, port_);
    return out_;
  }
  /// How often each line acted.
  const std::map<std::string, std::int64_t>& lines() const { return lines_; }

 private:
  struct Waiting {
    golden::Index packet;
    int cells, port, lane;
  };
  struct Channel {
    std::uint32_t key = 0;
    bool gen = false;
    int cells = 0, old = 0, age = 0, idle = 0;
    bool throttled = false, begins = false;
    int window = 0;
    std::deque<Waiting> queue;
    int held = 0;
    bool path_valid = false;
    golden::FlowWay path;

    int f() const { return cells + old; }
    bool may_send() const { return !(throttled || begins) || f() == 0 || f() < window; }
    bool busy() const { return f() > 0 || held > 0; }
  };

  void Line(const char* what) { ++lines_[what]; }
  void LineIf(bool acts, const char* what) {
    if (acts) Line(what);
  }
  int first_class() const { return 1 << sizes_.sweep_bits; }
  bool IsClass(int c) const { return c >= first_class(); }
  static std::uint32_t KeyOf(int tc, std::uint32_t dst) { return static_cast<std::uint32_t>(tc) << 20 | dst; }
  /// Bit b of the key is in bit b mod set_bits of the set.
  int SetOf(std::uint32_t key) const {
    int set = 0;
    for (int b = 0; b < 23; ++b) set ^= static_cast<int>(key >> b & 1) << (b % sizes_.set_bits);
    return set;
  }
  Channel& Class(int tc) { return channels_[first_class() + tc]; }
  bool ClassInUse(int tc) { return Class(tc).busy() || Class(tc).throttled; }
  int EntryOf(std::uint32_t key) const {
    const auto at = keys_.find(key);
    return at == keys_.end() ? -1 : at->second;
  }
  int FreeWay(std::uint32_t key) const {
    for (int way = 0; way < sizes_.ways; ++way) {
      const int number = SetOf(key) * sizes_.ways + way;
      if (used_.count(number) == 0) return number;
    }
    return -1;
  }
  bool Quiescent() {
    bool none = used_.empty() && ready_.empty() && tell_.empty();
    for (int tc = 0; tc < sizes_.classes; ++tc) none = none && !ClassInUse(tc);
    return none;
  }
  void Touch(int c) { touched_.push_back(c); }

  void Packet(const FlowInputs& in) {
    const std::uint32_t key = KeyOf(in.header.tc, in.header.dst);
    int c = EntryOf(key);
    const bool known = c >= 0;
    const int way = FreeWay(key);
    const bool claims = !known && way >= 0 && Class(in.header.tc).held == 0;
    const bool of_class = !known && !claims;
    const bool busy = known && channels_[c].busy();
    const bool chooses = in.header.ordered && in.decides;
    bool keeps = false;
    if (chooses) {
      const golden::FlowWay pair{in.came_via, in.pair_port, false};
      const bool has_path = busy && channels_[c].path_valid;
      const bool down = has_path && in.IsDown(channels_[c].path.port);
      if (has_path && !down) {
        out_.instead = channels_[c].path;
      } else if (busy || of_class || ClassInUse(in.header.tc)) {
        out_.instead = pair;
      } else {
        keeps = true;
      }
      LineIf(has_path && !down, "path: the entry's");
      LineIf(down, "path: the entry's port is down");
      LineIf(busy && !channels_[c].path_valid, "path: busy without path");
      LineIf(of_class, "path: class channel");
      LineIf(!busy && !of_class && !keeps, "path: the class channel is in use");
      LineIf(keeps, "path: as routed, kept");
    }
    LineIf(in.enters && in.again, "1 taken back: not counted again");
    if (!in.is_new()) return;
    LineIf(known, "1.1 the entry in use");
    LineIf(claims, "1.1 the lowest free way");
    LineIf(of_class && way < 0, "1.1 class channel: no way is free");
    LineIf(of_class && way >= 0, "1.1 class channel: it holds a packet");
    if (claims) {
      c = way;
      channels_[c] = Channel();
      channels_[c].key = key;
      if (registers_.channel.first != 0) {
        channels_[c].begins = true;
        channels_[c].window = registers_.channel.first;
        Line("1.1 a first window");
      }
      keys_[key] = c;
      used_.insert(c);
    } else if (of_class) {
      c = first_class() + in.header.tc;
      out_.full = true;
    }
    Channel& channel = channels_[c];
    Touch(c);
    if (!IsClass(c) && !channel.busy()) {
      channel.path_valid = keeps;
      channel.path = {in.header.via, in.port_to, in.header.via_valid};
      LineIf(known && !keeps, "path: forgotten");
    }
    channel.idle = 0;
    out_.channel = c;
    out_.by_class = IsClass(c);
    if (channel.held == 0 && channel.may_send()) {
      out_.sent = true;
      out_.gen = channel.gen;
      Send(c, in.cells, "1.3 sent in a throttled entry", "1.3 sent in a throttled class channel");
      Line("1.3 sent");
    } else {
      LineIf(channel.may_send(), "1.4 held behind others, although it may send");
      Line(IsClass(c) ? "1.4 held in a class channel" : "1.4 held in an entry");
      LineIf(channel.begins, "1.4 held by a first window");
      out_.held = true;
      if (channel.held == 0 && !IsClass(c)) asked_.insert(c);
      channel.queue.push_back({in.packet, in.cells, in.out_port, in.out_lane});
      channel.held += in.cells;
    }
  }
  void Send(int c, int n, const char* of_entry, const char* of_class) {
    Channel& channel = channels_[c];
    channel.cells = std::min((1 << 20) - 1, channel.cells + n);
    LineIf(channel.throttled, IsClass(c) ? of_class : of_entry);
  }
  void Release(bool could, bool pipeline_enters) {
    LineIf(could && pipeline_enters, "2 a release waits for the pipeline");
    if (!could || pipeline_enters) return;
    const int c = ready_.front();
    ready_.pop_front();
    Touch(c);
    Channel& channel = channels_[c];
    LineIf(!channel.may_send(), "2 popped, and may not send any more");
    if (channel.held == 0 || !channel.may_send()) return;
    const Waiting first = channel.queue.front();
    channel.queue.pop_front();
    channel.held -= first.cells;
    channel.idle = 0;
    Send(c, first.cells, "2 released in a throttled entry", "2 released in a throttled class channel");
    if (!IsClass(c)) asked_.insert(c);
    Line("2 released");
    golden::FlowRelease go;
    go.packet = first.packet;
    go.cells = static_cast<std::uint8_t>(first.cells);
    go.port = static_cast<std::uint8_t>(first.port);
    go.lane = static_cast<std::uint8_t>(first.lane);
    go.gen = channel.gen;
    go.by_class = IsClass(c);
    go.channel = static_cast<std::uint16_t>(c);
    out_.go = go;
  }
  void Acknowledge(const Ack& ack) {
    const int c = ack.by_class ? first_class() + ack.tc : EntryOf(KeyOf(ack.tc, ack.dst));
    if (c < 0 || channels_[c].f() == 0) {
      Line(c < 0 ? "3.1 stray: no such entry" : "3.1 stray: no cells in flight");
      out_.stray = true;
      return;
    }
    Channel& channel = channels_[c];
    Touch(c);
    int& of = ack.gen == channel.gen ? channel.cells : channel.old;
    Line(ack.gen == channel.gen ? "3.2 of the present generation" : "3.2 of the old generation");
    LineIf(of < ack.cells, "3.2 more than there are");
    const bool restarts = ack.gen != channel.gen && of > 0 && ack.cells > 0;
    LineIf(restarts && channel.age > 0, "3.2 the deadline begins anew");
    if (restarts) channel.age = 0;
    of -= std::min<int>(of, ack.cells);
    channel.idle = 0;
    LineIf(channel.begins, "3.2 the first window ends");
    if (channel.begins) channel.window = 0;
    channel.begins = false;
    const int full = registers_.mark.full;
    if (ack.mark) {
      out_.marked = true;
      Line(channel.throttled ? "3.3 a mark for a throttled channel" : "3.3 throttled");
      LineIf(!channel.throttled && IsClass(c), "3.3 throttled, a class channel");
      LineIf(ack.share > full, "3.3 share above FULL");
      if (!channel.throttled) out_.throttled = true;
      channel.throttled = true;
      channel.window = std::min<int>(ack.share, full);
    } else if (channel.throttled) {
      if (ack.share >= full) {
        Line("3.4 not throttled any more");
        channel.throttled = false;
        channel.window = 0;
      } else {
        const int grown = std::max(channel.window, int{ack.share}) + std::max(1, ack.cells >> registers_.channel.grow);
        LineIf(ack.cells >> registers_.channel.grow == 0, "3.4 grown by one");
        LineIf(channel.window > ack.share, "3.4 grown from the window");
        LineIf(channel.window < ack.share, "3.4 grown from the share");
        LineIf(grown > full, "3.4 grown up to FULL");
        channel.window = std::min(full, grown);
      }
    }
  }
  void Sweep(Cycle now) {
    const int i = static_cast<int>(now & ((1 << sizes_.sweep_bits) - 1));
    if (used_.count(i) != 0) Sweep(i);
    if (i < sizes_.classes && ClassInUse(i)) Sweep(first_class() + i);
  }
  void Sweep(int c) {
    Channel& channel = channels_[c];
    const int deadline = std::max<int>(1, registers_.channel.deadline);
    Touch(c);
    channel.idle = std::min(255, channel.idle + 1);
    channel.age = std::min(255, channel.age + 1);
    LineIf(channel.age == 255, "4.1 age is full");
    LineIf(channel.idle == 255, "4.1 idle is full");
    if (channel.held > 0 && !IsClass(c)) asked_.insert(c);
    if (channel.old > 0 && channel.age >= deadline) {
      Line(IsClass(c) ? "4.2 lost in a class channel" : "4.2 lost in an entry");
      LineIf(channel.cells > 0, "4.2 lost, and the next generation grows old");
      channel.old = 0;
      ++out_.lost;
    }
    if (channel.old == 0) {
      Line("4.3 turn");
      channel.old = channel.cells;
      channel.cells = 0;
      channel.gen = !channel.gen;
      channel.age = 0;
    }
    if (channel.throttled && channel.f() == 0 && channel.held == 0 &&
        channel.idle >= std::max<int>(1, registers_.channel.idle)) {
      Line(IsClass(c) ? "4.4 a class channel is forgotten" : "4.4 an entry is forgotten");
      channel.throttled = false;
      channel.window = 0;
    }
  }
  void Tell(int c, const Channel& before, bool live) {
    tell_.pop_front();
    Touch(c);
    LineIf(asked_.count(c) != 0, "5 asked for in the cycle of the pop");
    LineIf(!live, "5 the port is not live");
    if (!live) return;
    golden::FlowPause pause;
    pause.tc = static_cast<std::uint8_t>(before.key >> 20);
    pause.destination = before.key & 0xf'ffff;
    if (before.held > 0) {
      const int credit = registers_.channel.hold - before.held;
      Line(credit > 0 ? "5 a pause with credit" : "5 a pause without credit");
      pause.period = registers_.channel.period;
      pause.credit = static_cast<std::uint16_t>(std::max(0, credit));
    } else {
      Line("5 the pause is over");
    }
    out_.pause = pause;
  }
  void Settle() {
    for (const int c : touched_) {
      if (!IsClass(c) && used_.count(c) == 0) continue;  // it was freed as one of an earlier step
      Channel& channel = channels_[c];
      const bool tells = Inside(tell_, c);
      if (asked_.erase(c) != 0 && !tells) {
        Line("6.1 pushed on the tell fifo");
        tell_.push_back(c);
      } else if (tells) {
        Line("6.1 in the tell fifo already");
      }
      if (channel.held > 0 && channel.may_send() && !Inside(ready_, c)) {
        Line("6.2 pushed on the ready fifo");
        ready_.push_back(c);
      }
      if (IsClass(c) || channel.busy() || channel.throttled || Inside(tell_, c)) continue;
      Line("6.3 an entry is free");
      keys_.erase(channel.key);
      used_.erase(c);
    }
  }
  static bool Inside(const std::deque<int>& fifo, int c) { return std::find(fifo.begin(), fifo.end(), c) != fifo.end(); }

  NaiveSizes sizes_;
  int port_;
  golden::FlowRegisters registers_;
  std::map<int, Channel> channels_;
  std::map<std::uint32_t, int> keys_;  ///< entries in use
  std::set<int> used_;
  std::deque<int> ready_, tell_;
  std::set<int> asked_;       ///< in this cycle, for the tell fifo
  std::deque<int> touched_;   ///< in this cycle, by step
  std::map<std::string, std::int64_t> lines_;
  FlowOutputs out_;
};

}  // namespace tilefly::bench
