// SPDX-License-Identifier: Apache-2.0
// What is no device, or none that fits, is refused by name and with the remedy; a device that fails, crashes or hangs ends the
// run with a message, and never this program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "cosim/device_factory.h"
#include "cosim/library/call_watch.h"
#include "support/errors.h"
#include "testbenches/conform/library_run.h"

namespace tilefly::conform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The message with which a device is refused; "" when it is made.
std::string Refusal(const std::string& device, int power_up_seed = 0) {
  cosim::DeviceOptions options;
  options.random_reset = power_up_seed;
  try {
    cosim::MakeDevice(device, kTile8, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Loader, RefusesWhatIsNoLibrary) {
  EXPECT_THAT(Refusal("lib:"), HasSubstr("give lib:FILE.so"));
  EXPECT_THAT(Refusal("lib:nowhere/my.so"), AllOf(HasSubstr("nowhere/my.so"), HasSubstr("there is no such file")));
  const auto text = bench::ProcessFolder() / "text.so";
  std::ofstream(text) << "no library\n";
  EXPECT_THAT(Refusal("lib:" + text.string()), HasSubstr("it does not load: "));
  EXPECT_THAT(Refusal(Library("no_device")), HasSubstr("no function tfd_version: it is no device"));
  EXPECT_THAT(Refusal("lob:my.so"), HasSubstr("lib:FILE.so"));
}

TEST(Loader, RefusesAnotherVersionAndMissingFunctions) {
  EXPECT_THAT(Refusal(Library("other_version")), HasSubstr("version 8 of tilefly_device.h, this program has 1 to 2; compile it"));
  EXPECT_THAT(Refusal(Library("without_functions")), HasSubstr("no function tfd_create, which every device has"));
  EXPECT_THAT(Refusal(Library("faulty_device") + ":fault=flags"), HasSubstr("no function tfd_observe, which flag TFD_OBSERVES needs"));
}

TEST(Loader, RefusesADeviceThatDoesNotFit) {
  const std::string faulty = Library("faulty_device") + ":fault=";
  EXPECT_THAT(Refusal(faulty + "radix"), HasSubstr("it has 64 ports, and profile 'tile8' has 8; give --profile of a switch with 64"));
  EXPECT_THAT(Refusal(faulty + "stream"), HasSubstr("AXI-Stream (TFD_STREAM); cosim and net take devices with the words of links"));
  EXPECT_THAT(Refusal(faulty + "unknown_flag"), HasSubstr("flags 0x400"));
  EXPECT_THAT(Refusal(faulty + "style"), HasSubstr("style 9"));
  EXPECT_THAT(Refusal(faulty + "name"), HasSubstr("no name of 1 to 32 letters"));
  EXPECT_THAT(Refusal(Library("throwing_device") + ":early=yes"), HasSubstr("tfd_create let a C++ exception out: there is no licence"));
  EXPECT_THAT(Refusal(faulty + "mute_create"), HasSubstr("(status 7): it gave no message"));
  EXPECT_THAT(Refusal(Library("golden_copy") + ":shows=nonsense"), HasSubstr("there is no parameter 'shows=nonsense'"));
  EXPECT_THAT(Refusal(Library("golden_copy") + ":shows"), HasSubstr("'shows' is no parameter"));
}

TEST(Loader, TellsTheDeviceWhatItIsFor) {
  EXPECT_THAT(Refusal(Library("faulty_device") + ":fault=create", 5),
              HasSubstr("(status 7): made for tile8, 8 ports, 4 tiles, seed 5, parameters fault=create"));
  EXPECT_EQ(Refusal(Library("silent_device")), "");
}

TEST(Loader, NamesFilesInSettings) {
  EXPECT_EQ(cosim::WithAbsoluteLibraries("lib:/a/../b.so:k=v,golden"), "lib:/b.so:k=v,golden");
  EXPECT_EQ(cosim::WithAbsoluteLibraries("0-3=lib:/x/./y.so+golden,4=rtl"), "0-3=lib:/x/y.so+golden,4=rtl");
  EXPECT_EQ(cosim::WithAbsoluteLibraries("{golden;lib:/x/../y.so}"), "{golden;lib:/y.so}");
  EXPECT_THAT(cosim::LibrariesIn("{lib:a.so,lib:b.so;golden,lib:a.so}"), ::testing::ElementsAre("a.so", "b.so"));
  EXPECT_TRUE(cosim::LibrariesIn("golden,rtl").empty());
}

/// How the run of a device with this fault ends.
std::string Failure(const std::string& device) {
  const Cosim run(device);
  EXPECT_EQ(run.status, kCheckFailed);
  return run.Message();
}

TEST(FaultyDevice, ItsStatusItsBitsAndItsExceptionsFailTheRun) {
  EXPECT_THAT(Failure(Library("faulty_device") + ":fault=status"),
              HasSubstr("cycle 40: lib:faulty: tfd_link_step failed (status 12): port 5: cells of lane 3 are below 0"));
  EXPECT_THAT(Failure(Library("faulty_device") + ":fault=bits"),
              HasSubstr("lib:faulty: link_o of port 2: a bit is set beyond the 503 bits of the struct (byte 62 is 0x80)"));
  EXPECT_THAT(Failure(Library("throwing_device")),
              HasSubstr("lib:throwing: tfd_link_step let a C++ exception out: a queue is full"));
}

TEST(FaultyDevice, OneThatSaysNothingMakesNoProgress) {
  const Cosim alone(Library("silent_device"));
  EXPECT_EQ(alone.status, kStuck);
  EXPECT_THAT(alone.Message(), HasSubstr("no progress: nothing moved"));
  const Cosim beside(Library("silent_device") + ",golden");
  EXPECT_EQ(beside.status, kCheckFailed);
  EXPECT_THAT(beside.Message(), AllOf(HasSubstr("first divergence: cycle "), HasSubstr("lib:silent ")));
}

class FaultyCallDeathTest : public ::testing::Test {
 protected:
  FaultyCallDeathTest() {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    setenv("TMPDIR", bench::ProcessFolder().c_str(), 1);  // a child ends without removing its folder: its parent does
  }

  /// Runs a device with a fault; `longest`: seconds that a call may take.
  static void Run(const std::string& fault, Values values = {}, bool interrupted = false, int longest = 60) {
    static std::atomic<bool> stop{false};
    runs::SessionOptions options = InFolder();
    options.stop = &stop;
    runs::Settings settings;
    values.insert(values.end(), {{"devices", Library("faulty_device") + ":fault=" + fault}, {"profile", "tile8"}, {"waves.mode", "off"}});
    for (const auto& [path, value] : values) settings.Set(path, value, "test");
    runs::Session session(std::move(settings), std::move(options));
    if (longest < 60) cosim::LimitLibraryCalls(std::chrono::steady_clock::time_point::max(), nullptr, std::chrono::seconds(longest));
    // The call hangs from the run's first cycles on; the interrupt comes then.
    std::thread([interrupted] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      stop = interrupted;
    }).detach();
    session.Run();
  }
};

TEST_F(FaultyCallDeathTest, ACrashIsNamed) {
  EXPECT_EXIT(Run("segv"), ::testing::ExitedWithCode(kCheckFailed),
              "tilefly: device lib:.*faulty_device.so: in cycle 40 tfd_link_step crashed \\(SIGSEGV");
  EXPECT_EXIT(Run("abort"), ::testing::ExitedWithCode(kCheckFailed), "in cycle 40 tfd_link_step aborted \\(SIGABRT");
  EXPECT_EXIT(Run("exit"), ::testing::ExitedWithCode(kCheckFailed), "in cycle 40 tfd_link_step called exit\\(\\)");
}

TEST_F(FaultyCallDeathTest, AHangEndsByTimeOutInterruptOrItsLength) {
  EXPECT_EXIT(Run("loop", {{"timeout", "1.5"}}), ::testing::ExitedWithCode(kTimedOut),
              "in cycle 40 tfd_link_step had not returned when the time of --timeout was over");
  EXPECT_EXIT(Run("loop", {}, true), ::testing::ExitedWithCode(kInterruptedByUser),
              "in cycle 40 tfd_link_step had not returned when the run was interrupted");
  EXPECT_EXIT(Run("loop", {}, false, 1), ::testing::ExitedWithCode(kCheckFailed),
              "in cycle 40 tfd_link_step does not return: it hangs");
}

TEST_F(FaultyCallDeathTest, ACrashOfTheProgramItselfStaysWhatItIs) {
  EXPECT_EXIT(
      {
        cosim::MakeDevice(Library("silent_device"), kTile8);
        std::abort();
      },
      ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace tilefly::conform
