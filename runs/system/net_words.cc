// SPDX-License-Identifier: Apache-2.0
// What a run of a system says on the terminal: progress, and the results in a few lines.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "network/round_trip.h"
#include "runs/common/figures.h"
#include "runs/system/background_results.h"
#include "runs/system/congestion_results.h"
#include "runs/system/down_links.h"
#include "runs/system/fault_results.h"
#include "runs/system/job_results.h"
#include "runs/system/manager_results.h"
#include "runs/system/net_progress.h"
#include "runs/system/net_session.h"
#include "runs/system/steady_results.h"

namespace tilefly::runs {
namespace {

constexpr std::chrono::milliseconds kShowEvery{250};
/// Where nobody looks at a line that is overwritten.
constexpr std::chrono::seconds kHeartbeatEvery{30};

double Number(const nlohmann::ordered_json& value) { return value.is_null() ? 0.0 : value.get<double>(); }

/// Words or slots that were damaged in any way.
std::int64_t Damaged(const nlohmann::ordered_json& retry, const std::string& what) {
  std::int64_t sum = what == "words" ? retry["noisy_words"].get<std::int64_t>() : 0;
  for (const char* how : {"bad_", "dropped_", "repeated_"}) sum += retry[how + what].get<std::int64_t>();
  return sum;
}

/// A share in percent, "-" for one of nothing.
std::string Percent(const nlohmann::ordered_json& share) {
  return share.is_null() ? "-" : fmt::format("{:.2f} %", 100 * share.get<double>());
}

}  // namespace

void NetSession::ShowProgress(Cycle cycle, Clock::time_point now) {
  if (options_.verbosity < 0 ||
      now - shown_ < (options_.show_progress ? Clock::duration(kShowEvery) : Clock::duration(kHeartbeatEvery))) {
    return;
  }
  const Cycle at = cycle - network_.nics().begin;
  if (run_options_.network.hosts.used()) {
    Tell(fmt::format("{}cycle {}  {} of {} ranks done, {} packets delivered, {} inside{}",
                     options_.show_progress ? "\r" : "", at, network_.standing().ranks_done,
                     run_options_.network.hosts.workload->RanksThatEnd(), network_.standing().delivered,
                     network_.standing().in_flight, options_.show_progress ? "\033[K" : "\n"));
    shown_ = now;
    return;
  }
  if (run_options_.network.till_sent) {
    Tell(fmt::format("{}cycle {}  {} packets delivered, {} inside{}", options_.show_progress ? "\r" : "", at,
                     network_.standing().delivered, network_.standing().in_flight,
                     options_.show_progress ? "\033[K" : "\n"));
    shown_ = now;
    return;
  }
  const double rate = static_cast<double>(at - shown_cycle_) / std::chrono::duration<double>(now - shown_).count();
  const TrafficProgress progress{at,
                                 network_.nics().end - network_.nics().begin,
                                 run_options_.until_converged,
                                 network_.standing().delivered,
                                 network_.standing().in_flight,
                                 rate};
  Tell((options_.show_progress ? "\r" : "") + ProgressText(progress) + (options_.show_progress ? "\033[K" : "\n"));
  shown_ = now;
  shown_cycle_ = at;
}

void NetSession::SayLoads() {
  const Cycle warmup = run_options_.network.warmup;
  const auto& end = results_["traffic_cycles"];
  const std::string measured =
      end.is_null() ? "nothing measured: nothing was sent"
      : end > warmup
          ? fmt::format("measured from cycle {} to {}", warmup, end.dump())
          : fmt::format("nothing measured: the run ended in cycle {}, the warm-up in {}", end.dump(), warmup);
  log_->Say(fmt::format("load: offered {}, accepted {} ({})", InWords(results_["offered_load"], 4),
                        InWords(results_["accepted_load"], 4), measured));
  if (const std::string line = SteadyLine(results_); !line.empty()) log_->Say(line);
}

/// Every packet of the books, and what of them is not as it should be.
void NetSession::SayPackets() {
  const auto& books = results_["books"];
  std::string more;
  for (const char* key : {"resent", "duplicates"}) {
    if (books.value(key, std::int64_t{0}) > 0) more += fmt::format(", {} {}", books[key].dump(), key);
  }
  for (const auto& [reason, count] : books["drops"].items()) more += fmt::format(", {} {}", count.dump(), reason);
  if (books.value("lost", std::int64_t{0}) > 0)
    more += fmt::format(", {} lost on links that went down", books["lost"].dump());
  const auto given_up = results_["nic"]["given_up"].get<std::int64_t>();
  if (given_up > 0) more += fmt::format(", {} given up", given_up);
  if (const auto& late = results_["nic"]["late_copies"]; !late.is_null() && late > 0)
    more += fmt::format(", {} copies too late for the host", late.dump());
  log_->Say(fmt::format("packets: {} sent, {} delivered{}, {} inside, {} never sent", books["offered"].dump(),
                        books["delivered"].dump(), more, books["in_flight"].dump(), books["queued"].dump()));
  if (const auto& retry = results_["link_retry"]; !retry.is_null() && retry["attempts"] > 0)
    log_->Say(fmt::format(
        "links: {} damaged words, {} damaged slots, {} words sent again in {} replays, efficiency {}{}",
        Damaged(retry, "words"), Damaged(retry, "slots"), retry["resent_words"].dump(), retry["replays"].dump(),
        InWords(retry["efficiency"], 4),
        retry["lanes_failed"] > 0 ? fmt::format("; SerDes lanes given up {} times", retry["lanes_failed"].dump()) : ""));
  if (const std::string text = CongestionLine(results_); !text.empty()) log_->Say(text);
  if (const std::string text = ManagerText(network_); !text.empty()) log_->Say(text);
  if (given_up > 0) {
    const int resends = run_options_.network.nics.most_resends;
    log_->Say(
        fmt::format("warning: {} packets were given up after {} resends; give more --resends or a longer --resend",
                    given_up, resends));
  }
}

/// A link that repairs itself may take longer than NICs wait.
void NetSession::SayShortResend() {
  const network::NicOptions& nics = run_options_.network.nics;
  if (!nics.resends() || !run_options_.network.retry) return;
  const Cycle quiet = network::QuietRoundTrip(network_);
  const Cycle repairs = network::LongestRepairs(network_);
  if (nics.resend >= quiet + repairs) return;
  const double cycle_us = 1e3 / network_.profile().clock_khz;
  log_->Say(fmt::format(
      "warning: --resend waits {} cycles; a packet and its ack may take {} cycles over quiet links, and its {} links {} "
      "more to repair a word each: packets are sent again that only wait; give --resend {:.0f}us or more",
      nics.resend, quiet, network_.routes().longest() - 1, repairs,
      std::ceil(static_cast<double>(quiet + repairs) * cycle_us)));
}

/// Why there is no latency though packets were delivered. Of traffic that ended in its warm-up the loads' line says it.
void NetSession::SayNoLatency() {
  const Cycle warmup = run_options_.network.warmup;
  const bool said = !results_.contains("jobs") && Number(results_["traffic_cycles"]) <= static_cast<double>(warmup);
  if (warmup == 0 || said || !results_["latency_ns"]["min"].is_null()) return;
  if (results_["books"]["delivered"] == 0) return;
  log_->Say(
      fmt::format("warning: no latency: all packets that were delivered were created in the first {} cycles, which "
                  "--warmup leaves out; give a smaller one",
                  warmup));
}

/// Links that were down at the end, and those that were to go down when all was over.
void NetSession::SayFaults(bool stands_still) {
  if (!stands_still && HasFaults(run_.told())) {  // the report of no progress names links
    for (const std::string& warning : StillDown(run_.told(), *figures_)) log_->Say(warning);
  }
  for (const std::string& warning : EventsWithoutEffect(network_, *figures_)) log_->Say(warning);
  for (const std::string& warning : ManagerWarnings(network_)) log_->Say(warning);
  const Cycle end = network_.cycle() - network_.nics().begin;
  for (const network::LinkFault& fault : run_options_.network.faults) {
    if (fault.at <= end) continue;
    log_->Say(fmt::format("warning: --fail-link {}.{}@{} has no effect: the run ended in cycle {}", fault.node,
                          fault.port, fault.at, end));
  }
}

/// Of two devices of a switch that do not both show all.
void NetSession::SayWhatIsNotCompared() {
  for (const auto& [number, name] : run_options_.devices) {
    const auto* const node = dynamic_cast<const cosim::DeviceNode*>(&network_.node(number));
    if (node == nullptr || cosim::NamesOf(name).size() < 2) continue;
    const cosim::Lockstep& devices = node->devices();
    if (devices.observation_compared()) continue;
    log_->Say(fmt::format("device {}={}: links of the two are compared, the observation record is {}'s alone", number, name,
                          devices.observed()->Name()));
  }
}

void NetSession::SayResults(const NetOutcome& outcome) {
  const bool passed = outcome.verdict == Verdict::kPass;
  log_->Say(fmt::format("{} {} seed={}: {} endpoints, {} switches of {}, {} cycles",
                        passed ? (run_.bounded() ? "PASS (bounded)" : "PASS") : Headline(ToString(outcome.verdict)),
                        RunName(), run_options_.network.seed, results_["endpoints"].dump(), network_.nodes(),
                        network_.profile().name, results_["cycles"].dump()));
  if (!passed) log_->Say(outcome.message);
  if (const cosim::SystemLockstep* lockstep = run_.lockstep()) {
    log_->Say(fmt::format("devices {}: {} words compared with the golden system ({} busy)",
                          cosim::ToText(run_options_.devices), lockstep->compared(), lockstep->compared_busy()));
  }
  SayWhatIsNotCompared();
  if (!run_options_.devices.empty() && !run_options_.lockstep)
    log_->Say(fmt::format("devices {}: nothing compared with the golden system (--lockstep off)",
                          cosim::ToText(run_options_.devices)));
  if (run_.bounded()) {
    log_->Say(fmt::format("devices {}: {}", cosim::ToText(run_options_.devices),
                          run_.contract() ? run_.contract()->Line() : "bounded, held against nothing"));
  }
  SayPackets();
  if (results_.contains("jobs")) {
    for (const std::string& line : JobLines(results_["jobs"])) log_->Say(line);
    if (results_.contains("background")) log_->Say(BackgroundLine(results_["background"]));
  } else {
    SayLoads();
  }
  const auto& latency = results_["latency_ns"];
  const auto ns = [&](const char* key) { return InWords(latency[key], 1, " ns"); };
  log_->Say(fmt::format("latency: min {}, median {}, p99 {}, max {}{}; mean hops {}", ns("min"), ns("median"),
                        ns("p99"), ns("max"), LengthMark(results_), InWords(results_["mean_hops"], 3)));
  SayNoLatency();
  SayShortResend();
  const auto& routing = results_["routing"];
  log_->Say(fmt::format("routing: {}, {} of the packets for other switches by non-minimal paths",
                        routing["mode"].get<std::string>(), Percent(routing["nonminimal_share"])));
  SayFaults(outcome.verdict == Verdict::kNoProgress);
  const auto& machine = results_["machine"];
  log_->Say(fmt::format("speed: {:.3g} flit-hops a CPU second, {:.0f} cycles/s; built in {:.2f} s; {} bytes a port",
                        Number(machine["flit_hops_per_cpu_s"]), Number(machine["cycles_per_s"]),
                        Number(machine["build_s"]), machine["bytes_per_port"].dump()));
}

}  // namespace tilefly::runs
