// SPDX-License-Identifier: Apache-2.0
#include "cosim/contract/bounded.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace tilefly::cosim {
namespace {

/// Difference as a share of the exact value.
double Off(double bounded, double exact) { return exact == 0 ? (bounded == 0 ? 0 : 1) : bounded / exact - 1; }

double ShareOf(std::int64_t drops, const ContractFigures& figures) {
  return figures.offered > 0 ? static_cast<double>(drops) / static_cast<double>(figures.offered) : 0;
}

}  // namespace

ContractComparison::ContractComparison(const std::string& reference, const ContractFigures& bounded,
                                       const ContractFigures& exact, std::vector<std::string> broken,
                                       const ContractBounds& bounds)
    : reference_(reference),
      bounded_(bounded),
      exact_(exact),
      bounds_(bounds),
      latency_(exact.offered_load < bounds.latency_load),
      broken_(std::move(broken)) {
  JudgeShare("packets", static_cast<double>(bounded.offered), static_cast<double>(exact.offered), bounds.throughput);
  JudgeDrops();
  JudgeShare("throughput", bounded.accepted_load, exact.accepted_load, bounds.throughput);
  JudgeJobs();
  if (!latency_) return;
  JudgeShare("mean latency", bounded.mean, exact.mean, bounds.mean);
  JudgeShare("99th percentile of the latency", bounded.p99, exact.p99, bounds.p99);
}

/// Where a class may lose packets their share counts. Other drops are of packets that were made to be dropped: as many, but
/// for those of packets that only one side had room to send.
void ContractComparison::JudgeDrops() {
  const std::int64_t only_one = std::abs(bounded_.offered - exact_.offered);
  for (const Drop reason : kDropValues) {
    const auto i = static_cast<std::size_t>(reason);
    const bool within =
        reason == Drop::kClassFull
            ? std::abs(ShareOf(bounded_.drops[i], bounded_) - ShareOf(exact_.drops[i], exact_)) <= bounds_.drop_share
            : std::abs(bounded_.drops[i] - exact_.drops[i]) <= only_one && (bounded_.drops[i] == 0 || exact_.drops[i] != 0);
    if (within) continue;
    broken_.push_back(fmt::format("{} packets dropped by {}, {} of {}", bounded_.drops[i], ToString(reason),
                                  exact_.drops[i], reference_));
  }
}

/// The same operations, whatever failed, and the time that they took.
void ContractComparison::JudgeJobs() {
  for (std::size_t j = 0; j < exact_.jobs.size(); ++j) {
    const ContractJob& mine = bounded_.jobs.at(j);
    const ContractJob& theirs = exact_.jobs[j];
    if (mine.operations != theirs.operations) {
      broken_.push_back(fmt::format("{}: {} operations, {} of {}", theirs.name, mine.operations, theirs.operations, reference_));
    }
    if (mine.failure != theirs.failure) {
      broken_.push_back(fmt::format("{}: failure {}, {} of {} (-1: none)", theirs.name, mine.failure, theirs.failure, reference_));
    }
    JudgeShare((theirs.name + ": completion").c_str(), mine.completion, theirs.completion, bounds_.completion);
  }
}

/// The largest difference of a job's completion.
double ContractComparison::WorstJob() const {
  double worst = 0;
  for (std::size_t j = 0; j < exact_.jobs.size(); ++j) {
    const double off = Off(bounded_.jobs.at(j).completion, exact_.jobs[j].completion);
    if (std::abs(off) > std::abs(worst)) worst = off;
  }
  return worst;
}

void ContractComparison::JudgeShare(const char* what, double bounded, double exact, double bound) {
  const double off = Off(bounded, exact);
  if (std::abs(off) <= bound) return;
  broken_.push_back(fmt::format("{} {:.6g}, {:.6g} of {}: {:+.2f} %, bound {:g} %", what, bounded, exact, reference_,
                                100 * off, 100 * bound));
}

std::string ContractComparison::Message() const {
  std::string message;
  for (const std::string& one : broken_) message += (message.empty() ? "contract broken: " : "; ") + one;
  return message;
}

std::string ContractComparison::Line() const {
  const auto part = [](const char* what, double off, double bound) {
    return fmt::format("{} {:+.3f} % ({:g} %)", what, 100 * off, 100 * bound);
  };
  std::string line = fmt::format("bounded by {}: ", reference_);
  if (latency_) {
    line += part("mean latency", Off(bounded_.mean, exact_.mean), bounds_.mean) + ", " +
            part("p99", Off(bounded_.p99, exact_.p99), bounds_.p99) + ", ";
  }
  line += part("throughput", Off(bounded_.accepted_load, exact_.accepted_load), bounds_.throughput);
  return exact_.jobs.empty() ? line : line + ", " + part("completion of jobs", WorstJob(), bounds_.completion);
}

void ContractComparison::AddTo(nlohmann::ordered_json* results) const {
  using Json = nlohmann::ordered_json;
  AddBounded(results);
  (*results)["bounds"] = Json{{"mean", bounds_.mean},
                              {"p99", bounds_.p99},
                              {"latency_load", bounds_.latency_load},
                              {"throughput", bounds_.throughput},
                              {"completion", bounds_.completion},
                              {"drop_share", bounds_.drop_share}};
  Json measured{{"against", reference_},
                {"packets", Off(static_cast<double>(bounded_.offered), static_cast<double>(exact_.offered))},
                {"throughput", Off(bounded_.accepted_load, exact_.accepted_load)},
                {"mean", latency_ ? Json(Off(bounded_.mean, exact_.mean)) : Json(nullptr)},
                {"p99", latency_ ? Json(Off(bounded_.p99, exact_.p99)) : Json(nullptr)},
                {"completion", exact_.jobs.empty() ? Json(nullptr) : Json(WorstJob())},
                {"broken", broken_}};
  (*results)["measured"] = std::move(measured);
}

void AddBounded(nlohmann::ordered_json* results) {
  (*results)["contract"] = "bounded";
  (*results)["measured"] = nullptr;
}

}  // namespace tilefly::cosim
