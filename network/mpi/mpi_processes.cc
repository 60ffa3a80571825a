// SPDX-License-Identifier: Apache-2.0
#include "network/mpi/mpi_processes.h"

#include <algorithm>
#include <array>
#include <boost/mpi/nonblocking.hpp>
#include <boost/mpi/status.hpp>
#include <cstdlib>
#include <string_view>

namespace tilefly::network {
namespace {

constexpr int kTag = 0;
/// MPI counts with an int. A part that is not full is the last one.
constexpr std::size_t kPart = std::size_t{1} << 30;
/// Variables that launchers set: Open MPI's, MPICH's and its relatives', those that speak PMIx.
constexpr std::array kSigns = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};

}  // namespace

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
      part = static_cast<std::size_t>(*world_.probe(r, kTag).count<char>());
      bytes.resize(bytes.size() + part);
      world_.recv(r, kTag, bytes.data() + bytes.size() - part, static_cast<int>(part));
    }
  }
  boost::mpi::wait_all(sends.begin(), sends.end());
}

void MpiProcesses::Abort(int code) {
  world_.abort(code);
  std::_Exit(code);
}

}  // namespace tilefly::network
