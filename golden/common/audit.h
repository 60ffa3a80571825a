// SPDX-License-Identifier: Apache-2.0
// Invariants of the block pages (docs/testing.md, Invariants), judged on golden's state. The user of a
// golden model calls its `Check` in every cycle, or less often. A model whose `Check` is not called pays nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::golden {

class Audit {
 public:
  struct Broken {
    const char* id;      ///< of the page, "EGR-1"
    int port;
    std::int64_t value;  ///< what was found
  };

  /// Judges the invariant `id` of `port`, which is kept when `holds`. `value` is what was found, for the message.
  void Require(const char* id, bool holds, int port, std::int64_t value = 0) {
    ++judged_;
    if (!holds) broken_.push_back({id, port, value});
  }
  /// Number of judgements so far.
  std::int64_t judged() const { return judged_; }
  const std::vector<Broken>& broken() const { return broken_; }
  /// The first broken invariant in words; empty when none is broken.
  std::string Message() const {
    if (broken_.empty()) return {};
    const Broken& first = broken_.front();
    return "golden: invariant " + std::string(first.id) + " is broken at port " + std::to_string(first.port) + ": found " +
           std::to_string(first.value);
  }

 private:
  std::int64_t judged_ = 0;
  std::vector<Broken> broken_;
};

}  // namespace tilefly::golden
