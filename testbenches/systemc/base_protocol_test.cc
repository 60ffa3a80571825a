// SPDX-License-Identifier: Apache-2.0
// Every way in which a target may answer a request, and an initiator a response, in the TLM-2.0 base protocol: the NIC's
// `memory` and `host` take them all (docs/systemc.md, Platform side).
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

constexpr Cycle kLatency = 50;  // of the memory, from the request to the response
constexpr Cycle kTaken = 20;    // to the end of a request, where it is told
const std::uint64_t kThere = Nic::AddressOf(NicPair::kRight, 0);

/// How a target answers BEGIN_REQ.
enum class Answer {
  kAcceptedAndBoth,      ///< TLM_ACCEPTED; END_REQ and BEGIN_RESP come later
  kAcceptedAndResponse,  ///< TLM_ACCEPTED; BEGIN_RESP, which implies END_REQ, comes later
  kEndReq,               ///< TLM_UPDATED with END_REQ, BEGIN_RESP comes later
  kBeginResp,            ///< TLM_UPDATED with BEGIN_RESP
  kCompleted,            ///< TLM_COMPLETED
};

class PhasedMemory final : public sc_core::sc_module {
 public:
  PhasedMemory(sc_core::sc_module_name name, Answer answer) : sc_module(name), answer_(answer) {
    socket.register_nb_transport_fw(this, &PhasedMemory::Forward);
  }
  tlm_utils::passthrough_target_socket<PhasedMemory> socket{"socket"};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kMemory);
  int requests = 0;
  int ends = 0;  ///< END_RESP

 private:
  tlm::tlm_sync_enum Forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      EXPECT_EQ(responding_, &payload);
      responding_ = nullptr;
      ++ends;
      payload.release();
      return tlm::TLM_COMPLETED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(requesting_, nullptr) << "a request before the end of the one before";
    EXPECT_TRUE(payload.has_mm());
    ++requests;
    Access(&payload);
    const sc_core::sc_time later = delay + fabric::TimeOf(kLatency);
    if (answer_ == Answer::kCompleted) {
      delay = later;
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    if (answer_ == Answer::kBeginResp) {
      responding_ = &payload;
      phase = tlm::BEGIN_RESP;
      delay = later;
      return tlm::TLM_UPDATED;
    }
    phases_.notify(payload, tlm::BEGIN_RESP, later);
    if (answer_ == Answer::kEndReq) {
      phase = tlm::END_REQ;
      delay += fabric::TimeOf(kTaken);
      return tlm::TLM_UPDATED;
    }
    requesting_ = &payload;
    if (answer_ == Answer::kAcceptedAndBoth) phases_.notify(payload, tlm::END_REQ, delay + fabric::TimeOf(kTaken));
    return tlm::TLM_ACCEPTED;
  }

  void Access(tlm::tlm_generic_payload* payload) {
    std::uint8_t* const there = bytes.data() + payload->get_address();
    if (payload->is_write()) {
      std::copy_n(payload->get_data_ptr(), payload->get_data_length(), there);
    } else {
      std::copy_n(there, payload->get_data_length(), payload->get_data_ptr());
    }
    payload->set_response_status(tlm::TLM_OK_RESPONSE);
  }

  void OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    if (requesting_ == &payload) requesting_ = nullptr;
    if (phase == tlm::BEGIN_RESP) {
      EXPECT_EQ(responding_, nullptr);
      responding_ = &payload;
    }
    tlm::tlm_phase told = phase;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, told, delay);
  }

  const Answer answer_;
  tlm::tlm_generic_payload* requesting_ = nullptr;
  tlm::tlm_generic_payload* responding_ = nullptr;
  tlm_utils::peq_with_cb_and_phase<PhasedMemory> phases_{this, &PhasedMemory::OnPhase};
};

struct MemoryBench final : sc_core::sc_module {
  MemoryBench(sc_core::sc_module_name name, Answer answer)
      : sc_module(name), memory("memory", answer), cpu("cpu", [this](Cpu& each) { Run(&each); }) {
    cpu.socket.bind(nics.left.host());
    idle.socket.bind(nics.right.host());
    nics.right.memory().bind(memory.socket);
    nics.left.memory().bind(unused.socket);
  }
  void Run(Cpu* cpu) {
    for (const std::size_t bytes : {500, 20000}) {
      const std::vector<std::uint8_t> sent = Pattern(bytes, 3);
      std::vector<std::uint8_t> got(bytes);
      EXPECT_EQ(cpu->Write(kThere, sent), tlm::TLM_OK_RESPONSE);
      ends.push_back(sc_core::sc_time_stamp());
      EXPECT_EQ(cpu->Read(kThere, &got), tlm::TLM_OK_RESPONSE);
      ends.push_back(sc_core::sc_time_stamp());
      EXPECT_EQ(got, sent);
    }
  }
  NicPair nics{false, false};
  PhasedMemory memory;
  Cpu cpu;
  Cpu idle{"idle", [](Cpu&) {}};
  Memory unused{"unused", 0, sc_core::SC_ZERO_TIME};
  std::vector<sc_core::sc_time> ends;
};

/// The time of the response is the same, whichever way it is told.
TEST(BaseProtocol, AMemoryMayAnswerInEveryWay) {
  InChild([] {
    MemoryBench both("both", Answer::kAcceptedAndBoth);
    MemoryBench response("response", Answer::kAcceptedAndResponse);
    MemoryBench end_req("end_req", Answer::kEndReq);
    MemoryBench begin_resp("begin_resp", Answer::kBeginResp);
    MemoryBench completed("completed", Answer::kCompleted);
    sc_core::sc_start();
    ASSERT_EQ(both.ends.size(), 4u);
    for (MemoryBench* const bench : {&both, &response, &end_req, &begin_resp, &completed}) {
      EXPECT_TRUE(bench->cpu.finished) << bench->name();
      EXPECT_EQ(bench->ends, both.ends) << bench->name();
      EXPECT_EQ(bench->memory.requests, 1 + 1 + 5 + 1);
      EXPECT_EQ(bench->memory.ends, bench == &completed ? 0 : bench->memory.requests) << bench->name();
      EXPECT_EQ(bench->nics.left.Waiting() + bench->nics.right.Waiting(), "");
      EXPECT_EQ(bench->nics.pool.held(), 0u);
    }
  });
}

/// How an initiator answers BEGIN_RESP.
enum class Reply {
  kAccepted,   ///< TLM_ACCEPTED; END_RESP comes later
  kCompleted,  ///< TLM_COMPLETED
  kEndResp,    ///< TLM_UPDATED with END_RESP
};

/// Puts blocks and gets them back, as many at a time as the NIC lets it.
class PhasedDma final : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  static constexpr int kBlocks = 12;
  static constexpr std::size_t kBytes = 700;

  /// A response is over `held` after its beginning.
  PhasedDma(sc_core::sc_module_name name, Reply reply, sc_core::sc_time held) : sc_module(name), reply_(reply), held_(held) {
    socket.register_nb_transport_bw(this, &PhasedDma::Backward);
    for (const bool put : {true, false}) {
      for (int block = 0; block < kBlocks; ++block) {
        Job& job = jobs.emplace_back();
        job.data = put ? Pattern(kBytes, block) : std::vector<std::uint8_t>(kBytes);
        job.payload.set_mm(this);
        job.payload.set_command(put ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        job.payload.set_address(kThere + static_cast<std::uint64_t>(block) * kBytes);
        job.payload.set_data_ptr(job.data.data());
        job.payload.set_data_length(kBytes);
        job.payload.set_streaming_width(kBytes);
      }
    }
  }
  tlm_utils::simple_initiator_socket<PhasedDma> socket{"socket"};
  struct Job {
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data;
    bool ended = false;
  };
  std::deque<Job> jobs;

 private:
  void free(tlm::tlm_generic_payload*) override {}
  void start_of_simulation() override { Next(); }
  /// The gets begin when all puts have ended.
  void Next() {
    if (requesting_ != nullptr || next_ == jobs.size() || (next_ == kBlocks && ended_ < kBlocks)) return;
    requesting_ = &jobs[next_++].payload;
    requesting_->acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = fabric::TimeOf(7);
    EXPECT_EQ(socket->nb_transport_fw(*requesting_, phase, delay), tlm::TLM_ACCEPTED);
  }

  tlm::tlm_sync_enum Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const sc_core::sc_time now = sc_core::sc_time_stamp() + delay;
    if (phase == tlm::END_REQ) {
      EXPECT_EQ(requesting_, &payload);
      phases_.notify(payload, phase, delay);
      return tlm::TLM_ACCEPTED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_GE(now, free_at_) << "a response before the end of the one before";
    free_at_ = now + held_;
    phases_.notify(payload, tlm::END_RESP, delay + held_);
    if (reply_ == Reply::kAccepted) return tlm::TLM_ACCEPTED;
    delay += held_;
    if (reply_ == Reply::kCompleted) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }

  void OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    if (phase == tlm::END_REQ) {
      requesting_ = nullptr;
      return Next();
    }
    if (reply_ == Reply::kAccepted) {
      tlm::tlm_phase end = tlm::END_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_fw(payload, end, delay);
    }
    Job& job = *std::find_if(jobs.begin(), jobs.end(), [&](const Job& each) { return &each.payload == &payload; });
    job.ended = true;
    ++ended_;
    payload.release();
    Next();
  }

  const Reply reply_;
  const sc_core::sc_time held_;
  std::size_t next_ = 0;
  int ended_ = 0;
  tlm::tlm_generic_payload* requesting_ = nullptr;
  sc_core::sc_time free_at_;
  tlm_utils::peq_with_cb_and_phase<PhasedDma> phases_{this, &PhasedDma::OnPhase};
};

struct DmaBench final : sc_core::sc_module {
  DmaBench(sc_core::sc_module_name name, Reply reply, Cycle held)
      : sc_module(name), nics(false, false, 4), dma("dma", reply, fabric::TimeOf(held)) {
    dma.socket.bind(nics.left.host());
    idle.socket.bind(nics.right.host());
    nics.right.memory().bind(memory.socket);
    nics.left.memory().bind(unused.socket);
  }
  NicPair nics;
  PhasedDma dma;
  Memory memory{"memory", kMemory, fabric::TimeOf(kLatency)};
  Cpu idle{"idle", [](Cpu&) {}};
  Memory unused{"unused", 0, sc_core::SC_ZERO_TIME};
};

/// At once, and after a time in which other responses are there.
TEST(BaseProtocol, AnInitiatorMayAnswerInEveryWay) {
  InChild([] {
    std::vector<std::unique_ptr<DmaBench>> benches;
    for (const Reply reply : {Reply::kAccepted, Reply::kCompleted, Reply::kEndResp}) {
      for (const Cycle held : {0, 500}) benches.push_back(std::make_unique<DmaBench>(sc_core::sc_gen_unique_name("bench"), reply, held));
    }
    sc_core::sc_start();
    for (const auto& bench : benches) {
      for (std::size_t i = 0; i < bench->dma.jobs.size(); ++i) {
        const PhasedDma::Job& job = bench->dma.jobs[i];
        EXPECT_TRUE(job.ended) << bench->name() << " " << i;
        EXPECT_EQ(job.payload.get_response_status(), tlm::TLM_OK_RESPONSE) << bench->name() << " " << i;
        EXPECT_EQ(job.data, Pattern(PhasedDma::kBytes, static_cast<int>(i % PhasedDma::kBlocks))) << bench->name() << " " << i;
        EXPECT_EQ(job.payload.get_ref_count(), 0) << bench->name() << " " << i;
      }
      EXPECT_EQ(bench->nics.left.Waiting() + bench->nics.right.Waiting(), "");
      EXPECT_EQ(bench->nics.pool.held(), 0u);
    }
  });
}

}  // namespace
}  // namespace tilefly::systemc
