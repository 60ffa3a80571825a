// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "golden/common/types.h"

namespace tilefly::golden {

/// A request stored at an output: of a virtual output queue, or of row R.
struct StoredRequest {
  Index queue;  ///< kNone: of row R
  int cells;
  bool more;    ///< its queue held packets without a request when it was made
};

}  // namespace tilefly::golden
