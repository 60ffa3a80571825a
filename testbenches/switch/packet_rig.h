// SPDX-License-Identifier: Apache-2.0
// A golden switch at packet level between ideal link partners: sources that honour credits, sinks that return them with the
// first word, or in their own time. For tests of timing and throughput, and for the benchmark.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "golden/switch/switch.h"

namespace tilefly::golden {

class PacketRig {
 public:
  /// What a source sends next.
  struct Request {
    int destination;
    int length;  ///< bytes of the frame
    int tc = 0;
    Cycle not_before = 0;  ///< earliest first word
  };
  using Source = std::function<Request(int port)>;
  using OnDeparture = std::function<void(const Departure&)>;

  /// All ports enabled, cut through, credits, with header, four lanes; own address (0, 0).
  explicit PacketRig(const Profile& profile, const SchedulerChoice& scheduler = {});

  void set_source(Source source) { source_ = std::move(source); }
  /// Sees every packet that leaves; its payload is the number of its input.
  void on_departure(OnDeparture visit) { on_departure_ = std::move(visit); }
  /// From now on a sink takes a word in `cycles`, one packet after the other, and returns a packet's credits with its
  /// last word.
  void set_sink_pace(int cycles) { sink_pace_ = cycles; }
  /// Sources start no further packets.
  void Stop() { source_ = nullptr; }

  /// Sends one packet, whatever the sources do.
  void Send(int port, Cycle a0, const Request& request);
  /// Runs up to cycle `end`, exclusive.
  void RunTo(Cycle end);
  /// Runs until nothing will happen by itself; returns the cycle.
  Cycle Drain();

  Switch& device() { return *switch_; }
  Cycle cycle() const { return cycle_; }
  /// Words that left by the port since the last `ResetCounts`, and packets.
  std::uint64_t words(int port) const { return words_[port]; }
  std::uint64_t packets() const { return packets_; }
  std::uint64_t drops() const { return drops_; }
  void ResetCounts();
  /// Whether all credits of sources and outputs are home, buffers empty, and records released.
  bool AllHome() const;

 private:
  struct Partner {
    CreditSender credits;
    std::array<std::uint16_t, kMaxLanes> sunk{};
    Cycle next_start = 0;
    Cycle sink_free = 0;  ///< when a slow sink has taken all that came
    Request request{};
    bool has_request = false;
  };
  /// What a slow sink returns, and when.
  struct Sunk {
    Cycle wire;
    int port;
    int vl;
    std::uint16_t cells;
    bool operator<(const Sunk& other) const { return wire > other.wire; }  // the earliest first
  };
  void StartPackets();
  void Collect();
  void ReturnSunk();

  const Profile profile_;
  std::unique_ptr<Switch> switch_;
  CreditTable table_;
  HeaderBits header_;  ///< what the headers of all packets have in common
  std::vector<Partner> partners_;
  DueCycles due_;
  WakeWheel starts_{due_, kAllCalendars};
  DelayLine<CreditReturn> credits_;
  int sink_pace_ = 0;  ///< cycles a word; 0: sinks are never full
  std::priority_queue<Sunk> sunk_;
  std::vector<std::uint64_t> words_;
  std::uint64_t packets_ = 0;
  std::uint64_t drops_ = 0;
  Source source_;
  OnDeparture on_departure_;
  PortMask blocked_ = 0;  ///< sources that wait for credits
  Cycle cycle_ = 0;
};

}  // namespace tilefly::golden
