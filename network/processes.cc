// SPDX-License-Identifier: Apache-2.0
#include "network/processes.h"

#include <algorithm>
#include <cstdlib>

namespace tilefly::network {

std::vector<SavedBytes> Processes::Gather(const SavedBytes& own) {
  std::vector<SavedBytes> to(static_cast<std::size_t>(size()));
  if (!first()) to[0] = own;
  std::vector<SavedBytes> from;
  Exchange(to, &from);
  return from;
}

int Processes::Largest(int own) {
  SavedBytes bytes;
  Saver save(&bytes);
  save(own);
  std::vector<SavedBytes> from;
  Exchange(std::vector<SavedBytes>(static_cast<std::size_t>(size()), bytes), &from);
  for (const SavedBytes& one : from) {
    if (!one.empty()) own = std::max(own, Loader(one).Get<int>());
  }
  return own;
}

SavedBytes Processes::FromFirst(const SavedBytes& own) {
  std::vector<SavedBytes> to(static_cast<std::size_t>(size()));
  if (first()) to.assign(to.size(), own);
  std::vector<SavedBytes> from;
  Exchange(to, &from);
  return first() ? own : from[0];
}

void Alone::Abort(int code) { std::_Exit(code); }

}  // namespace tilefly::network
