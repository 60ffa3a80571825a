// SPDX-License-Identifier: Apache-2.0
// Peers of the trees of one switch: children and parents that keep the protocol (docs/blocks/reduction.md, Credits;
// reduction-trees.md), but for their mishaps. What a peer does follows from what it got and from the seed; both sides
// of the contract have their own.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "golden/common/header_bits.h"
#include "support/random.h"
#include "systemc/reduction/result_frame.h"
#include "testbenches/systemc/red_plan.h"

namespace tilefly::systemc {

/// A packet that a peer sends from cycle `at` on.
struct RedSend {
  Cycle at;
  golden::HeaderBits header;
  FramePointer frame;
  bool bad;
};

/// A packet that a peer got.
struct RedArrival {
  int port;
  Cycle first;  ///< cycle of its first word
  Cycle since;  ///< of a result: when the peer's own part was ready; else -1
  golden::HeaderBits header;
  FramePointer frame;
};

/// One end of a tree's link.
class RedPeer {
 public:
  /// `late`: cycles by which CREDITs come too late, a planted fault.
  RedPeer(const Profile& profile, const RedTreePlan& plan, int port, std::uint64_t seed, Cycle late)
      : profile_(profile),
        plan_(plan),
        port_(port),
        seed_(seed),
        late_(late),
        random_(seed, static_cast<std::uint32_t>(plan.group << 8 | port), 1, Purpose::kReduction) {}
  virtual ~RedPeer() = default;
  RedPeer(const RedPeer&) = delete;
  RedPeer& operator=(const RedPeer&) = delete;

  /// Event of `cycle`: a packet's last word. Returns `since` of RedArrival.
  virtual Cycle Receive(Cycle cycle, const Red& red, const fabric::Frame& frame) = 0;
  /// All steps are over.
  virtual bool done() const { return true; }

  std::deque<RedSend>& outbox() { return outbox_; }
  int group() const { return plan_.group; }
  int port() const { return port_; }

 protected:
  using Bytes = std::vector<std::uint8_t>;

  Red Header(RedWhat what, int seq) const;
  /// Behind what is there, within the peer's pace. Returns its time.
  Cycle Post(Cycle now, const Red& red, const Bytes& data = {}, bool bad = false);

  const Profile& profile_;
  const RedTreePlan& plan_;
  const int port_;
  const std::uint64_t seed_;
  const Cycle late_;
  Stream random_;
  std::deque<RedSend> outbox_;
  Cycle last_ = 0;
  int tag_ = 0;     ///< of the lock
  int credit_ = 0;  ///< of the last CREDIT, unwrapped
};

class RedPeers {
 public:
  /// `late`: see RedPeer.
  RedPeers(const Profile& profile, const std::vector<RedTreePlan>& trees, std::uint64_t seed, Cycle late = 0);

  /// Whether a peer of a tree is behind the port.
  bool IsInTree(int port) const { return !peers_[static_cast<std::size_t>(port)].empty(); }
  /// What `port` sends next: to be sent from its `at` on; null: nothing.
  const RedSend* Next(int port) const;
  /// It is sent.
  RedSend Take(int port);
  /// Event of `last`, the cycle of a packet's last word; `first`: of its first.
  void Receive(int port, Cycle first, Cycle last, const golden::HeaderBits& header, const FramePointer& frame);
  /// All children have come to the end of their steps.
  bool done() const;

  std::vector<RedArrival> arrivals;

 private:
  RedPeer* FirstAt(int port) const;

  std::vector<std::vector<std::unique_ptr<RedPeer>>> peers_;  ///< by port
};

}  // namespace tilefly::systemc
