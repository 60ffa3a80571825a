// SPDX-License-Identifier: Apache-2.0
#include "conform/vectors/ideal_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

namespace tilefly::conform {
namespace {

/// Store and forward with as much room as it takes: a frame leaves from the cycle behind its last beat on. Where it has
/// to leave, the frame itself says.
class Recorder {
 public:
  Recorder(const Capability& capability, const Scenario& scenario, std::uint64_t seed)
      : it_(capability), bench_(capability, scenario, seed), ports_(static_cast<std::size_t>(capability.ports)) {
    run_.in.resize(ports_);
    run_.out.resize(ports_);
    shown_.in_ready.assign(ports_, true);
    shown_.out.resize(ports_);
    bad_ = it_.frames.bad == Fate::kMarked ? 1u << it_.frames.bad_bit : 0;
  }

  IdealRun Run() {
    Begin(true);
    for (Turn turn = bench_.Next(); turn != Turn::kOver; turn = bench_.Next()) {
      if (turn == Turn::kReset) {
        part().cycles = cycle_;
        Overtake();
        Begin(true);
      } else {
        Step();
      }
    }
    const Outcome outcome = bench_.Found();
    if (!outcome.breach.empty()) throw std::runtime_error("an ideal device breaks its rules: " + outcome.breach);
    if (outcome.counts.unjudged > 0)
      throw std::runtime_error(
          fmt::format("{} of its frames are undefined by the capability file", outcome.counts.unjudged));
    for (VectorPart& one : run_.parts) Trim(&one);
    return std::move(run_);
  }

 private:
  struct Leaving {
    FramePtr frame;
    VectorCopy copy;
    std::size_t beat = 0;
  };

  VectorPart& part() { return run_.parts.back(); }

  void Begin(bool reset) {
    run_.parts.emplace_back();
    part().reset = reset;
    part().in.resize(ports_);
    part().out.resize(ports_);
    in_frame_.assign(ports_, false);
    frames_.assign(ports_, 0);
    leaving_.assign(ports_, {});
    cycle_ = 0;
  }

  bool Sent() {
    return std::any_of(part().in.begin(), part().in.end(), [](const auto& beats) { return !beats.empty(); });
  }

  void Step() {
    const StreamInputs& inputs = bench_.inputs();
    if (inputs.write.valid && Sent()) Begin(false);  // nothing is in the device
    if (inputs.write.valid) {
      if (part().writes.size() != static_cast<std::size_t>(cycle_))
        part().writes.resize(static_cast<std::size_t>(cycle_));
      part().writes.push_back(inputs.write);
    }
    std::uint64_t ready = 0;
    for (std::size_t port = 0; port < ports_; ++port) ready |= std::uint64_t{inputs.out_ready[port]} << port;
    part().ready.push_back(ready);
    for (std::size_t port = 0; port < ports_; ++port) Show(port, inputs.out_ready[port]);
    std::int64_t drops = 0;
    for (int port = 0; port < it_.ports; ++port) drops += bench_.books().at(port).dropped;
    shown_.drops = static_cast<std::uint64_t>(drops);
    part().drops = drops;
    bench_.Judge(shown_);
    for (std::size_t port = 0; port < ports_; ++port) {
      if (inputs.in[port].valid) Take(port, inputs.in[port]);
    }
    ++cycle_;
  }

  /// A beat of input `port` went in.
  void Take(std::size_t port, const Beat& beat) {
    part().in[port].push_back({cycle_, !in_frame_[port], beat});
    in_frame_[port] = !beat.last;
    const Books::Seen& seen = bench_.books().at(static_cast<int>(port)).in;
    if (!seen.frame) part().judged = false;
    if (!beat.last) return;
    const int index = frames_[port]++;
    if (!seen.frame) return;
    run_.in[port].push_back({bench_.now() - 1, seen.frame});
    for (std::size_t output = 0; output < ports_; ++output) {
      if ((seen.frame->outputs >> output & 1) != 0)
        leaving_[output].push_back({seen.frame, {static_cast<int>(port), index}, 0});
    }
  }

  /// What output `port` shows.
  void Show(std::size_t port, bool ready) {
    Beat& beat = shown_.out[port];
    beat = Beat{};
    if (leaving_[port].empty()) return;
    Leaving& first = leaving_[port].front();
    beat = BeatOf(*first.frame, first.beat, it_.signals.data_bytes, bad_);
    if (!ready) return;
    ++first.beat;
    if (!beat.last) return;
    part().out[port].push_back(first.copy);
    run_.out[port].push_back({bench_.now(), first.frame});
    leaving_[port].pop_front();
  }

  /// What a reset overtakes may come out before it of a faster device.
  void Overtake() {
    for (std::size_t output = 0; output < ports_; ++output) {
      for (const Leaving& leaving : leaving_[output]) part().out[output].push_back(leaving.copy);
    }
  }

  /// Outputs that take everything need no rows.
  void Trim(VectorPart* one) const {
    const std::uint64_t all = ports_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << ports_) - 1;
    while (!one->ready.empty() && one->ready.back() == all) one->ready.pop_back();
  }

  const Capability& it_;
  StreamBench bench_;
  std::size_t ports_;
  std::uint32_t bad_ = 0;
  IdealRun run_;
  StreamOutputs shown_;
  Cycle cycle_ = 0;
  std::vector<bool> in_frame_;
  std::vector<int> frames_;  ///< of the part, by input
  std::vector<std::deque<Leaving>> leaving_;
};

}  // namespace

IdealRun RunIdeal(const Capability& capability, const Scenario& scenario, std::uint64_t seed) {
  return Recorder(capability, scenario, seed).Run();
}

}  // namespace tilefly::conform
