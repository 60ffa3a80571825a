// SPDX-License-Identifier: Apache-2.0
// A processor and a DMA engine, each on a host of its own, that put blocks into the memories of all other hosts over a system of
// Tilefly's switches, and get them back.
//
//   platform TOPOLOGY [--transactions MODULE | --loosely-timed]
//
// The processor has a bus of 64 bits and calls b_transport, the DMA engine one of 32 bits and calls nb_transport; both do
// so in either timing. Loosely timed, the processor runs ahead of the simulated time.
// With --transactions the transactions of a module, "system.nic0" or "system" for all, are written to transactions.fst.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include "support/errors.h"
#include "support/exit_code.h"
#include "systemc/report/report_log.h"
#include "systemc/system/system.h"
#include "systemc/trace/transaction_trace.h"
#include "topology/builder.h"

#include "dma_engine.h"
#include "memory.h"
#include "processor.h"

namespace {

constexpr std::size_t kMemory = 1 << 20;
constexpr std::size_t kProcessorBlock = 10000;
constexpr std::size_t kDmaBlock = 30000;
constexpr std::uint64_t kDmaOffset = 1 << 16;  // so that the two do not meet
constexpr int kQuantum = 1000;  // cycles
constexpr int kProcessorHost = 0;
constexpr int kDmaHost = 1;

/// Addresses at `offset` in the memories of all hosts but `own`.
std::vector<std::uint64_t> Others(const tilefly::systemc::System& system, int own, std::uint64_t offset) {
  std::vector<std::uint64_t> addresses;
  for (int host = 0; host < system.endpoints(); ++host) {
    if (host != own) addresses.push_back(system.AddressOf(host, offset));
  }
  return addresses;
}

void Print(const char* who, const Moved& moved) {
  std::printf("%s: %zu puts, %zu gets, %zu bytes, %zu wrong\n", who, moved.puts, moved.gets, moved.bytes, moved.wrong);
}

int Simulate(const std::string& topology, bool loosely_timed, const std::string& transactions) {
  tilefly::fabric::SetResolution();
  tlm_utils::tlm_quantumkeeper::set_global_quantum(tilefly::fabric::TimeOf(kQuantum));
  tilefly::systemc::SystemOptions options;
  options.checked = true;
  options.loosely_timed = loosely_timed;
  tilefly::systemc::System system("system", tilefly::topology::Build(topology), options);
  if (system.endpoints() < 3) throw tilefly::UsageError(topology + ": three hosts at least");

  Processor processor("processor", Others(system, kProcessorHost, 0), kProcessorBlock);
  processor.socket.bind(system.nic(kProcessorHost).host<64>());
  DmaEngine dma("dma", Others(system, kDmaHost, kDmaOffset), kDmaBlock);
  dma.socket.bind(system.nic(kDmaHost).host());
  std::vector<std::unique_ptr<Memory>> memories;
  for (int host = 0; host < system.endpoints(); ++host) {
    const std::string name = "memory" + std::to_string(host);
    memories.push_back(std::make_unique<Memory>(name.c_str(), kMemory, sc_core::sc_time(60, sc_core::SC_NS)));
    system.nic(host).memory().bind(memories.back()->socket);
  }
  std::optional<tilefly::systemc::TransactionTrace> trace;
  if (!transactions.empty()) trace.emplace(transactions, "transactions.fst");

  const int status = RunToEnd(system);
  Print("processor", processor.moved());
  Print("dma", dma.moved());
  std::printf("%s, broken rules of the fabric protocol: %zu\n", sc_core::sc_time_stamp().to_string().c_str(),
              system.violations());
  if (trace) {
    trace->Close();
    std::printf("transactions.fst: %zu transactions\n", trace->recorded());
  }
  const bool right = processor.moved().wrong + dma.moved().wrong + system.violations() == 0;
  return status == tilefly::kPassed && !right ? tilefly::kCheckFailed : status;
}

}  // namespace

int sc_main(int argc, char** argv) {
  const bool loosely_timed = argc == 3 && std::string(argv[2]) == "--loosely-timed";
  const bool traced = argc == 4 && std::string(argv[2]) == "--transactions";
  if (argc != 2 && !loosely_timed && !traced) {
    std::fprintf(stderr, "usage: platform TOPOLOGY [--transactions MODULE | --loosely-timed]\n");
    return tilefly::kUsage;
  }
  return tilefly::systemc::RunProgram([&] { return Simulate(argv[1], loosely_timed, traced ? argv[3] : ""); });
}
