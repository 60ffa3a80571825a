// SPDX-License-Identifier: Apache-2.0
// What every journey through one switch keeps.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "golden/common/types.h"

namespace tilefly::cosim {

inline const nlohmann::ordered_json* StageOf(const nlohmann::ordered_json& journey, const std::string& at, const std::string& name) {
  for (const nlohmann::ordered_json& stage : journey["stages"]) {
    if (stage["at"] == at && stage["stage"] == name) return &stage;
  }
  return nullptr;
}

/// Stages follow one another, and each cycle of a wait has a reason. Between the first words before and behind the switch they
/// add up to the latency, on a link with retry up to the first attempt.
inline void ExpectAddsUp(const nlohmann::ordered_json& journey) {
  Cycle latency = 0, quiet = 0, at = journey["created"];
  std::map<std::string, Cycle> waits, sender_waits;
  bool counts = false, sends = true;
  for (const nlohmann::ordered_json& stage : journey["stages"]) {
    SCOPED_TRACE(journey["packet"].dump() + stage.dump());
    ASSERT_GE(stage["cycles"], 0);
    at += stage["cycles"].get<Cycle>();
    ASSERT_EQ(stage["cycle"], at);
    const Cycle wait = stage["wait_cycles"];
    ASSERT_GE(wait, 0);
    ASSERT_EQ(stage["quiet_cycles"].get<Cycle>() + wait, stage["cycles"]);
    Cycle named = 0;
    for (const auto& [reason, of_it] : stage["waits"].items()) {
      named += of_it.get<Cycle>();
      if (counts) waits[reason] += of_it.get<Cycle>();
      if (sends) sender_waits[reason] += of_it.get<Cycle>();
    }
    ASSERT_EQ(named, wait);
    if (counts) {
      latency += stage["cycles"].get<Cycle>();
      quiet += stage["quiet_cycles"].get<Cycle>();
    }
    if (sends && stage["stage"] == "first word") {
      counts = true;
      sends = false;
    } else if (stage["at"] != "switch" && counts) {
      counts = false;  // "first word", or "first attempt" before it
    }
  }
  const auto as_map = [](const nlohmann::ordered_json& json) {
    std::map<std::string, Cycle> map;
    for (const auto& [reason, cycles] : json.items()) map[reason] = cycles;
    return map;
  };
  EXPECT_EQ(quiet, journey["quiet_cycles"]);
  EXPECT_EQ(as_map(journey["waits"]), waits);
  EXPECT_EQ(as_map(journey["sender_waits"]), sender_waits);
  if (journey["end"] == "delivered") {
    EXPECT_EQ(latency, journey["latency_cycles"]);
  } else {
    EXPECT_TRUE(journey["latency_cycles"].is_null());
  }
}

}  // namespace tilefly::cosim
