// SPDX-License-Identifier: Apache-2.0
// A traffic pattern: each packet goes to a random endpoint whose number is at most DISTANCE away.
#include "apps/program.h"
#include "extensions.h"
#include "support/errors.h"
#include "support/random.h"
#include "support/text.h"

using namespace tilefly;

namespace {

DestinationFunction MakeNearby(const PatternRequest& request) {
  if (request.arguments.size() != 1) throw UsageError("--traffic nearby: give the distance, nearby:3");
  const int count = request.count;
  const std::int64_t distance = ParseInteger(request.arguments[0], "--traffic nearby, distance");
  if (distance < 1 || 2 * distance >= count)
    throw UsageError("--traffic nearby: the distance is to be 1 or more, and less than half of those that send");
  return [count, distance, seed = request.seed](int source, std::uint64_t number) {
    // A draw for this packet and nothing else: who is asked first does not matter.
    const std::uint64_t bits = Draw(seed, static_cast<std::uint32_t>(source), number, Purpose::kDestination);
    const auto step = static_cast<int>(Below(bits, static_cast<std::uint64_t>(2 * distance)) - distance);
    return (source + (step < 0 ? step : step + 1) + count) % count;
  };
}

}  // namespace

void AddNearby() { Patterns().Add("nearby", "to a random one at most so many numbers away, nearby:3", MakeNearby); }
