// SPDX-License-Identifier: Apache-2.0
// Errors inside what a program of one's own has added (docs/extending.md): they say whose they are.
#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/errors.h"

namespace tilefly {

/// An extension does what it may not, or an exception comes out of it: "scheduler lottery: what". Exit code 3.
class ExtensionError : public std::logic_error {
 public:
  ExtensionError(const std::string& kind, const std::string& name, const std::string& what)
      : std::logic_error(kind + " " + name + ": " + what) {}
};

/// Calls a function of an extension: what it throws becomes an ExtensionError of its kind and name, but for UsageError, which
/// speaks for itself. `kind`: as ExtensionNames::kind.
template <typename Call>
decltype(auto) InExtension(const std::string& kind, const std::string& name, Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const UsageError&) {
    throw;
  } catch (const ExtensionError&) {
    throw;
  } catch (const std::bad_function_call&) {
    throw ExtensionError(kind, name, "it has an empty function; give it one that can be called");
  } catch (const std::exception& error) {
    throw ExtensionError(kind, name, error.what());
  } catch (...) {
    throw ExtensionError(kind, name, "an exception that is no std::exception");
  }
}

}  // namespace tilefly
