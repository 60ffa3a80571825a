// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/asked_bins.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "cosim/traffic/class_mix.h"
#include "traffic/pattern.h"
#include "traffic/size_mix.h"

namespace tilefly::runs {
namespace {

constexpr int kDraws = 2048;               ///< destinations of a port that are looked at
constexpr double kOverloaded = 1.1;        ///< above what the draws' chance gives a link that is just full
constexpr double kCellsOfASlot = 2.0 / 3;  ///< of frames that fill their cells
constexpr double kOften = 10;
constexpr double kLoadLimit = 4095;
constexpr double kCreditCountLimit = 65536;

/// What the sources send to the output that has the most of it.
struct Demand {
  double busiest = 0;  ///< share of its link's word slots
  int inputs = 0;      ///< that send to one output, most
  int rows = 0;        ///< that send to one output, most
};

Demand DemandOf(const RunOptions& options) {
  const Profile& profile = *options.profile;
  const cosim::GeneratorOptions& made = options.generator;
  Demand demand;
  if (options.capture.used() || options.source || made.load <= 0) return demand;
  const Pattern pattern(made.traffic, profile.ports, options.seed);
  const auto ports = static_cast<std::size_t>(profile.ports);
  std::vector<double> shares(ports);
  std::vector<std::set<int>> inputs(ports), rows(ports);
  for (int source = 0; source < profile.ports; ++source) {
    if (!pattern.Sends(source)) continue;
    for (int draw = 0; draw < kDraws; ++draw) {
      const int to = pattern.Destination(source, static_cast<std::uint64_t>(draw));
      if (to < 0) continue;
      shares[static_cast<std::size_t>(to)] += made.load * (1 - made.replicated) / kDraws;
      inputs[static_cast<std::size_t>(to)].insert(source);
      rows[static_cast<std::size_t>(to)].insert(source / profile.row_in);
    }
  }
  for (std::size_t port = 0; port < ports; ++port) {
    demand.busiest = std::max(demand.busiest, shares[port]);
    demand.inputs = std::max(demand.inputs, static_cast<int>(inputs[port].size()));
    demand.rows = std::max(demand.rows, static_cast<int>(rows[port].size()));
  }
  demand.busiest += made.load * made.replicated * (profile.ports - 1);
  if (made.replicated > 0 || made.routed > 0) {
    demand.inputs = profile.ports - 1;
    demand.rows = profile.rows;
  }
  return demand;
}

/// Which situations the options of a run ask for.
class Wishes {
 public:
  explicit Wishes(const SwitchRun& run)
      : options_(run.options()), profile_(*options_.profile), demand_(DemandOf(options_)) {
    const auto is = [](cosim::PortKind kind) { return [kind](cosim::PortKind one) { return one == kind; }; };
    const auto& kinds = options_.kinds;
    standard_ = std::any_of(kinds.begin(), kinds.end(), is(cosim::PortKind::kStandard));
    headers_ = !std::all_of(kinds.begin(), kinds.end(), is(cosim::PortKind::kStandard));
    stores_ = !std::all_of(kinds.begin(), kinds.end(), is(cosim::PortKind::kFabric));
    for (const PortLoad& load : run.port_loads()) {
      most_in_ = std::max(most_in_, static_cast<double>(load.in) * kCellsOfASlot);
      most_out_ = std::max(most_out_, static_cast<double>(load.out) * kCellsOfASlot);
    }
    excess_ = (demand_.busiest - 1) * std::max(0.0, run.traffic_slots()) * kCellsOfASlot;
    const double frames = static_cast<double>(run.scoreboard().books().copies);
    const double places = profile_.ports * std::max(1.0, run.traffic_slots());
    meetings_ = places * std::pow(frames / places / profile_.rows, profile_.rows);
    lanes_ = 2 * static_cast<int>(ParseClasses(options_.generator.classes, options_.classes, profile_).size());
    too_long_ = run.capture_summary() && run.capture_summary()->too_long > 0;
  }

  bool overloaded() const { return demand_.busiest > kOverloaded; }
  bool several() const { return demand_.inputs > 1; }
  bool rows_meet() const { return demand_.rows > 1; }
  /// Grants of an overloaded output follow each other. Else first cells of all rows meet by chance.
  bool all_rows() const { return demand_.rows == profile_.rows && !overloaded() && meetings_ >= kOften; }
  bool whole_row() const { return overloaded() && demand_.inputs >= profile_.row_in; }
  /// A stall lasts while so many cells come.
  bool lasts(int cells) const {
    return options_.stalls.share > 0 && options_.stalls.max_cycles * options_.lanes / 4 * kCellsOfASlot >= cells;
  }
  bool held_credits() const {
    return headers_ && options_.stalls.credits && lasts(profile_.credit_cap_cells - profile_.mtu_cells);
  }
  bool sent_pauses() const { return standard_ && options_.stalls.pause && options_.stalls.share > 0; }
  bool no_room() const { return overloaded() || (sent_pauses() && lasts(profile_.obuf_cells - profile_.mtu_cells)); }
  bool deaf() const { return standard_ && options_.stalls.ignore_pause; }
  bool faults() const { return !options_.capture.used() && options_.generator.faults > 0; }
  bool faults_stored() const { return faults() && stores_; }
  bool faults_standard() const { return faults() && standard_; }
  bool faults_headers() const { return faults() && headers_; }
  bool too_long() const { return faults_standard() || too_long_; }
  bool refused() const { return !options_.eth_header && standard_ && headers_; }
  bool class_mtu() const {
    return HasClass([&](const auto& one) { return one.mtu < profile_.mtu_cells; }) && (faults() || too_long_);
  }
  bool lossy() const {
    return overloaded() && HasClass([](const auto& one) { return one.lossy; });
  }
  bool mishaps() const { return options_.reductions.groups > 0 && options_.reductions.mishaps > 0; }
  bool fills(int cells) const { return overloaded() && most_in_ >= cells; }
  /// A buffer is full to its last MTU when all lanes have their part of it, or its sender does not heed PAUSE.
  bool full_buffer() const {
    const int full = profile_.cells - profile_.mtu_cells;
    const int lanes = std::min(
        {lanes_ * profile_.credit_cap_cells, profile_.credit_shared_cells + lanes_ * profile_.credit_reserve_cells});
    return fills(full) && (deaf() || (headers_ && lanes >= full));
  }
  bool pauses() const { return standard_ && fills(profile_.pause_xoff_cells); }
  /// As many cells must come as that, and queues may have requests for as many.
  bool load_limit() const {
    const SizeMix sizes(options_.generator.size, profile_.min_enh_bytes, profile_.mtu_bytes);
    const double cells = sizes.Mean([](int size) { return (size + 16 + cosim::kCellBytes - 1) / cosim::kCellBytes; });
    return excess_ >= kLoadLimit && cells * demand_.inputs * lanes_ * profile_.request_credits >= kLoadLimit;
  }
  bool credit_limit() const { return headers_ && most_out_ / lanes_ >= kCreditCountLimit; }

 private:
  template <typename Is>
  bool HasClass(Is is) const {
    if (!options_.classes) return false;
    const auto& classes = options_.classes->table().classes;
    return std::any_of(classes.begin(), classes.end(), is);
  }

  const RunOptions& options_;
  const Profile& profile_;
  Demand demand_;
  bool standard_ = false, headers_ = false, stores_ = false, too_long_ = false;
  double most_in_ = 0;   ///< cells that came in by one port, about
  double most_out_ = 0;  ///< cells that went out by one port, about
  double meetings_ = 0;  ///< of first cells of all rows at an output, by chance
  double excess_ = 0;    ///< cells for the busiest output beyond what its link takes, about
  int lanes_ = 0;        ///< virtual lanes in use, most
};

struct Bin {
  const char* name;
  bool (Wishes::*asked)() const;
  const char* by;           ///< what asks for it
  bool of_traffic = false;  ///< who sends to whom does
};

constexpr const char* kOverload = "an overloaded output (--traffic incast or hotspot, --replicated)";
constexpr Bin kBins[] = {
    {"full_input_buffer", &Wishes::full_buffer, "a long overload in all classes, or --ignore-pause on", true},
    {"no_room", &Wishes::no_room, kOverload, true},
    {"no_credit", &Wishes::held_credits, "long --stalls of credits"},
    {"all_inputs_one_output", &Wishes::whole_row, kOverload, true},
    {"all_rows_one_cycle", &Wishes::all_rows, "many small frames of all rows to one output", true},
    {"load_saturated", &Wishes::load_limit, "a long overload with large frames", true},
    {"pause_to_switch", &Wishes::sent_pauses, "--stalls of standard ports"},
    {"pause_from_switch", &Wishes::pauses, "a long overload of standard ports", true},
    {"grant_wrap", &Wishes::several, "traffic of several inputs to one output", true},
    {"take_wrap", &Wishes::rows_meet, "traffic of several rows to one output", true},
    {"credit_wrap", &Wishes::credit_limit, "65536 cells on one lane"},
    {"drop_FCS", &Wishes::faults_stored, "--faults at enhanced or standard ports"},
    {"drop_STOMPED", &Wishes::faults_stored, "--faults at enhanced or standard ports"},
    {"drop_SHORT", &Wishes::faults_standard, "--faults at standard ports"},
    {"drop_LONG", &Wishes::too_long, "--faults at standard ports"},
    {"drop_HEADER", &Wishes::faults_headers, "--faults at fabric or enhanced ports"},
    {"drop_BROKEN", &Wishes::faults_stored, "--faults at enhanced or standard ports"},
    {"drop_UNKNOWN_MAC", &Wishes::faults_standard, "--faults at standard ports"},
    {"drop_NO_ROUTE", &Wishes::faults, "--faults"},
    {"drop_HOP_LIMIT", &Wishes::faults_headers, "--faults at fabric or enhanced ports"},
    {"drop_BUFFER_FULL", &Wishes::deaf, "--ignore-pause on"},
    {"drop_NO_ETH_HEADER", &Wishes::refused, "--eth-header off, --ports mixed"},
    {"drop_CONTROL", &Wishes::sent_pauses, "--stalls of standard ports"},
    {"drop_CLASS_MTU", &Wishes::class_mtu, "--faults, --qos with a class's own mtu"},
    {"drop_CLASS_FULL", &Wishes::lossy, "--qos with a lossy class, overloaded", true},
    {"drop_RED", &Wishes::mishaps, "--mishaps"},
};

}  // namespace

std::map<std::string, std::string> BinsNotAskedFor(const SwitchRun& run) {
  const Wishes wishes(run);
  std::map<std::string, std::string> others;
  for (const Bin& bin : kBins) {
    const bool unknown = bin.of_traffic && run.options().capture.used();
    if (!(wishes.*bin.asked)()) others[bin.name] = unknown ? "not known of a capture" : bin.by;
  }
  return others;
}

}  // namespace tilefly::runs
