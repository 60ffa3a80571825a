// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "support/errors.h"

namespace tilefly::topology::testing {

/// The message of the UsageError that `action` throws; empty when it throws none.
template <typename Action>
std::string Refusal(Action action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace tilefly::topology::testing
