// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cosim/golden_device.h"
#include "cosim/system/device_node.h"
#include "network/network_options.h"

namespace tilefly::cosim {

/// Golden switches as devices of words: every `step`-th, from `first` on.
inline network::NodeMaker Words(int first, int step) {
  return [=](int node, const Profile& profile, network::NodeContext* context) -> std::unique_ptr<network::Node> {
    if (node < first || (node - first) % step != 0) return nullptr;
    return std::make_unique<DeviceNode>(profile, node, context, 3, std::make_unique<GoldenDevice>(profile), nullptr);
  };
}

}  // namespace tilefly::cosim
