// SPDX-License-Identifier: Apache-2.0
#include "network/mpi/mpi_processes.h"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <boost/mpi/nonblocking.hpp>
#include <boost/mpi/status.hpp>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "support/cores.h"

namespace tilefly::network {
namespace {

constexpr int kTag = 0;
/// MPI counts with an int. A part that is not full is the last one.
constexpr std::size_t kPart = std::size_t{1} << 30;
/// Variables that launchers set: Open MPI's, MPICH's and its relatives', those that speak PMIx.
constexpr std::array kSigns = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};

/// Returns when `done()` holds. Open MPI itself waits by asking again and again, which takes the core from the process
/// that is waited for where there are more processes than cores.
template <typename Done>
void WaitFor(Done&& done) {
  constexpr std::chrono::microseconds kAsk{20};  // what a round trip between two processes may take
  constexpr std::chrono::microseconds kLongestSleep{200};
  const auto until = std::chrono::steady_clock::now() + kAsk;
  while (std::chrono::steady_clock::now() < until) {
    if (done()) return;
  }
  for (std::chrono::microseconds sleep{10}; !done(); sleep = std::min(2 * sleep, kLongestSleep))
    std::this_thread::sleep_for(sleep);
}

}  // namespace

MpiProcesses::MpiProcesses() : cores_(ShareCores()) {}

/// The cores of this machine that its processes may use, or those of this process, are shared out evenly. Collective.
int MpiProcesses::ShareCores() {
  cpu_set_t own, all;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof own, &own);
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int processes = 1;
  MPI_Comm_size(here, &processes);
  MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, here);
  MPI_Comm_free(&here);
  return std::max(1, std::min(UsableCores(), CPU_COUNT(&all) / processes));
}

bool MpiProcesses::Launched() {
  return std::any_of(kSigns.begin(), kSigns.end(), [](const char* name) { return std::getenv(name) != nullptr; });
}

bool MpiProcesses::LaunchedWithOthers() {
  const auto says_one = [](const char* name) {
    const char* const size = std::getenv(name);
    return size != nullptr && std::string_view(size) == "1";
  };
  return Launched() && !says_one("OMPI_COMM_WORLD_SIZE") && !says_one("PMI_SIZE");
}

void MpiProcesses::Exchange(const std::vector<SavedBytes>& to, std::vector<SavedBytes>* from) {
  std::vector<boost::mpi::request> sends;
  for (int r = 0; r < size(); ++r) {
    if (r == index()) continue;
    for (std::size_t at = 0, part = kPart; part == kPart; at += part) {
      part = std::min(kPart, to[r].size() - at);
      sends.push_back(world_.isend(r, kTag, to[r].data() + at, static_cast<int>(part)));
    }
  }
  from->resize(static_cast<std::size_t>(size()));
  for (int r = 0; r < size(); ++r) {
    SavedBytes& bytes = (*from)[r];
    bytes.clear();
    if (r == index()) continue;
    for (std::size_t part = kPart; part == kPart;) {
      boost::optional<boost::mpi::status> there;
      WaitFor([&] { return (there = world_.iprobe(r, kTag)).has_value(); });
      part = static_cast<std::size_t>(*there->count<char>());
      bytes.resize(bytes.size() + part);
      world_.recv(r, kTag, bytes.data() + bytes.size() - part, static_cast<int>(part));
    }
  }
  WaitFor([&] { return boost::mpi::test_all(sends.begin(), sends.end()); });
}

void MpiProcesses::Abort(int code) {
  world_.abort(code);
  std::_Exit(code);
}

}  // namespace tilefly::network
