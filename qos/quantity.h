// SPDX-License-Identifier: Apache-2.0
// Values with units. Each Parse throws a UsageError that begins with `what` (file, line, key).
#pragma once

#include <cstdint>
#include <string>

#include "qos/traffic_class.h"

namespace tilefly::qos {

/// "200Gbps", "400Mbps": Mb/s.
std::int64_t ParseRate(const std::string& text, const std::string& what);
/// "192B", "4KiB": bytes.
std::int64_t ParseBytes(const std::string& text, const std::string& what);
/// "9.4%", "0.094" or a rate of the link: parts of kWhole, more than 0 and at most kWhole.
std::int64_t ParseShare(const std::string& text, const Units& units, const std::string& what);
/// "3 credits", or bytes of a frame, which take ceil((bytes + header) / credit): credits, 1 to kMaxWeight.
int ParseCredits(const std::string& text, const Units& units, const std::string& what);
/// "on", "off", "true", "false".
bool ParseSwitch(const std::string& text, const std::string& what);

/// Parts of kWhole as "9.4%", all digits that count.
std::string ShareText(std::int64_t share);

}  // namespace tilefly::qos
