// SPDX-License-Identifier: Apache-2.0
#include "cosim/capture/capture_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cosim/errors.h"
#include "support/text.h"

namespace tilefly::cosim {

Pace ParsePace(const std::string& text) {
  Pace pace;
  if (text == "kept") return pace;
  if (text == "back-to-back") {
    pace.back_to_back = true;
  } else if (!text.empty() && text[0] == 'x') {
    pace.factor = ParseReal(text.substr(1), "--pace, factor");
    if (!(pace.factor >= 0)) throw UsageError("--pace: the factor of xFACTOR is not negative");
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
  return static_cast<Cycle>(std::floor(static_cast<double>(time_ns) * factor * clock_khz / 1e6));
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
      next_(queues_.size()),
      period_ns_(PeriodOf(capture_)),
      left_(static_cast<std::int64_t>(capture_.frames.size()) * repeat),
      slots_(queues_.size()) {
  if (repeat < 1) throw UsageError("--repeat: at least 1");
  for (std::size_t i = 0; i < placement.of_frame.size(); ++i)
    queues_[static_cast<std::size_t>(placement.of_frame[i])].push_back(i);
}

FramePtr CaptureSource::Take(int port, Cycle now) {
  const auto& queue = queues_[static_cast<std::size_t>(port)];
  std::size_t& next = next_[static_cast<std::size_t>(port)];
  if (closed() || now < begin_ || next == queue.size() * static_cast<std::size_t>(repeat_)) return nullptr;
  const std::size_t index = queue[next % queue.size()];
  const auto round = static_cast<std::int64_t>(next / queue.size());
  const CapturedFrame& captured = capture_.frames[index];
  if (begin_ + pace_.At(captured.time_ns + round * period_ns_, setup_.profile().clock_khz) > now) return nullptr;
  ++next;
  --left_;
  auto frame = std::make_shared<Frame>();
  frame->id = static_cast<std::uint64_t>(round) * capture_.frames.size() + index + 1;
  frame->source = port;
  frame->bytes = captured.bytes;
  if (static_cast<int>(frame->bytes.size()) > setup_.profile().mtu_bytes) frame->expect_drop = Drop::kLong;
  slots_[static_cast<std::size_t>(port)] += frame->slots();
  return frame;
}

}  // namespace tilefly::cosim
