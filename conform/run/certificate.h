// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conform/bench/suite.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

/// Who was tested, by what.
struct CertifiedDevice {
  std::string kit;     ///< version of this program
  std::string file;    ///< capability file, as it was given
  std::string digest;  ///< of the device
};

/// The certificate of results of tests (ToJson of bench/result.h): which tests there are, which of them apply and have
/// no result, claims and verdict follow from the capability file and from the results alone.
nlohmann::ordered_json MakeCertificate(const Capability& capability, const CertifiedDevice& device,
                                       const std::vector<nlohmann::ordered_json>& results);

/// Why a test does not apply; empty: it does.
std::string ExcuseOf(const Test& test, const Capability& capability);

}  // namespace tilefly::conform
