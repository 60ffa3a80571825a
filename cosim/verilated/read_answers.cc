// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/read_answers.h"

#include <fmt/format.h>

#include "cosim/errors.h"
#include "generated/registers.h"
#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {
namespace {

constexpr std::size_t kCounters = static_cast<std::size_t>(kCounterValues.back()) + 1;

}  // namespace

ReadAnswers::ReadAnswers(int ports)
    : counters_(static_cast<std::size_t>(ports), std::vector<std::int64_t>(kCounters, -1)) {}

void ReadAnswers::Watch(const Cfg& cfg, Cycle cycle) {
  const bool counter = cfg.space == static_cast<int>(CfgSpace::kCounter);
  if (cfg.valid && cfg.read) pending_.push_back({cycle + golden::kAnswerLatency, cfg.port, counter ? cfg.index : kNoCounter});
}

void ReadAnswers::Sample(const PortWord* rdata) {
  const Pending read = pending_.front();
  pending_.pop_front();
  const ReadAnswer answer = ReadAnswer::UnpackAt(rdata, 0);
  if (!answer.valid) {
    throw DeviceError(
        fmt::format("read of counter {} of port {} is not answered in cycle {}", read.index, read.port, read.due));
  }
  if (read.index == kNoCounter) return;
  counters_.at(static_cast<std::size_t>(read.port)).at(static_cast<std::size_t>(read.index)) =
      static_cast<std::int64_t>(answer.data);
}

std::uint64_t ReadAnswers::Counter(int port, int index) const {
  const std::int64_t value = counters_.at(static_cast<std::size_t>(port)).at(static_cast<std::size_t>(index));
  if (value < 0)
    throw DeviceError(fmt::format("counter {} of port {} was never read over the register bus", index, port));
  return static_cast<std::uint64_t>(value);
}

}  // namespace tilefly::cosim
