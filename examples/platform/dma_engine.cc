// SPDX-License-Identifier: Apache-2.0
#include "dma_engine.h"

#include <algorithm>
#include <utility>

DmaEngine::DmaEngine(sc_core::sc_module_name name, const std::vector<std::uint64_t>& addresses, std::size_t block_bytes)
    : sc_module(name), puts_(addresses.size()) {
  socket.register_nb_transport_bw(this, &DmaEngine::Backward);
  constexpr unsigned kFirstSeed = 1000;
  unsigned seed = kFirstSeed;
  for (const std::uint64_t address : addresses) Add(tlm::TLM_WRITE_COMMAND, address, MakeBlock(block_bytes, seed), seed), ++seed;
  seed = kFirstSeed;
  for (const std::uint64_t address : addresses) {
    Add(tlm::TLM_READ_COMMAND, address, std::vector<std::uint8_t>(block_bytes), seed++);
  }
}

void DmaEngine::Add(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t> data, unsigned seed) {
  Job& job = jobs_.emplace_back();
  job.data = std::move(data);
  job.seed = seed;
  job.payload.set_mm(this);
  job.payload.set_command(command);
  job.payload.set_address(address);
  job.payload.set_data_ptr(job.data.data());
  job.payload.set_data_length(static_cast<unsigned>(job.data.size()));
  job.payload.set_streaming_width(job.payload.get_data_length());
}

/// The next request; gets wait until all puts have ended.
void DmaEngine::Next() {
  if (requesting_ != nullptr || next_ == jobs_.size() || (next_ == puts_ && ended_ < puts_)) return;
  requesting_ = &jobs_[next_++].payload;
  requesting_->acquire();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (socket->nb_transport_fw(*requesting_, phase, delay) != tlm::TLM_ACCEPTED) {
    SC_REPORT_ERROR("platform/dma", "the target answers a request early: this engine does not know how to take it");
  }
}

tlm::tlm_sync_enum DmaEngine::Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  phases_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

void DmaEngine::OnPhase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (requesting_ == &payload) requesting_ = nullptr;
  if (phase == tlm::BEGIN_RESP) {
    tlm::tlm_phase end = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, end, delay);
    End(payload);
    payload.release();
  }
  Next();
}

void DmaEngine::End(const tlm::tlm_generic_payload& payload) {
  const Job& job = *std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& each) { return &each.payload == &payload; });
  ++ended_;
  ++(payload.is_write() ? moved_.puts : moved_.gets);
  moved_.bytes += job.data.size();
  moved_.wrong += payload.is_response_error() || job.data != MakeBlock(job.data.size(), job.seed);
}
