// SPDX-License-Identifier: Apache-2.0
// Initiators at a NIC's `host` that break the rules of the base protocol: each is reported, and where reports do not
// end the run the call has no effect, or refuses the transaction (docs/systemc.md, Platform side).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbenches/systemc/kept_reports.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"
#include "testbenches/systemc/wrong_initiator.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kPut = "bench.left.host: a put of 64 bytes at address 0x410000000000: ";
constexpr const char* kGet = "bench.left.host: a get of 64 bytes at address 0x410000000000: ";
constexpr const char* kOnce = "END_RESP without a BEGIN_RESP that is open: end each response once, after it has begun";
const std::uint64_t kThere = Nic::AddressOf(NicPair::kRight, 0);

/// A wrong initiator at the left NIC, a memory at the right one.
struct Bench final : sc_core::sc_module {
  Bench(sc_core::sc_module_name name, WrongInitiator::Program program, bool loosely_timed = false)
      : sc_module(name), nics(loosely_timed, loosely_timed), initiator("initiator", std::move(program)) {
    initiator.socket.bind(nics.left.host());
    idle.socket.bind(nics.right.host());
    nics.right.memory().bind(memory.socket);
    nics.left.memory().bind(unused.socket);
  }
  NicPair nics;
  WrongInitiator initiator;
  Memory memory{"memory", kMemory, sc_core::SC_ZERO_TIME};
  Cpu idle{"idle", [](Cpu&) {}};
  Memory unused{"unused", 0, sc_core::SC_ZERO_TIME};
};

/// Runs the program, and a put by the rules after it, which must end. Returns what was reported.
std::vector<std::string> ReportsOf(const WrongInitiator::Program& program, bool loosely_timed = false) {
  GoOnAfterErrors();
  bool done = false;
  Bench bench(
      "bench",
      [&](WrongInitiator& initiator) {
        program(initiator);
        WrongInitiator::Request last(kThere + 1000);
        if (loosely_timed) {
          sc_core::sc_time delay;
          initiator.socket->b_transport(last.payload, delay);
        } else {
          initiator.Put(&last);
        }
        EXPECT_EQ(last.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(last.references, loosely_timed ? -1 : 0);  // phases alone take references
        done = true;
      },
      loosely_timed);
  sc_core::sc_start();
  EXPECT_TRUE(done);
  EXPECT_EQ(bench.nics.left.Waiting() + bench.nics.right.Waiting(), "");
  EXPECT_EQ(bench.nics.pool.held(), 0u);
  return Reports();
}

TEST(ProtocolErrors, AnEndOfAResponseThatHasNotBegun) {
  InChild([] {
    EXPECT_THAT(ReportsOf([](WrongInitiator& initiator) {
                  WrongInitiator::Request request(kThere);
                  initiator.Call(&request, tlm::END_RESP);  // of nothing
                  initiator.Call(&request, tlm::BEGIN_REQ);
                  initiator.Call(&request, tlm::END_RESP);  // too early
                  initiator.End(&request);
                }),
                ElementsAre(std::string(kPut) + kOnce, std::string(kPut) + kOnce));
  });
}

TEST(ProtocolErrors, TwoEndsOfAResponse) {
  InChild([] {
    EXPECT_THAT(ReportsOf([](WrongInitiator& initiator) {
                  WrongInitiator::Request request(kThere);
                  initiator.Call(&request, tlm::BEGIN_REQ);
                  initiator.AwaitResponse(request);
                  initiator.Call(&request, tlm::END_RESP);
                  initiator.Call(&request, tlm::END_RESP);  // in the same delta
                  sc_core::wait(fabric::TimeOf(10));
                  initiator.Call(&request, tlm::END_RESP);
                }),
                ElementsAre(std::string(kPut) + kOnce, std::string(kPut) + kOnce));
  });
}

TEST(ProtocolErrors, AnEndOfAResponseByCallAndByReturn) {
  InChild([] {
    EXPECT_THAT(ReportsOf([](WrongInitiator& initiator) {
                  WrongInitiator::Request request(kThere);
                  initiator.ends_twice = true;
                  initiator.Call(&request, tlm::BEGIN_REQ);
                  initiator.AwaitResponse(request);
                  initiator.ends_twice = false;
                }),
                ElementsAre(std::string(kPut) +
                            "END_RESP was called, and told by the return of BEGIN_RESP, too: end a response once"));
  });
}

/// As soon as the initiator has ended its response.
TEST(ProtocolErrors, NoneIsAPayloadThatIsUsedAgain) {
  InChild([] {
    EXPECT_THAT(ReportsOf([](WrongInitiator& initiator) {
                  WrongInitiator::Request request(kThere);
                  initiator.Call(&request, tlm::BEGIN_REQ);
                  initiator.AwaitResponse(request);
                  initiator.Call(&request, tlm::END_RESP);
                  request.phases.clear();
                  initiator.Put(&request);
                  EXPECT_EQ(request.references, 0);
                }),
                IsEmpty());
  });
}

TEST(ProtocolErrors, APayloadWithoutAMemoryManager) {
  InChild([] {
    EXPECT_THAT(ReportsOf([](WrongInitiator& initiator) {
                  WrongInitiator::Request request(kThere);
                  request.payload.set_mm(nullptr);
                  EXPECT_EQ(initiator.Call(&request, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
                  EXPECT_EQ(request.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
                }),
                ElementsAre(std::string(kPut) +
                            "nb_transport without a memory manager: set one by set_mm, or call b_transport"));
  });
}

TEST(ProtocolErrors, ANullDataPointer) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      EXPECT_THAT(ReportsOf(
                      [loosely_timed](WrongInitiator& initiator) {
                        for (const bool put : {true, false}) {
                          WrongInitiator::Request request(kThere);
                          if (!put) request.payload.set_read();
                          request.payload.set_data_ptr(nullptr);
                          if (!loosely_timed) {
                            EXPECT_EQ(initiator.Call(&request, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
                            EXPECT_EQ(request.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
                          }
                          request.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                          sc_core::sc_time delay;
                          initiator.socket->b_transport(request.payload, delay);
                          EXPECT_EQ(request.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
                          EXPECT_EQ(initiator.socket->transport_dbg(request.payload), 0u);
                        }
                        const std::string what = "a null data pointer: set one by set_data_ptr";
                        std::vector<std::string> wanted;
                        for (const char* const of : {kPut, kGet})
                          wanted.insert(wanted.end(), loosely_timed ? 2 : 3, of + what);
                        EXPECT_EQ(Reports(), wanted);
                        Reports().clear();
                      },
                      loosely_timed),
                  IsEmpty());
    });
  }
}

TEST(ProtocolErrors, ASecondRequestBeforeTheEndOfTheFirst) {
  InChild([] {
    EXPECT_THAT(ReportsOf([](WrongInitiator& initiator) {
                  WrongInitiator::Request first(kThere);
                  WrongInitiator::Request second(kThere);
                  EXPECT_EQ(initiator.Call(&first, tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
                  EXPECT_EQ(initiator.Call(&second, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);  // in the same delta
                  EXPECT_EQ(second.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
                  initiator.End(&first);
                  EXPECT_EQ(first.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
                }),
                ElementsAre(std::string(kPut) + "BEGIN_REQ before END_REQ of the request before: wait for it"));
  });
}

TEST(ProtocolErrors, PhasesOfATargetOnTheForwardPath) {
  InChild([] {
    const std::string what = " on the forward path: an initiator calls BEGIN_REQ and END_RESP";
    EXPECT_THAT(ReportsOf([](WrongInitiator& initiator) {
                  WrongInitiator::Request request(kThere);
                  initiator.Call(&request, tlm::BEGIN_REQ);
                  initiator.Call(&request, tlm::END_REQ);
                  initiator.Call(&request, tlm::BEGIN_RESP);
                  initiator.End(&request);
                }),
                ElementsAre(kPut + ("END_REQ" + what), kPut + ("BEGIN_RESP" + what)));
  });
}

TEST(ProtocolErrors, APayloadThatIsUnderWay) {
  InChild([] {
    const std::string what = std::string(kPut) +
                             "the payload is sent again while its transaction is under way: wait for its response, "
                             "or use another";
    EXPECT_THAT(ReportsOf([](WrongInitiator& initiator) {
                  WrongInitiator::Request request(kThere);
                  initiator.Call(&request, tlm::BEGIN_REQ);
                  sc_core::wait(fabric::TimeOf(5));
                  EXPECT_EQ(request.phases, (std::vector<tlm::tlm_phase>{tlm::END_REQ}));
                  EXPECT_EQ(initiator.Call(&request, tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
                  sc_core::sc_time delay;
                  initiator.socket->b_transport(request.payload, delay);
                  EXPECT_EQ(request.payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
                  initiator.End(&request);
                  EXPECT_EQ(request.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
                }),
                ElementsAre(what, what));
  });
}

/// Where reports are not handled they end the run as any error of SystemC does.
TEST(ProtocolErrors, EndTheRun) {
  InChild([] {
    Bench bench("bench", [](WrongInitiator& initiator) {
      WrongInitiator::Request request(kThere);
      initiator.Call(&request, tlm::END_RESP);
    });
    EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
  });
}

}  // namespace
}  // namespace tilefly::systemc
