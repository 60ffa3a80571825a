// SPDX-License-Identifier: Apache-2.0
#include "systemc/system/system_options.h"

#include <fmt/format.h>

#include "golden/common/types.h"
#include "support/errors.h"
#include "systemc/link/retry_link.h"
#include "systemc/nic/nic_options.h"

namespace tilefly::systemc {
namespace {

[[noreturn]] void Refuse(const std::string& system, const std::string& option, const std::string& value,
                         const std::string& why) {
  throw UsageError(system + ": " + option + " " + value + ": " + why + " (SystemOptions::" + option +
                   ", parameter " + system + "." + option + " of CCI)");
}

}  // namespace

void CheckOptions(const std::string& system, const SystemOptions& options) {
  if (options.tc < 0 || options.tc >= golden::kMaxClasses) {
    Refuse(system, "tc", std::to_string(options.tc),
           "messages are of a traffic class from 0 to " + std::to_string(golden::kMaxClasses - 1));
  }
  if (!IsLanesOfNic(options.nic_lanes)) {
    Refuse(system, "nic_lanes", std::to_string(options.nic_lanes),
           "a NIC's link has 2 lanes (100 Gb/s) or 4 (200 Gb/s)");
  }
  if (options.word_ber != 0 && !IsErrorRate(options.word_ber)) {
    Refuse(system, "word_ber", fmt::format("{}", options.word_ber), "a bit error rate is 0, or 1e-15 to 1e-3");
  }
  if (options.word_ber != 0 && options.loosely_timed) {
    Refuse(system, "word_ber", fmt::format("{}", options.word_ber),
           "loosely timed links send nothing again: leave it 0, or loosely_timed off");
  }
  if (!options.downs.empty() && options.loosely_timed) {
    throw UsageError(system + ": downs: loosely timed links do not go down: leave downs empty, or loosely_timed off "
                     "(SystemOptions::downs)");
  }
  if (!HasRetry(options) && (!(options.retry == PortRetry()) || options.retrain != faults::kRetrain)) {
    throw UsageError(system + ": retry, retrain: no link has retry: give word_ber or downs, or leave them as they are "
                     "(SystemOptions::retry, retrain)");
  }
  const network::RoutingOptions& routing = options.routing;
  if (routing.app_aware) {
    Refuse(system, "routing", routing.name,
           "the NICs of a System send all messages in one mode: take adaptive_0 or adaptive_3, between which it "
           "chooses");
  }
  for (std::size_t mode = 0; mode < routing.biases.size(); ++mode) {
    const int bias = routing.biases[mode];
    if (bias >= 0 && bias <= network::RoutingOptions::kMostBias) continue;
    throw UsageError(system + ": bias " + std::to_string(bias) + " of adaptive_" + std::to_string(mode) +
                     ": a bias is 0 to " + std::to_string(network::RoutingOptions::kMostBias) +
                     " (RoutingOptions::biases of SystemOptions::routing)");
  }
}

}  // namespace tilefly::systemc
