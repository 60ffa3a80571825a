// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "systemc/fabric/time.h"

// Of the address sanitizer's library; null without it.
extern "C" {
int __lsan_do_recoverable_leak_check() __attribute__((weak));  ///< says what nobody can reach any more
void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t size) __attribute__((weak));
void __sanitizer_finish_switch_fiber(void* fake_stack, const void** old_bottom, std::size_t* old_size) __attribute__((weak));
}

namespace tilefly::systemc {
namespace {

/// Tells the sanitizer where the stack of the main thread is: SystemC tells it of its coroutines, and that it is back on this
/// one, but not where this one is. It would not look here for what is still referred to.
void SayWhereTheStackIs() {
  pthread_attr_t attributes;
  void* bottom = nullptr;
  std::size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &bottom, &size);
  pthread_attr_destroy(&attributes);
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, bottom, size);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

/// Runs `body` far down the stack, so that later calls have nothing of it, which would count as referred to, in their frames.
[[gnu::noinline]] void FarDown(const std::function<void()>& body) {
  volatile char room[1 << 16];
  room[0] = 0;
  body();
}

bool Leaks() {
  SayWhereTheStackIs();
  return __lsan_do_recoverable_leak_check() != 0;
}

}  // namespace

bool LeaksAreFound() { return __lsan_do_recoverable_leak_check != nullptr; }

void InChild(const std::function<void()>& body) { InChild(fabric::SetResolution, body); }

void InChild(const std::function<void()>& set_resolution, const std::function<void()>& body) {
  std::fflush(nullptr);
  const auto* const result = ::testing::UnitTest::GetInstance()->current_test_info()->result();
  const int failures = result->total_part_count();  // of the test so far, which the child inherits
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int status = 0;
    try {
      set_resolution();
      FarDown(body);
    } catch (const std::exception& error) {
      std::cout << "the simulation threw: " << error.what() << std::endl;
      status = 2;
    }
    if (status == 0 && LeaksAreFound() && Leaks()) status = 3;
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
