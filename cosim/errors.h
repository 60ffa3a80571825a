// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/common/check_failure.h"
#include "cosim/library/device_error.h"
#include "support/errors.h"  // UsageError
