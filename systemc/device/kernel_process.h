// SPDX-License-Identifier: Apache-2.0
// A switch of transaction models in a process of its own. SystemC has one kernel in a process, and the kernel cannot be
// built a second time.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "generated/profile.h"
#include "golden/scheduler/schedulers.h"
#include "systemc/device/kernel_records.h"

namespace tilefly::systemc {

class KernelProcess {
 public:
  /// Starts the process. Throws std::runtime_error when this fails.
  KernelProcess(const Profile& profile, const golden::SchedulerChoice& scheduler);
  /// Ends the process.
  ~KernelProcess();
  KernelProcess(const KernelProcess&) = delete;
  KernelProcess& operator=(const KernelProcess&) = delete;

  /// Gives the kernel the inputs of cycles that have not been run, and runs it to the end of cycle `through`. Appends
  /// records of what comes of this to `outputs`, in the order in which it becomes known. Returns the cycle in which the
  /// kernel next has something to do, kNever: none. Throws std::runtime_error with the kernel's message when a model
  /// broke.
  Cycle Run(const std::vector<KernelInput>& inputs, Cycle through, std::vector<KernelOutput>* outputs);
  /// Counters of all ports, port by port, `counters_a_port()` each, as at the end of the latest run.
  std::vector<std::uint64_t> Counters();
  static int counters_a_port();
  /// Whether nothing is inside and all credits are home.
  bool Drained();

 private:
  void Send(const void* data, std::size_t bytes);
  void Receive(void* data, std::size_t bytes);
  [[noreturn]] void Fail(const std::string& what);

  int socket_ = -1;
  pid_t child_ = -1;
};

}  // namespace tilefly::systemc
