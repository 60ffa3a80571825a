// SPDX-License-Identifier: Apache-2.0
// What `tilefly qos` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "qos/check.h"
#include "qos/planner.h"

namespace tilefly::qos {

/// One line a class: entries, weights, assignable range, expected share; before it k, w and pool.
std::string PlanText(const Plan& plan);
/// One line a class: entries, weights, shares, distances, waits; then findings and the verdict.
std::string CheckText(const Table& table, const CheckResult& result);

nlohmann::json TableJson(const Table& table);
nlohmann::json PlanJson(const Plan& plan);
nlohmann::json CheckJson(const Table& table, const CheckResult& result);

}  // namespace tilefly::qos
