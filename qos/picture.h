// SPDX-License-Identifier: Apache-2.0
// The slots of a table by class.
#pragma once

#include <string>

#include "qos/table.h"

namespace tilefly::qos {

/// For a terminal: the table in lines of up to 64 slots, a row for each class, then entries, weights and shares.
/// `color`: with ANSI colours.
std::string TextPicture(const Table& table, bool color);

/// A drawing: a row for each class, a column for each slot, bars as high as the weights.
std::string SvgPicture(const Table& table);

}  // namespace tilefly::qos
