// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace tilefly::bench {

Comparison::Comparison(const Options& options)
    : tier_(TierFromEnvironment()),
      root_(RootSeed()),
      seed_(SeedOf(root_, CurrentTest()) + static_cast<std::uint32_t>(options.power_up.start + options.power_up.edge)),
      stimulus_(seed_),
      power_up_(options.power_up),
      least_busy_of_256_(options.least_busy_of_256),
      cycles_(options.cycles),
      drain_(options.drain),
      shown_(options.shown) {
  events_.reserve(kEventsKept);
  if (cycles_ == 0) {
    const Cycle wanted = CyclesFromEnvironment();
    short_ = wanted != 0 && wanted < CyclesOf(Tier::kQuick);
    const auto share =
        static_cast<Cycle>(options.of_tier * static_cast<double>(wanted != 0 ? wanted : CyclesOf(tier_)));
    cycles_ = std::max(share, 2 * drain_ + 1);
  }
  if (!WavesWanted()) return;
  number_ = NextComparison();
  wave_plan_ = PlanFor(number_);
  noted_ = std::make_unique<ComparedValues>();
}

Comparison::~Comparison() {
  if (!over_ && !testing::Test::HasFatalFailure()) ADD_FAILURE() << "the run was left before its end";
  EndCycle();
  if (noted_) LearnFrom(number_, {failed_ ? std::max<Cycle>(cycle_, 0) : -1, shown_, story_}, *noted_);
  Record();
}

void Comparison::EndCycle() {
  if (busy_) ++busy_cycles_;
  if (busy_) busy_values_ += values_ - values_before_cycle_;
  values_before_cycle_ = values_;
  busy_ = false;
}

bool Comparison::Next() {
  if (over_) return false;
  EndCycle();
  // After a difference a traced run goes on to the end of its waves; it compares no more.
  const bool shows = failed_ && wave_plan_ != nullptr && cycle_ < wave_plan_->to;
  const bool goes_on = !failed_ || shows;
  if (goes_on) {
    ++cycle_;
    if (noted_) noted_->NextCycle();
  }
  if (goes_on && cycle_ < cycles_) return true;
  over_ = true;
  if (!failed_) Verdict();
  return false;
}

void Comparison::DrainUntil(bool empty) {
  if (!draining() || cycle_ + 1 < cycles_) return;
  if (empty) {
    drained_ = true;
  } else if (beyond_ < kLongestDrain) {
    ++beyond_;
    ++cycles_;
  } else {
    Fail("not empty " + std::to_string(drain_ + beyond_) + " cycles after the last stimulus");
  }
}

std::optional<WaveWindow> Comparison::StoryWindow() const {
  if (!noted_ || !shown_) return std::nullopt;
  return WavesWindow().value_or(WaveWindow{0, cycles_ - 1});
}

Bin Comparison::AddBin(const char* name, std::int64_t minimum) {
  bins_.push_back({name, minimum, 0});
  return {static_cast<int>(bins_.size()) - 1};
}

void Comparison::Event(const char* what, std::initializer_list<std::int64_t> values) {
  NotedEvent event{cycle_, what, {}, static_cast<int>(std::min<std::size_t>(values.size(), 4))};
  std::copy_n(values.begin(), event.count, event.values.begin());
  if (events_.size() < kEventsKept) {
    events_.push_back(event);
  } else {
    events_[next_event_] = event;
  }
  next_event_ = (next_event_ + 1) % kEventsKept;
}

std::vector<std::string> Comparison::LastEvents() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const NotedEvent& event = events_[events_.size() < kEventsKept ? i : (next_event_ + i) % kEventsKept];
    std::ostringstream text;
    text << "cycle " << event.cycle << ": " << event.what;
    for (int v = 0; v < event.count; ++v) text << ' ' << event.values[static_cast<std::size_t>(v)];
    lines.push_back(text.str());
  }
  return lines;
}

std::string Comparison::Hex(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

void Comparison::End(const std::string& what) {
  if (failed_) return;
  const bool first = failure_.empty();
  failure_ = what;
  if (!compares_) {  // to the end: another assertion may fail later
    if (first) ADD_FAILURE() << "cycle " << cycle_ << ": " << what;
    return;
  }
  failed_ = true;
  std::string events;
  for (const std::string& line : LastEvents()) events += "\n    " + line;
  ADD_FAILURE() << "DIVERGENCE in cycle " << cycle_ << ": " << what << "\n  last events:" << events << "\n  seed "
                << seed_ << ", power-up " << power_up_.start
                << (power_up_.edge > 0 ? ", edge " + std::to_string(power_up_.edge) : "") << "; again: " << ReproLine(tier_, root_) << "\n  waves: " << WavesLine(tier_, root_);
}

void Comparison::Differ(const std::string& signal, const std::string& rtl, const std::string& golden) {
  Fail(signal + ": RTL " + rtl + ", golden " + golden);
}

void Comparison::DifferInFields(const char* signal, const std::uint32_t* rtl, const std::uint32_t* golden,
                         const FieldInfo* fields, int count) {
  std::string names, a, b;
  for (int i = 0; i < count; ++i) {
    for (int done = 0; done < fields[i].width; done += 64) {
      const int width = std::min(64, fields[i].width - done);
      const std::uint64_t x = GetBits(rtl, fields[i].lsb + done, width);
      const std::uint64_t y = GetBits(golden, fields[i].lsb + done, width);
      if (x == y) continue;
      names += (names.empty() ? "." : ", .") + std::string(fields[i].name);
      if (fields[i].width > 64) names += "[" + std::to_string(done) + " up]";
      a += (a.empty() ? "" : ", ") + Hex(x);
      b += (b.empty() ? "" : ", ") + Hex(y);
    }
  }
  Differ(signal + names, a, b);
}

void Comparison::NoteFields(const char* signal, const std::uint32_t* rtl, const std::uint32_t* golden,
                            const FieldInfo* fields, int count) {
  for (int i = 0; i < count; ++i) {
    for (int done = 0; done < fields[i].width; done += 64) {
      const int width = std::min(64, fields[i].width - done);
      const std::string part = fields[i].width > 64 ? "_" + std::to_string(done) : "";
      noted_->Note(std::string(signal) + "." + fields[i].name + part, GetBits(rtl, fields[i].lsb + done, width),
                   GetBits(golden, fields[i].lsb + done, width));
    }
  }
}

void Comparison::Record() const {
  ComparisonRecord record;
  record.test = CurrentTest();
  record.power_up = power_up_.start;
  record.seed = seed_;
  record.shown = shown_;
  record.cycles = cycle_ + (failed_ ? 1 : 0);
  record.compared = values_;
  record.compared_busy = busy_values_;
  for (const BinState& bin : bins_) record.bins.push_back({bin.name, whole() ? bin.minimum : 0, bin.hits});
  if (failed_) {
    record.failed_at = std::max<Cycle>(cycle_, 0);
    record.failure = failure_;
    record.events = LastEvents();
  }
  WriteRecord(record);
}

void Comparison::Verdict() {
  std::ostringstream text;
  text << "compared " << cycles_ << " cycles, compared_busy " << busy_cycles_ << ", values " << values_ << ", seed "
       << seed_;
  for (const BinState& bin : bins_) {
    if (whole()) text << "\n    " << bin.name << ": " << bin.hits << " (at least " << bin.minimum << ")";
  }
  std::printf("  %s: %s\n", CurrentTest().c_str(), text.str().c_str());
  if (!compares_) std::printf("    comparison off (TILEFLY_COMPARE): only assertions of the RTL counted\n");

  const std::string again = "\n  again: " + ReproLine(tier_, root_);
  if (values_ < cycles_ - drain_ && compares_) ADD_FAILURE() << "compared " << values_ << " values in " << cycles_ << " cycles" << again;
  if (drain_ > 0 && !drained_ && compares_) {
    ADD_FAILURE() << "the run ends undrained: nothing was demanded of its end" << again;
  }
  if (!whole()) return;
  if (busy_cycles_ * 256 < (cycles_ - beyond_) * least_busy_of_256_) {
    ADD_FAILURE() << "compared_busy " << busy_cycles_ << " of " << cycles_ << " cycles: the stimulus is too thin" << again;
  }
  for (const BinState& bin : bins_) {
    if (bin.hits < bin.minimum) {
      ADD_FAILURE() << "bin '" << bin.name << "': " << bin.hits << " of at least " << bin.minimum << again;
    }
  }
}

}  // namespace tilefly::bench
