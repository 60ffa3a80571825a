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
      seed_(SeedOf(root_, CurrentTest()) + static_cast<std::uint32_t>(options.power_up.start)),
      stimulus_(seed_),
      power_up_(options.power_up),
      least_busy_of_256_(options.least_busy_of_256),
      cycles_(options.cycles != 0 ? options.cycles
                                  : static_cast<golden::Cycle>(options.of_tier * static_cast<double>(CyclesOf(tier_)))),
      drain_(options.drain) {
  events_.reserve(kEventsKept);
}

Comparison::~Comparison() {
  if (!over_ && !testing::Test::HasFatalFailure()) ADD_FAILURE() << "the run was left before its end";
}

bool Comparison::Next() {
  if (over_) return false;
  if (busy_) ++busy_cycles_;
  busy_ = false;
  if (!failed_) ++cycle_;
  if (!failed_ && cycle_ < cycles_) return true;
  over_ = true;
  if (!failed_) Verdict();
  return false;
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

std::string Comparison::LastEvents() const {
  std::ostringstream text;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const NotedEvent& event = events_[events_.size() < kEventsKept ? i : (next_event_ + i) % kEventsKept];
    text << "\n    cycle " << event.cycle << ": " << event.what;
    for (int v = 0; v < event.count; ++v) text << ' ' << event.values[static_cast<std::size_t>(v)];
  }
  return text.str();
}

std::string Comparison::Hex(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

void Comparison::Fail(const std::string& what) {
  if (failed_) return;
  failed_ = true;
  ADD_FAILURE() << "DIVERGENCE in cycle " << cycle_ << ": " << what << "\n  last events:" << LastEvents()
                << "\n  seed " << seed_ << ", power-up " << power_up_.start << "; again: " << ReproLine(tier_, root_);
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

void Comparison::Verdict() {
  std::ostringstream text;
  text << "compared " << cycles_ << " cycles, compared_busy " << busy_cycles_ << ", values " << values_ << ", seed "
       << seed_;
  const bool whole = power_up_.start == 0;
  for (const BinState& bin : bins_) {
    if (whole) text << "\n    " << bin.name << ": " << bin.hits << " (at least " << bin.minimum << ")";
  }
  std::printf("  %s: %s\n", CurrentTest().c_str(), text.str().c_str());

  const std::string again = "\n  again: " + ReproLine(tier_, root_);
  if (values_ < cycles_ - drain_) ADD_FAILURE() << "compared " << values_ << " values in " << cycles_ << " cycles" << again;
  if (!whole) return;
  if (busy_cycles_ * 256 < cycles_ * least_busy_of_256_) {
    ADD_FAILURE() << "compared_busy " << busy_cycles_ << " of " << cycles_ << " cycles: the stimulus is too thin" << again;
  }
  for (const BinState& bin : bins_) {
    if (bin.hits < bin.minimum) {
      ADD_FAILURE() << "bin '" << bin.name << "': " << bin.hits << " of at least " << bin.minimum << again;
    }
  }
}

}  // namespace tilefly::bench
