// SPDX-License-Identifier: Apache-2.0
// Targets at a NIC's `memory` that break the rules of the base protocol, and puts of which they take a part
// (docs/systemc.md, Platform side).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "testbenches/systemc/kept_reports.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::uint64_t kThere = Nic::AddressOf(NicPair::kRight, 0);
constexpr const char* kWrite = "bench.right.memory: the target, of a write of 64 bytes at address 0x0: ";
constexpr const char* kNoRequest =
    " without a request that waits for it: a target calls END_REQ and BEGIN_RESP once for each BEGIN_REQ, "
    "or completes it";

/// Answers each request by what its program does, from the call of BEGIN_REQ on.
class WrongTarget final : public sc_core::sc_module {
 public:
  using Program = std::function<void(WrongTarget& target, tlm::tlm_generic_payload& payload)>;
  WrongTarget(sc_core::sc_module_name name, Program program) : sc_module(name), program_(std::move(program)) {
    socket.register_nb_transport_fw(this, &WrongTarget::Forward);
    socket.register_b_transport(this, &WrongTarget::Access);
  }
  tlm_utils::passthrough_target_socket<WrongTarget> socket{"socket"};
  bool completes = false;       ///< the call returns TLM_COMPLETED
  bool ends_response = false;   ///< the call returns TLM_UPDATED with END_RESP
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

  void Call(tlm::tlm_generic_payload* payload, tlm::tlm_phase_enum phase) {
    tlm::tlm_phase told = phase;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(*payload, told, delay);
  }

 private:
  tlm::tlm_sync_enum Forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    payload.set_response_status(status);
    program_(*this, payload);
    if (ends_response) {
      phase = tlm::END_RESP;
      return tlm::TLM_UPDATED;
    }
    return completes ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) { payload.set_response_status(status); }

  Program program_;
};

struct Bench final : sc_core::sc_module {
  Bench(sc_core::sc_module_name name, WrongTarget::Program program, Cpu::Program host, bool loosely_timed)
      : sc_module(name),
        nics(loosely_timed, loosely_timed),
        target("target", std::move(program)),
        cpu("cpu", std::move(host)) {
    cpu.socket.bind(nics.left.host());
    idle.socket.bind(nics.right.host());
    nics.right.memory().bind(target.socket);
    nics.left.memory().bind(unused.socket);
  }
  NicPair nics;
  WrongTarget target;
  Cpu cpu;
  Cpu idle{"idle", [](Cpu&) {}};
  Memory unused{"unused", 0, sc_core::SC_ZERO_TIME};
};

/// Two puts, one after the other, of which a target answers each as `program` does: both end with `wanted`. Returns
/// what was reported.
std::vector<std::string> ReportsOf(const WrongTarget::Program& program, bool completes = false,
                                   tlm::tlm_response_status set = tlm::TLM_OK_RESPONSE,
                                   tlm::tlm_response_status wanted = tlm::TLM_OK_RESPONSE, bool loosely_timed = false) {
  GoOnAfterErrors();
  const auto put_twice = [wanted](Cpu& cpu) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(cpu.Write(kThere, Pattern(64, i)), wanted);
  };
  Bench bench("bench", program, put_twice, loosely_timed);
  bench.target.completes = completes;
  bench.target.status = set;
  sc_core::sc_start();
  EXPECT_TRUE(bench.cpu.finished);
  EXPECT_EQ(bench.nics.left.Waiting() + bench.nics.right.Waiting(), "");
  return Reports();
}

TEST(TargetErrors, AResponseTwice) {
  InChild([] {
    const std::string what = std::string(kWrite) + "BEGIN_RESP" + kNoRequest;
    EXPECT_THAT(ReportsOf([](WrongTarget& target, tlm::tlm_generic_payload& payload) {
                  target.Call(&payload, tlm::BEGIN_RESP);
                  target.Call(&payload, tlm::BEGIN_RESP);
                }),
                ElementsAre(what, what));
  });
}

TEST(TargetErrors, AResponseOfATransactionThatItCompletes) {
  InChild([] {
    const std::string what = std::string(kWrite) +
                             "TLM_COMPLETED is returned for BEGIN_REQ, though BEGIN_RESP was called before: a target "
                             "answers by one of them";
    EXPECT_THAT(ReportsOf([](WrongTarget& target,
                             tlm::tlm_generic_payload& payload) { target.Call(&payload, tlm::BEGIN_RESP); },
                          true),
                ElementsAre(what, what));
  });
}

/// It ends no transaction, however often it is returned.
TEST(TargetErrors, AnEndOfTheResponseThatItReturns) {
  InChild([] {
    const std::string what = std::string(kWrite) +
                             "END_RESP is returned with TLM_UPDATED: a target returns END_REQ or BEGIN_RESP with it, or "
                             "TLM_COMPLETED";
    EXPECT_THAT(ReportsOf([](WrongTarget& target, tlm::tlm_generic_payload& payload) {
                  target.ends_response = true;
                  target.Call(&payload, tlm::BEGIN_RESP);
                }),
                ElementsAre(what, what));
  });
  if (LeaksAreFound()) return;  // the process is still in its call at the end: nobody can reach what is on its stack
  InChild([] {
    GoOnAfterErrors();
    Bench bench("bench", [](WrongTarget& target, tlm::tlm_generic_payload&) { target.ends_response = true; },
                [](Cpu& cpu) { cpu.Write(kThere, Pattern(64, 1)); }, false);
    sc_core::sc_start();
    EXPECT_FALSE(bench.cpu.finished);
    EXPECT_EQ(bench.nics.right.Waiting(), "bench.right: 1 operations wait for the memory\n");
  });
}

TEST(TargetErrors, TheEndOfARequestTwice) {
  InChild([] {
    const std::string what = std::string(kWrite) + "END_REQ" + kNoRequest;
    EXPECT_THAT(ReportsOf([](WrongTarget& target, tlm::tlm_generic_payload& payload) {
                  target.Call(&payload, tlm::END_REQ);
                  target.Call(&payload, tlm::END_REQ);
                  target.Call(&payload, tlm::BEGIN_RESP);
                  target.Call(&payload, tlm::END_REQ);
                }),
                ElementsAre(what, what, what, what));
  });
}

TEST(TargetErrors, PhasesOfAnInitiatorOnTheBackwardPath) {
  InChild([] {
    const std::string begin = std::string(kWrite) + "BEGIN_REQ" + kNoRequest;
    const std::string end =
        std::string(kWrite) + "END_RESP on the backward path: a target calls END_REQ and BEGIN_RESP";
    EXPECT_THAT(ReportsOf([](WrongTarget& target, tlm::tlm_generic_payload& payload) {
                  target.Call(&payload, tlm::BEGIN_REQ);
                  target.Call(&payload, tlm::END_RESP);
                  target.Call(&payload, tlm::BEGIN_RESP);
                }),
                ElementsAre(begin, end, begin, end));
  });
}

TEST(TargetErrors, APayloadOfItsOwn) {
  InChild([] {
    const std::string what = std::string(kWrite) + "BEGIN_RESP" + kNoRequest;
    EXPECT_THAT(ReportsOf([](WrongTarget& target, tlm::tlm_generic_payload& payload) {
                  tlm::tlm_generic_payload own;
                  own.set_write();
                  own.set_data_length(64);
                  target.Call(&own, tlm::BEGIN_RESP);
                  target.Call(&payload, tlm::BEGIN_RESP);
                }),
                ElementsAre(what, what));
  });
}

TEST(TargetErrors, AnIncompleteResponse) {
  const std::string what =
      std::string(kWrite) + "TLM_INCOMPLETE_RESPONSE is left: set a response before the transaction ends";
  for (const bool loosely_timed : {false, true}) {
    InChild([&] {
      EXPECT_THAT(ReportsOf([](WrongTarget& target,
                               tlm::tlm_generic_payload& payload) { target.Call(&payload, tlm::BEGIN_RESP); },
                            false, tlm::TLM_INCOMPLETE_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE, loosely_timed),
                  ElementsAre(what, what));
    });
  }
}

/// The parts of a put are written one by one: what the memory took stays written, and is said.
TEST(TargetErrors, APutThatTheMemoryRefusesInPart) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      GoOnAfterErrors();
      constexpr std::uint64_t kAt = kMemory - 5000;
      const std::vector<std::uint8_t> sent = Pattern(10000, 1);
      NicPair nics(loosely_timed, loosely_timed);
      Memory memory("memory", kMemory, sc_core::SC_ZERO_TIME);
      Memory unused("unused", 0, sc_core::SC_ZERO_TIME);
      Cpu idle("idle", [](Cpu&) {});
      Cpu cpu("cpu", [&](Cpu& cpu) {
        EXPECT_EQ(cpu.Write(kThere + kMemory, sent), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // of which nothing is written
        EXPECT_THAT(Reports(), IsEmpty());
        EXPECT_EQ(cpu.Write(kThere + kAt, sent), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      });
      cpu.socket.bind(nics.left.host());
      idle.socket.bind(nics.right.host());
      nics.right.memory().bind(memory.socket);
      nics.left.memory().bind(unused.socket);
      sc_core::sc_start();
      EXPECT_TRUE(cpu.finished);
      EXPECT_TRUE(std::equal(sent.begin(), sent.begin() + 4096, memory.bytes.begin() + kAt));
      EXPECT_THAT(
          Reports(),
          ElementsAre(
              "right: a put of 10000 bytes from left at byte 1043576 ends with TLM_ADDRESS_ERROR_RESPONSE: the "
              "memory refused 5904 bytes of it, the others are written"));
    });
  }
}

}  // namespace
}  // namespace tilefly::systemc
