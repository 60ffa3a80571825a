// SPDX-License-Identifier: Apache-2.0
// The options of a system as parameters of SystemC CCI (docs/systemc.md, Parameters): presets of a broker, and of
// tools, replace options of the program. This is a header only: a program that has CCI includes it and links CCI;
// nothing else of Tilefly depends on CCI.
#pragma once

#if !__has_include(<cci_configuration>)
#error "systemc/cci/system_parameters.h needs SystemC CCI, whose <cci_configuration> is not found: install it, or use SystemOptions"
#endif

#include <cstdint>
#include <memory>
#include <string>

#include <cci_configuration>

#include "support/errors.h"
#include "systemc/system/system.h"

namespace tilefly::systemc {

/// Parameters MODULE.routing, .tc, .nic_lanes, .window, .checked, .loosely_timed, .word_ber and .seed of the System that is to
/// have the name MODULE. They are immutable, because a system is wired when it is made: the value of a parameter is the
/// preset that the global broker had before, or else the value in `defaults`.
class SystemParameters {
 public:
  explicit SystemParameters(const std::string& module, const SystemOptions& defaults = {})
      : module_(module),
        defaults_(defaults),
        routing_(Make("routing", defaults.routing.name, "routing of packets, as tilefly net --routing")),
        tc_(Make("tc", defaults.tc, "traffic class of all messages")),
        nic_lanes_(Make("nic_lanes", defaults.nic_lanes, "lanes of a NIC's link: 2 (100 Gb/s) or 4")),
        window_(Make("window", defaults.window, "transactions that a NIC may have outstanding")),
        checked_(Make("checked", defaults.checked, "a protocol checker on every link")),
        loosely_timed_(Make("loosely_timed", defaults.loosely_timed, "packets go by b_transport")),
        word_ber_(Make("word_ber", defaults.word_ber, "bit error rate of words between switches; 0: none")),
        seed_(Make("seed", defaults.seed, "seed of routing, and of the errors")) {}

  /// The options that the parameters stand for. Throws UsageError for a routing that does not exist; System refuses
  /// other values that are wrong.
  SystemOptions Options() const {
    SystemOptions options = defaults_;
    if (routing_->get_value() != defaults_.routing.name) options.routing = Routing();
    options.tc = *tc_;
    options.nic_lanes = *nic_lanes_;
    options.window = *window_;
    options.checked = *checked_;
    options.loosely_timed = *loosely_timed_;
    options.word_ber = *word_ber_;
    options.seed = *seed_;
    return options;
  }

 private:
  template <typename T>
  using Parameter = std::unique_ptr<cci::cci_param<T, cci::CCI_IMMUTABLE_PARAM>>;

  /// A parameter has no module to belong to yet: it belongs to the System, which is made later.
  template <typename T>
  Parameter<T> Make(const char* name, const T& value, const char* text) const {
    const cci::cci_originator originator(module_);
    return std::make_unique<cci::cci_param<T, cci::CCI_IMMUTABLE_PARAM>>(
        module_ + "." + name, value, cci::cci_get_global_broker(originator), text, cci::CCI_ABSOLUTE_NAME, originator);
  }

  network::RoutingOptions Routing() const {
    try {
      return network::RoutingOptions::Named(routing_->get_value());
    } catch (const UsageError& error) {
      throw UsageError(module_ + ".routing: " + error.what());
    }
  }

  const std::string module_;
  const SystemOptions defaults_;
  const Parameter<std::string> routing_;
  const Parameter<int> tc_;
  const Parameter<int> nic_lanes_;
  const Parameter<int> window_;
  const Parameter<bool> checked_;
  const Parameter<bool> loosely_timed_;
  const Parameter<double> word_ber_;
  const Parameter<std::uint64_t> seed_;
};

}  // namespace tilefly::systemc
