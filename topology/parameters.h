// SPDX-License-Identifier: Apache-2.0
// The keys of a topology's description ("p=2,a=4,h=2").
#pragma once

#include <string>

#include "support/key_values.h"

namespace tilefly::topology {

class Parameters : public KeyValues {
 public:
  /// `text` is what follows "FAMILY:".
  Parameters(const std::string& family, const std::string& text) : KeyValues("topology " + family, text) {}

  /// "2.6m": metres.
  double Metres(const std::string& key, double initial);
};

/// "2.6m" of a cable: metres between 0 and 10 km; `what` begins the message.
double ParseMetres(const std::string& text, const std::string& what);
/// The shortest text that ParseMetres reads as the same number.
std::string MetresText(double metres);

}  // namespace tilefly::topology
