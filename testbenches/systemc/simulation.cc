// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "systemc/fabric/time.h"

/// Of the address sanitizer's library: says what nobody can reach any more. Null without it.
extern "C" int __lsan_do_recoverable_leak_check() __attribute__((weak));

namespace tilefly::systemc {

bool LeaksAreFound() { return __lsan_do_recoverable_leak_check != nullptr; }

void InChild(const std::function<void()>& body) {
  std::fflush(nullptr);
  const auto* const result = ::testing::UnitTest::GetInstance()->current_test_info()->result();
  const int failures = result->total_part_count();  // of the test so far, which the child inherits
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int status = 0;
    try {
      fabric::SetResolution();
      body();
    } catch (const std::exception& error) {
      std::cout << "the simulation threw: " << error.what() << std::endl;
      status = 2;
    }
    if (status == 0 && LeaksAreFound() && __lsan_do_recoverable_leak_check() != 0) status = 3;
    std::cout.flush();
    std::fflush(nullptr);
    _exit(result->total_part_count() > failures ? 1 : status);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "the simulation ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "see above";
}

}  // namespace tilefly::systemc

/// What SystemC's library calls; the tests begin here.
int sc_main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);  // the list of tests is read by a machine
  return sc_core::sc_elab_and_sim(argc, argv);
}
