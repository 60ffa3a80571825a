// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "qos/traffic_class.h"

namespace tilefly::qos {

/// What `tilefly qos plan` reads. Every class has a share or takes the rest.
struct WishList {
  std::string file;
  Units units;
  int entries = 64;
  std::vector<TrafficClass> classes;
  std::optional<int> shared_buffer;  ///< as in Table
};

/// Throws UsageError with file, line and key.
WishList LoadWishes(const std::filesystem::path& file);

/// Replaces `rest` by shares, and latency ranks by distances: the first rank gets the smallest power of two with which
/// all entries fit, each later rank twice the distance of the one before. Classes that state neither have the whole
/// table. Throws UsageError with the figures when it cannot be.
void Resolve(WishList* wishes);

}  // namespace tilefly::qos
