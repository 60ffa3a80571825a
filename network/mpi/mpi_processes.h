// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include "network/processes.h"

namespace tilefly::network {

/// The processes that a launcher (mpirun, srun) has started together. The constructor starts MPI, so make it once in a
/// process.
class MpiProcesses : public Processes {
 public:
  /// Whether a launcher has started this process. Reads the environment, and does not call MPI.
  static bool Launched();
  /// Whether the launcher has started other processes, too, or may have: not every launcher says how many there are.
  static bool LaunchedWithOthers();

  MpiProcesses();

  int size() const override { return world_.size(); }
  int index() const override { return world_.rank(); }
  int cores() const override { return cores_; }
  void Exchange(const std::vector<SavedBytes>& to, std::vector<SavedBytes>* from) override;
  [[noreturn]] void Abort(int code) override;

 private:
  static int ShareCores();

  boost::mpi::environment environment_{boost::mpi::threading::funneled, false};
  boost::mpi::communicator world_;
  const int cores_;
};

}  // namespace tilefly::network
