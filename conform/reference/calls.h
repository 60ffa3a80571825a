// SPDX-License-Identifier: Apache-2.0
// What the functions of tilefly_ref.h have in common: what they throw becomes a message, and a wrong call is the last
// one.
#pragma once

#include <fmt/format.h>
#include <tilefly_ref.h>

#include <exception>
#include <memory>
#include <string>

#include "conform/reference/link_reference.h"
#include "conform/reference/reference.h"
#include "support/errors.h"

struct tfr_reference {
  std::unique_ptr<tilefly::conform::Reference> test;      ///< of AXI-Stream ports; null: there is none
  std::unique_ptr<tilefly::conform::LinkReference> link;  ///< of Tilefly's links
  std::string message;
  std::string result;  ///< JSON; empty: not finished
  std::string seen;    ///< what tfr_observe said last
  bool wrong = false;  ///< a call was
};

namespace tilefly::conform {

/// What `act` returns; TFR_ERROR and the message when the call is wrong, or one was before.
template <typename Act>
int AskAny(tfr_reference* reference, Act act) {
  if (reference == nullptr || reference->wrong) return TFR_ERROR;
  if (reference->result.empty()) reference->message.clear();  // of a test that is finished it is the verdict's
  std::string message;
  try {
    return act();
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "unknown exception";
  }
  reference->message = message;
  reference->wrong = true;
  return TFR_ERROR;
}

/// Nothing changes a test that is finished.
inline void RequireOpen(const tfr_reference& reference) {
  if (!reference.result.empty()) throw UsageError("the test is finished: nothing is driven, shown or set any more");
}

/// The same of a device with AXI-Stream ports.
template <typename Act>
int Ask(tfr_reference* reference, Act act) {
  return AskAny(reference, [&]() -> int {
    if (!reference->test)
      throw UsageError("the call is of AXI-Stream ports, and the capability file says ports.style: link");
    return act(*reference->test);
  });
}
/// ... and of a call that changes something.
template <typename Act>
int Answer(tfr_reference* reference, Act act) {
  return Ask(reference, [&](auto& test) -> int {
    RequireOpen(*reference);
    return act(test);
  });
}
inline void Require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw UsageError(fmt::format("{} is NULL", what));
}

}  // namespace tilefly::conform
