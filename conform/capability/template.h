// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace tilefly::conform {

/// A commented capability file: all keys of the style of ports with what they mean; `known` has values by path ("ports.tdata"),
/// as they stand in YAML. What is required and not known stands there as a key without value, which the reader refuses.
std::string CapabilityTemplate(const std::map<std::string, std::string>& known);

}  // namespace tilefly::conform
