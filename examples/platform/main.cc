// SPDX-License-Identifier: Apache-2.0
// A processor and a DMA engine, each on a host of its own, that put blocks into the memories of all other hosts over a system of
// Tilefly's switches, and get them back.
//
//   platform TOPOLOGY [--transactions MODULE]
//   platform TOPOLOGY --loosely-timed
//
// Loosely timed, a second processor has the DMA engine's place, and both run ahead of the simulated time.
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

/// A host that asks for nothing.
struct Idle final : sc_core::sc_module {
  explicit Idle(sc_core::sc_module_name name) : sc_module(name) {}
  tlm_utils::simple_initiator_socket<Idle> socket{"socket"};
};

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
  if (loosely_timed) tlm_utils::tlm_quantumkeeper::set_global_quantum(tilefly::fabric::TimeOf(kQuantum));
  tilefly::systemc::SystemOptions options;
  options.checked = true;
  options.loosely_timed = loosely_timed;
  tilefly::systemc::System system("system", tilefly::topology::Build(topology), options);
  if (system.endpoints() < 3) throw tilefly::UsageError(topology + ": three hosts at least");

  Processor processor("processor", Others(system, kProcessorHost, 0), kProcessorBlock);
  processor.socket.bind(system.nic(kProcessorHost).host());
  std::optional<DmaEngine> dma;
  std::optional<Processor> second;
  const std::vector<std::uint64_t> addresses = Others(system, kDmaHost, kDmaOffset);
  if (loosely_timed) {
    second.emplace("second", addresses, kDmaBlock).socket.bind(system.nic(kDmaHost).host());
  } else {
    dma.emplace("dma", addresses, kDmaBlock).socket.bind(system.nic(kDmaHost).host());
  }
  std::vector<std::unique_ptr<Idle>> idle;
  std::vector<std::unique_ptr<Memory>> memories;
  for (int host = 0; host < system.endpoints(); ++host) {
    const std::string number = std::to_string(host);
    memories.push_back(std::make_unique<Memory>(("memory" + number).c_str(), kMemory, sc_core::sc_time(60, sc_core::SC_NS)));
    system.nic(host).memory().bind(memories.back()->socket);
    if (host == kProcessorHost || host == kDmaHost) continue;
    idle.push_back(std::make_unique<Idle>(("idle" + number).c_str()));
    idle.back()->socket.bind(system.nic(host).host());
  }
  std::optional<tilefly::systemc::TransactionTrace> trace;
  if (!transactions.empty()) trace.emplace(transactions, "transactions.fst");

  const int status = RunToEnd(system);
  Print("processor", processor.moved());
  const Moved other = dma ? dma->moved() : second->moved();
  Print(dma ? "dma" : "second processor", other);
  std::printf("%s, broken rules of the fabric protocol: %zu\n", sc_core::sc_time_stamp().to_string().c_str(), system.violations());
  if (trace) {
    trace->Close();
    std::printf("transactions.fst: %zu transactions\n", trace->recorded());
  }
  const bool right = processor.moved().wrong + other.wrong + system.violations() == 0;
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
