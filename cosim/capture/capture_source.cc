// SPDX-License-Identifier: Apache-2.0
#include "cosim/capture/capture_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "cosim/errors.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr double kLongGap = 1e8;  ///< cycles

/// Whole cycles that a time of the capture takes.
double CyclesOf(double ns, const Pace& pace, int clock_khz) { return std::floor(ns * pace.factor * clock_khz / 1e6); }

}  // namespace

Pace ParsePace(const std::string& text) {
  Pace pace;
  if (text == "kept") return pace;
  if (text == "back-to-back") {
    pace.back_to_back = true;
  } else if (!text.empty() && text[0] == 'x') {
    pace.factor = ParseReal(text.substr(1), "--pace, factor");
    if (!(pace.factor >= 0) || std::isinf(pace.factor))
      throw UsageError("--pace: the factor of xFACTOR is a number from 0 on, such as x0.1");
  } else {
    ThrowUnknown("pace", text, {"kept", "back-to-back", "xFACTOR"});
  }
  return pace;
}

std::int64_t PeriodOf(const Capture& capture) {
  std::int64_t last_ns = 0;
  for (const CapturedFrame& frame : capture.frames) last_ns = std::max(last_ns, frame.time_ns);
  return last_ns + 1;
}

Cycle Pace::At(std::int64_t time_ns, int clock_khz) const {
  if (back_to_back) return 0;
  return static_cast<Cycle>(std::min(CyclesOf(static_cast<double>(time_ns), *this, clock_khz), double{kBeyondAnyRun}));
}

std::string PaceNotice(const Capture& capture, const CaptureOptions& options, int clock_khz) {
  const Pace& pace = options.pace;
  if (pace.back_to_back) return "";
  std::vector<std::size_t> order(capture.frames.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto time = [&](std::size_t frame) { return capture.frames[frame].time_ns; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return time(a) < time(b); });
  std::int64_t latest = 0, longest = 0;
  std::size_t record = 0;  // before which the longest gap is
  for (const std::size_t frame : order) {
    if (options.max_cycles > 0 && pace.At(latest, clock_khz) >= options.max_cycles) break;
    const std::int64_t gap = time(frame) - latest;
    if (gap > longest) record = frame + 1;
    longest = std::max(longest, gap);
    latest = time(frame);
  }
  const auto cycles = [&](double ns) { return CyclesOf(ns, pace, clock_khz); };
  const std::string gap =
      record == 0 ? ""
                  : fmt::format("; no frame comes for {:.0f} cycles, {:.6g} s of the capture, before record {}",
                                cycles(static_cast<double>(longest)), static_cast<double>(longest) / 1e9, record);
  const double all = cycles(static_cast<double>(PeriodOf(capture)) * options.repeat);
  if (options.max_cycles == 0 && all > double{kLongestRun}) {
    throw UsageError(
        fmt::format("{}: its frames take {:.6g} cycles, a run has at most {}{}: give --pace xFACTOR with a "
                    "smaller factor, --pace back-to-back, or --max-cycles for a part of them",
                    capture.file, all, kLongestRun, gap));
  }
  if (cycles(static_cast<double>(longest)) < kLongGap) return "";
  return fmt::format("{}: {}; --pace xFACTOR shortens it, --pace back-to-back leaves it out", capture.file,
                     gap.substr(2));
}

void ConfigureHosts(const PortPlacement& placement, SwitchSetup* setup) {
  if (placement.address) setup->SetSwitchAddress(*placement.address);
  for (const auto& [mac, port] : placement.hosts) setup->AddHost(mac, std::uint64_t{1} << port);
  setup->SetFloods(placement.used_ports, placement.used_ports, placement.used_ports);
}

CaptureSource::CaptureSource(const SwitchSetup& setup, Capture capture, const Placement& placement, Pace pace,
                             int repeat)
    : setup_(setup),
      capture_(std::move(capture)),
      pace_(pace),
      repeat_(repeat),
      queues_(static_cast<std::size_t>(setup.profile().ports)),
      taken_(queues_.size()),
      offered_(queues_.size()),
      period_ns_(PeriodOf(capture_)),
      left_(static_cast<std::int64_t>(capture_.frames.size()) * repeat) {
  if (repeat < 1) throw UsageError("--repeat: at least 1");
  for (std::size_t i = 0; i < placement.of_frame.size(); ++i)
    queues_[static_cast<std::size_t>(placement.of_frame[i])].push_back(i);
}

/// The cycle of the frame at `position` of a port's queue, over all repetitions; without its pace that of the begin.
Cycle CaptureSource::TimeOf(int port, std::size_t position) const {
  const auto& queue = queues_[static_cast<std::size_t>(port)];
  if (position == queue.size() * static_cast<std::size_t>(repeat_)) return kBeyondAnyRun;
  if (pace_.back_to_back) return begin_;
  const std::int64_t time_ns = capture_.frames[queue[position % queue.size()]].time_ns;
  const auto round = static_cast<std::int64_t>(position / queue.size());
  if (round > (INT64_MAX - time_ns) / period_ns_) return kBeyondAnyRun;
  return begin_ + pace_.At(time_ns + round * period_ns_, setup_.profile().clock_khz);
}

FramePtr CaptureSource::Make(int port, std::size_t position) const {
  const auto& queue = queues_[static_cast<std::size_t>(port)];
  const std::size_t index = queue[position % queue.size()];
  auto frame = std::make_shared<Frame>();
  frame->id = position / queue.size() * capture_.frames.size() + index + 1;
  frame->source = port;
  if (!pace_.back_to_back) frame->created = TimeOf(port, position);
  frame->bytes = capture_.frames[index].bytes;
  if (static_cast<int>(frame->bytes.size()) > setup_.profile().mtu_bytes) frame->expect_drop = Drop::kLong;
  return frame;
}

FramePtr CaptureSource::NextFrame(int port, Cycle now, LaneMask held) {
  Passed& taken = taken_[static_cast<std::size_t>(port)];
  if (closed() || (held & 1) != 0 || TimeOf(port, taken.next) > now) return nullptr;
  --left_;
  return Advance(port, &taken);
}

FramePtr CaptureSource::Advance(int port, Passed* passed) const {
  FramePtr frame = Make(port, passed->next++);
  passed->slots[static_cast<std::size_t>(setup_.ClassOf(*frame))] += frame->slots();
  return frame;
}

ClassSlots CaptureSource::Offered(int port, Cycle now) {
  Passed& told = offered_[static_cast<std::size_t>(port)];
  const Passed& taken = taken_[static_cast<std::size_t>(port)];
  if (told.next < taken.next) told = taken;
  while (TimeOf(port, told.next) < now) Advance(port, &told);
  return told.slots;
}

}  // namespace tilefly::cosim
