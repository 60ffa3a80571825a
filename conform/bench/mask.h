// SPDX-License-Identifier: Apache-2.0
// What is left out of the judgement of a device, because its user says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conform/capability/capability.h"

namespace tilefly::conform {

/// Why no device of this description breaks the rule; empty: one may.
std::string MootBecause(const std::string& rule, const Capability& capability);

class Mask {
 public:
  struct Item {
    std::string rule;  ///< empty: all rules, of what comes out at the port
    int port = -1;     ///< of an output; -1: all
  };

  /// Throws UsageError for a rule that does not exist, or that the books stand on.
  void Add(const std::string& rule, int port);
  bool Covers(const char* rule, int port) const;
  /// Nothing of what comes out at `port` is judged.
  bool CoversPort(int port) const;
  bool CoversPorts() const;
  bool empty() const { return items_.empty(); }
  const std::vector<Item>& items() const { return items_; }
  /// "rule stable at output 2, output 3".
  std::string Text() const;

 private:
  std::vector<Item> items_;
};

}  // namespace tilefly::conform
