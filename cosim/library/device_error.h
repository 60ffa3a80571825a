// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tilefly::cosim {

/// A device broke: an assertion of the RTL failed, a register read stayed unanswered, or a call of a library failed.
/// The message names tile and cycle where they are known. It counts as a failed check, exit code 1.
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tilefly::cosim
