// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tilefly::cosim {

/// A check of the devices' behaviour failed. The message names cycle, port and packet. The program's exit code is 1.
class CheckFailure : public std::runtime_error {
 public:
  /// `port` -1 and `packet` 0: the failure is about no port or packet in particular.
  CheckFailure(std::int64_t cycle, int port, std::uint64_t packet, const std::string& what)
      : std::runtime_error(what), cycle_(cycle), port_(port), packet_(packet) {}
  std::int64_t cycle() const { return cycle_; }
  int port() const { return port_; }
  std::uint64_t packet() const { return packet_; }

 private:
  std::int64_t cycle_;
  int port_;
  std::uint64_t packet_;
};

}  // namespace tilefly::cosim
