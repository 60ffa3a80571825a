// SPDX-License-Identifier: Apache-2.0
// Hosts behind the ports of a switch that keep a streamed tree's protocol (docs/blocks/reduction.md, Credits): they
// lock, send segments as their credit allows, and see what comes back.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "testbenches/reduction/red_rig.h"

namespace tilefly::golden {

class StreamHosts {
 public:
  /// Operands of a port's segment.
  using Operands = std::function<std::vector<std::uint8_t>(int port, int segment)>;

  StreamHosts(RedRig& rig, int group, PortMask ports, int segments, Red what, Operands operands)
      : rig_(rig), group_(group), ports_(ports), segments_(segments), what_(what), operands_(std::move(operands)) {}

  /// The lock of all, for `count` operations; the tag, or -1 when it was refused.
  int Lock(int number, int count);
  /// Goes on for a cycle. Segments that are last of an operation of `length` segments end it.
  void Step();
  /// Until all have all results.
  bool Run(Cycle most);

  int sent(int port) const { return hosts_.at(port).sent; }
  int results(int port) const { return hosts_.at(port).results; }
  void set_tag(int tag) { what_.tag = static_cast<std::uint8_t>(tag); }
  void set_operation(int segments) { operation_ = segments; }

 private:
  struct Host {
    int sent = 0;
    int results = 0;
    std::uint32_t credit = 0;
  };
  bool Ends(int segment) const { return (segment + 1) % operation_ == 0 || segment + 1 == segments_; }

  RedRig& rig_;
  int group_;
  PortMask ports_;
  int segments_;
  int operation_ = 1 << 30;
  Red what_;
  Operands operands_;
  std::map<int, Host> hosts_;
  std::size_t seen_ = 0;
  std::multimap<Cycle, RedRig::Got> heard_;  ///< by the cycle from which on it counts
};

}  // namespace tilefly::golden
