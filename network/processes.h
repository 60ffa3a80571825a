// SPDX-License-Identifier: Apache-2.0
// Processes that run one system together (docs/network.md, Several processes).
#pragma once

#include <vector>

#include "golden/common/archive.h"
#include "support/cores.h"

namespace tilefly::network {

/// What processes say to one another. All of them call the same functions in the same order.
class Processes {
 public:
  virtual ~Processes() = default;
  virtual int size() const = 0;
  /// The number of this one.
  virtual int index() const = 0;
  bool first() const { return index() == 0; }
  /// Cores that this one may use for itself: the other processes of its machine have their part.
  virtual int cores() const = 0;
  /// Sends `to[r]` to every other process r. `(*from)[r]` is what that one has sent.
  virtual void Exchange(const std::vector<SavedBytes>& to, std::vector<SavedBytes>* from) = 0;
  /// Ends all of them, also those that wait, with this exit code.
  [[noreturn]] virtual void Abort(int code) = 0;

  /// On the first: what each of the others has given; elsewhere nothing.
  std::vector<SavedBytes> Gather(const SavedBytes& own);
  /// The largest of what all have given.
  int Largest(int own);
  /// What the first has given.
  SavedBytes FromFirst(const SavedBytes& own);
};

/// The only process.
class Alone : public Processes {
 public:
  int size() const override { return 1; }
  int index() const override { return 0; }
  int cores() const override { return UsableCores(); }
  void Exchange(const std::vector<SavedBytes>&, std::vector<SavedBytes>* from) override { from->assign(1, {}); }
  [[noreturn]] void Abort(int code) override;
};

}  // namespace tilefly::network
