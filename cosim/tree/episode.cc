// SPDX-License-Identifier: Apache-2.0
#include "cosim/tree/episode.h"

#include "golden/reduction/arithmetic.h"

namespace tilefly::cosim {
namespace {

constexpr int kMishaps = 12;  ///< that are drawn, kNone included

TreeOperation DrawOperation(int most_bytes, int segments, bool is_short, const Tree& tree, Stream* random) {
  TreeOperation operation;
  do {
    operation.op = kRedOpValues[random->Below(kRedOpValues.size())];
    operation.type = kRedTypeValues[random->Below(kRedTypeValues.size())];
  } while (!golden::IsLegal(operation.op, operation.type));
  const int unit = golden::UnitBytes(operation.op, operation.type);
  const auto units = static_cast<std::uint64_t>(most_bytes / unit);
  for (int i = 0; i < segments; ++i) {
    const std::uint64_t kind = random->Below(4);
    const std::uint64_t number = kind == 0 ? units : kind == 1 ? random->Below(8) : random->Below(units + 1);
    operation.bytes.push_back(static_cast<int>(number) * unit);
  }
  if (is_short) {
    operation.rnd = kRedRndValues[random->Below(kRedRndValues.size())];
    operation.ftz = random->Below(4) == 0;
  }
  constexpr double kWants[] = {0, 0.5, 1, 1};
  constexpr double kEmpty[] = {0, 0, 0.5, 1};
  operation.wants = random->Some(tree.children, kWants[random->Below(4)]);
  operation.empty = random->Some(tree.children, kEmpty[random->Below(4)]);
  return operation;
}

/// Of an operation; one in four may be longer than what is under way of it at a time.
int DrawSegments(const Profile& profile, Stream* random) {
  const std::uint64_t most = random->Below(4) == 0 ? 3 * static_cast<std::uint64_t>(profile.red_segments) : 6;
  return static_cast<int>(1 + random->Below(most));
}

/// Mishaps that an episode of this kind can have and come to an end. One that is silent is found by the others' time.
bool CanHappen(Mishap mishap, std::uint64_t cut_through, const Tree& tree, const Episode& episode) {
  const bool has_others = (tree.children & (tree.children - 1)) != 0;
  switch (mishap) {
    case Mishap::kNone:
      return false;
    case Mishap::kSilent:
      return has_others && tree.timeout != 0 && !tree.small;
    case Mishap::kDiffers:
      return has_others && !tree.small;
    case Mishap::kSkips:
    case Mishap::kGreedy:
    case Mishap::kIllegal:
    case Mishap::kOldTag:
      return episode.streams;
    case Mishap::kDamaged:
      return (cut_through >> episode.culprit & 1) != 0;  // else it is dropped as any damaged packet
    default:
      return true;
  }
}

}  // namespace

Episode DrawEpisode(const Profile& profile, const Tree& tree, double mishaps, std::uint64_t cut_through,
                    Stream* random) {
  Episode episode;
  episode.streams = !tree.small && random->Below(3) != 0;
  episode.eager = random->Below(2) != 0;
  episode.lazy = random->Below(2) != 0;
  int parts = 0;
  for (std::uint64_t left = 1 + random->Below(episode.streams ? 3 : 12); left > 0; --left) {
    const int segments = episode.streams ? DrawSegments(profile, random) : 1;
    const int most = episode.streams ? profile.red_bytes : profile.red_short_bytes;
    episode.operations.push_back(DrawOperation(most, segments, !episode.streams, tree, random));
    parts += segments;
  }
  if (episode.streams && random->Below(2) != 0) episode.count = static_cast<int>(episode.operations.size());
  if (Unit(random->Next()) < mishaps) {
    episode.culprit = random->Pick(tree.children);
    do {
      episode.mishap = static_cast<Mishap>(random->Below(kMishaps));
    } while (!CanHappen(episode.mishap, cut_through, tree, episode));
    episode.at = static_cast<int>(random->Below(static_cast<std::uint64_t>(parts)));
  }
  return episode;
}

}  // namespace tilefly::cosim
