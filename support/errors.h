// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tilefly {

/// What the user asked for cannot be: file, key or option, reason and remedy are in the message. Exit code 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tilefly
