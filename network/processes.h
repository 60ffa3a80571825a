// SPDX-License-Identifier: Apache-2.0
// Processes that run one system together (docs/network.md, Several processes).
#pragma once

#include <vector>

#include "golden/common/archive.h"
#include "support/cores.h"

namespace tilefly::network {

/// How the processes of a run talk to one another. All processes call the same functions in the same order.
class Processes {
 public:
  virtual ~Processes() = default;
  virtual int size() const = 0;
  /// The number of this process, from 0.
  virtual int index() const = 0;
  bool first() const { return index() == 0; }
  /// Cores that this process may use. The other processes of its machine have their part.
  virtual int cores() const = 0;
  /// Sends `to[r]` to every other process r. Afterwards `(*from)[r]` has what process r has sent.
  virtual void Exchange(const std::vector<SavedBytes>& to, std::vector<SavedBytes>* from) = 0;
  /// Ends all processes with this exit code, even those that wait.
  [[noreturn]] virtual void Abort(int code) = 0;

  /// On the first process: what each of the other processes gave as `own`. On the others: nothing.
  std::vector<SavedBytes> Gather(const SavedBytes& own);
  /// The largest `own` of all processes.
  int Largest(int own);
  /// What the first process gave as `own`.
  SavedBytes FromFirst(const SavedBytes& own);
};

/// A run with one process.
class Alone : public Processes {
 public:
  int size() const override { return 1; }
  int index() const override { return 0; }
  int cores() const override { return UsableCores(); }
  void Exchange(const std::vector<SavedBytes>&, std::vector<SavedBytes>* from) override { from->assign(1, {}); }
  [[noreturn]] void Abort(int code) override;
};

}  // namespace tilefly::network
