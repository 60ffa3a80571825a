// SPDX-License-Identifier: Apache-2.0
#include "network/ranks.h"

#include <algorithm>
#include <cstdlib>

namespace tilefly::golden {

std::vector<Bytes> Ranks::Gather(const Bytes& own) {
  std::vector<Bytes> to(static_cast<std::size_t>(size()));
  if (!first()) to[0] = own;
  std::vector<Bytes> from;
  Exchange(to, &from);
  return from;
}

int Ranks::Largest(int own) {
  Bytes bytes;
  Saver save(&bytes);
  save(own);
  std::vector<Bytes> from;
  Exchange(std::vector<Bytes>(static_cast<std::size_t>(size()), bytes), &from);
  for (const Bytes& one : from) {
    if (!one.empty()) own = std::max(own, Loader(one).Get<int>());
  }
  return own;
}

Bytes Ranks::FromFirst(const Bytes& own) {
  std::vector<Bytes> to(static_cast<std::size_t>(size()));
  if (first()) to.assign(to.size(), own);
  std::vector<Bytes> from;
  Exchange(to, &from);
  return first() ? own : from[0];
}

void Alone::Abort(int code) { std::_Exit(code); }

}  // namespace tilefly::golden
