// SPDX-License-Identifier: Apache-2.0
// Options of a system as parameters of SystemC CCI.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "systemc/cci/system_parameters.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

cci::cci_broker_handle Broker() {
  static const cci::cci_originator originator("test");
  static const bool registered = [] {
    cci::cci_register_broker(new cci_utils::broker("global broker"));
    return true;
  }();
  (void)registered;
  return cci::cci_get_global_broker(originator);
}

TEST(SystemParameters, AreTheDefaultsWithoutPresets) {
  Broker();
  SystemOptions defaults;
  defaults.window = 9;
  defaults.checked = true;
  defaults.word_ber = 1e-6;
  defaults.routing = network::RoutingOptions::Named("adaptive_1");
  defaults.routing.biases[1] = 7;
  const SystemOptions options = SystemParameters("plain", defaults).Options();
  EXPECT_EQ(options.window, 9);
  EXPECT_TRUE(options.checked);
  EXPECT_FALSE(options.loosely_timed);
  EXPECT_EQ(options.word_ber, 1e-6);
  EXPECT_EQ(options.routing.name, "adaptive_1");
  EXPECT_EQ(options.routing.biases[1], 7);
}

TEST(SystemParameters, PresetsOfABrokerReplaceThem) {
  cci::cci_broker_handle broker = Broker();
  broker.set_preset_cci_value("preset.window", cci::cci_value(3));
  broker.set_preset_cci_value("preset.loosely_timed", cci::cci_value(true));
  broker.set_preset_cci_value("preset.routing", cci::cci_value(std::string("valiant")));
  broker.set_preset_cci_value("preset.seed", cci::cci_value(std::uint64_t{1} << 40));
  const SystemParameters parameters("preset");
  const SystemOptions options = parameters.Options();
  EXPECT_EQ(options.window, 3);
  EXPECT_TRUE(options.loosely_timed);
  EXPECT_EQ(options.routing.name, "valiant");
  EXPECT_EQ(options.seed, std::uint64_t{1} << 40);
  EXPECT_EQ(options.nic_lanes, 4);
  EXPECT_TRUE(broker.get_unconsumed_preset_values().empty());
  EXPECT_EQ(broker.get_param_handle("preset.window").get_mutable_type(), cci::CCI_IMMUTABLE_PARAM);
  const System system("preset", topology::Build("fattree:leaves=2,hosts=1,uplinks=1"), options);
  EXPECT_EQ(system.endpoints(), 2);
}

/// What a System refuses it names as the parameter, too.
TEST(SystemParameters, AValueThatCannotBeIsRefusedByTheParametersName) {
  const auto refusal = [](const std::string& module, const std::string& name, int value) -> std::string {
    Broker().set_preset_cci_value(module + "." + name, cci::cci_value(value));
    const SystemParameters parameters(module);
    try {
      const System system(module.c_str(), topology::Build("fattree:leaves=2,hosts=1,uplinks=1"), parameters.Options());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("classes", "tc", 8).find("parameter classes.tc of CCI"), std::string::npos);
  EXPECT_NE(refusal("lanes", "nic_lanes", 0).find("parameter lanes.nic_lanes of CCI"), std::string::npos);
  EXPECT_NE(refusal("windows", "window", 0).find("window 0"), std::string::npos);
}

TEST(SystemParameters, ARoutingThatThereIsNotIsRefusedByTheParametersName) {
  Broker().set_preset_cci_value("wrong.routing", cci::cci_value(std::string("shortest")));
  const SystemParameters parameters("wrong");
  try {
    parameters.Options();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("wrong.routing: ", 0), 0u) << error.what();
  }
}

}  // namespace
}  // namespace tilefly::systemc

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);  // the list of tests is read by a machine
  return sc_core::sc_elab_and_sim(argc, argv);
}
