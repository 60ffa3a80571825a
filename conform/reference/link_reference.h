// SPDX-License-Identifier: Apache-2.0
// A test of a device with Tilefly's links that somebody else's program drives: golden runs in a child process, as
// `tilefly conform test`, and what the program shows is the device beside it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conform/bench/stream_bench.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

class LinkReference {
 public:
  using Bytes = std::vector<std::uint8_t>;
  /// A part of the observation record.
  enum class Part { kPort, kTurn, kRed, kCfu };

  /// Throws UsageError: a test that does not exist, or that does not apply; no program `tilefly`.
  LinkReference(Capability capability, const std::string& test, std::uint64_t seed);
  ~LinkReference();
  LinkReference(const LinkReference&) = delete;
  LinkReference& operator=(const LinkReference&) = delete;

  const Capability& capability() const { return capability_; }
  /// What comes next; the cycle under way is compared before. Throws UsageError when something of it was not shown, or
  /// the child cannot run the test.
  Turn Next();
  /// What the device shows in the cycle; packed bytes of docs/reference/wire.md. Throws UsageError when no cycle is
  /// under way, or it was shown already.
  void ShowLink(std::uint32_t port, const std::uint8_t* bytes);
  void ShowRecord(Part part, std::uint32_t index, const std::uint8_t* bytes);
  /// What goes into the device in the same cycle, when all was shown. Throws UsageError.
  const std::uint8_t* Link(std::uint32_t port);
  bool LinkUp(std::uint32_t port);
  const std::uint8_t* Cfg();
  /// The fields of a certificate's test.
  nlohmann::ordered_json Result() const;

 private:
  struct Shown {
    const char* what;
    std::size_t size = 0;  ///< bytes of an element
    Bytes bytes;
    std::vector<bool> known;
  };

  void Start(const std::string& program);
  void TakeCycle() const;
  void Put(Shown* shown, std::uint32_t index, const std::uint8_t* bytes);
  void RequireShown() const;
  /// Answers what the child asks until it has said what goes in, or nothing goes in any more.
  void Exchange();
  char NextRequest();
  void End();
  void RequirePort(std::uint32_t port) const;

  const Capability capability_;
  const std::string test_;
  const std::uint64_t seed_;
  Shown links_, ports_, turns_, reds_, cfu_;
  Bytes in_links_, in_up_, in_cfg_;
  pid_t child_ = -1;
  int channel_ = -1;
  int output_ = -1;       ///< what the child prints
  char request_ = 0;      ///< that came and is not answered; 0: none
  bool stepped_ = false;  ///< inputs of the cycle are known
  bool begun_ = false;
  bool reset_is_due_ = false;  ///< the child waits for a reset
  bool over_ = false;
  Turn turn_ = Turn::kReset;
  std::int64_t cycle_ = -1;
  nlohmann::ordered_json result_;
};

}  // namespace tilefly::conform
