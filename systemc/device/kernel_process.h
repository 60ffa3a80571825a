// SPDX-License-Identifier: Apache-2.0
// A switch of transaction models in a process of its own: SystemC has one kernel a process, and it cannot be built twice.
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
  /// Starts the process. Throws std::runtime_error when it cannot.
  KernelProcess(const Profile& profile, const golden::SchedulerChoice& scheduler);
  /// Ends it.
  ~KernelProcess();
  KernelProcess(const KernelProcess&) = delete;
  KernelProcess& operator=(const KernelProcess&) = delete;

  /// Gives inputs of cycles that have not been run, and runs the kernel to the end of cycle `through`. Records of what came
  /// of it are in `outputs`, in the order in which they became known. Returns the cycle in which the kernel has something to
  /// do next, kNever: none. Throws std::runtime_error with the kernel's message when a model broke.
  Cycle Run(const std::vector<KernelInput>& inputs, Cycle through, std::vector<KernelOutput>* outputs);
  /// Counters of all ports, port by port, as at the end of the latest run: `counters_a_port()` each.
  std::vector<std::uint64_t> Counters();
  static int counters_a_port();
  /// Nothing is inside, and all credits are home.
  bool Drained();

 private:
  void Send(const void* data, std::size_t bytes);
  void Receive(void* data, std::size_t bytes);
  [[noreturn]] void Fail(const std::string& what);

  int socket_ = -1;
  pid_t child_ = -1;
};

}  // namespace tilefly::systemc
