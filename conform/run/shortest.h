// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "conform/run/one_test.h"

namespace tilefly::conform {

/// The shortest part of a failing test's stimulus that still breaks the same rule: with as few frames of each input as
/// possible, then with as few inputs, then with fewer frames again. `run` runs a test and returns its result. Each
/// input's frames are the same in every part, so a part is found by leaving out.
OneTest Shorten(const OneTest& failing, const std::string& rule, int ports,
                const std::function<nlohmann::ordered_json(const OneTest&)>& run, const std::atomic<bool>* stop);

}  // namespace tilefly::conform
